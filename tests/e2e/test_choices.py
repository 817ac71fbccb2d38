"""A repository's choices and what keeps coming, through the running product."""

from __future__ import annotations

import time

import pytest

from bot.github.marker import strip
from tests.e2e.stack import Stack, until
from tests.e2e.test_crashes import PANIC
from tests.fakes.github import FakeGitHub

pytestmark = pytest.mark.e2e

REPO = "tracel-ai/burn"
FILE = ".github/burn-triage.yml"


def test_labels_repeats_switch_and_reactions_from_end_to_end(stack: Stack, github: FakeGitHub):
    stack.settings |= {"CONFIGURATION_SECONDS": "0", "REACTIONS_SECONDS": "1"}
    github.create_repo(REPO, roles={"ann": "admin"})
    github.add_commit(REPO, {FILE: 'labels: {matched: ["panic: known"]}'})
    stack.start("run")
    stack.wait_ready()
    github.install(stack.app, [REPO])

    def ours(number: int) -> list[str]:
        return [strip(c.body) for c in github.comments(REPO, number) if c.user is stack.app.bot]

    first = github.people.open_issue(REPO, "reporter", "It panics", PANIC)
    until(lambda: ours(1) and first.labels == ["panic: known"], f"a labelled answer\n{stack.log()}")
    comment = github.comments(REPO, 1)[0]
    github.people.react(comment, github.world.user("ann"), "+1")
    github.people.open_issue(REPO, "somebody", "It panics here too", PANIC)
    until(lambda: ours(2), f"the second answer\n{stack.log()}")
    assert "Same panic in #1." in ours(2)[0]
    until(lambda: "+1 -0" in stack.command("precision").stdout, f"the reaction\n{stack.log()}")

    github.add_commit(REPO, {FILE: "mode: off"})
    third = github.people.open_issue(REPO, "somebody", "And again", PANIC)
    until(lambda: " off\n" in stack.command("config", "show").stdout, f"the file\n{stack.log()}")
    until(lambda: "off" in stack.command("jobs", "list", "--limit", "1").stdout, f"the job\n{stack.log()}")
    assert (ours(3), third.labels) == ([], [])
    assert "internal_error" not in stack.command("inbox", "status").stdout


def test_a_new_installation_is_in_shadow_until_its_file_switches_it_on(stack: Stack, github: FakeGitHub):
    stack.settings |= {"CONFIGURATION_SECONDS": "0", "MODE": "", "SETTLE_SECONDS": "0"}
    github.create_repo(REPO, roles={"ann": "triage"})
    stack.start("run")
    stack.wait_ready()
    github.install(stack.app, [REPO])

    def settled(number: int) -> list[str]:
        github.hooks.settle()
        until(lambda: "waiting        0," in stack.command("inbox", "status").stdout, "the jobs", log=stack.log)
        return [strip(c.body) for c in github.comments(REPO, number) if c.user is stack.app.bot]

    first = github.people.open_issue(REPO, "reporter", "It panics", PANIC)
    assert (settled(1), first.reactions) == ([], [])
    github.people.comment(REPO, 1, "reporter", "/triage")
    assert settled(1) == []
    github.people.open_issue(REPO, "reporter", "It panics too", PANIC)
    github.people.comment(REPO, 2, "ann", "/triage")
    assert len(settled(2)) == 1

    github.world.clock = lambda: time.time() + 2
    github.add_commit(REPO, {FILE: "mode: on"})
    github.people.edit_issue(REPO, 1, body=f"{PANIC}\nIt happens on every run.")
    assert settled(1) == []
    github.people.open_issue(REPO, "reporter", "And again", PANIC)
    assert len(settled(3)) == 1
    assert github.violations == []
