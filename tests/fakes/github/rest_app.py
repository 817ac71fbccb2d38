"""REST endpoints of Apps, installations, tokens and accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from flask import Flask, g, request
from werkzeug.local import LocalProxy

from tests.fakes.github import views
from tests.fakes.github.access import need_app, need_user
from tests.fakes.github.errors import ApiError, not_found
from tests.fakes.github.hooks import Hooks
from tests.fakes.github.paging import page
from tests.fakes.github.shapes import skeleton
from tests.fakes.github.state import Installation, World, iso

if TYPE_CHECKING:
    from tests.fakes.github.hub import FakeGitHub

TOKEN_LIFE = 3600


def register(app: Flask, hub: FakeGitHub) -> None:
    """Add the routes."""
    world: World = LocalProxy(lambda: hub.world)  # type: ignore[assignment]
    hooks: Hooks = LocalProxy(lambda: hub.hooks)  # type: ignore[assignment]

    @app.get("/app")
    def the_app() -> Any:
        return views.app(g.base, need_app(g.caller))

    @app.route("/app/hook/config", methods=["GET", "PATCH"])
    def hook_config() -> Any:
        mine = need_app(g.caller)
        if request.method == "PATCH":
            change = request.get_json()
            mine.webhook_url = change.get("url", mine.webhook_url)
            mine.webhook_secret = change.get("secret", mine.webhook_secret)
            mine.webhook_form = change.get("content_type", "form" if mine.webhook_form else "json") == "form"
        return {
            "content_type": "form" if mine.webhook_form else "json",
            "insecure_ssl": "1" if mine.webhook_insecure else "0",
            "url": mine.webhook_url or g.base,
        } | ({"secret": "********"} if mine.webhook_secret else {})

    @app.get("/app/hook/deliveries")
    def deliveries() -> Any:
        mine = need_app(g.caller)
        return page([d.item() for d in hooks.recent(mine)], by_cursor=True)

    @app.get("/app/hook/deliveries/<int:number>")
    def delivery(number: int) -> Any:
        found = hooks.find(number)
        if found is None or found.app is not need_app(g.caller):
            raise not_found()
        return found.full()

    @app.post("/app/hook/deliveries/<int:number>/attempts")
    def attempt(number: int) -> Any:
        need_app(g.caller)
        if hooks.redeliver(number) is None:
            raise not_found()
        return {}, 202

    @app.get("/app/installations")
    def installations() -> Any:
        mine = need_app(g.caller)
        found = [i for i in world.installations.values() if i.app is mine and not i.deleted]
        return page([views.installation(g.base, i) for i in found])

    @app.route("/app/installations/<int:number>", methods=["GET", "DELETE"])
    def one_installation(number: int) -> Any:
        found = _own_installation(hub, number)
        if request.method == "DELETE":
            found.deleted = True
            return "", 204
        return views.installation(g.base, found)

    @app.post("/app/installations/<int:number>/access_tokens")
    def access_token(number: int) -> Any:
        found = _own_installation(hub, number)
        if found.suspended_at:
            raise ApiError(403, "This installation has been suspended")
        expires = world.clock() + TOKEN_LIFE
        token = hub.new_token("ghs", found.app.bot, installation=found, expires_at=expires)
        answer = {"token": token.text, "expires_at": iso(expires), "permissions": found.permissions}
        return answer | {"repository_selection": "selected"}, 201

    @app.get("/installation/repositories")
    def installation_repositories() -> Any:
        if not g.caller.installation:
            raise ApiError(403, "Resource not accessible by integration")
        shown = [views.repo(g.base, r, "") for r in g.caller.installation.repos]
        return page(shown, key="repositories")

    @app.post("/app-manifests/<code>/conversions")
    def conversion(code: str) -> Any:
        return hub.convert_manifest(code, g.base), 201

    _register_accounts(app, hub)


def _register_accounts(app: Flask, hub: FakeGitHub) -> None:
    world: World = LocalProxy(lambda: hub.world)  # type: ignore[assignment]

    @app.get("/user")
    def myself() -> Any:
        user = need_user(g.caller)
        if g.caller.installation or g.caller.token.repo:
            raise ApiError(403, "Resource not accessible by integration")
        return _account(views.user(g.base, user))

    @app.get("/users/<login>")
    def account(login: str) -> Any:
        user = world.users.get(login.casefold())
        if user is None:
            raise not_found()
        return _account(views.user(g.base, user))

    @app.get("/user/installations")
    def my_installations() -> Any:
        user = need_user(g.caller)
        live = [i for i in world.installations.values() if not i.deleted]
        mine = [i for i in live if any(_explicit(r, user.login) for r in i.repos)]
        return page([views.installation(g.base, i) for i in mine], key="installations")

    @app.get("/user/installations/<int:number>/repositories")
    def my_repositories(number: int) -> Any:
        user, found = need_user(g.caller), world.installations.get(number)
        if found is None or found.deleted:
            raise not_found()
        mine = [r for r in found.repos if _explicit(r, user.login)]
        return page([views.repo(g.base, r, user.login) for r in mine], key="repositories")

    @app.get("/rate_limit")
    def rate_limit() -> Any:
        quota = world.quota(g.caller.quota_key)
        left = {"limit": quota.limit, "remaining": max(0, quota.limit - quota.used), "used": quota.used}
        rate = left | {"reset": int(quota.reset_at)}
        return {"resources": {"core": rate, "search": rate, "graphql": rate}, "rate": rate}


def _explicit(repo: Any, login: str) -> bool:
    """Listed among a user's repositories of an installation: those with an explicit right."""
    return login == repo.owner.login or login in repo.roles


def _own_installation(hub: FakeGitHub, number: int) -> Installation:
    mine, found = need_app(g.caller), hub.world.installations.get(number)
    if found is None or found.app is not mine or found.deleted:
        raise not_found()
    return found


def _account(shown: dict[str, Any]) -> dict[str, Any]:
    return skeleton("public-user") | shown | {"user_view_type": "public"}
