"""What GitHub sent has arrived, by its own delivery log of the last three days."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, takewhile

from bot.clock import iso
from bot.doctor.examine import DATABASE, GITHUB, Fault, Patient
from bot.ports import DeliverySummary
from bot.store.deliveries import find

NEEDS = frozenset({GITHUB})
LOOKED_AT = 100
SWEPT = "swept"
"""How `bot.gaps` marks what it took in."""
LOG_SECONDS = 3 * 86_400.0
"""How far back GitHub's log reaches (docs: Viewing webhook deliveries)."""

REMEDIES = {
    0: "let GitHub reach the webhook's URL: DNS, firewall, proxy, certificate; and see that `burn-triage run` is up",
    401: "the secrets differ: `burn-triage secrets send` tells GitHub the one that is set here",
    404: "another program answers there, or the URL lacks /webhook: mend the proxy or the App's webhook URL",
    413: "let the proxy pass bodies of 25 MB",
}

ELSEWHERE = (
    "another program answers at the webhook's URL: let it lead to this receiver; where the database is new or was put "
    "back, the next delivery ends this"
)


def check(patient: Patient) -> Iterator[Fault]:
    """The newest attempts, as long as they failed."""
    since = iso(patient.clock.now() - LOG_SECONDS)
    newest = list(islice(patient.deliveries().list_deliveries(since=since), LOOKED_AT))
    failed = list(takewhile(lambda attempt: not attempt.succeeded, newest))
    if failed:
        code = failed[0].status_code
        remedy = REMEDIES.get(code, "see the receiver's log, and whether the database answers (/readyz)")
        answer = f"answered {code}" if code else "not answered at all"
        count = f"the last {len(failed)} deliveries" if len(failed) > 1 else "the last delivery"
        yield f"{count} did not arrive: {answer}", remedy + "; what was missed is taken in by itself"
    taken = newest[len(failed) : len(failed) + 1]
    if taken and DATABASE in patient.reachable and not _came_here(patient, taken[0]):
        answer = f"was answered {taken[0].status_code}, but not by this bot"
        yield f"the delivery of {taken[0].delivered_at} {answer}", ELSEWHERE


def _came_here(patient: Patient, attempt: DeliverySummary) -> bool:
    """Did the receiver store it? What the sweep took in came from GitHub's log alone."""
    with patient.engine().connect() as conn:
        stored = find(conn, attempt.guid)
    return stored is not None and stored.delivery.via != SWEPT
