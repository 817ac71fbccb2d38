"""Whatever GitHub does to a request: the right error, and exactly one comment in the end."""

from __future__ import annotations

import pytest

from bot.errors import PermanentError, TransientError, TriageError
from bot.github.failures import UNCERTAIN
from bot.github.marker import strip
from bot.triage.actions import HideComment, UpsertComment
from tests.bot.github.stage import REPO, Stage

COMMENTS = "/issues/1/comments$"

WRITES: list[tuple[str, dict[str, object], type[TriageError], str, float | None, int]] = [
    # fault, rule, error, reason, retry_after, comments that stand after the first try
    ("502_before", {}, TransientError, "server_error", 10.0, 0),
    ("502_after", {}, TransientError, "server_error", 10.0, 1),
    ("500_after", {}, TransientError, "server_error", 10.0, 1),
    ("503_before", {"retry_after": "30"}, TransientError, "server_error", 30.0, 0),
    ("drop_before", {}, TransientError, "connection", 10.0, 0),
    ("drop_after", {}, TransientError, "connection", 10.0, 1),
    ("timeout_after", {"delay": 1.3}, TransientError, "timeout", 10.0, 1),
    ("garbage_after", {}, TransientError, "bad_answer", 10.0, 1),
    ("truncated_after", {}, TransientError, "bad_answer", 10.0, 1),
    ("secondary", {}, TransientError, "rate_secondary", 60.0, 0),
    ("secondary", {"retry_after": "7"}, TransientError, "rate_secondary", 7.0, 0),
    ("429", {}, TransientError, "rate_secondary", 60.0, 0),
    ("429", {"retry_after": "9"}, TransientError, "rate_secondary", 9.0, 0),
    ("abuse", {}, TransientError, "rate_secondary", 60.0, 0),
    ("primary", {"reset_in": 120}, TransientError, "rate_primary", 121.0, 0),
    ("403", {}, PermanentError, "forbidden", None, 0),
    ("suspended", {}, PermanentError, "suspended", None, 0),
    ("404", {}, PermanentError, "not_found", None, 0),
    ("410", {}, PermanentError, "gone", None, 0),
    ("422", {}, PermanentError, "invalid", None, 0),
]


@pytest.mark.parametrize(("fault", "rule", "kind", "reason", "wait", "stored"), WRITES)
def test_a_post_that_fails_is_sent_once_and_leaves_one_comment_after_another_try(
    stage: Stage, fault: str, rule: dict[str, object], kind: type, reason: str, wait: float | None, stored: int
) -> None:
    struck = stage.github.fault(fault, verb="POST", path=COMMENTS, **rule)
    with pytest.raises(TriageError) as caught:
        stage.publish(UpsertComment("Hello"))
    error = caught.value
    assert (type(error), error.reason, getattr(error, "retry_after", None)) == (kind, reason, wait)
    assert (struck.hits, len(stage.comments())) == (1, stored)
    assert (error.reason in UNCERTAIN) == (reason in {"server_error", "connection", "timeout", "bad_answer"})
    stage.publish(UpsertComment("Hello"))
    assert [strip(c.body) for c in stage.comments()] == ["Hello"]


@pytest.mark.parametrize("fault", ["502_after", "drop_after", "garbage_after"])
def test_posting_anew_is_found_again_by_its_intent(stage: Stage, fault: str) -> None:
    stage.publish(UpsertComment("A question?"), intent_id="q")
    stage.github.fault(fault, verb="POST", path=COMMENTS)
    with pytest.raises(TransientError):
        stage.publish(UpsertComment("The answer.", anew=True), intent_id="a")
    stage.publish(UpsertComment("The answer.", anew=True), intent_id="a")
    assert [(strip(c.body), c.minimized) for c in stage.comments()] == [
        ("A question?", "OUTDATED"),
        ("The answer.", None),
    ]


@pytest.mark.parametrize("fault", ["502_after", "drop_after", "502_before"])
def test_an_edit_that_fails_is_done_after_another_try(stage: Stage, fault: str) -> None:
    stage.publish(UpsertComment("Hello"))
    stage.github.fault(fault, verb="PATCH")
    with pytest.raises(TransientError):
        stage.publish(UpsertComment("Other"))
    stage.publish(UpsertComment("Other"))
    assert [strip(c.body) for c in stage.comments()] == ["Other"]


def test_hiding_fails_as_graphql_does(stage: Stage) -> None:
    stage.publish(UpsertComment("Hello"))
    stage.installation.permissions["issues"] = "read"
    with pytest.raises(PermanentError) as caught:
        stage.publish(HideComment())
    assert caught.value.reason == "forbidden"


