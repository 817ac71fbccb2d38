import pytest

from kb.prose import bare_name, names, paths, sentences, spans, spellings, without_spans


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One. Two! Three?", 3),
        ("From v0.18.0 on it is `a.b. C`. That is all.", 2),
        ("Use e.g. this. Then stop.", 2),
        ("burn-dispatch does the same. burn does not.", 2),
        ("No full stop", 1),
        ("", 0),
    ],
)
def test_sentences(text, count):
    assert len(sentences(text)) == count


def test_code_spans_of_any_number_of_ticks():
    assert spans("`a` and ``b `c` d`` and `e") == ["a", "b `c` d"]
    assert without_spans("`a` and b") == "code and b"


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        ("Tensor::matmul(a, b)", ["Tensor", "matmul", "a", "b"]),
        ('"text in quotes" x', ["x"]),
        ("Can save the state.", []),
        ("default-features = false", ["default", "features", "false"]),
    ],
)
def test_names(span, expected):
    assert list(names(span)) == expected


def test_paths_of_a_qualified_name():
    assert set(paths("<A as B>::f")) == {"A::f", "B::f", "f"}
    assert list(paths("a::b!(c)")) == ["a::b!", "c"]


def test_spellings_and_bare_names():
    assert spellings("<Fusion as TransactionOps>::tr_execute") == {"Fusion::tr_execute", "TransactionOps::tr_execute"}
    assert spellings("m::T::f") == {"m::T::f", "T::f"}
    assert bare_name("<A as B>::f") == "f"
