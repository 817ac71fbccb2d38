"""The Flask application: every request is validated, charged to a quota, perhaps spoiled, and logged."""

from __future__ import annotations

import contextlib
import re
import socket
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from flask import Flask, Response, g, jsonify, request
from werkzeug.local import LocalProxy

from tests.fakes.github import control, graphql, pages, rest_app, rest_issues, rest_repos, validation
from tests.fakes.github.access import Caller, authenticate
from tests.fakes.github.errors import ApiError
from tests.fakes.github.faults import PLAIN, Fault

if TYPE_CHECKING:
    from tests.fakes.github.hub import FakeGitHub

API = re.compile(r"^/(app|app-manifests|installation|user|users|repos|rate_limit|graphql)(/|$)")
RAW_ID = re.compile(r"^/repositories/(\d+)(/.*)?$")


Wsgi = Callable[[dict[str, Any], Any], Iterable[bytes]]


class _Flask(Flask):
    """One view at a time: the state needs no finer locks."""

    def add_url_rule(self, rule: str, endpoint: str | None = None, view_func: Any = None, **options: Any) -> None:
        """Endpoints are named by their rule, so that views of different parts may share a name."""
        methods = ",".join(sorted(options.get("methods") or ["GET"]))
        super().add_url_rule(rule, endpoint or f"{methods} {rule}".replace(".", "_"), view_func, **options)

    def dispatch_request(self) -> Any:
        """Run the view under the world's lock (waiting faults wait outside of it)."""
        hub: FakeGitHub = request.environ["fake.hub"]
        with hub.world.lock:
            return super().dispatch_request()


@lru_cache(maxsize=1)
def _flask() -> Flask:
    """The routes, made once per process; each request brings its stand-in along."""
    app = _Flask("fake-github", static_folder=None)
    hub: FakeGitHub = LocalProxy(lambda: request.environ["fake.hub"])  # type: ignore[assignment]
    app.json.sort_keys = False  # type: ignore[attr-defined]
    for part in (rest_app, rest_repos, rest_issues, graphql, control, pages):
        part.register(app, hub)
    app.before_request(lambda: _before(hub))
    app.after_request(lambda response: _after(hub, response))
    app.register_error_handler(ApiError, _api_error)
    return app


def make_app(hub: FakeGitHub) -> Wsgi:
    """The application of one stand-in. GitHub's redirects name repositories by id: /repositories/<id>/... is
    /repos/<owner>/<name>/..."""

    def wsgi(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        environ["fake.hub"] = hub
        found = RAW_ID.match(environ["PATH_INFO"])
        repo = hub.world.repos.get(int(found[1])) if found else None
        if found and repo:
            environ["PATH_INFO"] = f"/repos/{repo.full_name}{found[2] or ''}"
        return _flask().wsgi_app(environ, start)

    return wsgi


def _before(hub: FakeGitHub) -> Any:
    g.base = request.host_url.rstrip("/")
    g.fault, g.caller, g.carried_out = None, Caller(), False
    if not API.match(request.path):
        return None
    if request.path != "/graphql":
        hub.violations.extend(validation.check_request(request))
    g.caller = authenticate(hub.world, request.headers.get("Authorization"))
    g.fault = hub.faults.strike(request.method, request.path)
    _charge(hub)
    if g.fault and g.fault.kind in {"slow", "timeout_before"}:
        hub.stopping.wait(g.fault.delay)
    if g.fault and not g.fault.after and g.fault.kind not in {"slow", "stale"}:
        return _spoiled(hub, g.fault)
    g.carried_out = True
    return None


def _charge(hub: FakeGitHub) -> None:
    """Primary quota for everything, the secondary content limit where a test has switched it on."""
    quota = hub.world.quota(g.caller.quota_key)
    quota.used += 1
    if quota.used > quota.limit:
        raise ApiError(403, f"API rate limit exceeded for {g.caller.quota_key}.")
    if (
        hub.content_per_minute is None
        or request.method not in {"POST", "PATCH"}
        or not request.path.startswith("/repos/")
    ):
        return
    since = hub.world.clock() - 60.0
    key = g.caller.installation.id if g.caller.installation else None
    recent = [s for s in hub.writes(key) if s.at > since and s.verb in {"POST", "PATCH"}]
    if len(recent) >= hub.content_per_minute:
        raise ApiError(*PLAIN["secondary"])


def _after(hub: FakeGitHub, response: Response) -> Response:
    if not API.match(request.path):
        return response
    if g.carried_out and request.path != "/graphql":
        hub.violations.extend(validation.check_response(request, response))
    if g.carried_out and g.fault and g.fault.after:
        response = _spoiled(hub, g.fault, response)
    _add_quota(hub, response)
    _note(hub, response)
    return response


def _add_quota(hub: FakeGitHub, response: Response) -> None:
    quota = hub.world.quota(g.caller.quota_key)
    remaining = max(0, quota.limit - quota.used)
    response.headers.setdefault("X-RateLimit-Limit", str(quota.limit))
    response.headers.setdefault("X-RateLimit-Remaining", str(remaining))
    response.headers.setdefault("X-RateLimit-Used", str(quota.used))
    response.headers.setdefault("X-RateLimit-Reset", str(int(quota.reset_at)))
    response.headers.setdefault("X-RateLimit-Resource", "core")


def _note(hub: FakeGitHub, response: Response) -> None:
    from tests.fakes.github.hub import Seen

    caller: Caller = g.caller
    account = caller.user.login if caller.user else (caller.app.slug if caller.app else "")
    installation = caller.installation.id if caller.installation else None
    done = g.carried_out and (response.status_code < 400 or bool(g.fault))
    changing = request.method not in {"GET", "HEAD"} and getattr(g, "changing", True)
    now = hub.world.clock()
    seen = Seen(request.method, request.path, response.status_code, now, account, installation, done, changing)
    hub.seen.append(seen)


def _spoiled(hub: FakeGitHub, fault: Fault, stored: Response | None = None) -> Response:
    """The answer of a fault; `stored` is the good one where the request was carried out."""
    if fault.kind.startswith(("timeout", "drop")):
        if fault.kind == "timeout_after":
            hub.stopping.wait(fault.delay)
        return _hang_up()
    if fault.kind == "garbage_after":
        return Response("<html><body>Unicorn!</body></html>", 200, content_type="text/html")
    if fault.kind == "truncated_after":
        data = stored.get_data() if stored else b"{}"
        return Response(
            data[: max(1, len(data) // 2)], stored.status_code if stored else 200, content_type="application/json"
        )
    status, message = PLAIN[fault.kind]
    response = _json_error(status, {"message": message, "documentation_url": "https://docs.github.com/rest"})
    if fault.retry_after is not None:
        response.headers["Retry-After"] = fault.retry_after
    if fault.kind == "primary":
        response.headers["X-RateLimit-Remaining"] = "0"
        response.headers["X-RateLimit-Reset"] = str(int(hub.world.clock()) + fault.reset_in)
    return response


def _hang_up() -> Response:
    """Close the connection under the answer."""
    connection = request.environ.get("werkzeug.socket")
    if connection is not None:
        with contextlib.suppress(OSError):  # the client may have been faster
            connection.shutdown(socket.SHUT_RDWR)
    return Response("", 500)


def _api_error(error: ApiError) -> Response:
    response = _json_error(error.status, error.body)
    response.headers.update(error.headers)
    return response


def _json_error(status: int, body: dict[str, Any]) -> Response:
    response = jsonify(body)
    response.status_code = status
    return response
