"""Markdown as GitHub reads it: what is prose, code, quote, and what is nothing."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.triage.conversation import code_spans, prose_lines, read_conversation
from bot.triage.extract import read
from bot.triage.model import Report, SpanKind

LOG = "thread 'main' panicked at crates/burn-ir/src/handle.rs:88:32:\nShould have a handle for `TensorId { value: 7 }`"
ESCAPED = LOG.replace("'", "&#39;").replace("`", "&#96;")


def quoted(text: str, mark: str = "> ") -> str:
    return "\n".join(mark + line for line in text.split("\n"))


def indented(text: str, by: str) -> str:
    return "\n".join(by + line for line in text.split("\n"))


WRAPPERS = {
    "plain": LOG,
    "fence": f"```\n{LOG}\n```",
    "tilde fence": f"~~~text\n{LOG}\n~~~",
    "long fence": f"`````console\n{LOG}\n`````",
    "wrong language": f"```rust\n{LOG}\n```",
    "text on the fence's line": f"```{LOG}\n```",
    "unclosed fence": f"```\n{LOG}\n\nand then my question",
    "fence closed with two": f"```\n{LOG}\n``\n\nand then my question",
    "indented": f"see\n\n{indented(LOG, '    ')}\n\nend",
    "quote": quoted(LOG),
    "fence in a quote": quoted(f"```\n{LOG}\n```"),
    "quote in a quote": quoted(quoted(LOG)),
    "list": f"- it says\n\n{indented(LOG, '  ')}",
    "fence in a list": f"1. run\n2. see\n\n{indented(f'```{chr(10)}{LOG}{chr(10)}```', '   ')}",
    "details": f"<details>\n<summary>log</summary>\n\n```\n{LOG}\n```\n\n</details>",
    "details without blank line": f"<details><summary>log</summary>\n{LOG}\n</details>",
    "details with pre": f"<details><summary>log</summary><pre>\n{LOG}\n</pre></details>",
    "pre": f"<pre>\n{LOG}\n</pre>",
    "pre and code, escaped": f"<pre><code>{ESCAPED}</code></pre>",
    "inline code over lines": f"``{LOG}``",
    "each line inline": "\n".join(f"``{line}``" for line in LOG.split("\n")),
    "bold": "\n".join(f"**{line}**" for line in LOG.split("\n")),
    "table": "| log |\n|---|\n" + "\n".join(f"| {line} |" for line in LOG.split("\n")),
    "line breaks": LOG.replace("\n", "<br>\n"),
    "one line with a break": LOG.replace("\n", "<br>"),
    "entities in a fence": f"```\n{ESCAPED}\n```",
    "crlf": f"```\n{LOG}\n```".replace("\n", "\r\n"),
    "bom": f"\ufeff```\n{LOG}\n```",
    "after a comment": f"<!-- paste below -->\n{LOG}",
    "in a table cell": f"<table><tr><td>\n\n```\n{LOG}\n```\n\n</td></tr></table>",
}


@pytest.mark.parametrize("body", WRAPPERS.values(), ids=WRAPPERS)
def test_the_same_panic_is_read_in_every_wrapper(body: str):
    (panic,) = read(Report(None, "A report", body)).panics
    assert panic.headline.replace("`", "") == "Should have a handle for TensorId { value: 7 }"
    assert panic.location is not None
    assert (panic.location.crate, panic.location.line, panic.location.column) == ("burn-ir", 88, 32)


def kinds(body: str) -> list[tuple[SpanKind, str]]:
    spans = read_conversation(Report(None, "", body)).spans
    return [(span.kind, span.text) for span in spans]


def test_spans_say_what_github_shows():
    assert kinds("hello\n\n```rust\nlet a = 1;\n```\n> said before\n\n    indented") == [
        (SpanKind.PROSE, "hello"),
        (SpanKind.CODE, "let a = 1;"),
        (SpanKind.QUOTE, "said before"),
        (SpanKind.CODE, "indented"),
    ]


def test_a_span_knows_its_lines_and_its_language():
    report = Report(None, "title", "one\n\n```Rust,ignore\nlet a;\n```", ("in a comment",))
    title, prose, code, comment = read_conversation(report).spans
    assert (title.ref.part, title.text) == ("title", "title")
    assert (prose.ref.part, prose.ref.start, prose.ref.end) == ("body", 1, 1)
    assert (code.language, code.ref.start) == ("rust", 4)
    assert (comment.ref.part, comment.ref.index) == ("comment", 0)


def test_html_comments_are_nothing():
    assert kinds("a <!-- b --> c\n\n<!--\nhidden\n\nstill hidden\n-->\nd") == [
        (SpanKind.PROSE, "a  c"),
        (SpanKind.PROSE, "d"),
    ]


def test_what_an_unnamed_thread_or_a_generic_looks_like_is_no_tag():
    ((_, text),) = kinds("thread '<unnamed>' in Tensor<B, 2> and <T as Trait>")
    assert text == "thread '<unnamed>' in Tensor<B, 2> and <T as Trait>"


OWN = """> ### No handle
>
> ```text
> thread 'main' panicked at crates/burn-ir/src/handle.rs:88:32:
> ```
>
> **Cause.** It was dropped.
>
> If it is wrong, write `/triage wrong` and it goes quiet.

Thanks!"""


def test_our_own_comment_quoted_back_is_nothing():
    assert read(Report(None, "A report", "", (OWN,))).panics == ()
    assert [span.text for span in read_conversation(Report(None, "", OWN)).spans] == ["Thanks!"]


COMMANDS = [
    ("/triage", ["/triage"]),
    ("Hello\n/triage help  \nbye", ["Hello", "/triage help", "bye"]),
    ("```\n/triage\n```", []),
    ("    /triage", []),
    ("> /triage", []),
    ("> quoted\n/triage", []),
    ("`/triage`", [""]),
    ("`a\n/triage\nb` end", ["", "", " end"]),
    ("``a ` /triage`` x", ["  x"]),
    ("<details>\n/triage\n</details>", []),
    ("<pre>\n\n/triage\n\n</pre>", []),
    ("<!-- /triage -->", []),
    ("<b>/triage</b>", []),
    ("<code>/triage</code>", []),
    ("text <code>\n/triage\n</code>", ["text"]),
    ("text <!--\n/triage\n--> text", ["text", " text"]),
    ("text <!--\n/triage", ["text <!--", "/triage"]),
    ("- /triage", ["- /triage"]),
    ("~~~\n/triage", []),
    ("/triage\r\nnext\r\n", ["/triage", "next"]),
]


@pytest.mark.parametrize(("markdown", "lines"), COMMANDS)
def test_commands_are_looked_for_in_prose_only(markdown: str, lines: list[str]):
    assert [line for line in prose_lines(markdown) if line.strip()] == [line for line in lines if line.strip()]


def test_code_spans_follow_commonmark():
    text = "a `b` ``c ` d`` `e ``f"
    assert [text[start:end] for start, end in code_spans(text)] == ["`b`", "``c ` d``"]


@given(st.text(alphabet=st.sampled_from("`a\n\\ ~>"), max_size=200))
def test_code_spans_never_overlap(text: str):
    spans = code_spans(text)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert all(text[start] == text[end - 1] == "`" for start, end in spans)
