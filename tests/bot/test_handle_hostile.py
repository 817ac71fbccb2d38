"""A hundred hostile bodies through the real pipeline: what we post has no link, mention or element that is not ours."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from bot.handle import handle
from bot.opening import open_for_command
from bot.triage.actions import UpsertComment
from bot.triage.knowledge import Knowledge
from bot.triage.rendered import strangers
from bot.triage.snapshot import CommentSnapshot, IssueMemory, IssueSnapshot, Trigger
from tests.bot.triage.test_safe import HOSTILE

REGISTRY = "/home/u/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f"
NOW = "2026-06-02T00:00:00Z"
OURS = ("https://github.com/tracel-ai/", "https://docs.rs/")

BODIES = {
    "in the message": "thread 'main' panicked at {registry}/burn-ir-0.20.0/src/handle.rs:88:32:\n"
    "Should have handle for tensor TensorId {{ value: {text} }}",
    "below the message": "```\nthread 'main' panicked at {registry}/burn-ir-0.20.0/src/handle.rs:88:32:\n"
    "Should have handle for tensor TensorId {{ value: 1 }}\n{text}\n```",
    "as thread name": "thread '{text}' panicked at {registry}/burn-ir-0.20.0/src/handle.rs:88:32:\n"
    "Should have handle for tensor TensorId {{ value: 1 }}",
    "as path": "thread 'main' panicked at /home/{text}/.cargo/registry/src/x/burn-ir-0.20.0/src/handle.rs:88:32:\n"
    "Should have handle for tensor TensorId {{ value: 1 }}",
    "as foreign panic": "thread 'main' panicked at {registry}/wgpu-25.0.2/src/backend/wgpu_core.rs:1051:26:\n{text}",
}


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(None, None)[0]


def posted(knowledge: Knowledge, body: str, *comments: str) -> Iterator[str]:
    said = tuple(CommentSnapshot(10 + n, "reporter", False, text, NOW, NOW) for n, text in enumerate(comments))
    snapshot = IssueSnapshot("tracel-ai/burn", 1, 7, 2, "Crash", body, "reporter", False, NOW, NOW, comments=said)
    memory = IssueMemory(installed_at="2026-06-01T00:00:00Z")
    decision = handle(Trigger("issues", "opened", "reporter"), snapshot, memory, knowledge)
    yield from (action.body for action in decision.actions if isinstance(action, UpsertComment))


def ours(href: str) -> bool:
    return href.startswith(OURS) and "evil" not in href


@pytest.mark.parametrize("where", BODIES)
def test_a_hostile_panic_is_answered_without_doing_harm(where: str, knowledge: Knowledge) -> None:
    bodies = [BODIES[where].format(registry=REGISTRY, text=text) for text in HOSTILE]
    comments = [comment for body in bodies for comment in posted(knowledge, body)]

    assert [(problem, comment[:300]) for comment in comments for problem in strangers(comment, ours)] == []


def test_most_hostile_panics_are_answered_all_the_same(knowledge: Knowledge) -> None:
    body = BODIES["below the message"]
    answered = [text for text in HOSTILE if list(posted(knowledge, body.format(registry=REGISTRY, text=text)))]

    assert len(answered) > len(HOSTILE) * 0.8


@pytest.mark.parametrize(
    "command",
    ["/triage explain {text}", "/triage {text}", "/triage explain\n\n```\n{text}\n```"],
)
def test_hostile_commands_are_answered_without_doing_harm(command: str, knowledge: Knowledge) -> None:
    texts = [command.format(text=text) for text in HOSTILE]
    comments = [comment for text in texts for comment in posted(knowledge, "It is slow.", text)]

    assert [(problem, comment[:300]) for comment in comments for problem in strangers(comment, ours)] == []
    assert len(comments) > 50


@pytest.mark.parametrize("filler", ["\n", " ", "\t", "`", "/triage ", "/triage explain\n", "x", "\n\n> ", "<!--"])
def test_a_huge_comment_costs_little(filler: str, knowledge: Knowledge) -> None:
    text = "/triage explain\n" + filler * (60_000 // len(filler))
    began = time.process_time()
    list(posted(knowledge, "It is slow.", text))

    assert time.process_time() - began < 3  # seconds; what is quadratic needs more than ten


@pytest.mark.parametrize("address", ["https://triage.example", "http://127.0.0.1:8080"])
def test_the_comment_links_the_entrys_page_and_names_repeats(address: str, knowledge: Knowledge) -> None:
    body = BODIES["as thread name"].format(registry=REGISTRY, text="main")
    snapshot = IssueSnapshot("tracel-ai/burn", 1, 7, 2, "Crash", body, "reporter", False, NOW, NOW)
    decision = handle(
        Trigger("issues", "opened", "reporter"),
        snapshot,
        IssueMemory(installed_at="2026-06-01T00:00:00Z"),
        knowledge,
        repeats=lambda verdict: (12, 34) if verdict.entry else (),
        public_url=address,
    )
    (action,) = decision.actions

    assert isinstance(action, UpsertComment)
    assert (f"{address}/" in action.body, "#12, #34" in action.body) == (True, True)
