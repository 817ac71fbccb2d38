"""The report: complete, grouped, safe wherever it is opened or pasted; and its ticks as labelled cases."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import cmarkgfm
import pytest

from bot.cli import main
from bot.cli.evaluate import analyse_case
from bot.errors import UserError
from bot.evaluation.cases import load_cases
from bot.evaluation.score import score
from bot.opening import open_for_command
from bot.paper.answer import PaperAnswer, answer_on_paper
from bot.paper.report import Report, to_html, to_markdown, write_report
from bot.paper.ticks import case_of_tick, read_ticks
from bot.paper.walk import FILE, AnswerFile
from bot.triage.knowledge import Knowledge
from bot.triage.snapshot import IssueSnapshot
from tests.bot.test_backfill import FENCED

HOSTILE = "<img src=x onerror=alert(1)> @everyone fixes #1 [x](javascript:alert(1)) </article><script>alert(1)</script>"
OPENED = "2026-03-01T00:00:00Z"
UNKNOWN = """```
thread 'main' panicked at /home/u/.cargo/registry/src/x-1/burn-core-0.13.0/src/nowhere.rs:9999:1:
A panic that <b>nobody</b> knows
```"""


class Tags(HTMLParser):
    """Every element, and every attribute of one."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, str]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen += [(tag, ""), *((tag, name) for name, _ in attrs)]


@pytest.fixture(scope="module")
def knowledge() -> Knowledge:
    return open_for_command(Path(__file__).parents[3] / "kb", None)[0]


@pytest.fixture(scope="module")
def report(knowledge: Knowledge) -> Report:
    texts = {5: ("It panics", FENCED), 4: (HOSTILE, FENCED), 3: ("Odd", UNKNOWN), 2: (HOSTILE, "Hello"), 1: ("", "")}
    answers = [
        answer_on_paper(
            IssueSnapshot("tracel-ai/burn", 1, n, 10 + n, title, body, "ann", False, OPENED, OPENED),
            knowledge,
        )
        for n, (title, body) in texts.items()
    ]
    return Report("tracel-ai/burn", answers)


def of(report: Report, number: int) -> PaperAnswer:
    return next(answer for answer in report.answers if answer.number == number)


def test_the_summary_counts_what_is_there(report: Report):
    counts = dict(report.counts)
    assert (counts["issues read"], counts["would have got a comment"], counts["left in silence"]) == (5, 2, 3)
    assert [(g.outcome, [a.number for a in g.answers]) for g in report.groups] == [
        ("matched", [5, 4]),
        ("unknown", [3]),
        ("none", [2, 1]),
    ]
    assert report.unknown == [("A panic that <b>nobody</b> knows", 1)]


def test_the_page_shows_the_comments_as_github_does_and_runs_nothing(report: Report):
    page = to_html(report)
    assert page.count('<div class="comment">') == 2
    assert page.count("<summary>Prevention, and how this was matched</summary>") == 2
    assert re.findall(r"<script[^>]*>", page) == ['<script src="report.js" defer>']
    tags = Tags()
    tags.feed(page)
    assert {tag for tag, _ in tags.seen} & {"img", "style", "iframe", "form", "base", "object"} == set()
    assert [name for _, name in tags.seen if name.startswith("on") or name == "style"] == []
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    policy = re.findall(r'Content-Security-Policy" content="([^"]+)"', page)
    assert policy == [
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'"
    ]
    assert set(re.findall(r'(?:href|src)="([^"]+)"', page)) >= {"report.css", "report.js"}
    links = [url for url in re.findall(r'href="([^"]+)"', page) if not url.startswith(("data:", "report."))]
    assert [url for url in links if not url.startswith("https://github.com/tracel-ai/burn/")] == []


def test_the_markdown_mentions_nobody_and_closes_nothing(report: Report):
    text = to_markdown(report)
    html = cmarkgfm.github_flavored_markdown_to_html(text)
    prose = re.sub(r"<code>.*?</code>|<pre.*?</pre>", "", html, flags=re.S)
    assert re.findall(r"@everyone|fixes #1|(?<![\w/&])#\d|<script|javascript:", prose) == []
    assert text.count("- [ ] right, issue") == text.count("- [ ] wrong, issue") == 3
    assert "| would have got a comment | 2 |" in text


