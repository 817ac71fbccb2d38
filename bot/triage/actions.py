"""The closed set of things we may do on GitHub, as data. Only `bot.github.publish` performs them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class UpsertComment:
    """Make our one comment on the issue say `body` (Markdown without marker; the publisher adds the marker).

    Created where there is none, edited where there is one, un-hidden where it was hidden.
    """

    body: str
    anew: bool = False
    """Post a new comment and hide the present one as outdated: the question that its answer replaces, once an issue."""


@dataclass(frozen=True, slots=True)
class HideComment:
    """Minimise our comment. `classifier` is one of GitHub's ReportedContentClassifiers: OUTDATED or RESOLVED."""

    classifier: str = "OUTDATED"


@dataclass(frozen=True, slots=True)
class ShowComment:
    """Un-minimise our comment."""


@dataclass(frozen=True, slots=True)
class DeleteComment:
    """Delete our comment."""


@dataclass(frozen=True, slots=True)
class React:
    """Put a reaction on somebody's comment, or on the issue itself when `comment_id` is None."""

    content: str
    """+1, -1, laugh, confused, heart, hooray, rocket or eyes (GitHub REST, reactions)."""
    comment_id: int | None = None


@dataclass(frozen=True, slots=True)
class SetLabels:
    """Put labels on the issue and take labels of ours off. What a person took off stays off; what a person put on stays
    on: the publisher asks GitHub who did what."""

    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()


Action = UpsertComment | HideComment | ShowComment | DeleteComment | React | SetLabels
