"""Answers that maintainers decided on, as labelled cases: what was right must be answered again, what was wrong never.

A case holds the issue's text as it stands now, redacted, and what the redacted verdict of then says. Pure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import yaml

from bot.feedback import RIGHT, entry_of
from bot.redact import redact
from bot.store.answers import ConfirmedAnswer
from bot.triage.policy import report_of
from bot.triage.snapshot import IssueMemory, IssueSnapshot

Json = Mapping[str, Any]


def case_of(answer: ConfirmedAnswer, snapshot: IssueSnapshot) -> dict[str, Any] | None:
    """The case in the format of tests/corpus/reports; None where the verdict behind the answer is forgotten, or the
    panic with it."""
    verdict = answer.verdict or {}
    panics = (verdict.get("reading") or {}).get("panics") or []
    root = next((p for p in panics if p.get("role") == "root"), None)
    if root is None:
        return None
    report = report_of(snapshot, IssueMemory())
    expect = _right(verdict) if answer.decided == RIGHT else _wrong(answer, verdict)
    others = [_panic(p) for p in panics if p.get("role") == "consequence"]
    return {
        "source": f"https://github.com/{answer.repo}/issues/{answer.number}",
        "repo": answer.repo,
        "created_at": snapshot.created_at[:10],
        "title": redact(report.title),
        "body": redact(report.body),
        "comments": [redact(text) for text in report.comments],
        "expect": {**expect, "panic": _panic(root), "also": others},
        "quirks": [],
    }


def case_text(case: Mapping[str, Any]) -> str:
    """As YAML, texts as blocks."""
    return yaml.dump(dict(case), Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100_000)


def file_name(answer: ConfirmedAnswer) -> str:
    """`burn-4950-3f2a.yaml`: one issue may have had several answers."""
    key = hashlib.sha256(answer.answer.encode()).hexdigest()[:4]
    return f"{answer.repo.rsplit('/', 1)[-1]}-{answer.number}-{key}.yaml"


def _right(verdict: Json) -> dict[str, Any]:
    """The answer that has to be given again."""
    expect: dict[str, Any] = {"entry": verdict.get("entry"), "why": "a maintainer confirmed the answer"}
    if verdict.get("outcome") == "foreign":
        return {"answer": "foreign", **expect}
    places = [_site(place) for place in verdict.get("candidates") or [] if place]
    kind = "site" if any((place or {}).get("site") for place in verdict.get("candidates") or []) else "function"
    more = {"site_any": places} if len(places) > 1 else {}
    return {"answer": kind, **expect, "site": places[0] if places else None, **more}


def _wrong(answer: ConfirmedAnswer, verdict: Json) -> dict[str, Any]:
    """The answer that may not be given again; with the entry that a maintainer set, that one has to be."""
    place = verdict.get("place")
    wrong = {"entry": entry_of(answer.answer), "site": _site(place) if place else None}
    more = {"entry": answer.right_entry} if answer.right_entry else {}
    return {"answer": "not", **more, "not": wrong, "why": "a maintainer called the answer wrong"}


def _panic(panic: Json) -> dict[str, Any]:
    location = panic.get("location") or {}
    names = ("crate", "version", "commit", "file", "line", "column")
    message = str(panic.get("message") or "").split("\n", 1)[0]
    return {"message": message, **{name: location.get(name) for name in names}}


def _site(place: Json) -> dict[str, Any]:
    revision, site = place["revision"], place.get("site") or {}
    is_release = revision["order"] >= 0 and revision["name"] != "main"
    return {
        "repo": place["repo"],
        "revision": revision["name"] if is_release else revision["commit"],
        "path": place["path"],
        "line": place["line"],
        "function": place["function"],
        "template": (site.get("key") or {}).get("template") or None,
    }


class _Dumper(yaml.SafeDumper):
    """Long texts as blocks, where YAML can."""


def _text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style="|" if "\n" in text else None)


_Dumper.add_representer(str, _text)
