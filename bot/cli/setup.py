"""Make the GitHub App in your browser, and keep its keys on this machine.

Prints an address that works once and for 30 minutes. The page behind it hands GitHub exactly the permissions and events
that the App needs; GitHub sends you back with the keys, which land in BURN_TRIAGE_CREDENTIALS, a file that only you can
read. GitHub has to reach this server: name its address with --url or BURN_TRIAGE_PUBLIC_URL. Nothing is offered where
there are credentials already.
"""

from __future__ import annotations

import argparse
import re
import sys
import threading
from typing import TYPE_CHECKING

from bot.cli import FAILURE
from bot.errors import UserError
from bot.setting_values import Address, address, url_text
from bot.settings import Settings, read_settings, set_by_variable

if TYPE_CHECKING:
    from bot.github.registration import Registered

OWNER = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,37}[A-Za-z0-9])?")
KEYS = ("app_id", "private_key", "webhook_secret")
EVERYWHERE = frozenset({"0.0.0.0", "::"})
"""Listened on in a container, and no address that a browser could open."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `setup`."""
    parser.add_argument(
        "--url", metavar="URL", help="where GitHub reaches this server (default: BURN_TRIAGE_PUBLIC_URL)"
    )
    parser.add_argument("--org", metavar="NAME", help="make the App for this organisation (default: for yourself)")
    parser.add_argument("--name", metavar="TEXT", help="the App's name, unique on GitHub; you can change it there too")
    parser.add_argument(
        "--public", action="store_true", help="let other accounts install the App too (default: its owner alone)"
    )
    parser.add_argument(
        "--listen", metavar="HOST:PORT", help="where the page is served (default: BURN_TRIAGE_LISTEN, 127.0.0.1:8000)"
    )


def run(args: argparse.Namespace) -> int:
    """0 once the keys are kept, 1 when the time is over."""
    from bot.clock import SystemClock
    from bot.credentials import check_writable
    from bot.setup.gate import Gate
    from bot.setup.pages import PLACE, SetUp, create_pages
    from bot.setup.register import register
    from bot.setup.server import PageServer

    settings = read_settings()
    refuse_credentials(settings)
    url, listen = chosen(args, settings)
    check_writable(settings.credentials)
    server, done = PageServer(listen), threading.Event()
    setup = SetUp(
        gate=Gate(SystemClock()),
        server_url=url,
        github_url=settings.github_url,
        register=lambda code: register(code, api_url=settings.github_api_url, path=settings.credentials),
        exists=settings.credentials.exists,
        organisation=args.org or "",
        name=args.name,
        public=args.public,
        local_host=str(server.address),
        on_made=done.set,
    )
    print("Open this address in your browser. It works once, within 30 minutes:", end="\n\n")
    print(f"  {url}{PLACE}?token={setup.gate.token}", end="\n\n")
    if server.address.host not in EVERYWHERE:
        print(f"or, on this machine: http://{server.address}{PLACE}?token={setup.gate.token}")
    sys.stdout.flush()
    if not server.run(create_pages(setup), done, lambda: setup.gate.is_over) or setup.made is None:
        print("The time is over: run `burn-triage setup` again.", file=sys.stderr)
        return FAILURE
    tell(setup.made, settings)
    return 0


def refuse_credentials(settings: Settings) -> None:
    """UserError where there are credentials already, whoever set them."""
    there = [name for name in KEYS if getattr(settings, name) is not None]
    if there or settings.credentials.exists():
        variables = [variable for name in there if (variable := set_by_variable(name))]
        place = ", ".join(variables) or str(settings.credentials)
        raise UserError(
            "credentials_exist",
            f"there are credentials already ({place}). `burn-triage doctor` says whether they work, `burn-triage "
            "secrets` changes them; to begin anew, take them away first",
        )


def chosen(args: argparse.Namespace, settings: Settings) -> tuple[str, Address]:
    """Where GitHub reaches us, and where we listen. UserError where an option cannot be used."""
    from bot.setup.manifest import LONGEST_NAME

    if args.org and not OWNER.fullmatch(args.org):
        raise UserError("usage", f"--org {args.org}: this is no name of an organisation; give it as in its address")
    if args.name is not None and not 0 < len(args.name.strip()) <= LONGEST_NAME:
        raise UserError("usage", f"--name: GitHub takes 1 to {LONGEST_NAME} characters")
    try:
        url = url_text(args.url) if args.url else settings.public_url
        listen = address(args.listen) if args.listen else settings.listen
    except ValueError as error:
        raise UserError("usage", f"--url or --listen: {error}") from None
    if url is None:
        raise UserError(
            "no_address",
            "say where GitHub reaches this server: --url https://bot.example.org, or set BURN_TRIAGE_PUBLIC_URL",
        )
    return url, listen


def tell(made: Registered, settings: Settings) -> None:
    """What was done, and what comes next."""
    print(f"made      {made.slug}: {made.page}")
    print(f"kept      {settings.credentials}")
    print(f"install   {made.page}/installations/new")
    print("next      burn-triage run, and burn-triage doctor beside it")
