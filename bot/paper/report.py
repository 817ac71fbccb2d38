"""The answers as a report to read and to tick: HTML with its script and style beside it, and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from jinja2 import Environment, FileSystemLoader

from bot.errors import UserError
from bot.paper.answer import PaperAnswer
from bot.triage.safe import inert, inline_code
from bot.web import prose

HERE = Path(__file__).parent
HTML, MARKDOWN = "report.html", "report.md"
BESIDE = ("report.js", "report.css")

GROUPS = {
    "matched": "Matched: the panic's place in the source is known",
    "ambiguous": "Ambiguous: several places may be meant",
    "foreign": "Foreign: the panic comes from elsewhere",
    "unknown": "Unknown: a panic that is not known",
    "none": "No panic in it",
    "": "Not looked at: opened by a bot or an app",
}
"""Heading by verdict, in the order of the report."""

WHY = {
    "no_panic": "no panic",
    "unknown_panic": "the panic is not known: counted for you, nothing is said",
    "nothing_to_add": "the place is known, and there is nothing to add",
    "foreign_without_entry": "raised elsewhere, and no entry is about it",
    "author_is_bot": "opened by a bot",
    "opened_by_app": "opened by an app",
    "unsafe_comment": "withheld: the comment would not have been safe",
}
"""Why nothing would have been said, by reason code."""


@dataclass(frozen=True)
class Group:
    """The answers of one verdict, those with a comment first, each newest issue first."""

    outcome: str
    title: str
    answers: Sequence[PaperAnswer]

    @property
    def is_long(self) -> bool:
        """Whether it is folded: nothing is said in it, and most issues are there."""
        return self.outcome in {"none", ""}


@dataclass(frozen=True)
class Report:
    """One repository's answers on paper."""

    repo: str
    answers: Sequence[PaperAnswer]
    is_whole: bool = True
    """False where the walk was stopped before its end."""

    @cached_property
    def groups(self) -> list[Group]:
        """Groups that are not empty."""
        by_comment = sorted(self.answers, key=lambda answer: (answer.comment is None, -answer.number))
        found = {outcome: [a for a in by_comment if a.outcome == outcome] for outcome in GROUPS}
        return [Group(outcome, GROUPS[outcome], answers) for outcome, answers in found.items() if answers]

    @cached_property
    def counts(self) -> list[tuple[str, int]]:
        """The summary: what, and how many."""
        spoken = [answer for answer in self.answers if answer.comment is not None]
        outcomes = Counter(answer.outcome for answer in self.answers)
        return [
            ("issues read", len(self.answers)),
            ("with a panic", sum(outcomes[name] for name in ("matched", "ambiguous", "foreign", "unknown"))),
            ("would have got a comment", len(spoken)),
            ("of these a full answer", sum(answer.verdict.get("entry") is not None for answer in spoken)),
            *((f"verdict {name}", outcomes[name]) for name in ("matched", "ambiguous", "foreign", "unknown")),
            ("left in silence", len(self.answers) - len(spoken)),
        ]

    @cached_property
    def unknown(self) -> list[tuple[str, int]]:
        """What was unknown: first lines of panics, the most frequent first, with the number of issues."""
        lines = Counter(a.message or "(without a message)" for a in self.answers if a.outcome == "unknown")
        return sorted(lines.items(), key=lambda item: (-item[1], item[0]))

    @property
    def revision(self) -> str:
        """Of the knowledge base."""
        return self.answers[0].revision if self.answers else ""


def write_report(report: Report, folder: Path) -> list[Path]:
    """Write both forms; the files. UserError where the folder cannot be written."""
    texts = {HTML: to_html(report), MARKDOWN: to_markdown(report)}
    texts |= {name: (HERE / name).read_text(encoding="utf-8") for name in BESIDE}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            (folder / name).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError("unwritable", f"cannot write the report in {folder}: {error.strerror}") from None
    return [folder / HTML, folder / MARKDOWN]


def to_html(report: Report) -> str:
    """The page. Its policy lets it load the two files beside it and nothing else; comments are cleaned as well."""
    environment = Environment(loader=FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(comment=prose.comment)
    return environment.get_template("report.html").render(report=report, why=why)


def to_markdown(report: Report) -> str:
    """The same as Markdown, with boxes to tick. It mentions nobody and refers to nothing, wherever it is pasted."""
    return "\n".join(_lines(report)) + "\n"


def why(answer: PaperAnswer) -> str:
    """Why nothing would have been said."""
    return WHY.get(answer.reason, answer.reason.replace("_", " "))


def _lines(report: Report) -> Iterator[str]:
    yield f"# {report.repo}: answers on paper"
    yield ""
    yield f"Nothing of this was posted. Knowledge base {report.revision}."
    if not report.is_whole:
        yield ""
        yield "**Not complete:** call the same command again to go on."
    yield from ("", "| | |", "|---|---:|", *(f"| {what} | {number} |" for what, number in report.counts))
    yield from ("", "Tick `right` or `wrong`, then `burn-triage cases add --ticks` makes labelled cases of the ticks.")
    if report.unknown:
        yield from ("", "## What was unknown", "")
        yield from (f"- {number} × {inline_code(line)}" for line, number in report.unknown)
    for group in report.groups:
        yield from ("", f"## {group.title} ({len(group.answers)})")
        yield from _listed(group) if group.is_long else (line for a in group.answers for line in _shown(a))


def _listed(group: Group) -> Iterator[str]:
    yield ""
    yield from (f"- [issue {a.number}]({a.url}): {inert(a.title)}" for a in group.answers)


def _shown(answer: PaperAnswer) -> Iterator[str]:
    yield from ("", f"### [Issue {answer.number}]({answer.url}): {inert(answer.title)}", "")
    yield from (f"- [ ] right, issue {answer.number}", f"- [ ] wrong, issue {answer.number}", "")
    if answer.comment is None:
        yield f"Silent: {why(answer)}." + (f" {inline_code(answer.message)}" if answer.message else "")
        return
    yield from (f"> {line}".rstrip() for line in answer.comment.split("\n"))
