"""What the text of a setting may be: each reader gives the value, or raises ValueError with the remedy. Pure but for
the look whether a folder is there."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server listens. `port` 0 lets the system choose one."""

    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"


def address(text: str) -> Address:
    """HOST:PORT."""
    host, colon, port = text.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65535:
        raise ValueError("give HOST:PORT, for example 127.0.0.1:8000")
    return Address(host.strip("[]"), int(port))


def optional_address(text: str) -> Address | None:
    """HOST:PORT, or None for `off`."""
    return None if text.lower() in ("off", "none") else address(text)


Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def networks(text: str) -> tuple[Network, ...]:
    """Addresses and networks, separated by commas."""
    try:
        return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError:
        raise ValueError("give addresses or networks separated by commas, such as 10.0.0.7,172.16.0.0/12") from None


def url_text(text: str) -> str:
    """An http(s) URL without a slash at its end."""
    parts = urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise ValueError("give a URL that starts with http:// or https://")
    return text.rstrip("/")


def database_url(text: str) -> str:
    """A SQLAlchemy URL that names the driver we ship."""
    # Half a second to import, which the commands without a database need not pay.
    from sqlalchemy.engine import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(text)
    except ArgumentError:
        raise ValueError("give a database URL, for example postgresql://user@host/name") from None
    backend = url.get_backend_name()
    if backend == "sqlite":
        if not url.database or url.database == ":memory:":
            raise ValueError("a SQLite database needs a file: sqlite:////path/to/file.db")
        return url.set(drivername="sqlite").render_as_string(hide_password=False)
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg").render_as_string(hide_password=False)
    raise ValueError("only sqlite and postgresql are supported")


def number(low: float, high: float) -> Callable[[str], float]:
    """A reader of numbers in this range."""

    def parse(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise ValueError(f"give a number from {low:g} to {high:g}") from None
        if not low <= value <= high:
            raise ValueError(f"give a number from {low:g} to {high:g}")
        return value

    return parse


def integer(low: int, high: int) -> Callable[[str], int]:
    """A reader of whole numbers in this range."""

    def parse(text: str) -> int:
        if not text.isascii() or not text.isdecimal() or not low <= int(text) <= high:
            raise ValueError(f"give a whole number from {low} to {high}")
        return int(text)

    return parse


def choice(*values: str) -> Callable[[str], str]:
    """A reader of one of these words."""

    def parse(text: str) -> str:
        if text not in values:
            raise ValueError("give one of " + ", ".join(values))
        return text

    return parse


def folder(text: str) -> Path:
    """A path; `~` is the home folder."""
    return Path(text).expanduser()


def existing_folder(text: str) -> Path:
    """A folder that is there."""
    found = folder(text)
    if not found.is_dir():
        raise ValueError("no such folder; give the one that holds the clones")
    return found


def private_key(text: str) -> str:
    """A PEM key; one that came in one line is unfolded."""
    # A key that came through a one-line variable often has its line ends written as \n.
    key = text.replace("\\n", "\n").strip() + "\n"
    if "-----BEGIN" not in key or "PRIVATE KEY-----" not in key:
        raise ValueError("give the PEM text that GitHub let you download (or use the _FILE form)")
    return key
