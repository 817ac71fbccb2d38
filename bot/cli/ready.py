"""Ask the receiver on this machine whether deliveries are worked on: exit 0 if so, 1 with the reason if not.

For health checks of containers: it gets /readyz at BURN_TRIAGE_LISTEN. A worker without a receiver beside it is looked
after by `burn-triage inbox status`.
"""

from __future__ import annotations

import argparse
import http.client

from bot.cli import FAILURE
from bot.setting_values import Address
from bot.settings import read_settings

SECONDS = 5.0
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}


def configure(parser: argparse.ArgumentParser) -> None:
    """No options: the address is a setting."""


def run(args: argparse.Namespace) -> int:
    """Ask, and say what was answered."""
    ready, said = ask(read_settings().listen)
    print(said)
    return 0 if ready else FAILURE


def ask(address: Address) -> tuple[bool, str]:
    """Whether the receiver there is ready, and its words."""
    host = EVERYWHERE.get(address.host, address.host)
    connection = http.client.HTTPConnection(host, address.port, timeout=SECONDS)
    try:
        connection.request("GET", "/readyz")
        answer = connection.getresponse()
        return answer.status == 200, answer.read(1000).decode("utf-8", "replace").strip()
    except (OSError, http.client.HTTPException) as error:
        return False, f"no answer from {address}: {error}"
    finally:
        connection.close()
