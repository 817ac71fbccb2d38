"""deploy/demo: delivers the scenes one after the other and shows what came of each."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from demo_scenes import ISSUES, OLD, SCENES, Scene
from demo_world import A_YEAR, REPO, Demo, DemoError, running
from rich.console import Console, Group
from rich.markdown import Markdown
from rich.panel import Panel
from rich.text import Text

from tests.fakes.github import Comment, Delivery, Issue

WHY = {
    "answered": "the panic is known, and the answer adds a fact",
    "asked": "one fact decides between the candidates",
    "edited": "our one comment was edited in place",
    "unchanged": "the answer is still the same",
    "hidden_outdated": "the panic is gone from the issue",
    "muted": "the author said that it is wrong: it goes quiet at once",
    "command": "a command always gets an answer",
    "no_panic": "there is no panic in it, so there is nothing to add",
    "unknown_panic": "the panic is not known: it is counted for the maintainers",
    "issue_older_than_install": "the issue is older than the installation",
    "duplicate": "a delivery with this GUID is stored already",
}


@dataclass(frozen=True)
class Seen:
    """What stands on an issue: our comment and the reactions of ours."""

    comment: Comment | None
    """The one that readers see; where none is to be seen, the last one."""
    body: str
    hidden: bool
    reactions: tuple[str, ...]


class Stage:
    """Plays scenes on a running demonstration."""

    def __init__(self, demo: Demo, console: Console) -> None:
        self.demo = demo
        self.console = console
        self.numbers: dict[str, int] = {}
        self.first: dict[str, Delivery] = {}
        self.surprises = 0

    def set_up(self) -> None:
        """What stood there before the App came, then its installation."""
        self.demo.github.world.clock.behind = A_YEAR  # type: ignore[attr-defined]
        for key in OLD:
            self.open(key)
        self.demo.github.world.clock.behind = 0.0  # type: ignore[attr-defined]
        self.demo.github.install(next(iter(self.demo.github.world.apps.values())), [REPO])
        self.demo.github.hooks.settle()

    def open(self, key: str) -> None:
        """Open an issue of ISSUES."""
        issue = ISSUES[key]
        self.numbers[key] = self.demo.github.people.open_issue(REPO, issue.author, issue.title, issue.body).number

    def play(self, position: int, scene: Scene) -> None:
        """One scene: the event, the wait, and what is shown of it."""
        before = self.look(scene) if scene.event != "opened" else Seen(None, "", False, ())
        began = time.monotonic()
        delivery = self.act(scene)
        stored = self.demo.wait_for(delivery.guid)
        took = time.monotonic() - began
        after = self.look(scene)
        reason = "duplicate" if scene.event == "redelivered" else stored.reason
        verdict = outcome(before, after)
        self.surprises += verdict != scene.expected
        news = tuple((Counter(after.reactions) - Counter(before.reactions)).elements())
        self.show(position, scene, delivery, verdict, reason, replace(after, reactions=news), took)

    def act(self, scene: Scene) -> Delivery:
        """Let the event happen; the stand-in delivers it, signed, over HTTP."""
        people, hooks = self.demo.github.people, self.demo.github.hooks
        known = {delivery.id for delivery in hooks.log}
        number = self.numbers.get(scene.issue, 0)
        match scene.event:
            case "opened":
                self.open(scene.issue)
            case "edited":
                people.edit_issue(REPO, number, body=scene.text)
            case "commented":
                people.comment(REPO, number, scene.who, scene.text)
            case "redelivered":
                hooks.redeliver(self.first[scene.issue].id)
        hooks.settle()
        delivery = next(d for d in hooks.log if d.id not in known)
        self.first.setdefault(scene.issue, delivery)
        return delivery

    def issue(self, scene: Scene) -> Issue:
        """The issue that a scene is about."""
        return self.demo.github.people.issue(REPO, self.numbers[scene.issue])

    def look(self, scene: Scene) -> Seen:
        """What of ours stands there now."""
        issue = self.issue(scene)
        bot = next(iter(self.demo.github.world.apps.values())).bot
        by_us = [comment for comment in issue.comments if comment.user is bot]
        ours = next((comment for comment in reversed(by_us) if not comment.minimized), by_us[-1] if by_us else None)
        subjects = [issue, *(comment for comment in issue.comments if comment.user is not bot)]
        reactions = tuple(r.content for subject in subjects for r in subject.reactions if r.user is bot)
        return Seen(ours, ours.body if ours else "", bool(ours and ours.minimized), reactions)

    def show(
        self, position: int, scene: Scene, delivery: Delivery, verdict: str, reason: str, after: Seen, took: float
    ) -> None:
        """One scene on the terminal."""
        issue = self.issue(scene)
        head = Text(f"{position}. {scene.title}", style="bold")
        event = f"{delivery.event}.{delivery.action}"
        line = Text(
            f"   {event} · {REPO}#{issue.number} “{issue.title}” · {delivery.status_code} · {took:.1f} s", style="dim"
        )
        why = Text.assemble("   ", (verdict, "bold green"), f": {WHY.get(reason, reason)}")
        if after.reactions:
            why.append(f"; reaction {' '.join(after.reactions)}")
        parts = [head, line, why]
        self.console.print(Group(*parts))
        if verdict in {"posted", "posted anew", "edited"} and after.comment:
            self.console.print(Panel(Markdown(readable(after.body)), title=f"comment {after.comment.id}", style="none"))
        if verdict != scene.expected:
            self.console.print(Text(f"   expected: {scene.expected}", style="bold red"))
        self.console.print()


def outcome(before: Seen, after: Seen) -> str:
    """What became of our comment."""
    if before.comment is None:
        return "left alone" if after.comment is None else "posted"
    if after.comment is not before.comment:
        return "posted anew"
    if after.hidden and not before.hidden:
        return "hidden"
    return "left alone" if before.body == after.body else "edited"


def readable(body: str) -> str:
    """The comment without what only GitHub makes something of: the fold's tags and the marker."""
    hidden = ("<details>", "</details>", "<!--")
    lines = [line for line in body.splitlines() if not line.startswith(hidden)]
    return "\n".join(line.replace("<summary>", "*").replace("</summary>", "*") for line in lines)


