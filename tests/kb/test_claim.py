import pytest

from kb.claim import Claimants, claims, messages
from tests.kb.test_load import ENTRIES

BY_ID = {entry.kb_id: entry for entry in ENTRIES}


@pytest.mark.parametrize(
    ("kb_id", "text", "claimed"),
    [
        ("KB-0011", "No pool handles allocation of size 12", True),
        ("KB-0011", "thread 'main' panicked at 'No pool handles allocation of size 12', src/x.rs:1:2", True),
        ("KB-0011", "CallError(task panicked on device runner thread: No pool handles allocation of size 12)", True),
        ("KB-0011", "No pool", False),
        ("KB-0022", "1. Resulting dimensions 0 do not match the required D2 size 1.", True),
        ("KB-0018", "not yet implemented: This operation (sync) is not implemented without an out", False),
        ("KB-0017", "called `Option::unwrap()` on a `None` value", False),
        (
            "KB-0017",
            "at /x/onnx-ir-0.18.0/src/node/concat.rs:14:10:\ncalled `Option::unwrap()` on a `None` value",
            True,
        ),
        ("KB-0008", "Shader '' parsing error: redefinition of `powf_primitive`", True),
        ("KB-0008", "wgpu error: Validation Error", False),
    ],
)
def test_a_text_is_claimed_by_words_value_or_place(kb_id, text, claimed):
    assert claims(BY_ID[kb_id], text) is claimed
    assert (BY_ID[kb_id] in Claimants(ENTRIES).find(text)) is claimed


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.kb_id)
def test_the_many_give_what_each_alone_gives(entry):
    together = Claimants(ENTRIES)
    for example in entry.examples:
        assert list(together.find(example.text)) == [other for other in ENTRIES if claims(other, example.text)]


def test_every_line_may_begin_the_message():
    assert "b\nc" in list(messages("a\nb\nc"))
