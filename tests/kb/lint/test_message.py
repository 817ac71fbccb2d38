import pytest

CASES = [
    ("KB-0024", ('message: "not implemented: Cross', 'message: "Cross'), "a user sees: not implemented: Cross"),
    ("KB-0002", ("not yet implemented: Quantization", "todo: Quantization"), "a user sees: not yet implemented"),
    ("KB-0011", ('message: "No pool handles', 'message: "No pool takes'), "a user sees: No pool handles"),
    ("KB-0022", ("1. Resulting dimensions {n} do not", "1. Resulting dimensions {n} did not"), "holes as"),
    ("KB-0007", ("BufferTooBig({size})", "BufferTooSmall({size})"), "must hold 'BufferTooBig'"),
]


@pytest.mark.parametrize(("kb_id", "pair", "remedy"), CASES)
def test_a_message_that_no_site_prints(changed, hits, kb_id, pair, remedy):
    found = hits(changed(kb_id, pair), "message")
    assert [remedy in hit.remedy for hit in found] == [True], [hit.remedy for hit in found]
