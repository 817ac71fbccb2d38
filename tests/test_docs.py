"""The documentation names what exists, all of it and nothing else."""

from __future__ import annotations

import argparse
import importlib.util
import re
from dataclasses import fields
from pathlib import Path

import pytest

from bot import commands
from bot.cli import build_parser
from bot.cli.jobs import STATES
from bot.doctor.examine import all_checks
from bot.mcp.tool import all_tools
from bot.metrics import METRICS
from bot.settings import PREFIX, Settings
from bot.store import deliveries, engine
from bot.triage import formats
from bot.web.page import found_pages
from kb import lint

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("deploy/**/*.md"), *ROOT.glob("kb/*.md")])
LINK = re.compile(r"\]\((?!https?:|#)([^)#\s]+)(?:#([^)\s]+))?\)")


def load(path: Path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


generate = load(ROOT / "docs/generate.py")
LEAVES = dict(generate.leaves(build_parser()))
PARSERS = {parser.prog: parser for parser in LEAVES}


def section(title: str) -> list[str]:
    """The code names in the first column of a table of the reference."""
    text = (ROOT / "docs/reference.md").read_text("utf-8")
    body = text.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    return [
        name
        for row in body.splitlines()
        if row.startswith("| `")
        for name in re.findall("`([^`]+)`", row.split(" | ")[0])
    ]


def test_the_reference_is_current():
    assert (ROOT / "docs/reference.md").read_text("utf-8") == generate.reference(), "run `make docs`"


def test_the_exchange_in_the_readme_is_the_real_one():
    assert (ROOT / "README.md").read_text("utf-8") == generate.readme(), "run `make docs`"


def test_the_picture_shows_the_real_one():
    assert (ROOT / "docs/exchange.svg").read_text("utf-8") == generate.picture(), "run `make docs`"


def test_every_subcommand_is_documented_and_exists():
    assert section("Subcommands") == list(PARSERS)


def test_every_setting_is_documented_and_exists():
    plain = [name for name in section("Settings") if not name.endswith("_FILE")]
    assert plain == [PREFIX + item.name.upper() for item in fields(Settings)]


def test_every_metric_is_documented_and_exists():
    assert [name.split("{")[0] for name in section("Metrics")] == [f"burn_triage_{metric.name}" for metric in METRICS]


def test_every_slash_command_is_documented_and_exists():
    assert section("Slash commands") == [command.usage for command in commands.COMMANDS.values()]


def test_every_format_is_documented_and_exists():
    assert section("Panic formats") == [one.name for one in formats.all_formats()]


def test_every_page_is_documented_and_exists():
    assert section("Pages") == [page.rule for page in found_pages().values()]


def test_every_tool_for_assistants_is_documented_and_exists():
    named = re.findall(r"^\| `(\w+)` \|", (ROOT / "docs/assistants.md").read_text("utf-8"), re.MULTILINE)
    assert [name.split("(")[0] for name in section("Tools for assistants")] == list(all_tools())
    assert sorted(named) == list(all_tools())


def test_every_check_is_documented_and_exists():
    assert section("Checks of the knowledge base") == list(lint.checks())


def test_the_runbook_knows_every_state_and_every_metric():
    """What can be seen of a bot that is unwell is explained: /readyz, doctor, deliveries, jobs, chores, metrics."""
    runbook = (ROOT / "docs/runbook.md").read_text("utf-8")
    troubles = {value.words for value in vars(engine).values() if isinstance(value, engine.Trouble)}
    states = {"ready", "no worker is alive", *troubles, "settings", *all_checks()}
    states |= {deliveries.IGNORED, deliveries.QUEUED, deliveries.DONE, deliveries.PARKED, *STATES}
    named = {f"`{state}`" for state in states} | {f"`burn_triage_{metric.name}" for metric in METRICS}
    assert sorted(state for state in named if state not in runbook) == []


def test_every_row_says_something():
    rows = [row for row in (ROOT / "docs/reference.md").read_text("utf-8").splitlines() if row.startswith("| `")]
    assert [row for row in rows if not row.rstrip("| ").split(" | ")[-1].strip()] == []


@pytest.mark.parametrize("prog", PARSERS)
def test_every_help_is_complete(prog: str):
    """A description, and a line for each option and argument."""
    parser = PARSERS[prog]
    assert parser.description
    silent = [action.dest for action in parser._actions if not action.help or action.help is argparse.SUPPRESS]
    assert silent == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
class TestPage:
    def test_its_links_lead_somewhere(self, page: Path):
        targets = LINK.findall(page.read_text("utf-8"))
        assert [path for path, _ in targets if not (page.parent / path).exists()] == []

    def test_its_anchors_exist(self, page: Path):
        text = page.read_text("utf-8")
        here = [(page.name, anchor) for anchor in re.findall(r"\]\(#([^)\s]+)\)", text)]
        for path, anchor in [*LINK.findall(text), *here]:
            if anchor:
                headings = re.findall(r"^#+ (.*)$", (page.parent / path).read_text("utf-8"), re.MULTILINE)
                assert anchor in [re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings]

    def test_the_subcommands_it_names_exist(self, page: Path):
        named = set(re.findall(r"burn-triage ((?:kb |jobs |deliveries )?[a-z][a-z-]+)", "\n".join(code(page))))
        words = [prog.split()[1:] for prog in PARSERS]
        known = {" ".join(line[:count]) for line in words for count in range(1, len(line) + 1)}
        assert named - known == set()

    def test_the_settings_it_names_exist(self, page: Path):
        known = {PREFIX + item.name.upper() for item in fields(Settings)}
        named = {name.removesuffix("_FILE") for name in re.findall(PREFIX + "[A-Z_]*[A-Z]", page.read_text("utf-8"))}
        assert named - known == set()

    def test_the_slash_commands_it_names_exist(self, page: Path):
        known = set(commands.COMMANDS)
        named = set(re.findall(r"`/triage ([a-z-]+)", page.read_text("utf-8")))
        assert named - known == set()

    def test_the_files_it_names_exist(self, page: Path):
        named = re.findall(r"`((?:bot|kb|tests|deploy|docs)/[\w./*-]*)`", page.read_text("utf-8"))
        assert [path for path in named if not list(ROOT.glob(path.rstrip("/")))] == []


def code(page: Path) -> list[str]:
    """What stands in back-ticks or fences on a page."""
    text = page.read_text("utf-8")
    fences = re.findall(r"^```.*?^```", text, re.MULTILINE | re.DOTALL)
    return [*fences, *re.findall("`([^`\n]+)`", text)]
