"""Counts over all cases: per question, per kind of case, per quirk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bot.evaluation import compare
from bot.evaluation.cases import Case

Json = Mapping[str, Any]

QUESTIONS = {
    "extraction": "the root panic is found: message and location",
    "origin": "crate, version and commit of the root's location",
    "others": "the further panics of the report are found",
    "root": "the right panic is taken for the root, where there are several",
    "site": "site cases: the right place, at the revision or followed to another",
    "exact": "site cases: repository, revision, path and line",
    "function": "function cases: the right function",
    "foreign": "foreign cases: no place of the family is named",
    "foreign_verdict": "foreign cases: the verdict says foreign",
    "entry": "cases with an entry: that very one is given",
    "explained": "site and function cases: the right place, and an entry explains it",
    "corrected": "cases of wrong answers: the answer that a maintainer called wrong is not given again",
    "silence": "silent cases: no comment",
    "no_wrong": "no wrong place in verdict or comment",
}


@dataclass(slots=True)
class Count:
    """Right answers of a number of questions, and the cases that failed."""

    right: int = 0
    total: int = 0
    failed: list[str] = field(default_factory=list)

    def add(self, case: str, right: bool) -> None:
        """One more answer."""
        self.total += 1
        self.right += right
        if not right:
            self.failed.append(case)


@dataclass(slots=True)
class Score:
    """All counts of one run."""

    questions: dict[str, Count] = field(default_factory=lambda: {q: Count() for q in QUESTIONS})
    kinds: dict[str, Count] = field(default_factory=dict)
    quirks: dict[str, Count] = field(default_factory=dict)
    outcomes: dict[str, str] = field(default_factory=dict)
    """By case: right, missed, wrong. For comparing two runs."""
    unexplained: dict[str, str] = field(default_factory=dict)
    """Site and function cases that no entry answers, by case: why not."""
    comments: int = 0
    comments_right: int = 0

    @property
    def wrong(self) -> list[str]:
        """Cases with a wrong place, or a comment where there had to be none."""
        return sorted(case for case, outcome in self.outcomes.items() if outcome == "wrong")

    @property
    def recall(self) -> float | None:
        """Share of the site and function cases whose place is named rightly, 0 to 1; None without such cases."""
        asked = [self.questions["site"], self.questions["function"]]
        total = sum(count.total for count in asked)
        return sum(count.right for count in asked) / total if total else None

    @property
    def precision(self) -> float | None:
        """Share of the comments (foreign cases aside) that name the right place; None without any."""
        return self.comments_right / self.comments if self.comments else None


def score(cases: Iterable[Case], verdicts: Mapping[str, Json]) -> Score:
    """The score of verdicts (analysis contract, by id) on cases; a missing verdict fails all its questions."""
    result = Score()
    for case in cases:
        answers = judge(case, verdicts.get(case.id) or {})
        for question, right in answers:
            result.questions[question].add(case.id, right)
        if dict(answers).get("explained") is False:
            result.unexplained[case.id] = _why_unexplained(case, verdicts.get(case.id) or {})
        outcome = _outcome(case, dict(answers))
        result.outcomes[case.id] = outcome
        for group, names in ((result.kinds, [case.answer]), (result.quirks, case.quirks)):
            for name in names:
                group.setdefault(name, Count()).add(case.id, outcome == "right")
        _count_comment(result, case, verdicts.get(case.id) or {}, outcome)
    return result


def judge(case: Case, verdict: Json) -> list[tuple[str, bool]]:
    """Question and answer for all that apply to this kind of case."""
    if case.answer == "silent":
        return [
            ("silence", bool(verdict) and verdict.get("comment") is None),
            ("no_wrong", not _wrong_place(case, verdict)),
        ]
    panics: Sequence[Json] = verdict.get("panics") or []
    text = "\n".join((case.report.title, case.report.body, *case.report.comments))
    answers = [("extraction", any(compare.same_panic(case.panic, p) for p in panics))]
    if case.panic.get("crate") or case.panic.get("version") or case.panic.get("commit"):
        right = [p for p in panics if compare.same_panic(case.panic, p)]
        answers.append(("origin", any(compare.same_origin(case.panic, p.get("location"), text) for p in right)))
    answers += [("others", any(compare.same_panic(other, p) for p in panics)) for other in case.also]
    if case.also:
        answers.append(("root", _root_is_right(case, panics)))
    if case.expect.get("entry"):
        answers.append(("entry", verdict.get("entry") == case.expect["entry"]))
    return [*answers, *_place_answers(case, verdict), ("no_wrong", bool(verdict) and not _wrong_place(case, verdict))]


def _place_answers(case: Case, verdict: Json) -> list[tuple[str, bool]]:
    site = verdict.get("site")
    if case.answer == "not":
        return [("corrected", bool(verdict) and not _again(case, verdict))]
    if case.answer == "foreign":
        named = site or (verdict.get("candidates") if verdict.get("verdict") in ("matched", "ambiguous") else None)
        return [("foreign", bool(verdict) and not named), ("foreign_verdict", verdict.get("verdict") == "foreign")]
    right = compare.right_place(case, site)
    explained = ("explained", right and verdict.get("entry") is not None)
    if case.answer == "function":
        return [("function", right), explained]
    return [("site", right), ("exact", right and compare.exact_place(case, site)), explained]


def _why_unexplained(case: Case, verdict: Json) -> str:
    if compare.right_place(case, verdict.get("site")):
        return "no entry names the place"
    return "the place is not decided" if verdict.get("candidates") else "the place is not found"


def _root_is_right(case: Case, panics: Sequence[Json]) -> bool:
    wanted = [case.panic, *(case.also if case.expect.get("independent") else ())]
    chosen = compare.roots(panics)
    return bool(chosen) and all(any(compare.same_root(w, p) for w in wanted) for p in chosen)


def _again(case: Case, verdict: Json) -> bool:
    """Entry and place are those of the answer that was called wrong, and they would be said."""
    wrong_site, site = case.wrong.get("site"), verdict.get("site")
    same_place = not wrong_site or compare.same_site(wrong_site, site)
    return verdict.get("comment") is not None and same_place and verdict.get("entry") == case.wrong.get("entry")


def _wrong_place(case: Case, verdict: Json) -> bool:
    """A place is asserted, by the verdict or to the public, and none of those named is right."""
    site, comment = verdict.get("site"), verdict.get("comment")
    if case.answer == "not":
        return _again(case, verdict)
    if case.answer == "silent":
        return comment is not None
    named = [site] if site else list(verdict.get("candidates") or []) if comment else []
    if case.answer == "foreign":
        return bool(named)
    return bool(named) and not any(compare.right_place(case, place) for place in named)


def _outcome(case: Case, answers: Mapping[str, bool]) -> str:
    if not answers.get("no_wrong", True) or not answers.get("silence", True):
        return "wrong"
    decisive = {"foreign": "foreign_verdict", "silent": "silence", "not": "corrected"}.get(case.answer, case.answer)
    return "right" if answers.get(decisive) else "missed"


def _count_comment(result: Score, case: Case, verdict: Json, outcome: str) -> None:
    if verdict.get("comment") is None or case.answer == "foreign":
        return
    result.comments += 1
    result.comments_right += outcome != "wrong"