@pytest.mark.parametrize("fault", ["500_before", "502_before", "503_before", "drop_before"])
def test_a_read_is_tried_again_within_the_call(stage: Stage, fault: str) -> None:
    struck = stage.github.fault(fault, verb="GET", path="/issues/1$", times=2)
    assert (stage.read().title, struck.hits) == ("It panics", 2)


def test_a_read_gives_up_after_three_tries(stage: Stage) -> None:
    struck = stage.github.fault("502_before", verb="GET", path="/issues/1$", times=-1)
    with pytest.raises(TransientError) as caught:
        stage.read()
    assert (caught.value.reason, struck.hits) == ("server_error", 3)


@pytest.mark.parametrize("fault", ["secondary", "429", "primary"])
def test_a_limit_is_never_waited_for_within_the_call(stage: Stage, fault: str) -> None:
    struck = stage.github.fault(fault, verb="GET", path="/issues/1$", times=-1, retry_after="1")
    with pytest.raises(TransientError) as caught:
        stage.read()
    assert (struck.hits, caught.value.retry_after) == (1, 1.0)


def test_a_quota_that_is_used_up(stage: Stage) -> None:
    stage.read()
    quota = stage.github.world.quota(f"installation {stage.installation.id}")
    quota.used, quota.reset_at = quota.limit, stage.clock.now() + 900
    with pytest.raises(TransientError) as caught:
        stage.read()
    assert (caught.value.reason, caught.value.retry_after) == ("rate_primary", 901.0)
    stage.clock.moment += 901
    assert stage.read().title == "It panics"


def test_slow_answers_are_waited_for(stage: Stage) -> None:
    struck = stage.github.fault("slow", verb="GET", path="/issues/1$", delay=0.05)
    assert (stage.read().title, struck.hits) == ("It panics", 1)


@pytest.mark.parametrize("verb", ["GET", "POST"])
def test_a_token_that_github_refuses_is_replaced_once(stage: Stage, verb: str) -> None:
    struck = stage.github.fault("401", verb=verb, path="/issues/1")
    stage.read()
    stage.publish(UpsertComment("Hello"))
    assert (struck.hits, len(stage.comments())) == (1, 1)


def test_refused_again_it_is_permanent(stage: Stage) -> None:
    struck = stage.github.fault("401", path="/issues/1$", times=-1)
    with pytest.raises(PermanentError) as caught:
        stage.read()
    assert (caught.value.reason, struck.hits) == ("unauthorized", 2)


def test_after_the_key_was_rotated_away(stage: Stage) -> None:
    from tests.fakes.github.hub import _public_key, new_private_key

    stage.app.public_key = _public_key(new_private_key())
    with pytest.raises(PermanentError) as caught:
        stage.read()
    assert caught.value.reason == "unauthorized"


def test_a_suspended_installation(stage: Stage) -> None:
    stage.github.suspend(stage.installation.id)
    with pytest.raises(PermanentError) as caught:
        stage.read()
    assert caught.value.reason == "suspended"


def test_an_uninstalled_app(stage: Stage) -> None:
    stage.read()
    stage.github.uninstall(stage.installation.id)
    with pytest.raises(PermanentError) as caught:
        stage.read()
    assert caught.value.reason in {"not_found", "unauthorized", "repository_not_found"}


def test_nobody_is_there(stage: Stage) -> None:
    bot = stage.connect(base_url="http://127.0.0.1:9")
    with pytest.raises(TransientError) as caught:
        bot.read_issue(REPO, 1, installation_id=stage.installation.id)
    assert caught.value.reason == "connection"


def test_the_message_names_the_call_but_no_token(stage: Stage) -> None:
    stage.github.fault("502_before", verb="POST", path=COMMENTS)
    with pytest.raises(TransientError) as caught:
        stage.publish(UpsertComment("Hello"))
    assert str(caught.value) == f"POST /repos/{REPO}/issues/1/comments: GitHub answered 502 (Server Error)"


def test_a_stale_list_is_why_an_uncertain_write_waits(stage: Stage) -> None:
    """GitHub's lists lag: looked up too early the stored comment is missed, after the wait it is found."""
    stage.github.fault("502_after", verb="POST", path=COMMENTS)
    with pytest.raises(TransientError) as caught:
        stage.publish(UpsertComment("Hello"))
    stage.github.fault("stale", verb="GET", path=COMMENTS, delay=5.0)
    assert caught.value.retry_after is not None
    stage.clock.moment += caught.value.retry_after
    stage.publish(UpsertComment("Hello"))
    assert len(stage.comments()) == 1
