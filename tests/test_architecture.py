"""The tree obeys the house rules, and each rule catches what it is there for."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from bot import cli, commands
from bot.mcp.tool import all_tools
from bot.triage import formats
from bot.web.page import found_pages
from kb import cli as kb_cli
from kb import lint
from tests import house_rules as rules

ROOT = Path(__file__).parent.parent
PURE_PACKAGES = (
    "bot.triage",
    "kb.model",
    "kb.template",
    "kb.entry",
    "kb.messages",
    "kb.standing",
    "kb.paths",
    "kb.std_panics",
    "cmarkgfm",
    "rapidfuzz",
    "ahocorasick",
)
HOMES = {
    "sqlalchemy": (
        "bot/store/",
        "bot/setting_values.py",
        "bot/wiring.py",
    ),  # a URL is checked there; what a caller may name is in PASSED_ON
    "alembic": ("bot/store/",),
    "github": ("bot/github/",),
    "requests": ("bot/github/",),
    "flask": ("bot/receiver.py", "bot/setup/", "bot/web/"),
    "yaml": ("kb/load.py", "bot/evaluation/", "bot/configuration.py"),  # entries; cases; a repository's own choices
    "tree_sitter": ("kb/source/",),
    "tree_sitter_rust": ("kb/source/",),
    "cmarkgfm": ("bot/triage/", "bot/web/"),
    "ahocorasick": ("kb/messages.py",),
    "mcp": ("bot/mcp/server.py",),
    "anyio": ("bot/mcp/server.py",),
}
PASSED_ON = ("sqlalchemy.Engine", "sqlalchemy.Connection", "sqlalchemy.exc.SQLAlchemyError")
"""What a caller of the store may name: the engine that it hands on, and the failure that it gets."""
READERS = ("bot/settings.py", "bot/action/environment.py", "kb/cli/", "kb/catalog.py", "kb/upkeep/building.py")
"""Who may look at the environment. An Action is told by its runner; `kb` is used without `bot` too, so it finds its own
folder and cache."""


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the repository, staged and new ones too, relative to its root."""
    listing = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listing, cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\0")
    return tuple(Path(name) for name in names if name and (ROOT / name).is_file())


def sources(*folders: str) -> dict[Path, str]:
    """Text of the Python files of these folders, by path relative to the root."""
    return {
        path: (ROOT / path).read_text("utf-8")
        for path in tracked()
        if path.suffix == ".py" and path.parts[0] in folders
    }


def findings(rule, folders=("bot", "kb"), **options) -> list[str]:
    return [finding for path, text in sources(*folders).items() for finding in rule(path, text, **options)]


def test_no_file_is_over_its_budget():
    assert findings(rules.long_file, ("bot", "kb", "deploy", "docs", "tests")) == []


def test_no_function_is_over_its_budget():
    """A test's own functions are a matter of taste; the product's are not."""
    assert findings(rules.long_functions, ("bot", "kb", "deploy", "docs")) == []


def test_functions_are_short_on_the_whole():
    assert list(rules.too_long_as_a_whole(sources("bot", "kb").values())) == []


def test_every_module_name_says_what_is_in_it():
    assert [path for path in sources("bot", "kb", "deploy", "tests") if rules.says_nothing(path)] == []


PURE = {
    "bot/triage/": PURE_PACKAGES,
    "bot/commands/": (*PURE_PACKAGES, "bot.commands", "bot.redact"),
    "bot/handle.py": (*PURE_PACKAGES, "bot.commands", "bot.errors", "bot.github.marker", "bot.redact"),
    "bot/github/marker.py": (),
    "bot/errors.py": (),
    "kb/model.py": PURE_PACKAGES,
    "kb/template.py": PURE_PACKAGES,
    "kb/entry.py": PURE_PACKAGES,
    "kb/messages.py": PURE_PACKAGES,
}
"""Path prefix -> what may be imported there beside the pure part of the standard library."""


@pytest.mark.parametrize("place", PURE)
def test_the_core_is_pure(place: str):
    files = {path: text for path, text in sources("bot", "kb").items() if path.as_posix().startswith(place)}
    assert files
    found = [
        rules.impurities(path, text, allowed=PURE[place], stdlib=sys.stdlib_module_names)
        for path, text in files.items()
    ]
    assert [finding for each in found for finding in each] == []


def test_each_library_stays_in_its_home():
    assert findings(rules.strays, homes=HOMES, passed_on=PASSED_ON) == []


def test_only_the_settings_read_the_environment():
    assert [finding for finding in findings(rules.reads_environment) if not finding.startswith(READERS)] == []


