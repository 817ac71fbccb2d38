"""The tools behind the official SDK, on stdin and stdout. Nothing else may write to stdout: logs go to stderr."""

from __future__ import annotations

import json
import logging
from typing import Any

import anyio
from anyio import to_thread
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as ToolWords

from bot.errors import TriageError, UserError
from bot.mcp.tool import Arguments, Tool, all_tools
from bot.web.shelf import Shelf

log = logging.getLogger(__name__)

INSTRUCTIONS = (
    "Explains Rust panics of burn and its family (cubecl, cubek, burn-onnx) from an index of their source and a "
    "knowledge base. Use explain_panic on any panic whose path or backtrace names one of their crates."
)


def serve(shelf: Shelf, version: str) -> None:
    """Answer until stdin ends. `version` is the program's own."""
    # The SDK logs what it could not read: the texts of whoever asks.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    anyio.run(_serve, make_server(shelf, version))


def make_server(shelf: Shelf, version: str) -> Server[Any]:
    """The server; it reads the shelf alone, and keeps nothing of what it is asked."""

    async def on_list(_context: object, _params: object) -> ListToolsResult:
        return ListToolsResult(tools=[_words(tool) for tool in all_tools().values()])

    async def on_call(_context: object, params: CallToolRequestParams) -> CallToolResult:
        tool = all_tools().get(params.name)
        if tool is None:
            raise MCPError(INVALID_PARAMS, f"there is no tool {params.name[:80]}; there are {', '.join(all_tools())}")
        # In a thread: an analysis takes a moment, and pings are answered meanwhile.
        return await to_thread.run_sync(carry_out, tool, shelf, params.arguments or {})

    return Server(
        "burn-triage",
        version=version,
        title="burn-triage",
        instructions=INSTRUCTIONS,
        on_list_tools=on_list,
        on_call_tool=on_call,
    )


def carry_out(tool: Tool, shelf: Shelf, arguments: Arguments) -> CallToolResult:
    """One call: the answer as structured content and as JSON text, or an error that the assistant can act on."""
    try:
        found = tool.answer(shelf, arguments)
    except UserError as error:
        return _failed(str(error))
    except TriageError as error:
        log.warning("%s: %s", tool.name, error.reason)
        return _failed(f"could not be answered: {error}")
    except Exception as error:  # noqa: BLE001 -- one odd text must not end the server; its words stay out of the log
        log.error("%s failed in a way that nobody foresaw: %s", tool.name, type(error).__name__)
        return _failed("a fault of burn-triage itself; report it with the text that led to it")
    text = json.dumps(found, ensure_ascii=False)
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=found)


def _failed(message: str) -> CallToolResult:
    return CallToolResult(content=[TextContent(type="text", text=message)], is_error=True)


def _words(tool: Tool) -> ToolWords:
    return ToolWords(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input,
        output_schema=tool.output,
        annotations=ToolAnnotations(title=tool.title, read_only_hint=True, open_world_hint=False),
    )


async def _serve(server: Server[Any]) -> None:
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
