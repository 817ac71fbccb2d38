"""The commands of our documentation: lines of fenced shell blocks, and what stands whole in back-ticks."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")), ROOT / "kb/README.md"]
FENCE = re.compile(r"^ *```(?:sh|console|bash)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"`(burn-triage [a-z][^`\n]*)`")
OURS = re.compile(r"(?:^|\| |/bin/|exec bot )(burn-triage .*)$")


def lines(page: Path) -> list[str]:
    """What a reader would paste, one command a line, comments left out."""
    whole = "\n".join(FENCE.findall(page.read_text("utf-8"))).replace("\\\n", " ")
    stripped = (re.split(r"(?:^|\s+)#\s", line)[0].strip() for line in whole.splitlines())
    return [line for line in stripped if line]


def commands(page: Path) -> list[str]:
    """Command lines of `burn-triage` itself: without pipes, redirections and what stands before."""
    found = [match[1] for line in lines(page) if (match := OURS.search(line))]
    fenced = [re.sub(r"\$\(.*?\)", "DAY", re.split(r" [<>|] ", one)[0]).strip() for one in found]
    prose = INLINE.findall(FENCE.sub("", page.read_text("utf-8")))
    inline = [re.split(r" [<>|] ", one)[0] for one in prose if "…" not in one]
    return list(dict.fromkeys([*fenced, *inline]))