SAMPLES = {
    "a long function": (rules.long_functions, "def f():\n" + "    x = 1\n" * 60),
    "a long file": (rules.long_file, "x = 1\n" * 401),
    "an import of the clock": (rules.impurities, "import time\n"),
    "an import of a client": (rules.impurities, "from urllib.request import urlopen\n"),
    "an import inside a function": (rules.impurities, "def f():\n    from flask import request\n"),
    "an import of the upper layer": (rules.impurities, "from bot.store import deliveries\n"),
    "a look at the clock": (rules.impurities, "from datetime import datetime\nx = datetime.now()\n"),
    "a file": (rules.impurities, "x = open('x')\n"),
    "a library far from home": (rules.strays, "import sqlalchemy as sa\n"),
    "SQL far from home": (rules.strays, "from sqlalchemy import Engine, select\n"),
    "an environment variable": (rules.reads_environment, "import os\nx = os.environ['X']\n"),
    "another environment variable": (rules.reads_environment, "from os import getenv\n"),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_each_rule_finds_its_bad_sample(name):
    rule, source = SAMPLES[name]
    options = {
        rules.impurities: {"allowed": PURE_PACKAGES, "stdlib": sys.stdlib_module_names},
        rules.strays: {"homes": HOMES, "passed_on": PASSED_ON},
    }.get(rule, {})
    assert len(list(rule(Path("bot/triage/sample.py"), source, **options))) == 1


@pytest.mark.parametrize(
    "source",
    [
        "import re\nfrom urllib.parse import urlsplit\nfrom kb.model import Site\n",
        "x = 'open('",
    ],
)
def test_a_pure_module_is_left_alone(source):
    allowed = rules.impurities(Path("x.py"), source, allowed=PURE_PACKAGES, stdlib=sys.stdlib_module_names)
    assert list(allowed) == []


def test_long_functions_on_the_whole_are_found():
    assert len(list(rules.too_long_as_a_whole(["def f():\n" + "    x = 1\n" * 40] * 3))) == 2


def test_the_import_contracts_hold():
    """The same contracts as in `deploy/test`, so that a run of pytest alone sees them too."""
    command = [Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


# Put together here, so that this file does not hold what it looks for.
HOSTS = ("pypi" + ".org", "python" + "hosted", "registry." + "npmjs", "deb." + "debian.org", "crates" + ".io/api")
ROOTS = ("/wo" + "rk/", "/fa" + "rm/", "/tm" + "p/bash_")
PLACES = (*(r"(?<![\w.-])" + root for root in ROOTS), r"\." + "library/", r"\." + "mirror/")
REGISTRY_OPTIONS = ("extra-index" + "-url", "find" + "-links", "--index" + "-url")


def texts() -> dict[Path, str]:
    """Every text file of the repository; vendored and generated files are texts too."""
    contents = {path: (ROOT / path).read_bytes() for path in tracked() if (ROOT / path).stat().st_size < 50_000_000}
    return {path: raw.decode("utf-8", "replace") for path, raw in contents.items() if b"\0" not in raw[:8000]}


@pytest.mark.parametrize("word", [*HOSTS, *PLACES, *REGISTRY_OPTIONS])
def test_the_repository_names_no_registry_and_no_workplace(word):
    assert [str(path) for path, text in texts().items() if re.search(word, text)] == []


def test_no_lock_file_carries_an_address():
    locks = [text for path, text in texts().items() if path.suffix == ".lock"]
    assert len(locks) == 3
    assert [line for text in locks for line in text.splitlines() if "://" in line] == []


def test_every_pinned_package_has_hashes():
    for lock in ("requirements.lock", "requirements-mcp.lock", "requirements-dev.lock"):
        blocks = re.split(r"\n(?=\S)", (ROOT / lock).read_text("utf-8").strip())
        assert [
            block.split("\n")[0] for block in blocks if not block.startswith("#") and "--hash=sha256:" not in block
        ] == []


def test_the_lock_files_pin_a_package_alike_and_the_app_has_none_of_the_others():
    pins = {
        path.name: dict(re.findall(r"^([a-z0-9][\w.-]*)==(\S+)", text, re.MULTILINE))
        for path, text in texts().items()
        if path.suffix == ".lock"
    }
    app, mcp, dev = (pins[f"requirements{kind}.lock"] for kind in ("", "-mcp", "-dev"))
    assert (app.items() - mcp.items(), mcp.items() - dev.items()) == (set(), set())
    assert {"mcp", "starlette", "pytest"} & app.keys() == set()


UNITS = {
    "bot.cli": cli.subcommands("bot.cli"),
    "kb.cli": kb_cli.subcommands(),
    "bot.commands": {name: importlib.import_module(f"bot.commands.{name}") for name in commands.COMMANDS},
    "bot.triage.formats": {one.name: sys.modules[f"bot.triage.formats.{one.name}"] for one in formats.all_formats()},
    "bot.web.pages": {name: importlib.import_module(f"bot.web.pages.{name}") for name in found_pages()},
    "bot.mcp.tools": {name: sys.modules[f"bot.mcp.tools.{name}"] for name in all_tools()},
    "kb.lint": lint.checks(),
}
EACH_UNIT = [(package, name) for package, units in UNITS.items() for name in sorted(units)]


@pytest.mark.parametrize("package", UNITS)
def test_every_kind_of_unit_is_found(package: str):
    assert len(UNITS[package]) > 1


@pytest.mark.parametrize(("package", "name"), EACH_UNIT)
def test_every_unit_says_what_it_is(package: str, name: str):
    assert (UNITS[package][name].__doc__ or "").strip()


@pytest.mark.parametrize(("package", "name"), EACH_UNIT)
def test_every_unit_has_a_test(package: str, name: str):
    """A test of its name in the mirrored folder, or a mention in one there: some are tested by a table of samples."""
    folder = ROOT / "tests" / package.removesuffix(".pages").replace(".", "/")
    texts = {path.name: path.read_text("utf-8") for path in folder.rglob("test_*.py")}
    page = getattr(UNITS[package][name], "PAGE", None)
    address = [re.escape(page.rule.split("<")[0])] if page else []
    module = name.replace("-", "_")
    word = re.compile("|".join([rf"\b({name}|{module})\b", *address]))
    assert any(file.startswith(f"test_{module}") or word.search(text) for file, text in texts.items())


def test_every_panic_format_has_three_texts_of_its_own():
    counts = {name: len(list((ROOT / "tests/corpus/panics" / name).glob("*"))) for name in UNITS["bot.triage.formats"]}
    assert {name: count for name, count in counts.items() if count < 3} == {}