def addresses(demo: Demo, stage: Stage) -> str:
    """What can be opened while it serves."""
    lines = [f"  {demo.github.url}/{REPO}/issues/{number}" for number in sorted(stage.numbers.values())]
    return "\n".join(
        [
            "Open:",
            f"  {demo.github.url}/  the stand-in GitHub, its issues:",
            *lines,
            f"  {demo.receiver}/  the pages of burn-triage; {demo.receiver}/explain takes a pasted log",
            f"  {demo.receiver}/board  the maintainers' dashboard, without a login on this machine",
            f"  {demo.receiver}/healthz, /readyz  the receiver",
            f"  {demo.metrics}  what is counted",
            f"  {demo.log}  the log",
        ]
    )


def perform(demo: Demo, console: Console, *, serve: bool) -> int:
    """All scenes, the closing lines, and, where wanted, the wait for Ctrl-C. An exit status."""
    stage = Stage(demo, console)
    stage.set_up()
    for position, scene in enumerate(SCENES, 1):
        stage.play(position, scene)
    violations = demo.github.violations
    console.print(f"{len(demo.github.seen)} requests to GitHub's API, {len(violations)} against its description.")
    console.print(addresses(demo, stage), highlight=False)
    if serve:
        console.print("Serving until Ctrl-C.")
        wait_for_interrupt()
    return int(bool(stage.surprises or violations))


def wait_for_interrupt() -> None:
    """Return at Ctrl-C."""
    try:
        while True:
            time.sleep(3600)
    except KeyboardInterrupt:
        print()


def main() -> int:
    """0 when every scene came out as expected, 1 when not."""
    parser = argparse.ArgumentParser(prog="deploy/demo", description=__doc__)
    parser.add_argument("--once", action="store_true", help="end after the last scene, also on a terminal")
    options = parser.parse_args()
    console = Console(width=None if sys.stdout.isatty() else 120)
    try:
        with tempfile.TemporaryDirectory(prefix="burn-triage-demo-") as folder, running(Path(folder)) as demo:
            return perform(demo, console, serve=sys.stdout.isatty() and not options.once)
    except DemoError as error:
        print(f"deploy/demo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
