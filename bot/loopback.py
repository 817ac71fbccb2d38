"""Which hosts are this machine. Pure."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """Whether a host as written (`127.0.0.1`, `[::1]`, `localhost`) is this machine, whoever resolves it."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False
