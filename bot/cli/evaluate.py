"""Score the analysis on labelled cases: precision, recall, wrong answers, silence, root, entries, by kind and quirk.

With --save the outcomes are written as JSON; with --against they are compared with such a file, and the exit status is
1 when a right answer turned wrong or was lost.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from bot.cli import FAILURE
from bot.cli._options import add_knowledge
from bot.errors import UserError
from bot.evaluation.cases import Case, load_cases
from bot.evaluation.score import QUESTIONS, Count, Score, score
from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.contract import verdict_json
from bot.triage.knowledge import Knowledge
from bot.triage.render import render


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `evaluate`."""
    parser.add_argument("--cases", type=Path, required=True, metavar="DIR", help="folder of case files (*.yaml)")
    add_knowledge(parser)
    parser.add_argument("--json", action="store_true", help="all counts as JSON")
    parser.add_argument("--quirks", action="store_true", help="the table by quirk too")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the outcome of each case")
    parser.add_argument("--against", type=Path, metavar="FILE", help="compare with a saved run")


def run(args: argparse.Namespace) -> int:
    """0 without a wrong answer (and nothing lost against the saved run), 1 otherwise."""
    cases = load_cases(args.cases)
    before = _saved(args.against) if args.against else {}
    knowledge, folder = open_for_command(args.kb, args.clones)
    print(folder, file=sys.stderr if args.json else sys.stdout)
    result = score(cases, {case.id: analyse_case(case, knowledge) for case in cases})
    print(json.dumps(as_json(result), indent=1) if args.json else "\n".join(table(result, args.quirks)))
    if args.save:
        args.save.write_text(json.dumps(result.outcomes, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    lost = changes(before, result.outcomes) if before else []
    print("\n".join(lost), end="\n" if lost else "")
    return FAILURE if result.wrong or any(before.get(c) == "right" != o for c, o in result.outcomes.items()) else 0


def analyse_case(case: Case, knowledge: Knowledge) -> dict[str, Any]:
    """The verdict on one case, as the analysis contract has it."""
    verdict = analyze(case.report, knowledge)
    return verdict_json(case.id, verdict, render(verdict, knowledge))


def table(result: Score, quirks: bool) -> list[str]:
    """The counts for a person to read."""
    lines = [f"{len(result.outcomes)} cases, {result.comments} comments on them", ""]
    lines += [_row(name, result.questions[name], text) for name, text in QUESTIONS.items()]
    lines += ["", *(_row(name, count, "by kind") for name, count in sorted(result.kinds.items()))]
    if quirks:
        lines += ["", *(_row(name, count, "by quirk") for name, count in sorted(result.quirks.items()))]
    shares = [f"precision of comments: {_share(result.precision)}", f"recall of places: {_share(result.recall)}"]
    without = [f"without an entry, {why}: {', '.join(cases)}" for why, cases in _unexplained(result).items()]
    return [*lines, "", *shares, *without, f"wrong: {', '.join(result.wrong) or 'none'}"]


def _unexplained(result: Score) -> dict[str, list[str]]:
    by_reason: dict[str, list[str]] = {}
    for case, why in sorted(result.unexplained.items()):
        by_reason.setdefault(why, []).append(case)
    return dict(sorted(by_reason.items()))


def as_json(result: Score) -> dict[str, Any]:
    """The same counts as plain values."""
    groups = {"questions": result.questions, "kinds": result.kinds, "quirks": result.quirks}
    counts = {
        group: {name: {"right": c.right, "total": c.total, "failed": c.failed} for name, c in sorted(counts.items())}
        for group, counts in groups.items()
    }
    shares = {"precision": result.precision, "recall": result.recall}
    return {
        **counts,
        "wrong": result.wrong,
        "unexplained": result.unexplained,
        **shares,
        "comments": result.comments,
    }


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """`case: old -> new` for every case whose outcome changed, and a line that counts those that are the same."""
    changed = [f"{c}: {before.get(c, 'new')} -> {o}" for c, o in sorted(after.items()) if before.get(c) != o]
    gone = [f"{c}: {o} -> gone" for c, o in sorted(before.items()) if c not in after]
    same = len(after) - len(changed)
    return ["", *changed, *gone, f"{same} the same"]


def _saved(file: Path) -> dict[str, str]:
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError("unreadable", f"--against {file}: {error}; give a file that --save wrote") from None
    if not isinstance(value, dict):
        raise UserError("unreadable", f"--against {file}: not a saved run; give a file that --save wrote")
    return {str(k): str(v) for k, v in value.items()}


def _share(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"


def _row(name: str, count: Count, text: str) -> str:
    share = f"{100 * count.right / count.total:5.1f} %" if count.total else "    -  "
    failed = f"   not: {', '.join(dict.fromkeys(count.failed))}" if 0 < len(count.failed) <= 12 else ""
    return f"{name:16} {count.right:4} / {count.total:<4} {share}  {text}{failed}"
