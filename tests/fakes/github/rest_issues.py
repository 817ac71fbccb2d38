"""REST endpoints of issues, comments and reactions."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from flask import Flask, g, request
from werkzeug.local import LocalProxy

from tests.fakes.github import views
from tests.fakes.github.access import need_issue_write, need_user
from tests.fakes.github.errors import ApiError, moved, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.people import People
from tests.fakes.github.rest_repos import HOME, visible
from tests.fakes.github.state import Comment, Issue, Reaction

if TYPE_CHECKING:
    from tests.fakes.github.hub import FakeGitHub

ISSUE = f"{HOME}/issues/<int:number>"
COMMENT = f"{HOME}/issues/comments/<int:number>"


def seen_issue(hub: FakeGitHub, owner: str, name: str, number: int) -> Issue:
    """The issue if there is one. 410 for a deleted one, a redirect for a transferred one (docs: "Get an issue")."""
    found = visible(hub, owner, name).issues.get(number)
    if found is None:
        raise not_found()
    if found.deleted:
        raise ApiError(410, "This issue was deleted")
    if found.transferred_to:
        new = found.transferred_to
        if not g.caller.may_see(new.repo):
            raise not_found()
        rest = request.path.split("/", 6)[6:]
        status = 301 if request.method in {"GET", "HEAD"} else 307
        raise moved(status, "/".join([f"{g.base}/repositories/{new.repo.id}/issues/{new.number}", *rest]))
    return found


def seen_comment(hub: FakeGitHub, owner: str, name: str, number: int) -> Comment:
    """The comment if it is in this repository."""
    repo, found = visible(hub, owner, name), hub.people.find(number)
    if found.issue.repo is not repo:
        raise not_found()
    return found


def register(app: Flask, hub: FakeGitHub) -> None:
    """Add the routes."""
    _register_issues(app, hub)
    _register_comments(app, hub)
    _register_reactions(app, hub)


def _register_issues(app: Flask, hub: FakeGitHub) -> None:
    people: People = LocalProxy(lambda: hub.people)  # type: ignore[assignment]

    @app.get(f"{HOME}/issues")
    def issues(owner: str, name: str) -> Any:
        repo = visible(hub, owner, name)
        found = [i for i in repo.issues.values() if not i.deleted and not i.transferred_to and _wanted(i)]
        newest = request.args.get("direction", "desc") == "desc"
        key = "updated_at" if request.args.get("sort") == "updated" else "created_at"
        found.sort(key=lambda i: (getattr(i, key), i.number), reverse=newest)
        return page([views.issue(g.base, i) for i in found])

    @app.post(f"{HOME}/issues")
    def new_issue(owner: str, name: str) -> Any:
        repo, wanted = visible(hub, owner, name), request.get_json()
        user = need_user(g.caller)
        if not repo.has_issues:
            raise ApiError(410, "Issues are disabled for this repo")
        labels = [text for text in wanted.get("labels", []) if isinstance(text, str)]
        issue = people.open_issue(repo.full_name, user.login, str(wanted["title"]), wanted.get("body"), labels=labels)
        return views.issue(g.base, issue), 201

    @app.get(ISSUE)
    def issue(owner: str, name: str, number: int) -> Any:
        return views.issue(g.base, seen_issue(hub, owner, name, number))

    @app.patch(ISSUE)
    def edit_issue(owner: str, name: str, number: int) -> Any:
        found, change = seen_issue(hub, owner, name, number), request.get_json()
        user = need_issue_write(g.caller, found.repo)
        where = (found.repo.full_name, found.number)
        if "title" in change or "body" in change:
            people.edit_issue(*where, by=user.login, title=change.get("title"), body=change.get("body"))
        if change.get("state") == "closed":
            people.close_issue(*where, by=user.login)
        if change.get("state") == "open":
            people.reopen_issue(*where, by=user.login)
        return views.issue(g.base, found)

    @app.route(f"{ISSUE}/lock", methods=["PUT", "DELETE"])
    def lock(owner: str, name: str, number: int) -> Any:
        found = seen_issue(hub, owner, name, number)
        user = need_issue_write(g.caller, found.repo)
        people.lock_issue(found.repo.full_name, number, by=user.login, locked=request.method == "PUT")
        return "", 204

    @app.get(f"{ISSUE}/events")
    def events(owner: str, name: str, number: int) -> Any:
        found = seen_issue(hub, owner, name, number)
        return page([views.label_event(g.base, found.repo, event) for event in found.events])

    @app.get(f"{ISSUE}/labels")
    def labels(owner: str, name: str, number: int) -> Any:
        found = seen_issue(hub, owner, name, number)
        return page([views.label(g.base, found.repo, text) for text in found.labels])

    @app.post(f"{ISSUE}/labels")
    def add_labels(owner: str, name: str, number: int) -> Any:
        found, wanted = seen_issue(hub, owner, name, number), request.get_json()
        user = need_issue_write(g.caller, found.repo)
        for text in wanted if isinstance(wanted, list) else wanted.get("labels", []):
            people.label_issue(found.repo.full_name, number, text, by=user.login)
        return [views.label(g.base, found.repo, text) for text in found.labels]

    @app.delete(f"{ISSUE}/labels/<path:text>")
    def drop_label(owner: str, name: str, number: int, text: str) -> Any:
        found = seen_issue(hub, owner, name, number)
        user = need_issue_write(g.caller, found.repo)
        if text not in found.labels:
            raise ApiError(404, "Label does not exist")
        people.label_issue(found.repo.full_name, number, text, by=user.login, remove=True)
        return [views.label(g.base, found.repo, left) for left in found.labels]


def _wanted(issue: Issue) -> bool:
    state, since = request.args.get("state", "open"), request.args.get("since")
    labels = [text for text in request.args.get("labels", "").split(",") if text]
    updated = since is None or issue.updated_at >= datetime.fromisoformat(since).timestamp()
    return state in {"all", issue.state} and updated and all(text in issue.labels for text in labels)


def _register_comments(app: Flask, hub: FakeGitHub) -> None:
    people: People = LocalProxy(lambda: hub.people)  # type: ignore[assignment]

    @app.get(f"{ISSUE}/comments")
    def comments(owner: str, name: str, number: int) -> Any:
        found = seen_issue(hub, owner, name, number)
        since = request.args.get("since")
        oldest = datetime.fromisoformat(since).timestamp() if since else 0.0
        lag = g.fault.delay if g.fault and g.fault.kind == "stale" else None
        newest = hub.world.clock() - lag if lag is not None else float("inf")
        shown = [c for c in found.comments if c.updated_at >= oldest and c.created_at <= newest]
        return page([views.comment(g.base, c) for c in shown])

    @app.post(f"{ISSUE}/comments")
    def new_comment(owner: str, name: str, number: int) -> Any:
        found = seen_issue(hub, owner, name, number)
        user = need_issue_write(g.caller, found.repo)
        body = request.get_json().get("body")
        made = people.comment(found.repo.full_name, number, user.login, body, app=g.caller.writing_app)
        shown = views.comment(g.base, made)
        return shown, 201, {"Location": shown["url"]}

    @app.get(COMMENT)
    def comment(owner: str, name: str, number: int) -> Any:
        return views.comment(g.base, seen_comment(hub, owner, name, number))

    @app.patch(COMMENT)
    def edit_comment(owner: str, name: str, number: int) -> Any:
        found = _own_or_moderated(hub, owner, name, number)
        people.edit_comment(number, request.get_json().get("body"), by=need_user(g.caller).login)
        return views.comment(g.base, found)

    @app.delete(COMMENT)
    def delete_comment(owner: str, name: str, number: int) -> Any:
        _own_or_moderated(hub, owner, name, number)
        people.delete_comment(number, by=need_user(g.caller).login)
        return "", 204


def _own_or_moderated(hub: FakeGitHub, owner: str, name: str, number: int) -> Comment:
    found = seen_comment(hub, owner, name, number)
    user = need_issue_write(g.caller, found.issue.repo)
    if found.user is not user and not g.caller.may_moderate(found.issue.repo):
        raise ApiError(403, "Must have admin rights to Repository.")
    return found


def _register_reactions(app: Flask, hub: FakeGitHub) -> None:
    def listed(subject: Issue | Comment) -> Any:
        return page([views.reaction(g.base, r) for r in subject.reactions])

    def added(subject: Issue | Comment) -> Any:
        issue = subject if isinstance(subject, Issue) else subject.issue
        user = need_issue_write(g.caller, issue.repo)
        if issue.locked and "push" not in issue.repo.abilities(user.login):
            raise ApiError(403, "Unable to create reaction because issue is locked.")
        reaction, new = hub.people.react(subject, user, request.get_json().get("content"))
        return views.reaction(g.base, reaction), 201 if new else 200

    def removed(subject: Issue | Comment, reaction_id: int) -> Any:
        found: list[Reaction] = [r for r in subject.reactions if r.id == reaction_id and r.user is g.caller.user]
        if not found:
            raise not_found()
        subject.reactions.remove(found[0])
        return "", 204

    @app.route(f"{ISSUE}/reactions", methods=["GET", "POST"])
    def issue_reactions(owner: str, name: str, number: int) -> Any:
        subject = seen_issue(hub, owner, name, number)
        return listed(subject) if request.method == "GET" else added(subject)

    @app.route(f"{COMMENT}/reactions", methods=["GET", "POST"])
    def comment_reactions(owner: str, name: str, number: int) -> Any:
        subject = seen_comment(hub, owner, name, number)
        return listed(subject) if request.method == "GET" else added(subject)

    @app.delete(f"{ISSUE}/reactions/<int:reaction_id>")
    def drop_issue_reaction(owner: str, name: str, number: int, reaction_id: int) -> Any:
        return removed(seen_issue(hub, owner, name, number), reaction_id)

    @app.delete(f"{COMMENT}/reactions/<int:reaction_id>")
    def drop_comment_reaction(owner: str, name: str, number: int, reaction_id: int) -> Any:
        return removed(seen_comment(hub, owner, name, number), reaction_id)
