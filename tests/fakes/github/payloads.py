"""Webhook payloads: GitHub's published examples with our records put in their place."""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import Any

from tests.fakes.github import views
from tests.fakes.github.state import Comment, Installation, Issue, Repo, User
from tests.vendor import webhook_examples

LIKE = {("issues", "closed"): "reopened"}
"""Actions without a published example, and one that has the same members."""


@lru_cache(maxsize=1)
def examples() -> dict[str, list[dict[str, Any]]]:
    """Parsed once per process; do not change."""
    return webhook_examples()


def example(event: str, action: str) -> dict[str, Any]:
    """The newest published payload of this kind (the oldest lack members that are sent today)."""
    wanted = LIKE.get((event, action), action)
    found = [p for p in examples().get(event, []) if p.get("action", "") == wanted] or examples().get(event, [{}])
    return copy.deepcopy(found[-1])


def payload(
    base: str,
    event: str,
    action: str,
    *,
    installation: Installation,
    sender: User,
    repo: Repo | None = None,
    issue: Issue | None = None,
    comment: Comment | None = None,
    **more: Any,
) -> dict[str, Any]:
    """What GitHub would send to this installation's App."""
    body = example(event, action)
    body["action"] = action
    if repo:
        body["repository"] = body.get("repository", {}) | views.repo(base, repo)
        body["organization"] = body.get("organization", {}) | views.user(base, repo.owner)
    if issue:
        body["issue"] = body.get("issue", {}) | views.issue(base, issue)
    if comment:
        body["comment"] = body.get("comment", {}) | views.comment(base, comment)
    body["sender"] = body.get("sender", {}) | views.user(base, sender)
    body["installation"] = {"id": installation.id, "node_id": f"MDIz{installation.id}"}
    if event.startswith("installation"):
        body["installation"] = views.installation(base, installation)
        short = [{"id": r.id, "node_id": f"R_{r.id}", "name": r.name, "full_name": r.full_name, "private": r.private}
                 for r in installation.repos]  # fmt: skip
        body["repositories"] = short
    return body | _more(base, repo, more)


def _more(base: str, repo: Repo | None, more: dict[str, Any]) -> dict[str, Any]:
    extra = dict(more)
    if repo and "label" in extra:
        extra["label"] = views.label(base, repo, extra["label"])
    moved_to, moved_from = extra.pop("moved_to", None), extra.pop("moved_from", None)
    if moved_to:
        there = {"new_issue": views.issue(base, moved_to), "new_repository": views.repo(base, moved_to.repo)}
        extra["changes"] = there
    if moved_from:
        there = {"old_issue": views.issue(base, moved_from), "old_repository": views.repo(base, moved_from.repo)}
        extra["changes"] = there
    return extra
