"""A page of a generated knowledge base, as text or as JSON, taken apart into its sections. Pure.

The text form is the one that such sites print; the JSON form has one field per section:
`id`, `repo`, `title`, `summary`, `severity`, `message`, `meaning`, `source {path, line, code, commit}`, `solutions []`,
`example_fix {before, after}`, `defensive {strategy, validate, guard, catch, prevention []}`,
`when {trigger, situations []}`, `provenance {by, commit, date}`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from kb.errors import KnowledgeBaseError


@dataclass(frozen=True, slots=True)
class Page:
    """The claims of one page, as written there; "" and () where it has no such section."""

    repo: str
    message: str
    path: str
    line: int
    meaning: str
    id: str = ""
    title: str = ""
    summary: str = ""
    severity: str = ""
    code: str = ""
    commit: str = ""
    solutions: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    strategy: str = ""
    validate: str = ""
    guard: str = ""
    catch: str = ""
    prevention: tuple[str, ...] = ()
    trigger: str = ""
    situations: tuple[str, ...] = ()
    written_by: str = ""
    written: str = ""
    sections: Mapping[str, str] = field(default_factory=dict, compare=False)

    def prose(self) -> Sequence[tuple[str, str]]:
        """Every prose section with its name, in the page's order."""
        named = [("summary", self.summary), ("what it means", self.meaning)]
        named += [("solutions", text) for text in self.solutions]
        named += [("prevention", text) for text in self.prevention]
        named += [("trigger", self.trigger)] + [("common situations", text) for text in self.situations]
        return [(name, text) for name, text in named if text]

    def code_blocks(self) -> Sequence[tuple[str, str]]:
        """Every block of Rust that is the page's own, with its section's name."""
        named = [("example fix", self.before), ("example fix", self.after), ("validate before calling", self.validate)]
        named += [("type guard", self.guard), ("try / catch", self.catch)]
        return [(name, code) for name, code in named if code]


_TITLE = re.compile(r'^What causes (?P<quote>"?)(?P<message>.+?)(?P=quote) in (?P<repo>[\w.-]+/[\w.-]+)\?\s*$')
_THROWN = re.compile(r"Thrown at (?P<path>\S+?):(?P<line>\d+)")
_PINNED = re.compile(r"\(pinned to (?P<commit>[0-9a-f]{7,40})\)")
_ORIGIN = re.compile(
    r"(?P<by>[^.\n]*analysis) of (?P<repo>[\w.-]+/[\w.-]+)@(?P<commit>[0-9a-f]{7,40}) \((?P<date>\d{4}-\d{2}-\d{2})\)"
)
_ID = re.compile(r"/api/errors/(?P<id>[0-9a-f]{16})\b")
_SEVERITY = re.compile(r"^[\w.-]+/[\w.-]+ · (?P<severity>\w+)\s*$", re.MULTILINE)
HEADINGS = (
    "Error message", "What it means", "Source", "Solutions", "Example fix", "Defensive patterns",
    "Validate before calling", "Type guard", "Try / catch", "Prevention", "When it happens", "Related errors",
)  # fmt: skip


def parse_page(text: str) -> Page:
    """A page of either form. Raises KnowledgeBaseError that names the section which is missing or cannot be read."""
    return _from_json(text) if text.lstrip().startswith("{") else _from_text(text)


def _from_text(text: str) -> Page:
    lines = text.replace("\r\n", "\n").split("\n")
    sections = _sections(lines)
    title = _TITLE.match(lines[0].strip()) if lines else None
    thrown = _THROWN.search(sections.get("Source", ""))
    origin = _ORIGIN.search(text)
    repo = title["repo"] if title else origin["repo"] if origin else ""
    _require({"title": bool(repo), "Error message": bool(sections.get("Error message"))})
    _require({"What it means": bool(sections.get("What it means")), "Source": thrown is not None})
    assert thrown is not None
    when = sections.get("When it happens", "")
    before, after = _fix(sections.get("Example fix", ""))
    pinned = _PINNED.search(sections["Source"])
    return Page(
        repo=repo,
        message=sections["Error message"],
        path=thrown["path"],
        line=int(thrown["line"]),
        meaning=sections["What it means"],
        id=_group(_ID.search(text), "id"),
        title=lines[0].strip(),
        summary=_summary(sections.get("", "")),
        severity=_group(_SEVERITY.search(sections.get("", "")), "severity"),
        code=_excerpt(sections["Source"]),
        commit=origin["commit"] if origin else pinned["commit"] if pinned else "",
        solutions=_items(sections.get("Solutions", "")),
        before=before,
        after=after,
        strategy=_group(re.search(r"Strategy:\s*(?P<strategy>.+)", sections.get("Defensive patterns", "")), "strategy"),
        validate=sections.get("Validate before calling", ""),
        guard=sections.get("Type guard", ""),
        catch=sections.get("Try / catch", ""),
        prevention=_items(sections.get("Prevention", "")),
        trigger=_after(when, "Trigger:"),
        situations=tuple(part.strip() for part in _after(when, "Common situations:").split(";") if part.strip()),
        written_by=_group(origin, "by"),
        written=_group(origin, "date"),
        sections=sections,
    )


