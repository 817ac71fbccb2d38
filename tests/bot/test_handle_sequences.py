"""Whatever people do, in any order: one live comment at most, none after a mute, none on the backlog."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from bot.triage.actions import UpsertComment
from bot.triage.rendered import strangers
from bot.triage.snapshot import Permission
from tests.bot.world import AUTHOR, MAINTAINER, OTHER, STRANGER, World

TEXTS = [
    "panic matched KB-0001",
    "panic matched KB-0002",
    "panic matched",
    "panic ambiguous",
    "panic unknown",
    "panic foreign",
    "panic foreign KB-0003",
    "It is slow.",
]
COMMANDS = [
    "/triage",
    "/triage help",
    "/triage explain KB-0001",
    "/triage explain <b>@octocat</b> fixes #1",
    "/triage wrong",
    "/triage entry KB-0002",
    "/triage hide",
    "/triage show",
    "/triage delete",
    "/triage mute",
    "/triage unmute",
    "/triage hlep",
]
PEOPLE = [AUTHOR, MAINTAINER, STRANGER, OTHER, "ci[bot]"]

texts = st.sampled_from(TEXTS)
commands = st.sampled_from(COMMANDS)
people = st.sampled_from(PEOPLE)


class Story(RuleBasedStateMachine):
    """An issue's life, its events in any order, some of them lost."""

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.asked = False
        """A command of somebody who may was written."""

    @initialize(body=texts, old=st.booleans(), closed=st.booleans(), locked=st.booleans(), pull=st.booleans())
    def begin(self, body: str, old: bool, closed: bool, locked: bool, pull: bool) -> None:
        created = "2026-01-01T00:00:00Z" if old else "2026-06-01T00:01:00Z"
        facts = {"locked": locked, "is_pull_request": pull} | ({"state": "closed"} if closed else {})
        self.world = World(body, created_at=created, facts=facts)
        self.backlog = old or closed or locked or pull
        self.world.open()

    @rule(text=texts, who=people)
    def say(self, text: str, who: str) -> None:
        self.world.say(who, text)

    @rule(command=commands, who=people)
    def command(self, command: str, who: str) -> None:
        self.asked |= who in {AUTHOR, MAINTAINER}
        self.world.say(who, command)

    @rule(first=commands, second=commands, who=people)
    def two_commands(self, first: str, second: str, who: str) -> None:
        self.asked |= who in {AUTHOR, MAINTAINER}
        self.world.say(who, f"{first}\n{second}")

    @rule(body=texts)
    def edit_issue(self, body: str) -> None:
        self.world.edit_issue(body)

    @precondition(lambda self: self.world.comments)
    @rule(data=st.data(), text=st.sampled_from(TEXTS + COMMANDS))
    def edit_comment(self, data: st.DataObject, text: str) -> None:
        number = data.draw(st.sampled_from(sorted(self.world.comments)))
        self.asked |= text in COMMANDS and self.world.comments[number].author in {AUTHOR, MAINTAINER}
        self.world.edit(number, text)

    @precondition(lambda self: self.world.comments)
    @rule(data=st.data())
    def erase(self, data: st.DataObject) -> None:
        self.world.erase(data.draw(st.sampled_from(sorted(self.world.comments))))

    @rule(author=people, text=st.sampled_from(TEXTS + COMMANDS))
    def lost_event(self, author: str, text: str) -> None:
        self.asked |= text in COMMANDS and author in {AUTHOR, MAINTAINER}
        self.world.write(author, text)

    @rule(sender=people)
    def late_event(self, sender: str) -> None:
        self.world.event("issues", "edited", sender)

    @rule(state=st.sampled_from(["open", "closed"]))
    def close_or_reopen(self, state: str) -> None:
        self.world.facts["state"] = state
        self.world.event("issues", "closed" if state == "closed" else "reopened", MAINTAINER)

    @precondition(lambda self: self.world.own)
    @rule(how=st.sampled_from(["edit", "hide", "show", "delete"]))
    def hand_on_our_comment(self, how: str) -> None:
        own = self.world.snapshot().own
        assert own is not None
        if how == "delete":
            del self.world.own[own.id]
            return
        changes = {"edit": {"body": "Better. " + own.body}, "hide": {"minimized": True}, "show": {"minimized": False}}
        self.world.own[own.id] = replace(own, **changes[how])  # type: ignore[arg-type]
        self.world.event("issue_comment", "edited", MAINTAINER, own.id)

    @rule(permission=st.sampled_from(Permission), who=st.sampled_from([STRANGER, OTHER]))
    def permission(self, permission: Permission, who: str) -> None:
        self.asked = True
        self.world.permissions[who] = permission

    @invariant()
    def one_live_comment_at_most(self) -> None:
        muted = self.world.memory.muted and bool(self.world.decisions)
        assert len(self.world.visible()) <= (0 if muted else 1)

    @invariant()
    def two_comments_at_most_and_only_one_posted_anew(self) -> None:
        posted = [a for d in self.world.decisions for a in d.actions if isinstance(a, UpsertComment) and a.anew]
        assert len(posted) <= 1

    @invariant()
    def nothing_is_written_while_muted(self) -> None:
        last = self.world.decisions[-1] if self.world.decisions else None
        if last and last.memory.muted:
            assert not any(isinstance(a, UpsertComment) for a in last.actions)

    @invariant()
    def nothing_on_the_backlog_by_itself(self) -> None:
        if self.world.decisions and self.world.facts.get("is_pull_request"):
            assert self.world.own == {}
        old = self.world.created_at < "2026-06"
        if old and not self.asked:
            assert self.world.own == {}

    @invariant()
    def the_last_event_again_changes_nothing(self) -> None:
        self.world.event("issues", "labeled", "ci[bot]")
        again = self.world.event("issues", "labeled", "ci[bot]")
        assert again.retry or again.actions == ()

    @invariant()
    def what_is_shown_is_safe(self) -> None:
        assert [strangers(text) for text in self.world.visible() if strangers(text)] == []


Story.TestCase.settings = settings(
    max_examples=60, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
TestStory = Story.TestCase
