"""Deliveries: the signature over raw bytes, what a payload says, and what is none of ours."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.delivery import (
    HANDLED,
    BadRequestError,
    SignatureError,
    check_signature,
    describe,
    parse_payload,
    read_delivery,
    sign,
)
from tests.fakes.deliveries import body_of, payload, signature
from tests.vendor import webhook_examples

ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=6),
    max_leaves=20,
)


def describe_issue(**changes: object) -> str:
    values = payload(**changes)
    return describe(values, event="issues", guid="g", body_hash="h", bot_login="burn-triage[bot]").ignored


def test_github_s_documented_signature_holds():
    # docs.github.com, "Validating webhook deliveries", testing the webhook payload validation.
    expected = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
    assert sign(b"Hello, World!", "It's a Secret to Everybody") == expected


@pytest.mark.parametrize("secret", ["new", "old"])
def test_both_secrets_are_accepted(secret: str):
    check_signature(b"body", signature(b"body", secret), ["new", "old"])


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (None, "signature_missing"),
        ("", "signature_missing"),
        (signature(b"body", "other"), "signature_wrong"),
        (signature(b"other", "new"), "signature_wrong"),
    ],
)
def test_a_wrong_signature_is_refused(header: str | None, reason: str):
    with pytest.raises(SignatureError) as caught:
        check_signature(b"body", header, ["new"])
    assert caught.value.reason == reason


@pytest.mark.parametrize("header", ["sha1=aa", "sha256=", "sha256=" + "g" * 64, "x" * 9000, signature(b"")[:-1]])
def test_a_garbled_signature_is_no_signature(header: str):
    with pytest.raises(BadRequestError):
        check_signature(b"body", header, ["new"])


def test_without_a_secret_nothing_is_right():
    with pytest.raises(SignatureError):
        check_signature(b"body", signature(b"body", ""), [])


def test_the_fields_that_the_inbox_keeps():
    body = body_of(payload(comment={"id": 9}))
    found = read_delivery(body, "issue_comment", "abc-1", "application/json", None)
    kept = (
        found.repo,
        found.repo_id,
        found.issue,
        found.issue_id,
        found.comment_id,
        found.installation_id,
        found.sender,
    )
    assert kept == ("tracel-ai/burn", 5, 7, 70, 9, 11, "ann")
    assert found.partition == "tracel-ai/burn#7"


def test_one_issue_has_one_partition_however_its_repository_is_spelt():
    values = payload(repository={"id": 5, "full_name": "Tracel-AI/Burn"})
    assert describe(values, event="issues", guid="g", body_hash="h", bot_login=None).partition == "tracel-ai/burn#7"


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"action": "labeled"}, "action_not_handled"),
        ({"action": None}, "action_not_handled"),
        ({"sender": {"login": "Burn-Triage[bot]", "type": "Bot"}}, "own_event"),
        ({"sender": {"login": "other[bot]", "type": "Bot"}}, ""),
        ({"sender": None}, ""),
        ({"issue": None}, "payload_incomplete"),
        ({"issue": {"number": 7}}, "payload_incomplete"),
        ({"issue": {"number": True, "id": 70}}, "payload_incomplete"),
        ({"issue": {"number": 2**70, "id": 70}}, "payload_incomplete"),
        ({"repository": []}, "payload_incomplete"),
        ({"repository": {"id": 5, "full_name": "no slash"}}, "payload_incomplete"),
        ({"repository": {"id": 5, "full_name": "a/b\x00"}}, "payload_incomplete"),
        ({"installation": None}, ""),
    ],
)
def test_what_is_ignored_and_why(changes: dict[str, object], reason: str):
    assert describe_issue(**changes) == reason


@pytest.mark.parametrize(
    ("event", "reason"),
    [
        ("ping", "ping"),
        ("push", "event_not_handled"),
        ("pull_request", "event_not_handled"),
        ("discussion", "event_not_handled"),
        ("discussion_comment", "event_not_handled"),
    ],
)
def test_other_events_are_ignored(event: str, reason: str):
    assert describe({}, event=event, guid="g", body_hash="h", bot_login=None).ignored == reason


def test_an_installation_needs_only_its_id():
    values = {"action": "created", "installation": {"id": 3}}
    found = describe(values, event="installation", guid="g", body_hash="h", bot_login=None)
    assert (found.ignored, found.partition) == ("", "installation/3")


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b'"x"', b"\xff\xfe", b'{"a":' * 100_000, b"payload=1"])
def test_a_body_that_is_no_json_object_is_refused(body: bytes):
    with pytest.raises(BadRequestError):
        parse_payload(body)


def test_a_form_is_read_where_github_was_told_to_send_one():
    body = b"payload=%7B%22action%22%3A%22opened%22%7D"
    assert parse_payload(body, "application/x-www-form-urlencoded; charset=utf-8") == {"action": "opened"}


@pytest.mark.parametrize(
    ("event", "guid"), [(None, "g"), ("", "g"), ("Issues!", "g"), ("issues", None), ("issues", ""), ("issues", "a b")]
)
def test_without_its_headers_it_is_no_delivery(event: str | None, guid: str | None):
    with pytest.raises(BadRequestError):
        read_delivery(b"{}", event, guid, "application/json", None)


@given(values=st.dictionaries(st.sampled_from(sorted(payload())), ANY_JSON), event=st.sampled_from(sorted(HANDLED)))
def test_no_payload_is_too_odd(values: dict[str, object], event: str):
    found = describe(payload() | values, event=event, guid="g", body_hash="h", bot_login="x[bot]")
    texts = [found.action, found.repo or "", found.sender, found.issue_created_at or "", found.partition]
    assert all(text.isascii() and "\x00" not in text for text in texts)


def test_every_published_example_is_described():
    seen = set()
    for event, bodies in webhook_examples().items():
        for body in map(json.dumps, bodies):
            seen.add(read_delivery(body.encode(), event, "g", "application/json", "burn-triage[bot]").ignored)
    assert seen == {"", "ping", "event_not_handled", "action_not_handled"}
