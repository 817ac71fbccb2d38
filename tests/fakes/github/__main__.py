"""The stand-in as a process of its own: prints one JSON line with its address and Apps, serves until it is stopped."""

from __future__ import annotations

import argparse
import json
import signal
import sys
import threading
from pathlib import Path
from typing import Any

from tests.fakes.github.hub import FakeGitHub


def plant(github: FakeGitHub, seed: dict[str, Any]) -> dict[str, Any]:
    """Fill the state from a seed: `repos` (arguments of create_repo), `apps` (of create_app, plus `repos` to install it
    on), `commits` (of add_commit), `issues` (of open_issue). Returns the Apps with keys and installation ids."""
    for repo in seed.get("repos", []):
        github.create_repo(**repo)
    for commit in seed.get("commits", []):
        github.add_commit(**commit)
    apps = {}
    for wanted in seed.get("apps", []):
        arguments = {key: value for key, value in wanted.items() if key != "repos"}
        app = github.create_app(**arguments)
        installation = github.install(app, wanted["repos"]) if wanted.get("repos") else None
        keys = {"id": app.id, "private_key": app.private_key, "webhook_secret": app.webhook_secret}
        apps[app.slug] = keys | {"installation_id": installation.id if installation else None}
    for issue in seed.get("issues", []):
        github.people.open_issue(**issue)
    return apps


def main(argv: list[str]) -> int:
    """Run until SIGINT or SIGTERM."""
    parser = argparse.ArgumentParser(prog="python -m tests.fakes.github", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="port on loopback; 0 takes a free one (default)")
    parser.add_argument("--seed", type=Path, help="JSON file with repos, apps, commits and issues to start with")
    options = parser.parse_args(argv)
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    github = FakeGitHub()
    url = github.start(options.port)
    apps = plant(github, json.loads(options.seed.read_text())) if options.seed else {}
    print(json.dumps({"url": url, "apps": apps}), flush=True)
    stop.wait()
    github.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
