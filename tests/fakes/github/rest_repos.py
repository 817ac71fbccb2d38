"""REST endpoints of repositories: facts, permissions, labels, contents, commits."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from flask import Flask, g, jsonify, request
from werkzeug.local import LocalProxy

from tests.fakes.github import views
from tests.fakes.github.access import need_app, need_issue_write, need_user
from tests.fakes.github.errors import ApiError, invalid, moved, not_found
from tests.fakes.github.paging import page
from tests.fakes.github.state import Commit, Repo, World

if TYPE_CHECKING:
    from tests.fakes.github.hub import FakeGitHub

HOME = "/repos/<owner>/<name>"


def visible(hub: FakeGitHub, owner: str, name: str) -> Repo:
    """The repository if this caller may see it. Raises ApiError 404, or a redirect for a former name."""
    repo = hub.world.find_repo(f"{owner}/{name}")
    if repo is None:
        former = hub.world.moved_repo(f"{owner}/{name}")
        if former is not None and g.caller.may_see(former):
            rest = request.path.split("/", 4)[4:]
            status = 301 if request.method in {"GET", "HEAD"} else 307
            raise moved(status, "/".join([f"{g.base}/repositories/{former.id}", *rest]))
        raise not_found()
    if not g.caller.may_see(repo):
        raise not_found()
    return repo


def register(app: Flask, hub: FakeGitHub) -> None:
    """Add the routes."""
    world: World = LocalProxy(lambda: hub.world)  # type: ignore[assignment]

    @app.get(HOME)
    def repository(owner: str, name: str) -> Any:
        user = g.caller.user
        return views.repo(g.base, visible(hub, owner, name), user.login if user else None)

    @app.get(f"{HOME}/installation")
    def installation(owner: str, name: str) -> Any:
        mine, repo = need_app(g.caller), hub.world.find_repo(f"{owner}/{name}")
        found = [i for i in world.installations.values() if i.app is mine and not i.deleted and repo in i.repos]
        if not found:
            raise not_found()
        return views.installation(g.base, found[0])

    @app.get(f"{HOME}/collaborators/<login>/permission")
    def permission(owner: str, name: str, login: str) -> Any:
        need_user(g.caller)
        repo, account = visible(hub, owner, name), world.users.get(login.casefold())
        if account is None or account.type == "Bot":
            raise not_found()
        return views.permission(g.base, repo, account)

    _register_labels(app, hub)
    _register_source(app, hub)


def _register_labels(app: Flask, hub: FakeGitHub) -> None:
    @app.get(f"{HOME}/labels")
    def labels(owner: str, name: str) -> Any:
        repo = visible(hub, owner, name)
        return page([views.label(g.base, repo, text) for text in repo.labels])

    @app.post(f"{HOME}/labels")
    def new_label(owner: str, name: str) -> Any:
        repo, wanted = visible(hub, owner, name), request.get_json()
        need_issue_write(g.caller, repo)
        if wanted["name"] in repo.labels:
            raise invalid("Label", "name", "already_exists")
        repo.labels[wanted["name"]] = wanted.get("color", "ededed")
        return views.label(g.base, repo, wanted["name"]), 201

    @app.route(f"{HOME}/labels/<text>", methods=["GET", "PATCH", "DELETE"])
    def one_label(owner: str, name: str, text: str) -> Any:
        repo = visible(hub, owner, name)
        if text not in repo.labels:
            raise not_found()
        if request.method != "GET":
            need_issue_write(g.caller, repo)
        if request.method == "DELETE":
            del repo.labels[text]
            return "", 204
        if request.method == "PATCH":
            repo.labels[text] = request.get_json().get("color", repo.labels[text])
        return views.label(g.base, repo, text)


def _register_source(app: Flask, hub: FakeGitHub) -> None:
    @app.get(f"{HOME}/commits")
    def commits(owner: str, name: str) -> Any:
        repo = visible(hub, owner, name)
        path, until = request.args.get("path"), request.args.get("until")
        newest = datetime.fromisoformat(until).timestamp() if until else float("inf")
        found = [c for c in repo.commits.values() if c.date <= newest and (path is None or path in c.files)]
        newest_first = sorted(found, key=lambda c: c.date, reverse=True)
        return page([views.commit(g.base, repo, c) for c in newest_first])

    @app.get(f"{HOME}/commits/<path:ref>")
    def commit(owner: str, name: str, ref: str) -> Any:
        repo = visible(hub, owner, name)
        found = find_commit(repo, ref)
        if found is None:
            raise ApiError(422, f"No commit found for SHA: {ref}")
        return views.commit(g.base, repo, found)

    @app.get(f"{HOME}/contents/<path:path>")
    def contents(owner: str, name: str, path: str) -> Any:
        repo = visible(hub, owner, name)
        ref = request.args.get("ref", "main")
        found = find_commit(repo, ref)
        if found is None:
            raise ApiError(404, f"No commit found for the ref {ref}")
        if path in found.files:
            return _tagged(views.content(g.base, repo, path, ref, found.files[path]))
        below = sorted(p for p in found.files if p.startswith(f"{path}/"))
        if below:
            return [views.content(g.base, repo, p, ref, found.files[p]) | {"content": ""} for p in below]
        raise not_found()

    @app.get(f"{HOME}/git/blobs/<sha>")
    def blob(owner: str, name: str, sha: str) -> Any:
        repo = visible(hub, owner, name)
        files = (data for c in repo.commits.values() for data in c.files.values())
        found = next((data for data in files if views.blob_sha(data) == sha), None)
        if found is None:
            raise not_found()
        return views.blob(g.base, repo, found)


def _tagged(shown: dict[str, Any]) -> Any:
    """With an ETag; 304 for a caller who has this version already (docs: "Use conditional requests")."""
    answer = jsonify(shown)
    answer.set_etag(shown["sha"], weak=True)
    return answer.make_conditional(request)


def find_commit(repo: Repo, ref: str) -> Commit | None:
    """By branch, tag, full sha, or an abbreviation that names one commit."""
    if ref in repo.refs:
        return repo.commits[repo.refs[ref]]
    found = [c for sha, c in repo.commits.items() if len(ref) >= 4 and sha.startswith(ref)]
    return found[0] if len(found) == 1 else None
