"""Work on the knowledge base: the site index, its entries, and the checks that prove them.

One subcommand per file of this folder; each has a docstring (its help), `configure(parser)` and `run(args) -> int`.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys
from collections.abc import Sequence
from types import ModuleType

from kb.errors import KnowledgeBaseError

USAGE = 2
INTERRUPTED = 130


def subcommands() -> dict[str, ModuleType]:
    """The public modules of this folder, by command name (`_` becomes `-`, at the end it goes), in order."""
    names = sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))
    return {name.rstrip("_").replace("_", "-"): importlib.import_module(f"{__name__}.{name}") for name in names}


def configure(parser: argparse.ArgumentParser) -> None:
    """Add every subcommand to `parser`, each with its complete help."""
    group = parser.add_subparsers(dest="kb_command", required=True, metavar="COMMAND")
    for name, module in subcommands().items():
        doc = (module.__doc__ or "").strip()
        sub = group.add_parser(
            name, help=doc.split("\n", 1)[0], description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
        )
        module.configure(sub)
        sub.set_defaults(run_kb=module.run)


def run(args: argparse.Namespace) -> int:
    """Run the subcommand that `args` name; its exit status."""
    return int(args.run_kb(args))


def main(argv: Sequence[str] | None = None) -> int:
    """`python -m kb`, without the bot. Exit status: 0 done, 1 failed, 2 wrong usage, 130 interrupted."""
    parser = argparse.ArgumentParser(prog="kb", description=__doc__)
    configure(parser)
    args = parser.parse_args(argv)
    try:
        return run(args)
    except KnowledgeBaseError as error:
        print(f"kb {args.kb_command}: {error}", file=sys.stderr)
        return USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
