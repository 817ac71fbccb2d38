"""Change the App's secrets without losing a delivery or a comment.

For secrets in BURN_TRIAGE_CREDENTIALS, the file that `burn-triage setup` wrote. A webhook secret that a variable sets
is changed there: the present one goes to BURN_TRIAGE_WEBHOOK_SECRET_OLD, a new one to BURN_TRIAGE_WEBHOOK_SECRET, every
receiver is started anew, and `burn-triage secrets send` tells GitHub.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from bot.errors import TransientError, UserError
from bot.settings import Settings, read_settings, set_by_variable

SETTABLE = ("private-key", "client-secret")


def configure(parser: argparse.ArgumentParser) -> None:
    """The actions."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser(
        "list",
        help="which secrets there are, from where, and how each is changed",
        description="Which secrets there are, from where, and how each is changed. No secret is shown.",
    )
    rotate = actions.add_parser(
        "rotate",
        help="make a new webhook secret and tell GitHub, or a new marker key",
        description="Make a new webhook secret and tell GitHub, or a new marker key. What failed half-way goes on when "
        "it is called again.",
    )
    rotate.add_argument(
        "name", nargs="?", choices=("webhook-secret", "marker-key"), default="webhook-secret", help="which one"
    )
    actions.add_parser(
        "retire",
        help="drop the old webhook secret after a rotation",
        description="Drop the old webhook secret after a rotation, once nothing signed with it can come any more.",
    )
    actions.add_parser(
        "send",
        help="tell GitHub the webhook secret that is set here",
        description="Tell GitHub the webhook secret that is set here.",
    )
    change = actions.add_parser(
        "set",
        help="keep a secret that was made on GitHub's pages, read from stdin",
        description="Keep a secret that was made on GitHub's pages, read from stdin. A private key is tried first.",
    )
    change.add_argument("name", choices=SETTABLE, help="which one")


def run(args: argparse.Namespace) -> int:
    """Carry out the action."""
    settings = read_settings()
    actions: dict[str, Callable[[], None]] = {
        "list": lambda: show(settings),
        "retire": lambda: retire(settings),
        "send": lambda: send(settings),
        "set": lambda: keep(settings, args.name.replace("-", "_")),
        "rotate": lambda: rotate_marker(settings) if args.name == "marker-key" else rotate_webhook(settings),
    }
    actions[args.action]()
    return 0


def show(settings: Settings) -> None:
    """Each secret with its place."""
    from bot.rotation import HOW

    for name, how in HOW.items():
        place = set_by_variable(name) or ("kept in the file" if getattr(settings, name) else "not set")
        print(f"{name.replace('_', '-'):20} {place}\n{'':20} {how}")
    print(settings.credentials)


def rotate_webhook(settings: Settings) -> None:
    """Both secrets are valid here before GitHub hears of the new one."""
    from bot.credentials import change_kept
    from bot.rotation import PENDING, sent, with_new_webhook_secret
    from bot.wiring import make_registration

    refuse_variables("webhook_secret", "webhook_secret_old")
    registration = make_registration(settings)
    resumed = PENDING in _kept(settings)
    after = change_kept(settings.credentials, with_new_webhook_secret)
    registration.set_secret(after["webhook_secret"])
    change_kept(settings.credentials, sent)
    print("the rotation of before is finished" if resumed else "GitHub signs with the new secret")
    print("the old one stays valid until `burn-triage secrets retire`; receivers on this file need no restart")


def rotate_marker(settings: Settings) -> None:
    """Only while nobody works: a worker with the old keys would not know a comment with the new one as ours."""
    from bot.clock import SystemClock
    from bot.credentials import change_kept
    from bot.rotation import with_new_marker_key
    from bot.store import executors
    from bot.wiring import open_database

    refuse_variables("marker_key", "marker_key_old")
    with open_database(settings).connect() as conn:
        workers = executors.alive(conn, SystemClock().now())
    if workers:
        raise UserError(
            "workers_alive",
            f"{workers} workers run: stop them all first. One with the old keys would not know a comment that another "
            "signed with the new key, and would write a second one",
        )
    change_kept(settings.credentials, with_new_marker_key)
    print("new comments are signed with the new key; the former keys go on verifying, so every old comment stays ours")


def retire(settings: Settings) -> None:
    """End the overlap."""
    from bot.credentials import change_kept
    from bot.rotation import retired

    refuse_variables("webhook_secret", "webhook_secret_old")
    change_kept(settings.credentials, retired)
    print("only the new webhook secret is valid now")


def send(settings: Settings) -> None:
    """For secrets that variables set, and after a change on GitHub's page."""
    from bot.wiring import make_registration

    settings.require("webhook_secret")
    assert settings.webhook_secret is not None
    make_registration(settings).set_secret(settings.webhook_secret)
    print("GitHub signs with the secret that is set here")


def keep(settings: Settings, name: str) -> None:
    """Keep what stands on stdin. UserError where it cannot be used."""
    from dataclasses import replace

    from bot.credentials import change_kept
    from bot.setting_values import private_key
    from bot.wiring import make_registration

    refuse_variables(name)
    text = sys.stdin.read().strip()
    if not text:
        raise UserError("usage", f"nothing came on stdin: burn-triage secrets set {name.replace('_', '-')} < FILE")
    if name == "private_key":
        try:
            text = private_key(text)
        except ValueError as error:
            raise UserError("usage", f"stdin: {error}") from None
        make_registration(replace(settings, private_key=text)).read()
    change_kept(settings.credentials, lambda kept: {**kept, name: text})
    print(f"kept in {settings.credentials}; start receivers and workers anew")


def refuse_variables(*names: str) -> None:
    """UserError where a variable would come before what is kept in the file."""
    variables = [variable for name in names if (variable := set_by_variable(name))]
    if variables:
        raise UserError(
            "set_by_variable",
            f"{', '.join(variables)} comes before the file: change it where it is set (burn-triage secrets --help)",
        )


def _kept(settings: Settings) -> dict[str, str]:
    from bot.credentials import read_kept

    try:
        return read_kept(settings.credentials)
    except ValueError as error:
        raise TransientError("credentials_unreadable", str(error)) from None