def test_an_interrupted_one_says_so(report: Report):
    cut = Report(report.repo, report.answers[:1], is_whole=False)
    assert all("Not complete:" in text for text in (to_html(cut), to_markdown(cut)))
    empty = Report(report.repo, [])
    assert dict(empty.counts)["issues read"] == 0
    assert "issues read" in to_html(empty)


def ticked(report: Report, words: dict[int, str]) -> str:
    text = to_markdown(report)
    for number, word in words.items():
        text = text.replace(f"- [ ] {word}, issue {number}\n", f"- [x] {word}, issue {number}\n")
    return text


@pytest.fixture
def folder(report: Report, tmp_path: Path) -> Path:
    AnswerFile(tmp_path / "report" / FILE).write(report.answers)
    write_report(report, tmp_path / "report")
    return tmp_path / "report"


def test_ticks_become_cases_that_the_present_analysis_fulfils_or_not(
    report: Report, folder: Path, knowledge: Knowledge, capsys: pytest.CaptureFixture[str]
):
    (folder / "report.md").write_text(ticked(report, {5: "right", 4: "wrong", 3: "right"}))
    cases = folder.parent / "cases"
    assert main(["cases", "add", str(cases), "--ticks", str(folder / "report.md")]) == 0
    loaded = {case.id: case for case in load_cases(cases)}
    assert {name: case.answer for name, case in loaded.items()} == {
        "burn-5-paper": "site",
        "burn-4-paper": "not",
        "burn-3-paper": "silent",
    }
    result = score(loaded.values(), {name: analyse_case(case, knowledge) for name, case in loaded.items()})
    assert result.outcomes == {"burn-5-paper": "right", "burn-4-paper": "wrong", "burn-3-paper": "right"}
    assert main(["cases", "add", str(cases), "--ticks", str(folder / "report.md")]) == 0
    assert capsys.readouterr().out.count("there already") == 3


def test_the_downloaded_file_says_the_same(report: Report, folder: Path, capsys: pytest.CaptureFixture[str]):
    ticks = {"format": "burn-triage ticks 1", "repo": report.repo, "ticks": {"5": "right", "3": "wrong", "77": "right"}}
    (folder.parent / "ticks.json").write_text(json.dumps(ticks))
    options = ["--ticks", str(folder.parent / "ticks.json"), "--report", str(folder)]
    assert main(["cases", "add", str(folder.parent / "cases"), *options]) == 1
    told = capsys.readouterr().out
    assert [file.name for file in (folder.parent / "cases").iterdir()] == ["burn-5-paper.yaml"]
    assert "issue 3: left out, nothing was said" in told
    assert "issue 77: left out, the report has no such issue" in told


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- [ ] right, issue 5\n",
        "> - [x] right, issue 5\n",
        "- [x] right, issue 5\n- [x] wrong, issue 5\n",
        "{",
        '{"format": "other", "ticks": {}}',
        '{"format": "burn-triage ticks 1", "ticks": {"5": "maybe"}}',
        '{"format": "burn-triage ticks 1", "ticks": {"x": "right"}}',
        '{"format": "burn-triage ticks 1", "ticks": [1]}',
    ],
)
def test_what_is_no_file_of_ticks_is_refused(text: str):
    with pytest.raises(UserError, match=r"^ticks\.md: "):
        read_ticks(text, "ticks.md")


def test_a_missing_report_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "t.md").write_text("- [x] right, issue 5\n")
    assert main(["cases", "add", str(tmp_path / "cases"), "--ticks", str(tmp_path / "t.md")]) == 2
    assert "--report" in capsys.readouterr().err


def test_silence_that_was_wrong_needs_a_person(report: Report):
    assert "by hand" in str(case_of_tick(of(report, 3), "wrong"))
