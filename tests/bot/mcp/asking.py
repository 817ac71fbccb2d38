"""Asking the tools: in this process, and over stdio as an assistant does, with the SDK's own client."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, InitializeResult, Tool

from bot.mcp.server import carry_out
from bot.mcp.tool import all_tools
from bot.web.shelf import Shelf

ROOT = Path(__file__).parents[3]
Call = tuple[str, Mapping[str, Any]]


def ask(shelf: Shelf, name: str, **arguments: Any) -> Any:
    """The structured answer."""
    found = carry_out(all_tools()[name], shelf, arguments)
    assert found.is_error is False, found.content
    return found.structured_content


def refused(shelf: Shelf, name: str, **arguments: Any) -> str:
    """The words of an error."""
    found = carry_out(all_tools()[name], shelf, arguments)
    assert (found.is_error, found.structured_content) == (True, None)
    return found.content[0].text


@dataclass
class Session:
    """What a client saw."""

    hello: InitializeResult
    tools: list[Tool]
    answers: list[CallToolResult | MCPError]


def talk(
    calls: Sequence[Call], *options: str, command: Sequence[str] = (), env: Mapping[str, str] | None = None
) -> Session:
    """One session with the server; answers in the order of the calls. The client checks each against its schema."""

    async def one(session: ClientSession, name: str, arguments: Mapping[str, Any]) -> CallToolResult | MCPError:
        try:
            return await session.call_tool(name, dict(arguments))
        except MCPError as error:
            return error

    async def whole() -> Session:
        words = [*(command or (sys.executable, "-m", "bot", "mcp")), *options]
        server = StdioServerParameters(command=words[0], args=words[1:], cwd=ROOT, env=dict(env) if env else None)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            hello = await session.initialize()
            tools = (await session.list_tools()).tools
            return Session(hello, tools, [await one(session, name, arguments) for name, arguments in calls])

    return asyncio.run(whole())
