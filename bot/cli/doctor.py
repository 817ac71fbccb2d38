"""Look for faults in the set-up and the running bot, each with its remedy. Changes nothing.

Looks at the credentials, the App's permissions and events, the clock, the webhook and GitHub's delivery log, the
database, workers and their jobs, the knowledge base, and who can read the files. Exit 1 where anything is found.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from bot.cli import FAILURE
from bot.errors import UserError
from bot.settings import read_settings


def configure(parser: argparse.ArgumentParser) -> None:
    """Options of `doctor`."""
    parser.add_argument("--json", action="store_true", help="the findings as JSON")


def run(args: argparse.Namespace) -> int:
    """0 without a finding, 1 with any."""
    from bot.doctor.examine import Finding, all_checks, examine
    from bot.wiring_doctor import make_patient

    try:
        settings = read_settings()
    except UserError as error:
        findings = [Finding("settings", str(error), "mend what is named; `docs/reference.md` lists every setting")]
    else:
        findings = examine(make_patient(settings))
    if args.json:
        names = ["settings", *all_checks()]
        print(json.dumps({"checks": names, "findings": [asdict(finding) for finding in findings]}, indent=1))
    for finding in () if args.json else findings:
        print(f"{finding.check}: {finding.fault}\n  remedy: {finding.remedy}")
    if not findings and not args.json:
        print(f"no fault found, {len(all_checks()) + 1} checks")
    return FAILURE if findings else 0
