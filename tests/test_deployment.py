"""What runs the product on a machine holds the rules of its kind: the image, the compose file, the systemd units."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from ipaddress import ip_address
from pathlib import Path

import pytest
import yaml

from bot.cli import build_parser
from bot.settings import PREFIX, Settings, read_settings

ROOT = Path(__file__).parent.parent
UNITS = sorted((ROOT / "deploy/systemd").glob("*.service"))
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SETTINGS = {PREFIX + name.upper() + form for name in Settings.__slots__ for form in ("", "_FILE")}


def image_steps():
    spec = importlib.util.spec_from_file_location("image_steps", ROOT / "deploy/image_steps.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["image_steps"] = module
    spec.loader.exec_module(module)
    return module


STEPS = image_steps()
DOCKERFILE = list(STEPS.instructions((ROOT / "Dockerfile").read_text("utf-8")))
FINAL = DOCKERFILE[max(n for n, (word, _) in enumerate(DOCKERFILE) if word == "FROM") :]


def values(word: str, steps: list[tuple[str, str]] = FINAL) -> list[str]:
    return [rest for found, rest in steps if found == word]


def environ(steps: list[tuple[str, str]]) -> dict[str, str]:
    return dict(pair.split("=", 1) for rest in values("ENV", steps) for pair in rest.split())


def test_the_image_is_built_in_two_stages_and_takes_the_program_alone():
    assert [rest.split()[-1] for rest in values("FROM", DOCKERFILE)] == ["build", "${BASE}"]
    assert values("COPY") == ["--from=build /opt/burn-triage /opt/burn-triage"]


def test_the_packages_come_by_their_hashes():
    installs = [rest for rest in values("RUN", DOCKERFILE) if "pip install" in rest and "/wheels" not in rest]
    assert installs
    assert [line for line in installs if "--require-hashes" not in line or "requirements.lock" not in line] == []


def test_it_runs_as_an_ordinary_user_by_number():
    [user] = values("USER")
    assert re.fullmatch(r"[1-9]\d{3,}:[1-9]\d{3,}", user)
    words = [word for word, _ in FINAL]
    assert words.index("USER") > max(n for n, word in enumerate(words) if word in {"RUN", "COPY"})


def test_its_health_check_and_its_command_are_the_products_own():
    [check] = values("HEALTHCHECK")
    known = set(build_parser()._subparsers._group_actions[0].choices)
    check_words, entry, command = json.loads(check.split("CMD")[1]), values("ENTRYPOINT"), values("CMD")
    assert (check_words[0], entry, json.loads(command[0])) == ("burn-triage", ['["burn-triage"]'], ["run"])
    assert {check_words[1], "run"} <= known


def test_what_it_writes_lies_in_the_volume_or_in_tmp():
    found = environ(FINAL)
    assert values("VOLUME") == ['["/data"]']
    assert {found[name] for name in ("XDG_STATE_HOME", "HOME", "XDG_CACHE_HOME")} == {"/data", "/tmp"}


def test_it_names_settings_that_exist_and_holds_no_secret():
    named = [name for name in environ(DOCKERFILE) if name.startswith(PREFIX)]
    secret = {PREFIX + name.upper() for name, item in Settings.__dataclass_fields__.items() if item.metadata["secret"]}
    assert (set(named) - SETTINGS, set(named) & secret, values("ARG", FINAL)) == (set(), set(), [])


def test_it_adds_nothing_from_elsewhere():
    assert values("ADD", DOCKERFILE) == []
    assert [rest for rest in values("RUN", DOCKERFILE) if re.search(r"curl|wget|https?:|git clone|apt", rest)] == []


@pytest.mark.parametrize(
    ("path", "out"),
    [
        ("bot/cli/run.py", False),
        ("kb/repos.yaml", False),
        ("bot/cli/__pycache__/run.pyc", True),
        ("tests/conftest.py", True),
        (".git/config", True),
        (".env", True),
        ("secrets/private-key.pem", True),
        ("deploy/wheel_hook.py", False),
        ("deploy/demo", True),
        ("LICENSE-MIT", False),
    ],
)
def test_only_what_the_image_needs_is_sent_to_its_build(path: str, out: bool):
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    assert STEPS.is_left_out(path, [line for line in lines if line and not line.startswith("#")]) is out


def test_everything_that_the_image_copies_exists():
    named = [word for rest in values("COPY", DOCKERFILE) if "--from" not in rest for word in rest.split()[:-1]]
    assert [name for name in named if not (ROOT / name).exists()] == []


@pytest.mark.parametrize("name", ["bot", "caddy"])
def test_a_container_of_the_compose_file_may_do_no_more_than_it_needs(name: str):
    service = COMPOSE["services"][name]
    assert (service["read_only"], service["cap_drop"], service["security_opt"]) == (
        True,
        ["ALL"],
        ["no-new-privileges:true"],
    )
    assert "privileged" not in service


def test_the_bot_is_reached_through_caddy_alone():
    bot = COMPOSE["services"]["bot"]
    assert [port for port in bot["ports"] if not port.startswith("127.0.0.1:")] == []
    assert "bot:8000" in COMPOSE["services"]["caddy"]["command"]


def test_postgresql_is_there_when_asked_for():
    assert COMPOSE["services"]["postgres"]["profiles"] == ["postgres"]
    assert "depends_on" not in COMPOSE["services"]["bot"]


def test_the_compose_file_names_what_exists():
    services = COMPOSE["services"].values()
    named = {name for service in services for name in service.get("environment", {}) if name.startswith(PREFIX)}
    volumes = {mount.split(":")[0] for service in services for mount in service.get("volumes", [])}
    assert (named - SETTINGS, volumes) == (set(), set(COMPOSE["volumes"]))


@pytest.mark.parametrize("seconds", [Settings().shutdown_seconds + 10])
def test_whoever_stops_it_waits_longer_than_it_takes(seconds: int):
    patience = [int(COMPOSE["services"]["bot"]["stop_grace_period"].rstrip("s"))]
    patience += [int(option(unit, "TimeoutStopSec")) for unit in UNITS]
    assert [given for given in patience if given <= seconds] == []


def option(unit: Path, name: str) -> str:
    return re.findall(rf"^{name}=(.*)$", unit.read_text("utf-8"), re.MULTILINE)[-1]


def test_the_units_differ_in_nothing_but_what_they_start():
    """What holds for one machine holds for a half: the same user, hardening and folders, and the keys in one place."""
    own = ("Description=", "ExecStart=", "EnvironmentFile=", "#")
    lines = [[x for x in unit.read_text("utf-8").splitlines() if not x.startswith(own)] for unit in UNITS]
    assert (len(lines), lines[1:]) == (3, [lines[0]] * 2)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
class TestUnit:
    def test_it_starts_a_command_that_exists(self, unit: Path):
        program, command = option(unit, "ExecStart").split()
        known = set(build_parser()._subparsers._group_actions[0].choices)
        assert (program, command in known) == ("/opt/burn-triage/bin/burn-triage", True)

    def test_it_names_settings_that_exist(self, unit: Path):
        assert set(re.findall(rf"{PREFIX}[A-Z_]+(?==)", unit.read_text("utf-8"))) - SETTINGS == set()

    def test_it_is_no_root_and_may_write_nowhere_else(self, unit: Path):
        found = [option(unit, name) for name in ("User", "ProtectSystem", "NoNewPrivileges", "CapabilityBoundingSet")]
        assert found == ["burn-triage", "strict", "yes", ""]

    def test_the_keys_are_where_set_up_puts_them(self, unit: Path):
        """No key file of its own: the settings find the credentials in the state folder."""
        text = unit.read_text("utf-8")
        assert re.findall("LoadCredential|_FILE=|private-key", text) == []
        state = dict(re.findall(r"(XDG_STATE_HOME)=(\S+)", text))
        kept = read_settings(state).credentials
        assert str(kept) == f"/var/lib/{option(unit, 'StateDirectory')}/app.json"

    @pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd-analyze")
    def test_systemd_takes_it_and_finds_it_little_exposed(self, unit: Path, tmp_path: Path):
        """`verify` wants the program to be there: the unit is read with another one in its place."""
        text = unit.read_text("utf-8").replace("/opt/burn-triage/bin/burn-triage", "/bin/true")
        copy = tmp_path / unit.name
        copy.write_text(text, "utf-8")
        checked = subprocess.run(["systemd-analyze", "verify", str(copy)], capture_output=True, text=True, check=False)
        command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", str(copy)]
        exposed = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (checked.stderr.strip(), checked.returncode, exposed.returncode) == ("", 0, 0)


def test_the_bot_believes_its_proxy_wherever_docker_puts_it_and_is_reached_by_nobody_else():
    bot = COMPOSE["services"]["bot"]
    proxies = read_settings({"BURN_TRIAGE_PROXIES": bot["environment"]["BURN_TRIAGE_PROXIES"]}).proxies
    given = [ip_address(text) for text in ("172.17.0.2", "172.31.9.9", "192.168.16.3", "10.1.2.3", "fd12:3456::3")]
    assert [any(one in network for network in proxies) for one in given] == [True] * 5
    assert [one for one in proxies if not one.is_private] == []
    assert [port for port in bot["ports"] if not port.startswith("127.0.0.1:9464:")] == []
