"""Labels of an issue: which of them people decided on, so that ours never argue with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bot.github.comments import GHOST, Raw


@dataclass(frozen=True, slots=True)
class LabelHistory:
    """What the issue's events say about each label (lower case): by whom it was last put on and last taken off."""

    put_on: Mapping[str, str]
    taken_off: Mapping[str, str]

    @classmethod
    def of(cls, events: Iterable[Raw]) -> LabelHistory:
        """From GitHub's list of events, oldest first; those that are not about labels are passed over."""
        last: dict[str, dict[str, str]] = {"labeled": {}, "unlabeled": {}}
        for event in events:
            if event.get("event") in last:
                label = str((event.get("label") or {}).get("name") or "")
                last[event["event"]][label.casefold()] = _actor(event)
        return cls(last["labeled"], last["unlabeled"])

    def may_add(self, label: str, ours: str) -> bool:
        """Not where anybody but us (`ours`: our login) took it off."""
        return self.taken_off.get(label.casefold(), ours).casefold() == ours.casefold()

    def may_remove(self, label: str, ours: str) -> bool:
        """Only what we put on ourselves."""
        return self.put_on.get(label.casefold(), "").casefold() == ours.casefold()


def names(issue: Raw) -> tuple[str, ...]:
    """The labels of an issue as the API shows it."""
    labels: Sequence[Raw | str] = issue.get("labels") or ()
    return tuple(label if isinstance(label, str) else str(label.get("name") or "") for label in labels)


def _actor(event: Raw) -> str:
    actor = event.get("actor")
    return str(actor["login"]) if actor else GHOST
