"""What GitHub sent has arrived, by its own delivery log of the last three days."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from bot.clock import iso
from bot.doctor.examine import GITHUB, Fault, Patient

NEEDS = frozenset({GITHUB})
LOOKED_AT = 100
LOG_SECONDS = 3 * 86_400.0
"""How far back GitHub's log reaches (docs: Viewing webhook deliveries)."""

REMEDIES = {
    0: "let GitHub reach the webhook's URL: DNS, firewall, proxy, certificate; and see that `burn-triage run` is up",
    401: "the secrets differ: `burn-triage secrets send` tells GitHub the one that is set here",
    404: "another program answers there, or the URL lacks /webhook: mend the proxy or the App's webhook URL",
    413: "let the proxy pass bodies of 25 MB",
}


def check(patient: Patient) -> Iterator[Fault]:
    """The newest attempts, as long as they failed."""
    since = iso(patient.clock.now() - LOG_SECONDS)
    newest = islice(patient.deliveries().list_deliveries(since=since), LOOKED_AT)
    failed = list(takewhile(lambda attempt: not attempt.succeeded, newest))
    if failed:
        code = failed[0].status_code
        remedy = REMEDIES.get(code, "see the receiver's log, and whether the database answers (/readyz)")
        answer = f"answered {code}" if code else "not answered at all"
        count = f"the last {len(failed)} deliveries" if len(failed) > 1 else "the last delivery"
        yield f"{count} did not arrive: {answer}", remedy + "; what was missed is taken in by itself"
