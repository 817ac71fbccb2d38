"""What each macro prints, and whether a printed message was made from a template."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.model import SiteKind
from kb.template import Fit, MessageTemplate, agrees, literal_length, literals, squeeze

FULL, PREFIX, CUT, NONE = Fit.FULL, Fit.PREFIX, Fit.CUT, Fit.NONE

FITS = [
    (
        SiteKind.PANIC,
        "Should have handle for tensor {id:?}",
        "Should have handle for tensor TensorId { value: 9 }",
        FULL,
    ),
    (SiteKind.PANIC, "{name} is not there", "burn is not there", FULL),
    (SiteKind.PANIC, "a {{x}} of {n}", "a {x} of 3", FULL),
    (SiteKind.PANIC, "no more operations", "no more operations: 3 left", PREFIX),
    (SiteKind.PANIC, "no more operations", "other words", NONE),
    (SiteKind.PANIC, "first {a} then {b} last", "first 1 and 2 last", NONE),
    (SiteKind.PANIC, "several\n   lines {n} here", "several lines 4 here", FULL),
    (SiteKind.PANIC, "Unable to launch the kernel because {e}", "Unable to launch the ker…", CUT),
    (SiteKind.EXPECT, "Can save the state.", 'Can save the state.: Unknown("closed")', FULL),
    (SiteKind.EXPECT, "Can save the state.", "Can save the state.", FULL),
    (SiteKind.EXPECT, "Can save the state.", "Can save the state. Then more", PREFIX),
    (SiteKind.TODO, "Not here", "not yet implemented: Not here", FULL),
    (SiteKind.TODO, "Not here", "Not here", FULL),
    (SiteKind.UNIMPLEMENTED, "dtype {:?}", "not implemented: dtype F16", FULL),
    (SiteKind.UNREACHABLE, "shape {s}", "internal error: entered unreachable code: shape 2", FULL),
    (SiteKind.ASSERT, "divisor != 0", "assertion failed: divisor != 0", FULL),
    (SiteKind.ASSERT, "Sizes must match", "Sizes must match", FULL),
    (SiteKind.ASSERT_EQ, "Types differ", "assertion `left == right` failed: Types differ\n  left: 1\n right: 2", FULL),
    (
        SiteKind.ASSERT_EQ,
        "Types differ",
        "assertion failed: `(left == right)`\n  left: `1`,\n right: `2`: Types differ",
        FULL,
    ),
    (SiteKind.ASSERT_NE, "Types differ", "assertion `left == right` failed: Types differ\n  left: 1\n right: 2", NONE),
]


@pytest.mark.parametrize(("kind", "template", "message", "fit"), FITS)
def test_fit(kind, template, message, fit):
    assert MessageTemplate(kind, template).fit(message) == fit


@pytest.mark.parametrize(
    ("kind", "message", "agreed"),
    [
        (SiteKind.UNWRAP, "called `Result::unwrap()` on an `Err` value: Timeout", True),
        (SiteKind.UNWRAP, "called `Option::unwrap()` on a `None` value", True),
        (SiteKind.UNWRAP, "called `Result::unwrap_err()` on an `Ok` value: 3", False),
        (SiteKind.UNWRAP_ERR, "called `Result::unwrap_err()` on an `Ok` value: 3", True),
        (SiteKind.TODO, "not yet implemented", True),
        (SiteKind.TODO, "not implemented", False),
        (SiteKind.ASSERT_EQ, "assertion `left == right` failed\n  left: 1\n right: 2", True),
        (SiteKind.ASSERT_EQ, "assertion failed: `(left == right)`\n  left: `1`,\n right: `2`", True),
        (SiteKind.PANIC, "explicit panic", True),
        (SiteKind.DISPLAY, "anything", False),
    ],
)
def test_a_site_without_words_agrees_with_what_its_kind_prints(kind, message, agreed):
    assert agrees(kind, "", message) is agreed


def test_literals_keep_the_order_and_the_open_ends():
    assert literals("{a} of {b:?} {{x}}") == ("", " of ", " {x}")
    assert literal_length("{a} of {b:?} {{x}}") == len("of") + len("{x}")


@given(st.text(), st.text())
def test_any_text_can_be_compared(template, message):
    for kind in (SiteKind.PANIC, SiteKind.EXPECT, SiteKind.ASSERT_EQ):
        assert MessageTemplate(kind, template).fit(message) in Fit


@given(st.lists(st.text(alphabet="abc xyz", min_size=1), min_size=1, max_size=4), st.text(alphabet="019.", max_size=5))
def test_what_a_template_prints_fits_it(parts, value):
    template = "{}".join(["q" + p + "q" for p in parts])
    message = value.join(["q" + p + "q" for p in parts])
    assert MessageTemplate(SiteKind.PANIC, template).fit(squeeze(message)) == FULL
