"""Who is calling, and what they may see and do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import jwt

from tests.fakes.github.errors import ApiError, not_found
from tests.fakes.github.state import App, Installation, Repo, Token, User, World


@dataclass
class Caller:
    """An App by its JWT, a token's owner, or nobody."""

    app: App | None = None
    token: Token | None = None

    @property
    def user(self) -> User | None:
        """The account that things are written as."""
        return self.token.user if self.token else None

    @property
    def installation(self) -> Installation | None:
        """Where an installation token is used."""
        return self.token.installation if self.token else None

    @property
    def writing_app(self) -> App | None:
        """Goes into `performed_via_github_app`."""
        return self.installation.app if self.installation else None

    @property
    def quota_key(self) -> str:
        """Whose hourly quota is used."""
        if self.installation:
            return f"installation {self.installation.id}"
        return f"app {self.app.id}" if self.app else f"user {self.user.login if self.user else ''}"

    def may_see(self, repo: Repo) -> bool:
        """Public, or given to this caller."""
        if not repo.private:
            return True
        if self.installation:
            return repo in self.installation.repos
        if self.token and self.token.repo:
            return self.token.repo is repo
        return bool(self.user and "pull" in repo.abilities(self.user.login))

    def may_write_issues(self, repo: Repo) -> bool:
        """Comments, reactions, labels."""
        if self.installation:
            return repo in self.installation.repos and self.installation.permissions.get("issues") == "write"
        if self.token and self.token.repo:
            return self.token.repo is repo
        return self.user is not None

    def may_moderate(self, repo: Repo) -> bool:
        """Edit and hide what others wrote; Apps may with the write permission."""
        if self.installation or (self.token and self.token.repo):
            return self.may_write_issues(repo)
        return bool(self.user and "push" in repo.abilities(self.user.login))


def authenticate(world: World, header: str | None) -> Caller:
    """The caller behind an Authorization header. Raises ApiError 401 or 403."""
    if not header:
        return Caller()
    text = header.split(" ", 1)[-1].strip()
    if text.count(".") == 2:
        return Caller(app=_app(world, text))
    token = world.tokens.get(text)
    if token is None or (token.expires_at is not None and token.expires_at <= world.clock()):
        raise ApiError(401, "Bad credentials")
    if token.installation and token.installation.deleted:
        raise ApiError(401, "Bad credentials")
    if token.installation and token.installation.suspended_at:
        raise ApiError(403, "This installation has been suspended")
    return Caller(token=token)


def _app(world: World, text: str) -> App:
    """The App whose public key verifies this JSON Web Token, at the stand-in's own time."""
    claims: dict[str, Any] = _decoded(lambda: jwt.decode(text, options={"verify_signature": False}))
    issuer = str(claims.get("iss"))
    app = next((a for a in world.apps.values() if issuer in {str(a.id), a.client_id}), None)
    if app is None:
        raise ApiError(404, "Integration not found")
    key = app.public_key
    options = {"verify_exp": False, "verify_iat": False, "verify_nbf": False}
    _decoded(lambda: jwt.decode(text, key, algorithms=["RS256"], options=options))
    now, issued, expires = world.clock(), float(claims.get("iat", 0)), float(claims.get("exp", 0))
    if expires <= now or expires > now + 600:
        raise ApiError(401, "'Expiration time' claim ('exp') must be at most ten minutes ahead")
    if issued > now + 5:
        raise ApiError(401, "'Issued at' claim ('iat') must be in the past")
    return app


def _decoded(decode: Any) -> Any:
    try:
        return decode()
    except jwt.InvalidTokenError as error:
        raise ApiError(401, "A JSON web token could not be decoded") from error


def need_app(caller: Caller) -> App:
    """The calling App. Raises ApiError 401."""
    if caller.app is None:
        raise ApiError(401, "A JSON web token could not be decoded")
    return caller.app


def need_user(caller: Caller) -> User:
    """The writing account. Raises ApiError 401."""
    if caller.user is None:
        raise ApiError(401, "Requires authentication")
    return caller.user


def need_issue_write(caller: Caller, repo: Repo) -> User:
    """The writing account, if it may write issues here. Raises ApiError."""
    user = need_user(caller)
    if not caller.may_see(repo):
        raise not_found()
    if not caller.may_write_issues(repo):
        raise ApiError(403, "Resource not accessible by integration")
    return user
