"""The hidden line: only ours counts, and the text around it hashes the same before and after GitHub."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.github.marker import Marker, Marks, body_hash, strip

MARKER = Marker(5, 70, "intent-1")
OURS = Marks((b"new", b"old"))


def test_a_marked_body_is_found_again() -> None:
    assert OURS.find(OURS.mark("Hello", MARKER), repo_id=5, issue_id=70) == MARKER


def test_without_a_key_the_ids_decide() -> None:
    plain = Marks().mark("Hello", MARKER)
    assert plain == "Hello\n\n<!-- burn-triage:v1 5 70 intent-1 -->"
    assert Marks().find(plain, repo_id=5, issue_id=70) == MARKER


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (Marks((b"stranger",)).mark("x", MARKER), "another key"),
        (Marks().mark("x", MARKER), "no proof"),
        (OURS.mark("x", MARKER).replace("intent-1", "intent-2"), "another intent under the old proof"),
        (OURS.mark("x", Marker(5, 71, "intent-1")), "another issue"),
        (OURS.mark("x", Marker(6, 70, "intent-1")), "another repository"),
        (OURS.mark("x", MARKER).replace("v1", "v2"), "another version"),
        ("", "nothing"),
    ],
)
def test_what_is_no_marker_of_this_issue(body: str, why: str) -> None:
    assert OURS.find(body, repo_id=5, issue_id=70) is None, why


def test_an_old_key_still_verifies() -> None:
    assert OURS.find(Marks((b"old",)).mark("x", MARKER), repo_id=5, issue_id=70) == MARKER


def test_a_quoted_forgery_before_the_true_marker_changes_nothing() -> None:
    forged = Marks((b"stranger",)).mark("", Marker(5, 70, "evil")).strip()
    body = f"{forged}\n\n{OURS.mark('x', MARKER).rsplit(chr(10), 1)[-1]}"
    assert OURS.find(body, repo_id=5, issue_id=70) == MARKER


def test_marker_text_inside_a_body_is_taken_out_before_it_is_marked() -> None:
    text = OURS.mark(f"a {Marks().mark('', MARKER).strip()} b", MARKER)
    assert text.count("burn-triage:v1") == 1


@pytest.mark.parametrize("intent", ["", "a b", "x" * 65, "--> <b>", "ä"])
def test_intents_that_would_break_the_line_are_refused(intent: str) -> None:
    with pytest.raises(ValueError, match="intent id"):
        OURS.mark("x", Marker(5, 70, intent))


@given(st.text(), st.sampled_from(["\n", "\r\n", "\r"]))
def test_the_hash_survives_marking_and_other_line_ends(body: str, end: str) -> None:
    marked = OURS.mark(body, MARKER).replace("\n", end)
    assert body_hash(marked) == body_hash(body)
    assert strip(marked) == strip(body)
