"""GitHub sends deliveries to us: the right address, as JSON, over TLS, signed."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from bot.doctor.examine import GITHUB, Fault, Patient

NEEDS = frozenset({GITHUB})


def check(patient: Patient) -> Iterator[Fault]:
    """Look at the webhook's configuration."""
    hook, public = patient.registration().read_hook(), patient.settings.public_url
    wanted = f"{public or 'https://YOUR-SERVER'}/webhook"
    if hook is None:
        yield "the App has no webhook", f"switch it on, with the URL {wanted}"
        return
    where = urlsplit(hook.url)
    if where.path != "/webhook" or (public is not None and hook.url != wanted):
        yield (
            f"the webhook's URL is {hook.url}",
            f"set it to {wanted} on the App's settings, or mend BURN_TRIAGE_PUBLIC_URL",
        )
    elif where.scheme != "https" and where.hostname not in {"127.0.0.1", "localhost", "::1"}:
        yield f"the webhook's URL is not encrypted: {hook.url}", "put TLS before the receiver, and https into the URL"
    if not hook.verifies_tls:
        yield "GitHub does not verify the receiver's certificate", "enable SSL verification on the App's settings"
    if hook.content_type != "json":
        yield (
            f"GitHub sends deliveries as {hook.content_type}, not as JSON",
            "run `burn-triage secrets send`, which sets both",
        )
    if not hook.has_secret:
        yield "GitHub does not sign deliveries", "run `burn-triage secrets send`"
