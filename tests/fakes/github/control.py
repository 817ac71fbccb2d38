"""Deeds over HTTP, for processes that do not share memory with the stand-in: POST /_control/<deed> with JSON arguments.

Arguments are those of the method of the same name on `People` or `FakeGitHub`; an App is named by its slug.
"""

from __future__ import annotations

from inspect import signature
from typing import TYPE_CHECKING, Any

from flask import Flask, g, jsonify, request

from tests.fakes.github import views
from tests.fakes.github.faults import Fault
from tests.fakes.github.hooks import Delivery
from tests.fakes.github.state import App, Comment, Installation, Issue, Repo

if TYPE_CHECKING:
    from tests.fakes.github.hub import FakeGitHub

PEOPLE = frozenset(
    {
        "open_issue", "edit_issue", "close_issue", "reopen_issue", "lock_issue", "delete_issue", "transfer_issue",
        "label_issue", "comment", "edit_comment", "delete_comment", "minimize_comment", "rename_repo",
    }
)  # fmt: skip
HUB = frozenset({"create_app", "create_repo", "install", "uninstall", "suspend", "fault", "comments", "add_commit"})


def register(app: Flask, hub: FakeGitHub) -> None:
    """Add the routes."""

    @app.post("/_control/<deed>")
    def control(deed: str) -> Any:
        arguments: dict[str, Any] = request.get_json(silent=True) or {}
        if deed == "deliver":
            arguments["app"] = hub.app_named(arguments["app"])
            return _json(hub, hub.hooks.deliver(**arguments))
        if deed == "settle":
            hub.hooks.settle()
            return jsonify(None)
        if deed == "clear_faults":
            hub.faults.clear()
            return jsonify(None)
        owner = hub.people if deed in PEOPLE else hub if deed in HUB else None
        if owner is None:
            return {"error": f"no deed {deed!r}"}, 404
        if "app" in arguments:
            arguments["app"] = hub.app_named(arguments["app"])
        try:
            signature(getattr(owner, deed)).bind(**arguments)
        except TypeError as error:
            return {"error": f"{deed}: {error}"}, 422
        return _json(hub, getattr(owner, deed)(**arguments))

    @app.get("/_control/state")
    def state() -> Any:
        seen = [{"verb": s.verb, "path": s.path, "status": s.status, "at": s.at} for s in hub.seen]
        log = [d.item() for d in hub.hooks.recent()]
        return {"violations": hub.violations, "requests": seen, "deliveries": log}


def _json(hub: FakeGitHub, value: Any) -> Any:
    return jsonify(_plain(g.base, value))


def _plain(base: str, value: Any) -> Any:
    match value:
        case Issue():
            return views.issue(base, value)
        case Comment():
            return views.comment(base, value)
        case Repo():
            return views.repo(base, value)
        case Installation():
            return views.installation(base, value)
        case App():
            private = {"pem": value.private_key, "client_secret": value.client_secret}
            return views.app(base, value) | private | {"webhook_secret": value.webhook_secret}
        case Delivery():
            return value.item() | {"response_body": value.response_body}
        case Fault():
            return {"kind": value.kind}
        case list():
            return [_plain(base, item) for item in value]
        case tuple():
            return [_plain(base, item) for item in value]
    return value
