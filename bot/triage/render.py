"""Verdict to Markdown: the one comment, whole.

Text from the report stands in fences and code spans only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.triage import wording
from bot.triage.knowledge import Knowledge
from bot.triage.model import Outcome, PanicReport, Verdict
from bot.triage.rendered import strangers
from bot.triage.roles import cause_text
from bot.triage.safe import fence, inline_code
from kb.entry import Entry

MOST_CANDIDATES = 5
"""More places than that are a list to read, not a question to answer."""

QUESTION_FOOT = "Where it does not fit, `/triage wrong` silences it; `/triage help` lists the rest."

FOOT = "If it is wrong, write `/triage wrong` and it goes quiet; `/triage help` lists the rest."

ASK_FOR_PLACE = (
    "**One thing would decide it:** the line `thread '…' panicked at <path>:<line>:<column>` that stands before this "
    "text in the log. It may be far up, or in `experiment.log` when training with burn-train."
)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around the answer itself."""

    asked: Sequence[str]
    repeats: Sequence[int]
    public_url: str | None
    spoken: bool


def render(
    verdict: Verdict,
    knowledge: Knowledge,
    *,
    asked: Sequence[str] = (),
    repeats: Sequence[int] = (),
    public_url: str | None = None,
    spoken: bool = False,
) -> str | None:
    """The comment without its marker, or None where there is nothing to say.

    `asked`: answers to commands, Markdown, oldest first. `repeats`: issues with the same panic, in the order in which
    they are named, three at most. `public_url`: where the entry pages are served. `spoken`: somebody asked, so say also
    what would be no reason to speak on a new issue.
    """
    around = Surroundings(asked, repeats, public_url, spoken)
    body = _answer(verdict, knowledge, around)
    if body is None and around.spoken:
        body = _nothing_known(verdict)
    if body is None:
        return None
    parts = [*body, *_asked(around.asked), _foot(verdict, knowledge, around)]
    return "\n\n".join(part for part in parts if part) + "\n"


def _answer(verdict: Verdict, knowledge: Knowledge, around: Surroundings) -> list[str] | None:
    root = verdict.reading.root
    if root is None:
        return None
    entry = knowledge.entries.get(verdict.entry) if verdict.entry else None
    if verdict.outcome in (Outcome.MATCHED, Outcome.AMBIGUOUS, Outcome.FOREIGN) and entry:
        return _full(verdict, root, entry, knowledge)
    if verdict.outcome is Outcome.MATCHED and (verdict.gone_since or around.repeats or around.spoken):
        return _card(verdict, root, knowledge)
    if verdict.outcome is Outcome.AMBIGUOUS and _splits(verdict):
        return _question(verdict, root)
    return None


def _full(verdict: Verdict, root: PanicReport, entry: Entry, knowledge: Knowledge) -> list[str]:
    return [
        f"### {entry.title}",
        fence(root.message),
        *wording.regression(entry, verdict),
        f"**Cause.** {entry.cause}",
        *wording.raised_at(verdict, root, entry, knowledge),
        *wording.generated_at(entry, verdict, knowledge),
        *wording.ending(entry, knowledge),
        *wording.other_panics(verdict.reading.panics, root),
        *wording.workarounds(entry, verdict, knowledge),
        _fold(
            wording.fold_title(entry), [*wording.example(entry), *wording.prevention(entry), *_evidence(verdict, entry)]
        ),
    ]


def _card(verdict: Verdict, root: PanicReport, knowledge: Knowledge) -> list[str]:
    place = verdict.place
    assert place is not None
    gone = f": {wording.gone_words(verdict.gone_since)}" if verdict.gone_since else ""
    return [
        f"### {inline_code(root.headline, 90)} in `{place.function}`{gone}",
        fence(root.message),
        *wording.raised_at(verdict, root, None, knowledge),
        *wording.other_panics(verdict.reading.panics, root),
        "There is no written entry for this panic, so no workaround is given here.",
        _fold("How this was matched", _evidence(verdict, None)),
    ]


def _question(verdict: Verdict, root: PanicReport) -> list[str]:
    places = [f"- {wording.linked_place(p)}" for p in verdict.candidates]
    gone = (
        f"All of them are {wording.gone_words(verdict.gone_since)}, so it may be enough to try that."
        if verdict.gone_since
        else ""
    )
    head = cause_text(root.message).split("\n", 1)[0]
    return [
        f"### {inline_code(head, 90)}: which of {len(places)} places was it?",
        fence(root.message),
        "This text stands at more than one place, and the report does not show which of them was reached:",
        "\n".join(places),
        ASK_FOR_PLACE,
        gone,
    ]


def _nothing_known(verdict: Verdict) -> list[str]:
    """The words for a person who asked: what was read, and that nothing more is known."""
    root = verdict.reading.root
    if root is None:
        return ["### No panic found", "No Rust panic was found in the text that was read."]
    said = {
        Outcome.FOREIGN: "It is raised outside burn, cubecl, cubek and burn-onnx, and no entry explains it.",
        Outcome.AMBIGUOUS: "It fits more than one place, and nothing in the report tells which.",
    }.get(verdict.outcome, "No place in the index fits it, and no entry explains it.")
    names_crate = verdict.outcome is Outcome.FOREIGN and root.location is not None and root.location.crate
    return [
        f"### {inline_code(root.headline, 90)}",
        fence(root.message),
        said,
        *(wording.raised_outside(root) if names_crate else ()),
        _fold("What was looked at", _evidence(verdict, None)),
    ]


def _splits(verdict: Verdict) -> bool:
    return verdict.question is not None and 1 < len(verdict.candidates) <= MOST_CANDIDATES


def _evidence(verdict: Verdict, entry: Entry | None) -> list[str]:
    told = f"entry {entry.kb_id} explains it" if entry else ""
    lines = [f"- {_safe_sentence(e.text)}" for e in dict.fromkeys(verdict.evidence) if e.text != told]
    lines += [f"- {wording.affects(entry)}"] if entry else []
    return ["**Evidence**", "\n".join(lines), f"Knowledge base {verdict.catalog}."]


def _safe_sentence(text: str) -> str:
    """Evidence quotes the report in code spans. A sentence in which that was forgotten is shown as code altogether."""
    sentence = _sentence(text)
    return inline_code(text) if strangers(sentence, lambda _href: False) else sentence


def _sentence(text: str) -> str:
    """With a capital, unless it begins with a tag, a path or code."""
    head = text[:1].upper() if text.split(" ", 1)[0].rstrip(",;:").isalpha() else text[:1]
    return f"{head}{text[1:]}{'' if text.endswith('.') else '.'}"


def _fold(title: str, parts: Sequence[str]) -> str:
    inside = "\n\n".join(part for part in parts if part)
    return f"<details>\n<summary>{title}</summary>\n\n{inside}\n\n</details>"


def _asked(asked: Sequence[str]) -> list[str]:
    if not asked:
        return []
    return ["---", "**Asked**", *asked[-3:]]


def _foot(verdict: Verdict, knowledge: Knowledge, around: Surroundings) -> str:
    asks = verdict.outcome is Outcome.AMBIGUOUS and not verdict.entry and _splits(verdict)
    parts = ["Automatic question, asked once." if asks else "Automatic answer."]
    if verdict.entry and around.public_url:
        parts.append(f"[Page of {verdict.entry}]({around.public_url.rstrip('/')}/errors/{verdict.entry}).")
    if around.repeats:
        parts.append("Same panic in " + ", ".join(f"#{n}" for n in around.repeats[:3]) + ".")
    return " ".join([*parts, QUESTION_FOOT if asks else FOOT])
