"""What every answer of the pages goes through: security headers, caching, and how often one client may ask."""

from __future__ import annotations

import hashlib
import ipaddress
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field

from flask import Request, Response

from bot.clock import Clock
from bot.setting_values import Network

CSP = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CSP,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}
PAGE_SECONDS = 300
"""How long a page may be shown without asking again: the knowledge base changes with a restart."""


def secure(response: Response) -> Response:
    """The same response with every security header."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    return response


def cacheable(response: Response, request: Request) -> Response:
    """A page that any cache may keep for a while, and ask about by its hash afterwards. Other answers: kept nowhere."""
    if response.status_code != 200 or request.method not in ("GET", "HEAD"):
        response.headers.setdefault("Cache-Control", "no-store")
        return response
    if "Cache-Control" in response.headers or response.direct_passthrough:
        return response
    response.headers["Cache-Control"] = f"public, max-age={PAGE_SECONDS}"
    response.set_etag(hashlib.sha256(response.get_data()).hexdigest()[:32])
    response.make_conditional(request)
    return response


@dataclass(frozen=True, slots=True)
class Rate:
    """How often: `burst` at once, then one every `seconds`."""

    burst: int
    seconds: float


@dataclass
class Limiter:
    """A token bucket for each client, in this process. The least recent clients are forgotten beyond `clients`."""

    clock: Clock
    rate: Rate
    clients: int = 4096
    _buckets: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def wait(self, client: str) -> float:
        """Take a token: 0.0 where there was one, else the seconds until there is."""
        now = self.clock.now()
        with self._lock:
            tokens, then = self._buckets.pop(client, (float(self.rate.burst), now))
            tokens = min(float(self.rate.burst), tokens + max(0.0, now - then) / self.rate.seconds)
            missing = 1.0 - tokens
            self._buckets[client] = (tokens if missing > 0 else tokens - 1.0, now)
            while len(self._buckets) > self.clients:
                self._buckets.popitem(last=False)
        return max(0.0, missing) * self.rate.seconds


def client_of(request: Request, proxies: Sequence[Network] = ()) -> str:
    """Who asks: the peer's address, an IPv6 one by its /64.

    A proxy on this machine or in `proxies` is believed about the address that it added last to X-Forwarded-For;
    nobody else is.
    """
    peer = _address(request.remote_addr or "")
    if peer is not None and (peer.is_loopback or any(peer in network for network in proxies)):
        peer = _address(request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()) or peer
    if isinstance(peer, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((peer, 64), strict=False))
    return str(peer)


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    # A socket that listens on both families names an IPv4 peer as ::ffff:a.b.c.d: all of them lie in one /64.
    return getattr(found, "ipv4_mapped", None) or found
