"""Serve the knowledge base to a coding assistant over the Model Context Protocol, on stdin and stdout.

The assistant starts it and asks: explain_panic (a panic or a log), look_up_error (an id), list_known_panics (those of a
version). It reads the knowledge base alone: no database, no GitHub, and nothing of what it is asked is kept. Needs the
extra packages of `burn-triage[mcp]`. Logs go to stderr. Exit status: 0 when the assistant is gone, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import sys

from bot.cli import installed_version
from bot.cli._options import add_knowledge
from bot.errors import UserError


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `mcp`."""
    add_knowledge(parser)


def run(args: argparse.Namespace) -> int:
    """0 once stdin has ended. UserError where the packages are missing, or the knowledge base cannot be read."""
    from bot.logs import set_up_logs
    from bot.settings import read_settings
    from bot.wiring_mcp import make_shelf

    settings = read_settings()
    set_up_logs(settings.log_level, settings.log_format)
    try:
        from bot.mcp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] not in {"mcp", "mcp_types", "anyio"}:
            raise
        raise UserError(
            "packages_missing",
            "the packages for assistants are not installed: in a checkout `pip install '.[mcp]'`, or with hashes "
            "`pip install --require-hashes -r requirements-mcp.lock`",
        ) from None
    shelf = make_shelf(settings, args.kb, args.clones)
    if sys.stdin.isatty():
        print("An assistant speaks here, by JSON-RPC on stdin; docs/assistants.md says how to add it.", file=sys.stderr)
    serve(shelf, installed_version())
    return 0
