"""The stand-in as a whole: state, deeds, faults, webhooks, and the server on loopback."""

from __future__ import annotations

import functools
import hashlib
import re
import secrets
import socket
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from werkzeug.serving import BaseWSGIServer, WSGIRequestHandler, make_server

from tests.fakes.github import views
from tests.fakes.github.errors import not_found
from tests.fakes.github.faults import Fault, Faults
from tests.fakes.github.hooks import Hooks
from tests.fakes.github.people import People
from tests.fakes.github.state import App, Comment, Commit, Installation, Repo, Token, User, World
from tests.fakes.github.web import make_app

EVENTS = ("issues", "issue_comment", "installation", "installation_repositories")
PERMISSIONS = {"issues": "write", "contents": "read", "metadata": "read"}


@dataclass(frozen=True)
class Seen:
    """One request that reached the stand-in, and the answer it sent (after faults; 0: none)."""

    verb: str
    path: str
    status: int
    at: float
    account: str
    installation_id: int | None
    carried_out: bool
    changing: bool
    """Anything but a read; a GraphQL POST only when it is a mutation."""


class FakeGitHub:
    """A GitHub of our own. `with FakeGitHub() as github:` serves it on a free port of loopback.

    `clock` gives epoch seconds; `violations` lists every request or answer that GitHub's own description does not
    allow: tests assert that it is empty. `seen` is the log of requests.
    """

    def __init__(self, clock: Callable[[], float] = time.time, *, seed: int = 0) -> None:
        self.world = World(clock)
        self.faults = Faults(seed)
        self.hooks = Hooks(self.world, lambda: self.url)
        self.people = People(self.world, self.hooks.emit)
        self.violations: list[str] = []
        self.seen: list[Seen] = []
        self.signed_in = ""
        self.content_per_minute: int | None = None
        self.stopping = threading.Event()
        self.url = "http://github.invalid"
        self.app = make_app(self)
        self._server: BaseWSGIServer | None = None
        self._thread: threading.Thread | None = None

    def start(self, port: int = 0) -> str:
        """Serve on loopback (a free port by default) and return the address."""
        self._server = make_server("127.0.0.1", port, self.app, threaded=True, request_handler=_Handler)
        self._server.daemon_threads = True  # type: ignore[attr-defined]
        self._server.clock = self.world.clock  # type: ignore[attr-defined]
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), daemon=True, name="fake-github"
        )
        self._thread.start()
        return self.url

    def stop(self) -> None:
        """Stop serving; waiting answers are let go."""
        self.stopping.set()
        if self._server and self._thread:
            self._server.shutdown()
            self._thread.join(5)
            self._server.server_close()
        self.hooks.close()

    def __enter__(self) -> FakeGitHub:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def create_app(
        self,
        slug: str = "burn-triage",
        *,
        webhook_url: str | None = None,
        webhook_secret: str = "secret",
        private_key: str | None = None,
        permissions: Mapping[str, str] = PERMISSIONS,
        events: Iterable[str] = EVENTS,
    ) -> App:
        """Register an App. Without a private key (PEM) it gets a new one."""
        private = private_key or new_private_key()
        app = App(
            id=self.world.new_id(),
            slug=slug,
            owner=self.world.user("app-owner"),
            bot=self.world.user(f"{slug}[bot]"),
            private_key=private,
            public_key=_public_key(private),
            client_id=f"Iv23{secrets.token_hex(8)}",
            client_secret=secrets.token_hex(20),
            webhook_url=webhook_url,
            webhook_secret=webhook_secret,
            permissions=dict(permissions),
            events=tuple(events),
            created_at=self.world.clock(),
        )
        self.world.apps[app.id] = app
        return app

    def create_repo(
        self,
        name: str,
        *,
        roles: Mapping[str, str] | None = None,
        custom_roles: Mapping[str, tuple[str, ...]] | None = None,
        private: bool = False,
        labels: Iterable[str] = (),
    ) -> Repo:
        """Make `owner/name`. `roles` by login; custom roles by name with the members of `user.permissions` they set."""
        owner, _, short = name.partition("/")
        home = Repo(self.world.new_id(), self.world.user(owner, "Organization"), short, private)
        home.roles |= dict(roles or {})
        home.custom_roles |= {key: tuple(value) for key, value in (custom_roles or {}).items()}
        home.labels |= dict.fromkeys(labels, "ededed")
        home.created_at = self.world.clock()
        for login in home.roles:
            self.world.user(login)
        self.world.repos[home.id] = home
        return home

    def install(
        self, app: App, repos: Iterable[Repo | str], *, permissions: Mapping[str, str] | None = None
    ) -> Installation:
        """Install an App on repositories of one owner; its `installation.created` is sent."""
        homes = [r if isinstance(r, Repo) else self.people.repo(r) for r in repos]
        account, granted = homes[0].owner, dict(permissions or app.permissions)
        made = Installation(self.world.new_id(), app, account, homes, granted, self.world.clock())
        self.world.installations[made.id] = made
        self.hooks.emit_installation("created", made, account)
        return made

    def uninstall(self, installation_id: int) -> None:
        """Take the App off: its tokens die, `installation.deleted` is sent."""
        found = self.world.installations[installation_id]
        found.deleted = True
        self.hooks.emit_installation("deleted", found, found.account)

    def suspend(self, installation_id: int, *, suspended: bool = True) -> None:
        """Suspend or unsuspend an installation."""
        found = self.world.installations[installation_id]
        found.suspended_at = self.world.clock() if suspended else None
        self.hooks.emit_installation("suspend" if suspended else "unsuspend", found, found.account)

    def add_commit(
        self,
        repo: str,
        files: Mapping[str, bytes | str],
        *,
        refs: Iterable[str] = ("main",),
        sha: str = "",
        message: str = "",
    ) -> Commit:
        """Add a commit (all of its files) and point these refs at it."""
        home = self.people.repo(repo)
        data = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
        name = sha or hashlib.sha1(repr(sorted(data.items())).encode()).hexdigest()
        made = Commit(name, self.world.clock(), message, data)
        home.commits[name] = made
        home.refs |= dict.fromkeys(refs, name)
        return made

    def fault(self, kind: str, **rule: Any) -> Fault:
        """Misbehave as `tests.fakes.github.faults.Fault` says."""
        return self.faults.add(Fault(kind, **rule))

    def comments(self, repo: str, number: int) -> list[Comment]:
        """What stands on an issue."""
        return list(self.people.issue(repo, number).comments)

    def writes(self, installation_id: int | None = None) -> list[Seen]:
        """Changing requests on repositories that were carried out, in the order of their arrival."""
        changing = [s for s in self.seen if s.carried_out and s.changing]
        ours = [s for s in changing if s.path.startswith(("/repos/", "/graphql"))]
        return [s for s in ours if installation_id in {None, s.installation_id}]

    def new_token(self, prefix: str, user: User, **rights: Any) -> Token:
        """A token that works at once."""
        token = Token(f"{prefix}_{secrets.token_urlsafe(27)}".replace(".", "_"), user, **rights)
        self.world.tokens[token.text] = token
        return token

    def user_token(self, login: str) -> str:
        """A person's token."""
        return self.new_token("ghp", self.world.user(login)).text

    def action_token(self, repo: str) -> str:
        """What an Action gets as GITHUB_TOKEN."""
        return self.new_token("ghs", self.world.user("github-actions[bot]"), repo=self.people.repo(repo)).text

    def app_named(self, app: App | str) -> App:
        """By slug. Raises StopIteration."""
        return app if isinstance(app, App) else next(a for a in self.world.apps.values() if a.slug == app)

    def convert_manifest(self, code: str, base: str) -> dict[str, Any]:
        """Make the App of a manifest; the code works once."""
        pending = self.world.manifests.get(code)
        if pending is None or not pending["made"]:
            raise not_found()
        del self.world.manifests[code]
        manifest: Any = pending["manifest"]
        slug = re.sub(r"[^a-z0-9]+", "-", str(manifest.get("name", "app")).lower()).strip("-")
        hook = (manifest.get("hook_attributes") or {}).get("url")
        permissions, events = manifest.get("default_permissions", {}), manifest.get("default_events", [])
        secret = secrets.token_hex(20)
        made = self.create_app(slug, webhook_url=hook, webhook_secret=secret, permissions=permissions, events=events)
        if pending["owner"]:
            made.owner = self.world.user(str(pending["owner"]), "Organization")
        keys = {"pem": made.private_key, "webhook_secret": secret, "client_secret": made.client_secret}
        return views.app(base, made) | keys


class _Handler(WSGIRequestHandler):
    """Quiet, and without the delay that small writes on kept-alive connections otherwise get."""

    disable_nagle_algorithm = True

    def log(self, type: str, message: str, *args: Any) -> None:
        """Say nothing."""

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The Date header, by the stand-in's own clock."""
        return super().date_time_string(timestamp or self.server.clock())  # type: ignore[attr-defined]

    def setup(self) -> None:
        """Also set it on sockets that were accepted before the handler class could."""
        super().setup()
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, True)


def new_private_key() -> str:
    """An RSA key in PEM. Takes a tenth of a second or more."""
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    form, plain = serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
    return key.private_bytes(serialization.Encoding.PEM, form, plain).decode()


@functools.lru_cache(maxsize=16)
def _public_key(private_key: str) -> str:
    key = serialization.load_pem_private_key(private_key.encode(), password=None).public_key()
    return key.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
