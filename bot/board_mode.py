"""When the dashboard is served, and what has to hold before: what would leave it open is refused at start. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from bot.loopback import is_loopback

if TYPE_CHECKING:
    from bot.settings import Settings

OFF = "off"
LOGIN = "login"
LOCAL = "local"


def board_mode(settings: Settings) -> str:
    """off, login or local; auto is login where the App can log people in and they can come back, else off."""
    if settings.board != "auto":
        return settings.board
    can_log_in = settings.client_id and settings.client_secret and settings.public_url and settings.pages != "off"
    return LOGIN if can_log_in else OFF


def problems(settings: Settings) -> Iterator[str]:
    """Why the dashboard cannot be served as asked; nothing where it can, or is not asked for."""
    mode = board_mode(settings)
    if mode != OFF and settings.pages == "off":
        yield f"BURN_TRIAGE_BOARD={mode}: the dashboard is one of the pages, which BURN_TRIAGE_PAGES=off switches off"
    if mode == LOCAL:
        yield from _open_to_others(settings)
    if mode == LOGIN:
        yield from _cannot_log_in(settings)


def _open_to_others(settings: Settings) -> Iterator[str]:
    name = "BURN_TRIAGE_BOARD=local"
    if not is_loopback(settings.listen.host):
        yield (
            f"{name}: needs no login, so it is served on loopback only; set BURN_TRIAGE_LISTEN to "
            f"127.0.0.1:{settings.listen.port} (it is {settings.listen}), or BURN_TRIAGE_BOARD to login"
        )
    if settings.public_url and not is_loopback(urlsplit(settings.public_url).hostname or ""):
        yield (
            f"{name}: needs no login, and BURN_TRIAGE_PUBLIC_URL says that others reach this server at "
            f"{settings.public_url}; set BURN_TRIAGE_BOARD to login, or take the public address away"
        )


def _cannot_log_in(settings: Settings) -> Iterator[str]:
    names = ("client_id", "client_secret", "app_id", "private_key", "public_url")
    missing = [f"BURN_TRIAGE_{name.upper()}" for name in names if getattr(settings, name) is None]
    if missing:
        yield f"BURN_TRIAGE_BOARD=login: needs {', '.join(missing)} too"
    parts = urlsplit(settings.public_url or "https://")
    if parts.scheme != "https" and not is_loopback(parts.hostname or ""):
        yield (
            "BURN_TRIAGE_BOARD=login: sends cookies, so BURN_TRIAGE_PUBLIC_URL must begin with https:// "
            f"(it is {settings.public_url})"
        )
