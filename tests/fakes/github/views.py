"""Records as the JSON of GitHub's REST API. `base` is the stand-in's own address, without a slash at its end."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from tests.fakes.github.shapes import skeleton
from tests.fakes.github.state import (
    LEGACY,
    App,
    Comment,
    Commit,
    Installation,
    Issue,
    LabelEvent,
    Reaction,
    Repo,
    User,
    iso,
)

Json = dict[str, Any]
NAMES = ("pull", "triage", "push", "maintain", "admin")


def user(base: str, account: User) -> Json:
    """simple-user."""
    url = f"{base}/users/{account.login}"
    page = {"type": account.type, "login": account.login, "id": account.id, "node_id": f"U_{account.id}", "url": url}
    return skeleton("simple-user") | page | {"html_url": f"{base}/{account.login}", "site_admin": False}


def app(base: str, record: App) -> Json:
    """integration."""
    return skeleton("integration") | {
        "id": record.id,
        "slug": record.slug,
        "node_id": f"A_{record.id}",
        "client_id": record.client_id,
        "owner": user(base, record.owner),
        "name": record.slug,
        "description": "",
        "external_url": base,
        "html_url": f"{base}/apps/{record.slug}",
        "created_at": iso(record.created_at),
        "updated_at": iso(record.created_at),
        "permissions": record.permissions,
        "events": list(record.events),
    }


def installation(base: str, record: Installation) -> Json:
    """installation."""
    url = f"{base}/app/installations/{record.id}"
    return skeleton("installation") | {
        "id": record.id,
        # The description asks for an account that is a user and an enterprise at once.
        "account": user(base, record.account)
        | {"name": record.account.login, "slug": record.account.login}
        | {"created_at": iso(record.created_at), "updated_at": iso(record.created_at)},
        "repository_selection": "selected",
        "access_tokens_url": f"{url}/access_tokens",
        "repositories_url": f"{base}/installation/repositories",
        "html_url": url,
        "app_id": record.app.id,
        "app_slug": record.app.slug,
        "target_id": record.account.id,
        "target_type": "Organization",
        "permissions": record.permissions,
        "events": list(record.app.events),
        "created_at": iso(record.created_at),
        "updated_at": iso(record.created_at),
        "suspended_at": iso(record.suspended_at) if record.suspended_at else None,
    }


def repo(base: str, record: Repo, viewer: str | None = None) -> Json:
    """full-repository; it satisfies the shorter repository schema too."""
    url = f"{base}/repos/{record.full_name}"
    shown: Json = skeleton("repository") | skeleton("full-repository")
    shown |= {key: url for key in shown if key.endswith("_url") and shown[key] is not None}
    return (
        shown
        | {
            "id": record.id,
            "node_id": f"R_{record.id}",
            "name": record.name,
            "full_name": record.full_name,
            "owner": user(base, record.owner),
            "private": record.private,
            "html_url": f"{base}/{record.full_name}",
            "url": url,
            "default_branch": "main",
            "language": "Rust",
            "has_issues": record.has_issues,
            "created_at": iso(record.created_at),
            "updated_at": iso(record.created_at),
            "pushed_at": iso(record.created_at),
            "visibility": "private" if record.private else "public",
            "open_issues_count": sum(i.state == "open" for i in record.issues.values()),
        }
        | ({"permissions": _abilities(record, viewer)} if viewer else {})
    )


def _abilities(record: Repo, login: str) -> dict[str, bool]:
    granted = record.abilities(login)
    return {name: name in granted for name in NAMES}


def permission(base: str, record: Repo, account: User) -> Json:
    """repository-collaborator-permission."""
    role = record.role(account.login)
    granted = _abilities(record, account.login)
    legacy = LEGACY.get(role) or ("admin" if granted["admin"] else "write" if granted["push"] else "read")
    person = user(base, account) | {"permissions": granted, "role_name": role}
    return {"permission": legacy, "role_name": role, "user": person}


def label(base: str, record: Repo, name: str) -> Json:
    """label."""
    url = f"{base}/repos/{record.full_name}/labels/{name}"
    number = int(hashlib.sha256(name.encode()).hexdigest()[:8], 16)
    colour = record.labels.get(name, "ededed")
    page = {"id": number, "node_id": f"LA_{number}", "url": url, "name": name, "description": "", "color": colour}
    return page | {"default": False}


def reactions(base: str, url: str, given: list[Reaction]) -> Json:
    """reaction-rollup."""
    words = ("+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket")
    counts = {word: sum(r.content == word for r in given) for word in words}
    return {"url": f"{url}/reactions", "total_count": len(given)} | counts


def reaction(base: str, record: Reaction) -> Json:
    """reaction."""
    page = {"id": record.id, "node_id": f"REA_{record.id}", "user": user(base, record.user), "content": record.content}
    return page | {"created_at": iso(record.created_at)}


def association(record: Repo, account: User | None) -> str:
    """author_association."""
    if account is None:
        return "NONE"
    if account.id == record.owner.id:
        return "OWNER"
    return "MEMBER" if "push" in record.abilities(account.login) else "NONE"


def issue(base: str, record: Issue) -> Json:
    """issue."""
    home = f"{base}/repos/{record.repo.full_name}"
    url = f"{home}/issues/{record.number}"
    page = f"{base}/{record.repo.full_name}/issues/{record.number}"
    shown = skeleton("issue") | {
        "id": record.id,
        "node_id": record.node_id,
        "number": record.number,
        "title": record.title,
        "body": record.body,
        "user": user(base, record.user) if record.user else None,
        "state": record.state,
        "locked": record.locked,
        "active_lock_reason": None,
        "labels": [label(base, record.repo, name) for name in record.labels],
        "assignees": [],
        "comments": len(record.comments),
        "created_at": iso(record.created_at),
        "updated_at": iso(record.updated_at),
        "closed_at": iso(record.closed_at) if record.closed_at else None,
        "author_association": association(record.repo, record.user),
        "performed_via_github_app": None,
        "url": url,
        "html_url": page,
        "repository_url": home,
        "labels_url": f"{url}/labels{{/name}}",
        "comments_url": f"{url}/comments",
        "events_url": f"{url}/events",
        "reactions": reactions(base, url, record.reactions),
    }
    if record.is_pull_request:
        pull = f"{home}/pulls/{record.number}"
        shown["pull_request"] = {
            "url": pull,
            "html_url": page,
            "diff_url": f"{page}.diff",
            "patch_url": f"{page}.patch",
        }
    return shown


def label_event(base: str, home: Repo, record: LabelEvent) -> Json:
    """labeled-issue-event and unlabeled-issue-event, which differ in the word alone."""
    return skeleton("labeled-issue-event") | {
        "id": record.id,
        "node_id": f"LE_{record.id}",
        "url": f"{base}/repos/{home.full_name}/issues/events/{record.id}",
        "actor": user(base, record.actor),
        "event": record.kind,
        "created_at": iso(record.created_at),
        "label": {"name": record.label, "color": home.labels.get(record.label, "ededed")},
    }


def comment(base: str, record: Comment) -> Json:
    """issue-comment."""
    home = record.issue.repo
    url = f"{base}/repos/{home.full_name}/issues/comments/{record.id}"
    return {
        "id": record.id,
        "node_id": record.node_id,
        "url": url,
        "html_url": f"{base}/{home.full_name}/issues/{record.issue.number}#issuecomment-{record.id}",
        "issue_url": f"{base}/repos/{home.full_name}/issues/{record.issue.number}",
        "user": user(base, record.user) if record.user else None,
        "body": record.body,
        "created_at": iso(record.created_at),
        "updated_at": iso(record.updated_at),
        "author_association": association(home, record.user),
        "performed_via_github_app": app(base, record.app) if record.app else None,
        "reactions": reactions(base, url, record.reactions),
        "minimized": {"reason": record.minimized.lower()} if record.minimized else None,
    }


def commit(base: str, record: Repo, found: Commit) -> Json:
    """commit."""
    url = f"{base}/repos/{record.full_name}/commits/{found.sha}"
    person = {"name": "Somebody", "email": "somebody@example.invalid", "date": iso(found.date)}
    inner = skeleton("commit")["commit"] | {"author": person, "committer": person, "message": found.message, "url": url}
    inner |= {"tree": {"sha": found.sha, "url": url}, "comment_count": 0}
    page = f"{base}/{record.full_name}/commit/{found.sha}"
    shown = {
        "sha": found.sha,
        "node_id": f"C_{found.sha}",
        "url": url,
        "html_url": page,
        "comments_url": f"{url}/comments",
    }
    account = user(base, record.owner)
    return shown | {"commit": inner, "author": account, "committer": account, "parents": []}


def content(base: str, record: Repo, path: str, ref: str, data: bytes) -> Json:
    """content-file; over 1 MB GitHub leaves the content out and says encoding "none"."""
    sha = blob_sha(data)
    url = f"{base}/repos/{record.full_name}/contents/{path}?ref={ref}"
    git = f"{base}/repos/{record.full_name}/git/blobs/{sha}"
    page = f"{base}/{record.full_name}/blob/{ref}/{path}"
    large = len(data) > 1024 * 1024
    return {
        "type": "file",
        "encoding": "none" if large else "base64",
        "content": "" if large else base64.encodebytes(data).decode(),
        "size": len(data),
        "name": path.rsplit("/", 1)[-1],
        "path": path,
        "sha": sha,
        "url": url,
        "git_url": git,
        "html_url": page,
        "download_url": page,
        "_links": {"self": url, "git": git, "html": page},
    }


def blob(base: str, record: Repo, data: bytes) -> Json:
    """blob."""
    sha = blob_sha(data)
    shown = {"sha": sha, "node_id": f"B_{sha}", "size": len(data), "encoding": "base64"}
    url = f"{base}/repos/{record.full_name}/git/blobs/{sha}"
    return shown | {"url": url, "content": base64.encodebytes(data).decode()}


def blob_sha(data: bytes) -> str:
    """As git names a blob."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
