"""House style: no mention, closing keyword, HTML or link in prose, lengths a reader can bear, no lost comment."""

from __future__ import annotations

import re
from collections.abc import Iterator

from kb.entry import Entry
from kb.lint.finding import Hit
from kb.lint.tree import Tree
from kb.load import EntryFile
from kb.prose import sentences, without_spans
from kb.shape import Path as DataPath
from kb.shape import texts

TITLE = 110
SUMMARY_SENTENCES = (1, 3)
CAUSE_SENTENCES = (2, 4)

_RULES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (
        re.compile(r"(?<![\w/`])@[A-Za-z0-9][A-Za-z0-9-]*"),
        "mentions an account",
        "name nobody: a comment would notify them",
    ),
    (
        # GitHub's list of keywords, "Linking a pull request to an issue".
        re.compile(r"\b(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?):?\s+(?:[\w.-]+/[\w.-]+)?#\d+", re.IGNORECASE),
        "has a closing keyword before an issue number",
        "write `repaired by pull request 123`; GitHub acts on the keyword",
    ),
    (re.compile(r"</?[A-Za-z][^>\n]*>|<!--"), "holds HTML", "put code in back-ticks, leave HTML out"),
    (
        re.compile(r"\bhttps?://|\bwww\.", re.IGNORECASE),
        "holds a link",
        "threads go to `issues`, commits to `fixed_by`; links to source come from the index",
    ),
    (re.compile(r"\bTODO\b"), "is not written yet", "write it, or take the field out"),
    (re.compile(r"(?<![\w/])#\d+\b"), "holds a bare #number", "write `issue 123`; as it stands it leaves a mark there"),
)


def check(tree: Tree) -> Iterator[Hit]:
    """Findings in every prose field of every entry."""
    for file, entry in tree.entries:
        for path, prose in texts(entry, "prose"):
            yield from _rules(file, path, prose)
            yield from _lost_comment(file, path, prose)
        yield from _lengths(file, entry)


def _rules(file: EntryFile, path: DataPath, prose: str) -> Iterator[Hit]:
    bare = without_spans(prose)
    for pattern, what, remedy in _RULES:
        found = pattern.search(bare)
        if found:
            yield Hit(file, path, f"{_name(path)} {what}: {found.group()!r}", remedy)
    if bare.count("`") % 2:
        yield Hit(file, path, f"{_name(path)} has a back-tick without its partner", "close the code span")


def _lost_comment(file: EntryFile, path: DataPath, prose: str) -> Iterator[Hit]:
    # A folded block joins its lines, so that a comment line ends up in the middle of a sentence.
    found = re.search(r"(?:^|\s)# \S.*", without_spans(prose))
    if found:
        yield Hit(
            file,
            path,
            f"{_name(path)} has a comment inside the text: {found.group().strip()[:50]!r}",
            "a `#` line inside a `>-` block is text; put it after the block, with less indent",
        )


def _lengths(file: EntryFile, entry: Entry) -> Iterator[Hit]:
    if len(entry.title) > TITLE:
        yield Hit(file, ("title",), f"the title has {len(entry.title)} characters", f"at most {TITLE}")
    for name, prose, (least, most) in (
        ("summary", entry.summary, SUMMARY_SENTENCES),
        ("meaning", entry.meaning, CAUSE_SENTENCES),
    ):
        count = len(sentences(prose))
        if not least <= count <= most:
            yield Hit(
                file, (name,), f"`{name}` has {count} sentences", f"{least} to {most}: the comment prints it whole"
            )


def _name(path: DataPath) -> str:
    return "`" + ".".join(str(part) for part in path) + "`"
