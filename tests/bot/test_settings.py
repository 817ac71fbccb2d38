"""Settings: read once, every problem reported at once, no secret ever shown."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from bot.errors import UserError
from bot.settings import Address, Settings, read_settings, settings_table, state_folder

KEY = "-----BEGIN RSA PRIVATE KEY-----\\nMIIE\\n-----END RSA PRIVATE KEY-----"


def read(**variables: str) -> Settings:
    return read_settings({f"BURN_TRIAGE_{name}": value for name, value in variables.items()} | {"HOME": "/home/x"})


def problems(**variables: str) -> list[str]:
    with pytest.raises(UserError) as caught:
        read(**variables)
    return [line.strip() for line in str(caught.value).splitlines()[1:]]


def test_nothing_set_gives_a_private_sqlite_file_on_loopback():
    settings = read()
    assert settings.database_url == "sqlite:////home/x/.local/state/burn-triage/burn-triage.db"
    assert (settings.listen, settings.metrics_listen) == (Address("127.0.0.1", 8000), Address("127.0.0.1", 9464))


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"XDG_STATE_HOME": "/state", "HOME": "/home/x"}, "/state/burn-triage"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/home/x"}, "/home/x/.local/state/burn-triage"),
        ({"XDG_STATE_HOME": "", "HOME": "/home/x"}, "/home/x/.local/state/burn-triage"),
    ],
)
def test_the_state_folder_follows_xdg(environ: dict[str, str], folder: str):
    assert state_folder(environ) == Path(folder)


def test_every_problem_is_reported_at_once():
    found = problems(
        LISTEN="8000",
        WRITES_PER_MINUTE="many",
        PAYLOAD_HOURS="73",
        GITHUB_API_URL="api.github.com",
        DATABASE_URL="mysql://x/y",
        LOG_LEVEL="loud",
        PRIVATE_KEY="not a key",
        CLONES="/nowhere/at/all",
    )
    assert [line.split(":")[0].removeprefix("BURN_TRIAGE_") for line in found] == [
        "DATABASE_URL",
        "PRIVATE_KEY",
        "GITHUB_API_URL",
        "CLONES",
        "LISTEN",
        "WRITES_PER_MINUTE",
        "PAYLOAD_HOURS",
        "LOG_LEVEL",
    ]


def test_a_misspelt_name_is_a_problem_with_a_remedy():
    assert problems(WEBHOK_SECRET="x") == [
        "BURN_TRIAGE_WEBHOK_SECRET: no such setting; did you mean BURN_TRIAGE_WEBHOOK_SECRET?"
    ]


def test_variables_of_the_tests_are_none_of_its_business():
    assert read(TEST_POSTGRES_URL="postgresql://x/y").listen.port == 8000


@pytest.mark.parametrize(
    ("text", "url"),
    [
        ("postgres://u:p@h/d", "postgresql+psycopg://u:p@h/d"),
        ("postgresql://u@h/d", "postgresql+psycopg://u@h/d"),
        ("sqlite:////tmp/x.db", "sqlite:////tmp/x.db"),
    ],
)
def test_database_urls_name_the_driver_that_we_ship(text: str, url: str):
    assert read(DATABASE_URL=text).database_url == url


@pytest.mark.parametrize("text", ["sqlite://", "sqlite:///:memory:", "nonsense"])
def test_a_database_that_processes_cannot_share_is_refused(text: str):
    [found] = problems(DATABASE_URL=text)
    assert found.startswith("BURN_TRIAGE_DATABASE_URL: ")


def test_a_secret_may_come_from_a_file(tmp_path: Path):
    (tmp_path / "secret").write_text("  from the file\n")
    assert read(WEBHOOK_SECRET_FILE=str(tmp_path / "secret")).webhook_secret == "from the file"


def test_an_unreadable_file_is_named(tmp_path: Path):
    [found] = problems(MARKER_KEY_FILE=str(tmp_path / "none"))
    assert str(tmp_path / "none") in found


def test_a_secret_given_twice_is_a_problem(tmp_path: Path):
    assert problems(WEBHOOK_SECRET="x", WEBHOOK_SECRET_FILE=str(tmp_path)) == [
        "BURN_TRIAGE_WEBHOOK_SECRET: set BURN_TRIAGE_WEBHOOK_SECRET or BURN_TRIAGE_WEBHOOK_SECRET_FILE, not both"
    ]


def test_a_key_in_one_line_is_unfolded():
    assert read(PRIVATE_KEY=KEY).private_key == KEY.replace("\\n", "\n") + "\n"


def test_the_marker_key_is_its_own_and_ports_differ():
    found = problems(MARKER_KEY="same", WEBHOOK_SECRET="same", LISTEN="0.0.0.0:9464")
    assert [line.split(":")[0] for line in found] == ["BURN_TRIAGE_METRICS_LISTEN", "BURN_TRIAGE_MARKER_KEY"]


def test_metrics_can_be_off_and_addresses_be_ipv6():
    settings = read(METRICS_LISTEN="off", LISTEN="[::1]:8000")
    assert (settings.metrics_listen, str(settings.listen)) == (None, "[::1]:8000")


def test_both_secrets_are_valid_newest_first():
    assert read(WEBHOOK_SECRET="new", WEBHOOK_SECRET_OLD="old").secrets() == ("new", "old")


def test_missing_settings_are_named_together():
    with pytest.raises(UserError) as caught:
        read().require("webhook_secret", "app_id", "kb")
    names = [line.split(":")[0].strip() for line in str(caught.value).splitlines()[1:]]
    assert names == [
        "BURN_TRIAGE_WEBHOOK_SECRET or BURN_TRIAGE_WEBHOOK_SECRET_FILE",
        "BURN_TRIAGE_APP_ID",
        "BURN_TRIAGE_KB",
    ]


def test_what_is_missing_is_told_beside_what_is_wrong():
    with pytest.raises(UserError) as caught:
        read_settings(
            {"BURN_TRIAGE_LISTEN": "8000", "BURN_TRIAGE_PRIVATE_KEY": "no key"}, needed=("app_id", "private_key")
        )
    names = [line.split(":")[0].strip() for line in str(caught.value).splitlines()[1:]]
    assert names == ["BURN_TRIAGE_PRIVATE_KEY", "BURN_TRIAGE_LISTEN", "BURN_TRIAGE_APP_ID"]


def test_no_secret_shows_when_settings_are_printed():
    settings = read(
        WEBHOOK_SECRET="s3cret", MARKER_KEY="m4rker", PRIVATE_KEY=KEY, DATABASE_URL="postgresql://u:hunter2@h/d"
    )
    shown = [word for word in ("s3cret", "m4rker", "MIIE", "hunter2") if word in repr(settings)]
    assert shown == []


def test_every_setting_has_a_row_of_its_own():
    rows = settings_table().splitlines()[2:]
    assert [row.split("`")[1] for row in rows] == [f"BURN_TRIAGE_{f.name.upper()}" for f in fields(Settings)]


def test_proxies_are_addresses_and_networks():
    given = read_settings({"BURN_TRIAGE_PROXIES": "10.0.0.7, 172.16.0.0/12,fd00::/8"}).proxies
    assert [str(one) for one in given] == ["10.0.0.7/32", "172.16.0.0/12", "fd00::/8"]
    assert read_settings({}).proxies == ()


@pytest.mark.parametrize("text", ["caddy", "10.0.0.7/8", "10.0.0.7 10.0.0.8", "300.1.1.1"])
def test_what_is_no_proxy_is_refused_with_an_example(text: str):
    remedy = "give addresses or networks separated by commas, such as 10.0.0.7,172.16.0.0/12"
    assert problems(PROXIES=text) == [f"BURN_TRIAGE_PROXIES: {remedy}"]
