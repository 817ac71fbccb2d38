"""What holds in a repository right now: its file, the operator's default and the maintainers' switch, put together.

The file is read through GitHub when what we know of it is older than `max_age`; a file that cannot be used changes
nothing, its fault is kept for the dashboard.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace

from sqlalchemy import Engine

from bot.clock import Clock, iso
from bot.configuration import Configuration, ConfigurationError, from_json, parse, to_json
from bot.errors import PermanentError, TransientError
from bot.ports import ConfigurationFile, ConfigurationReader, Target
from bot.store import configurations, installations
from bot.store.configurations import StoredConfiguration
from bot.triage.policy import Mode, Rules

log = logging.getLogger(__name__)

QUIET = Configuration(mode=Mode.SHADOW)
"""Where there is a file and never was one that could be used: whoever wrote it wanted another mode than the default."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Reads and remembers them. `default`: the mode of repositories whose file names none."""

    engine: Engine
    clock: Clock
    reader: ConfigurationReader
    default: Mode
    max_age: float
    """Seconds."""
    started_at: float
    """When this process took up the operator's settings, seconds since 1970."""

    def rules(self, target: Target) -> Rules:
        """What holds there. TransientError where GitHub cannot be asked and nothing is known yet."""
        stored = self.look(target.repo, target.repo_id, target.installation_id)
        return _configuration(stored).rules(Mode(stored.in_force), stored.on_since)

    def look(self, repo: str, repo_id: int, installation_id: int | None) -> StoredConfiguration:
        """The repository's row, made new where it is too old."""
        now = self.clock.now()
        with self.engine.connect() as conn:
            known = configurations.read(conn, repo_id)
        if known is not None and 0 <= now - known.checked_at < self.max_age:
            renewed = self._in_force(replace(known, repo=repo), known, "")
        else:
            renewed = self._renewed(repo, repo_id, installation_id, known, now)
        if renewed != known:
            with self.engine.begin() as conn:
                configurations.write(conn, renewed)
        return renewed

    def look_at_all(self, covered_until: float | None) -> int:
        """Look at every repository that the App may see. How many have a file that cannot be used."""
        with self.engine.connect() as conn:
            visible = installations.repositories_in_use(conn)
        faulty = 0
        for seen in visible:
            try:
                faulty += bool(self.look(seen.repo, seen.repo_id, seen.installation_id).error)
            except TransientError as error:
                log.warning("configuration of %s: %s", seen.repo, error)
        return faulty

    def _renewed(
        self, repo: str, repo_id: int, installation_id: int | None, known: StoredConfiguration | None, now: float
    ) -> StoredConfiguration:
        blank = StoredConfiguration(repo_id, repo, None, "", "", now, "")
        before = replace(known, repo=repo, checked_at=now) if known else blank
        try:
            found = self.reader.read_configuration(repo, installation_id=installation_id, etag=before.etag)
        except TransientError as error:
            if known is None:
                raise
            log.warning("configuration of %s: %s", repo, error)
            return known
        except PermanentError as error:
            denied = replace(before, error=f"the file could not be read: {error}", etag="")
            return self._in_force(denied, known, "")
        after = before if found is None else with_file(before, found)
        return self._in_force(after, known, found.changed_at if found else "")

    def _in_force(
        self, found: StoredConfiguration, known: StoredConfiguration | None, changed_at: str
    ) -> StoredConfiguration:
        """The row with the mode that holds, and since when answers are on if they just went on.

        The file's date is what a committer says, so it counts only between our last look and now.
        """
        mode = _switched(found) or _configuration(found).mode or self.default
        after = replace(found, in_force=str(mode))
        if known is None:
            # What waited for its first look while the operator's default was quiet came before the file said on.
            is_news = mode is Mode.ON is not self.default and changed_at
            return replace(after, on_since=min(changed_at, iso(self.clock.now()))) if is_news else after
        if known.in_force in {"", Mode.ON} or mode is not Mode.ON:
            return after
        # Without a change of the file it was the operator's setting, or the switch, which has noted its moment.
        moment = max(changed_at, iso(known.checked_at)) if changed_at else iso(self.started_at)
        return replace(after, on_since=max(known.on_since, min(moment, iso(self.clock.now()))))


def with_file(before: StoredConfiguration, found: ConfigurationFile) -> StoredConfiguration:
    """The row after a new state of the file was read. Pure."""
    if found.text is None:
        return replace(before, good=to_json(Configuration()), etag=found.etag, error="")
    try:
        good = to_json(parse(found.text))
    except ConfigurationError as error:
        return replace(before, etag=found.etag, error=str(error))
    return replace(before, good=good, etag=found.etag, error="")


def _configuration(stored: StoredConfiguration) -> Configuration:
    if stored.good is not None:
        return from_json(stored.good)
    return QUIET if stored.error else Configuration()


def _switched(stored: StoredConfiguration) -> Mode | None:
    """What a maintainer chose, whatever the file says; None where the file decides."""
    if stored.switched_off_at is not None:
        return Mode.OFF
    return Mode(stored.switched_to) if stored.switched_to else None