def _sections(lines: Sequence[str]) -> dict[str, str]:
    """Section texts by heading; the part above the first heading under ""."""
    found: dict[str, list[str]] = {"": []}
    current, last = "", -1
    for line in lines[1:]:
        heading = line.strip()
        # Headings come in a fixed order, so that a line of code that reads like one is no heading.
        place = HEADINGS.index(heading) if heading in HEADINGS else -1
        if place > last:
            current, last = heading, place
            found[current] = []
        else:
            found[current].append(line)
    return {name: "\n".join(body).strip("\n").rstrip() for name, body in found.items()}


def _summary(head: str) -> str:
    paragraphs = [part.strip() for part in head.split("\n\n") if part.strip()]
    return next((part for part in paragraphs if not _SEVERITY.match(part)), "")


def _excerpt(source: str) -> str:
    body = _THROWN.sub("", source, count=1)
    return re.sub(r"(?m)^View on GitHub.*$", "", body).strip("\n").rstrip()


def _fix(text: str) -> tuple[str, str]:
    parts = re.split(r"(?m)^\s*// (before|after)\b.*\n", text)
    found = dict(zip(parts[1::2], parts[2::2], strict=False))
    return found.get("before", "").strip("\n").rstrip(), found.get("after", "").strip("\n").rstrip()


def _items(text: str) -> tuple[str, ...]:
    return tuple(line.strip().lstrip("-*• ").strip() for line in text.split("\n") if line.strip())


def _after(text: str, label: str) -> str:
    _, found, rest = text.partition(label)
    return rest.split("\n\n", 1)[0].strip() if found else ""


def _group(match: re.Match[str] | None, name: str) -> str:
    return match[name].strip() if match else ""


def _require(present: Mapping[str, bool]) -> None:
    for name, there in present.items():
        if not there:
            raise KnowledgeBaseError(
                f"the page has no section {name!r} that can be read; see kb/README.md for the form"
            )


def _from_json(text: str) -> Page:
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise KnowledgeBaseError(f"line {error.lineno}: no JSON: {error.msg}") from None
    read = _Fields(data)
    fix, source, when = read.part("example_fix"), read.part("source"), read.part("when")
    defensive, provenance = read.part("defensive"), read.part("provenance")
    line = source.data.get("line")
    _require({"message": bool(read.text("message")), "meaning": bool(read.text("meaning"))})
    _require({"repo": bool(read.text("repo")), "source.path": bool(source.text("path"))})
    if not isinstance(line, int) or isinstance(line, bool) or line < 1:
        raise KnowledgeBaseError("`source.line` must be a whole number from 1 on")
    return Page(
        repo=read.text("repo"), message=read.text("message"), path=source.text("path"), line=line,
        meaning=read.text("meaning"), id=read.text("id"), title=read.text("title"), summary=read.text("summary"),
        severity=read.text("severity"), code=source.text("code"),
        commit=source.text("commit") or provenance.text("commit"), solutions=read.texts("solutions"),
        before=fix.text("before"), after=fix.text("after"), strategy=defensive.text("strategy"),
        validate=defensive.text("validate"), guard=defensive.text("guard"), catch=defensive.text("catch"),
        prevention=defensive.texts("prevention"), trigger=when.text("trigger"), situations=when.texts("situations"),
        written_by=provenance.text("by"), written=provenance.text("date"),
    )  # fmt: skip


class _Fields:
    """Reads fields of one JSON object, each with a message that names it where it has the wrong form."""

    def __init__(self, data: Any, name: str = "") -> None:
        if not isinstance(data, dict):
            raise KnowledgeBaseError(f"{name or 'the page'} must be a JSON object")
        self.data: dict[str, Any] = data
        self._name = f"{name}." if name else ""

    def text(self, field: str) -> str:
        value = self.data.get(field)
        if value is not None and not isinstance(value, str):
            raise KnowledgeBaseError(f"`{self._name}{field}` must be text")
        return (value or "").strip("\n").rstrip()

    def texts(self, field: str) -> tuple[str, ...]:
        value = self.data.get(field) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise KnowledgeBaseError(f"`{self._name}{field}` must be a list of texts")
        return tuple(item.strip() for item in value if item.strip())

    def part(self, field: str) -> _Fields:
        return _Fields(self.data.get(field) or {}, f"{self._name}{field}")
