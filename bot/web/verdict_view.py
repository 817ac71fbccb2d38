"""One verdict as the dashboard shows it: its evidence, the conversation as far as it is kept, its revisions. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bot.delivery import BadRequestError, parse_payload
from bot.redact import redact
from bot.store.board.verdicts import Event, Row, Write
from bot.web.diffing import Line, differences

LONGEST_TEXT = 12_000
"""Characters of one text of a conversation that are shown: its end is where a log's panic is, so both ends are."""

STANDS = {
    "none": "Nothing of ours stands on the issue.",
    "answer": "Our answer stands on the issue.",
    "question": "Our question stands on the issue.",
    "words": "Answers to commands stand on the issue.",
    "hidden": "Our comment is hidden.",
    "deleted": "Our comment was deleted.",
}


@dataclass(frozen=True, slots=True)
class Said:
    """One text of the conversation, redacted and perhaps cut."""

    who: str
    where: str
    """`the issue`, or `comment 123`."""
    title: str
    text: str
    cut: int
    """Characters left out in the middle."""


@dataclass(frozen=True, slots=True)
class Revision:
    """One of the issue's verdicts, and what changed in it and in our comment since the one before."""

    row: Row
    verdict: tuple[Line, ...]
    comment: tuple[Line, ...]
    first: bool
    via: str
    event: str


def place_of(verdict: Mapping[str, Any]) -> dict[str, Any] | None:
    """The answered place with its permalink; None where there is none."""
    return _place(verdict["place"]) if verdict.get("place") else None


def candidates_of(verdict: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The places that can be meant, with their permalinks."""
    return [_place(one) for one in verdict.get("candidates") or ()]


def root_of(verdict: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The panic that counts."""
    panics = verdict.get("reading", {}).get("panics") or ()
    return next((one for one in panics if one["role"] == "root"), None)


def headline(verdict: Mapping[str, Any]) -> str:
    """The first line of the panic's message, "" where there is none."""
    root = root_of(verdict)
    return str(root["message"]).split("\n", 1)[0].strip() if root else ""


def conversation(events: Sequence[Event]) -> list[Said]:
    """The newest form of each text that came with a delivery whose payload is still kept, redacted."""
    texts: dict[str, Said] = {}
    for event in events:
        if event.payload is None or event.event not in ("issues", "issue_comment"):
            continue
        try:
            payload = parse_payload(event.payload)
        except BadRequestError:
            continue
        _read(payload, event, texts)
    return list(texts.values())


def revisions(
    rows: Sequence[Row], contents: Mapping[int, Mapping[str, Any]], writes: Sequence[Write], events: Sequence[Event]
) -> list[Revision]:
    """Oldest first, each with its difference to the one before."""
    came = {event.id: event for event in events}
    bodies = {write.delivery_id: write.body for write in writes if write.body is not None}
    found = []
    said: list[str] = []
    told: list[str] = []
    for row in rows:
        facts = _facts(row, contents.get(row.id, {}))
        body = (bodies.get(row.delivery_id) or "").split("\n") if row.delivery_id in bodies else told
        event = came.get(row.delivery_id)
        found.append(
            Revision(
                row=row,
                verdict=tuple(differences(said, facts)),
                comment=tuple(differences(told, body)),
                first=not said,
                via=event.via if event else "",
                event=f"{event.event}.{event.action}" if event else "",
            )
        )
        said, told = facts, body
    return found


def _facts(row: Row, verdict: Mapping[str, Any]) -> list[str]:
    place = place_of(verdict)
    root = root_of(verdict)
    return [
        f"Outcome: {row.outcome}",
        f"Entry: {row.entry or 'none'}",
        f"Place: {place['function']}, {place['path']}:{place['line']} at {place['revision']['name']}"
        if place
        else "Place: none",
        f"Message: {root['message'].split(chr(10), 1)[0] if root else 'none'}",
        f"What was done: {row.reason}",
        f"Knowledge base: {row.catalog}",
        *(f"Candidate: {one['function']}, {one['path']}:{one['line']}" for one in candidates_of(verdict)),
        *(f"{step['step']}: {step['text']}" for step in verdict.get("evidence") or ()),
    ]


def _place(place: Mapping[str, Any]) -> dict[str, Any]:
    link = f"https://github.com/{place['repo']}/blob/{place['revision']['commit']}/{place['path']}#L{place['line']}"
    return {**place, "permalink": link}


def _read(payload: Mapping[str, Any], event: Event, texts: dict[str, Said]) -> None:
    issue, comment = payload.get("issue"), payload.get("comment")
    if isinstance(issue, dict) and isinstance(issue.get("title"), str):
        texts["issue"] = _said(issue, "the issue", redact(issue["title"]))
    if isinstance(comment, dict):
        where = f"comment {comment.get('id')}"
        if event.action == "deleted":
            texts.pop(where, None)
        else:
            texts[where] = _said(comment, where, "")


def _said(part: Mapping[str, Any], where: str, title: str) -> Said:
    user = part.get("user")
    who = str(user.get("login") or "") if isinstance(user, dict) else ""
    text = redact(part["body"]) if isinstance(part.get("body"), str) else ""
    cut = max(0, len(text) - LONGEST_TEXT)
    if cut:
        half = LONGEST_TEXT // 2
        text = f"{text[:half]}\n[{cut} characters left out]\n{text[-half:]}"
    return Said(who[:100], where, title[:300], text, cut)
