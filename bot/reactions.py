"""Counts what people think of our comments, a few comments at a time."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from sqlalchemy import Engine

from bot.clock import Clock
from bot.errors import PermanentError, TransientError
from bot.ports import ReactionReader
from bot.store import reactions
from bot.store.reactions import CommentDue

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Poll:
    """Asks GitHub for at most `batch` comments a time: one request each, so that jobs keep their share of the hour."""

    engine: Engine
    clock: Clock
    reader: ReactionReader
    batch: int
    rest: float
    """Seconds in which a comment is not asked for again, however few there are: opinions come slowly."""

    def run(self, _covered_until: float | None) -> int:
        """Count the reactions of the comments that wait longest. How many comments were asked for.

        An installation that may not be read is passed over; a rate limit ends this turn, the rest is asked next time.
        """
        with self.engine.connect() as conn:
            waiting = reactions.due(conn, before=self.clock.now() - self.rest, limit=self.batch)
        asked = 0
        for comment in waiting:
            try:
                self._count(comment)
            except TransientError as error:
                log.info("reactions are counted next time: %s", error)
                break
            asked += 1
        return asked

    def _count(self, comment: CommentDue) -> None:
        try:
            counts = self.reader.count_reactions(
                comment.repo, comment.comment_id, installation_id=comment.installation_id
            )
        except PermanentError as error:
            log.info("reactions on comment %s: %s", comment.comment_id, error)
            with self.engine.begin() as conn:
                # Asked again in its turn, without holding up the others.
                reactions.write(conn, comment, reactions.read(conn, comment.comment_id) or {}, self.clock.now())
            return
        with self.engine.begin() as conn:
            reactions.write(conn, comment, counts, self.clock.now())
