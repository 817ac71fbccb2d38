"""The walk over past issues, newest first. Each answer is kept in a file at once: it may be stopped at any point."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.backfill import PATIENCE, UNASKED_WAIT
from bot.clock import Clock
from bot.errors import PermanentError, TransientError, UserError
from bot.paper.answer import PaperAnswer, answer_on_paper, from_json
from bot.ports import HistoryReader
from bot.triage.knowledge import Knowledge
from bot.triage.model import Verdict
from bot.triage.snapshot import IssueSnapshot

log = logging.getLogger(__name__)

FILE = "answers.ndjson"

Repeats = Callable[[IssueSnapshot, Verdict], Sequence[int]]
"""Issues with the same panic, as far as the store knows them."""


def no_repeats(_snapshot: IssueSnapshot, _verdict: Verdict) -> Sequence[int]:
    """Of a store that knows none."""
    return ()


@dataclass(frozen=True, slots=True)
class PaperWalk:
    """One walk's parts. `pause`: seconds after each issue whose comments had to be asked for."""

    clock: Clock
    history: HistoryReader
    knowledge: Callable[[int | None], Knowledge]
    folder: Path
    pause: float = 0.0
    public_url: str | None = None
    repeats: Repeats = no_repeats
    on_step: Callable[[int, int], None] = field(default=lambda _issues, _comments: None)
    """Told after each issue: how many are answered, on how many something would have been said."""

    def walk(self, repo: str, *, limit: int, anew: bool = False) -> list[PaperAnswer]:
        """Answer the newest `limit` issues that are not answered yet; all answers, newest issue first.

        Answers of another state of the knowledge base are given anew. UserError where the App is not installed or the
        folder holds another repository's answers, TransientError where GitHub stays away.
        """
        installation_id = self.history.find_installation(repo)
        if installation_id is None:
            raise UserError("not_installed", f"the App is not installed on {repo}: install it there, or check the name")
        knowledge = self.knowledge(installation_id)
        file = AnswerFile(self.folder / FILE)
        known = {} if anew else file.read(repo)
        known = {number: answer for number, answer in known.items() if answer.revision == knowledge.revision}
        file.write(known.values())
        failures = 0
        while True:
            before = len(known)
            try:
                return self._pass(repo, installation_id, limit, knowledge, known, file)
            except TransientError as error:
                failures = 0 if len(known) > before else failures + 1
                if failures >= PATIENCE:
                    raise
                wait = error.retry_after or UNASKED_WAIT
                log.warning("waiting %.0f s: %s", wait, error)
                self.clock.sleep(wait)

    def _pass(
        self,
        repo: str,
        installation_id: int,
        limit: int,
        knowledge: Knowledge,
        known: dict[int, PaperAnswer],
        file: AnswerFile,
    ) -> list[PaperAnswer]:
        found: list[PaperAnswer] = []
        seen: set[int] = set()
        for past in self.history.past_issues(repo, installation_id=installation_id, newest_first=True, known=known):
            number = past.snapshot.number
            # An issue that is opened meanwhile moves others to the next page, where they come again.
            if number in seen:
                continue
            seen.add(number)
            if number not in known and (answer := self._answer(past.snapshot, knowledge)) is not None:
                known[number] = answer
                file.add(answer)
                if past.snapshot.comments:
                    self.clock.sleep(self.pause)
            if number in known:
                found.append(known[number])
                self.on_step(len(found), sum(answer.comment is not None for answer in found))
            if len(seen) >= limit:
                break
        return found

    def _answer(self, snapshot: IssueSnapshot, knowledge: Knowledge) -> PaperAnswer | None:
        """None where the source that the verdict needs may not be read: one such issue does not end the walk."""
        try:
            return answer_on_paper(
                snapshot, knowledge, lambda verdict: self.repeats(snapshot, verdict), self.public_url
            )
        except PermanentError as error:
            log.warning("%s#%s is passed over: %s", snapshot.repo, snapshot.number, error)
            return None


@dataclass(frozen=True, slots=True)
class AnswerFile:
    """One answer a line, as JSON. A last line that was cut off is passed over."""

    path: Path

    def read(self, repo: str = "") -> dict[int, PaperAnswer]:
        """The answers by issue. UserError where they are not this repository's, or no answers at all."""
        try:
            lines = self.path.read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return {}
        except (OSError, UnicodeDecodeError) as error:
            raise UserError("unreadable", f"cannot read {self.path}: {error}") from None
        # Without a line end it was not finished.
        answers = [self._answer(line) for line in lines[:-1]]
        others = sorted({answer.repo for answer in answers if repo and answer.repo.casefold() != repo.casefold()})
        if others:
            raise UserError("other_report", f"{self.path.parent} holds the report of {others[0]}: name another folder")
        return {answer.number: answer for answer in answers}

    def write(self, answers: Iterable[PaperAnswer]) -> None:
        """Begin with these answers. UserError where the folder cannot be written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text("".join(_line(answer) for answer in answers), encoding="utf-8")
        except OSError as error:
            raise UserError("unwritable", f"cannot write {self.path}: {error.strerror}; name another folder") from None

    def add(self, answer: PaperAnswer) -> None:
        """One more."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(_line(answer))

    def _answer(self, line: str) -> PaperAnswer:
        try:
            return from_json(json.loads(line))
        except (ValueError, KeyError, TypeError):
            raise UserError(
                "unreadable", f"{self.path} holds something that is no answer: begin again with --anew"
            ) from None


def _line(answer: PaperAnswer) -> str:
    return json.dumps(answer.to_json(), ensure_ascii=False) + "\n"
