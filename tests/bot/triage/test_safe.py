"""Whatever a report says, our quotes of it render to text: no link, mention or element that is not ours."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.triage.rendered import strangers
from bot.triage.safe import MAX_INLINE, MAX_LINES, fence, inert, inline_code, visible

TICKS = [
    f"{mark * n}\n<b>out</b> @everyone fixes #1\n{mark * n}"
    for mark in "`~"
    for n in (1, 2, 3, 4, 5, 10, 39, 40, 41, 80, 255, 300)
]
BREAKOUTS = [
    *TICKS,
    "```\n````\n`````\n@rust-lang/core",
    "   ```\n[x](https://evil.example)",
    "````text\n```\n~~~\n````\n<img src=x onerror=alert(1)>",
    "\t```\n@octocat",
    "> ```\n> @octocat\n```\n# heading",
    "- ```\n  @octocat",
    "`" * 79 + "x" + "`" * 80 + " @octocat",
    "` `` ``` ```` @octocat ```` ``` `` `",
    "`@octocat` `` ` `` @hubot `",
    "\\`@octocat\\`",
    "a\r```\r@octocat\r",
    "a\u2028```\u2028@octocat",
    "a\x0b```\x0c@octocat\x85```",
]
HTML = [
    "</details></details><details open><summary>x</summary>",
    "<details>\n\n" * 30,
    "</code></pre></p><script>alert(1)</script>",
    "<!-- open comment @octocat",
    "--> <b>x</b> <!--",
    "<![CDATA[ x ]]> <?php x ?> <!DOCTYPE html>",
    "<a href='https://evil.example'>x</a>",
    "<img src=https://evil.example/x.png>",
    "<svg/onload=alert(1)><math><iframe src=//evil.example>",
    "<https://evil.example> <mailto:a@b.example>",
    "&lt;b&gt; &#64;octocat &commat;octocat &amp;&nbsp;",
    "<table><tr><td>x",
    "<TEXTAREA>",
    "<plaintext>",
    "<title>",
    "<style>*{display:none}</style>",
    "<b",
]
MARKERS = [
    "<!-- burn-triage:v1 1 2 abc -->",
    "<!-- burn-triage:v1 repo_id issue_id intent_id hmac -->\n<!-- burn-triage:v1 1 2 abc -->",
    "<!--burn-triage:v1 1 2 abc-->",
    "<!-\u200b- burn-triage:v1 1 2 abc -->",
    "<\u200b!-- burn-triage:v1 1 2 abc -->",
    "<!--\n burn-triage:v1 1 2 abc -->",
    "<\x00!-- burn-triage:v1 1 2 abc -->",
    "<!\x1b[31m-- burn-triage:v1 1 2 abc -->",
]
LINKS = [
    "https://evil.example/fix.zip",
    "http://evil.example",
    "www.evil.example",
    "ftp://evil.example/x",
    "bit.ly/x",
    "[text](https://evil.example)",
    "![image](https://evil.example/x.png)",
    "[text][ref]\n\n[ref]: https://evil.example",
    "[ref]: https://evil.example 'title'",
    "[^1]\n\n[^1]: @octocat",
    "mail@evil.example",
    "javascript:alert(1)",
    "xmpp:octo@evil.example/x",
    "mailto:octo@evil.example",
    "//evil.example",
    "[`x`](https://evil.example)",
    "[![x](https://a.example/b.png)](https://evil.example)",
    "https://github.com/tracel-ai/burn/issues/1",
    "https\u200b://evil.example",
    "<www.evil.example>",
    "(www.evil.example)",
    "*www.evil.example*",
    "_https://evil.example_",
]
MENTIONS = [
    "@everyone",
    "@octocat",
    "@tracel-ai/burn",
    "\\@octocat",
    "**@octocat**",
    "(@octocat)",
    "_@octocat_",
    "@\u200boctocat",
    "\u200b@octocat",
    "@octocat's",
    "cc:@octocat",
    ":@octocat:",
    "@ octocat",
    "\u202e@octocat",
    "@octocat\u2069",
    "fixes #1",
    "Closes: #1",
    "resolves tracel-ai/burn#1",
    "fixed GH-1",
    "close https://github.com/tracel-ai/burn/issues/1",
    "FIXES #1",
    "fixes\n#1",
    "fixes \u200b#1",
    "#1",
    "tracel-ai/burn#1",
    "GH-1",
    "deadbeef",
    "2c06be351006851d42fdb6df16b976f4a82d9747",
    "octocat/burn@deadbeef",
    ":tada:",
    "$x^2$",
    "~~@octocat~~",
    "| a |\n|---|\n| @octocat |",
    "1. @octocat",
    "# @octocat",
    "@octocat\n===",
    "---\n@octocat",
    "* @octocat",
    "> @octocat",
    "/triage mute",
    "- [ ] @octocat",
]
UNSEEN = [
    "\u202eevil\u202c",
    "\u2066x\u2069",
    "\u200e\u200f\u061c",
    "a\u00adb",
    "\ufeffx",
    "\u3164\u115f\uffa0",
    "\U000e0041\U000e0042",
    "\ufe0f",
    "x" + "\u0301" * 500,
    "\x00\x01\x07\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07x",
    "\ud800x",
    "\ue000",
    "\x9b31m",
]
NOISE = [
    "x" * 60_000,
    "line\n" * 12_000,
    "`" * 60_000,
    "@octocat " * 6_000,
    "<b>" * 20_000,
    "\n" * 60_000,
    "\u0301" * 60_000,
    "[" * 60_000,
    "",
    " ",
    "\n",
]
HOSTILE = [*BREAKOUTS, *HTML, *MARKERS, *LINKS, *MENTIONS, *UNSEEN, *NOISE]

QUOTES = {
    "fence": lambda text: f"Before.\n\n{fence(text)}\n\nAfter.",
    "fence in a fold": lambda text: f"<details>\n<summary>More</summary>\n\n{fence(text)}\n\n</details>\n\nAfter.",
    "inline": lambda text: f"Said {inline_code(text)} and more.",
    "inline first": lambda text: f"{inline_code(text)} it was.",
    "inline in a list": lambda text: f"1. {inline_code(text)}\n2. next",
    "inline in a heading": lambda text: f"### {inline_code(text)}: which place?",
    "inert": lambda text: f"They said: {inert(text)}",
    "inert first": lambda text: f"{inert(text)}\n\nAfter.",
    "inert in a list": lambda text: f"- {inert(text)} (twice)",
    "two": lambda text: f"{inline_code(text)} {inert(text)}\n\n{fence(text)}",
}


def nothing_is_ours(_href: str) -> bool:
    return False


def test_there_are_more_than_a_hundred_hostile_bodies() -> None:
    assert len(set(HOSTILE)) > 100


@pytest.mark.parametrize("quote", QUOTES)
def test_a_hostile_text_stays_a_quote(quote: str) -> None:
    found = {text[:80]: strangers(QUOTES[quote](text), nothing_is_ours) for text in HOSTILE}

    assert {text: problems for text, problems in found.items() if problems} == {}


@pytest.mark.parametrize("quote", QUOTES)
def test_no_marker_can_be_made_from_a_quote(quote: str) -> None:
    made = [text for text in HOSTILE if "<!--" in QUOTES[quote](text)]

    assert made == []


@given(text=st.text(), quote=st.sampled_from(sorted(QUOTES)))
@example(text="`", quote="inline")
@example(text="``", quote="inline first")
def test_any_text_stays_a_quote(text: str, quote: str) -> None:
    assert strangers(QUOTES[quote](text), nothing_is_ours) == ()


PIECES = [
    "`",
    "```",
    "~~~",
    "\n",
    " ",
    "@a",
    "#1",
    "<b>",
    "</details>",
    "<!--",
    "-->",
    "[x](http://a.b)",
    "\\",
    "fixes ",
    "\t",
    "*",
    "_",
    "1.",
    "&lt;",
    "www.a.bc",
]


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=12), quote=st.sampled_from(sorted(QUOTES)))
def test_any_mixture_of_markup_stays_a_quote(pieces: list[str], quote: str) -> None:
    assert strangers(QUOTES[quote]("".join(pieces)), nothing_is_ours) == ()


def test_the_judge_sees_what_a_raw_text_would_do() -> None:
    raw = [*HTML[:4], *MARKERS[:3], *MENTIONS[:5], "fixes #1", LINKS[0], LINKS[5]]

    assert [text for text in raw if not strangers(text, nothing_is_ours)] == []


def test_a_fence_shows_the_text_as_it_is() -> None:
    got = fence('called `Result::unwrap()` on an `Err` value: "x"\n  <Foo as Bar>')

    assert got == '```text\ncalled `Result::unwrap()` on an `Err` value: "x"\n  <Foo as Bar>\n```'


@pytest.mark.parametrize("run", [3, 4, 7, 20])
def test_a_fence_is_longer_than_what_is_in_it(run: int) -> None:
    assert fence("`" * run + "\nx").startswith("`" * (run + 1) + "text\n")


def test_a_long_text_is_cut_at_the_end_of_a_line_and_says_so() -> None:
    lines = fence("\n".join(f"line {n}" for n in range(100))).split("\n")

    assert lines[1:-1] == [f"line {n}" for n in range(MAX_LINES)] + [f"… {100 - MAX_LINES} more lines"]


def test_a_wide_text_is_cut_before_the_line_that_does_not_fit() -> None:
    lines = fence("a" * 60 + "\n" + "b" * 60 + "\n" + "c" * 60, max_chars=130).split("\n")

    assert lines[1:-1] == ["a" * 60, "b" * 60, "… 1 more line"]


def test_one_endless_line_is_clipped() -> None:
    assert len(fence("x" * 60_000)) < 600


def test_inline_code_is_one_line_of_limited_length() -> None:
    got = inline_code("a\n\n b\t" + "c" * 1000)

    assert (got[:6], len(got)) == ("`a b c", MAX_INLINE + 2)


@pytest.mark.parametrize(
    ("text", "shown"),
    [("x", "`x`"), ("`x`", "`` `x` ``"), ("a``b", "```a``b```"), ("", ""), ("\u200b", ""), (" x ", "`x`")],
)
def test_inline_code(text: str, shown: str) -> None:
    assert inline_code(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("it is not the cause", "it is not the cause"),
        ("isn't (quite) right, is it?", "isn't (quite) right, is it?"),
        ("see #12 and @octocat please", "see `#12` and `@octocat` please"),
        ("1. first", "`1.` first"),
        ("@a @b c", "`@a @b` c"),
        ("déjà vu 日本語", "déjà vu 日本語"),
        ("", ""),
    ],
)
def test_inert_keeps_words_and_quotes_the_rest(text: str, shown: str) -> None:
    assert inert(text) == shown


def test_visible_keeps_what_can_be_seen() -> None:
    text = "Größe:\t日本語 – “x” 🙂 é\n\n  indented"

    assert visible(text) == text


def test_visible_is_idempotent_on_hostile_texts() -> None:
    assert [visible(visible(text)) for text in HOSTILE] == [visible(text) for text in HOSTILE]


def test_nested_folds_of_ours_are_clean() -> None:
    body = (
        "### Title\n\n"
        + "\n\n".join(fence(text) for text in itertools.islice(HOSTILE, 20))
        + "\n\n<details>\n<summary>x</summary>\n\ny\n\n</details>"
    )

    assert strangers(body) == ()


@pytest.mark.parametrize(
    "line",
    ["Fixed in cubecl 0.7.0", "the same in #3329, #3922", "[x](https://github.com/tracel-ai/burn/blob/a/b.rs#L1)"],
)
def test_our_own_way_of_writing_is_clean(line: str) -> None:
    assert strangers(line) == ()


@pytest.mark.parametrize("text", ["5\u00a0GB", "⚠️ slow", "naïve"])
def test_what_an_entry_may_hold_is_clean(text: str) -> None:
    assert strangers(text) == ()


@pytest.mark.parametrize("char", ["\u202e", "\u2066", "\u200b", "\u00ad", "\x07", "\u3164", "\ufeff", "\r"])
def test_the_judge_sees_what_cannot_be_seen(char: str) -> None:
    assert strangers(f"a{char}b") == (f"a control or invisible character: U+{ord(char):04X}",)
