"""`burn-triage`: finds one subcommand per file of this folder.

A subcommand module has a docstring (its help), `configure(parser)` and `run(args) -> int` (the exit status).
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from importlib import metadata
from types import ModuleType

from bot.errors import TriageError, UserError
from kb.errors import KnowledgeBaseError

USAGE = 2
FAILURE = 1
INTERRUPTED = 130


def subcommands(package: str, only: str | None = None) -> dict[str, ModuleType]:
    """The public modules of `package`, by command name (`_` becomes `-`), in alphabetical order.

    With `only`, and if it is one of them, just that one: the others need not be imported to run it.
    """
    folder = importlib.import_module(package)
    names = sorted(m.name for m in pkgutil.iter_modules(folder.__path__) if not m.name.startswith("_"))
    wanted = {name.replace("_", "-"): name for name in names}
    if only in wanted:
        wanted = {only: wanted[only]}
    return {command: importlib.import_module(f"{package}.{name}") for command, name in wanted.items()}


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line, every subcommand with its complete help; with `only` just that subcommand."""
    parser = argparse.ArgumentParser(prog="burn-triage", description="Answers Rust panics reported against burn.")
    parser.add_argument("--version", action="version", version=f"burn-triage {installed_version()}")
    group = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, module in subcommands(__name__, only).items():
        doc = (module.__doc__ or "").strip()
        sub = group.add_parser(
            name,
            help=doc.split("\n", 1)[0],
            description=doc,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.configure(sub)
        sub.set_defaults(run=module.run)
    return parser


def installed_version() -> str:
    """The distribution's version; "unknown" where the packages are on the path and not installed."""
    try:
        return metadata.version("burn-triage")
    except metadata.PackageNotFoundError:
        return "unknown"


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line. Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    words = sys.argv[1:] if argv is None else list(argv)
    args = build_parser(words[0] if words else None).parse_args(words)
    try:
        return int(args.run(args))
    except (UserError, KnowledgeBaseError) as error:
        print(f"burn-triage {args.command}: {error}", file=sys.stderr)
        return USAGE
    except TriageError as error:
        print(f"burn-triage {args.command}: {error}", file=sys.stderr)
        return FAILURE
    except BrokenPipeError:
        # The reader of our output went away (`| head`); point stdout elsewhere so that the exit stays quiet.
        sys.stdout = open("/dev/null", "w")  # noqa: SIM115
        return FAILURE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:
        told = _of_the_database(error)
        if told is None:
            raise
        print(f"burn-triage {args.command}: {told}", file=sys.stderr)
        return FAILURE


def _of_the_database(error: Exception) -> str | None:
    """Words for an error that the database raised in the middle of a command, None for another one."""
    # Most commands need no database, and its library takes a while to import.
    if "sqlalchemy" not in sys.modules:
        return None
    from sqlalchemy.exc import SQLAlchemyError

    from bot.store.engine import trouble

    ails = trouble(error) if isinstance(error, SQLAlchemyError) else None
    return f"{ails.words}; what was begun is undone, try again or see `burn-triage doctor`" if ails else None
