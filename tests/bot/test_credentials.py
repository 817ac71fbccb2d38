"""The credentials file: whole or not there, private from its first instant, and read by the settings."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from bot import credentials
from bot.credentials import Watched, change_kept, check_writable, create_kept, read_kept
from bot.errors import UserError
from bot.settings import read_settings, secret_files, set_by_variable

KEY = "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\n"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "app.json"


def test_it_is_private_from_the_first_instant_whatever_the_umask(path: Path, monkeypatch: pytest.MonkeyPatch):
    modes: list[int] = []
    opened = os.open

    def watched(name, flags, mode=0o777, **more):
        made = opened(name, flags, mode, **more)
        if flags & os.O_CREAT:
            modes.append(stat.S_IMODE(os.fstat(made).st_mode))
            assert flags & os.O_EXCL
        return made

    monkeypatch.setattr(credentials.os, "open", watched)
    before = os.umask(0)
    try:
        create_kept(path, {"app_id": "1"})
        change_kept(path, lambda kept: kept | {"app_id": "2"})
    finally:
        os.umask(before)
    assert modes == [0o600, 0o600]
    assert [stat.S_IMODE(p.stat().st_mode) for p in (path, path.parent)] == [0o600, 0o700]
    assert (read_kept(path), [p.name for p in path.parent.iterdir()]) == ({"app_id": "2"}, ["app.json"])


def test_what_is_there_is_never_written_over(path: Path):
    create_kept(path, {"app_id": "1"})
    for attempt in (lambda: create_kept(path, {"app_id": "2"}), lambda: check_writable(path)):
        with pytest.raises(UserError, match="credentials already"):
            attempt()
    assert read_kept(path) == {"app_id": "1"}


def test_a_place_that_cannot_be_written_is_named_before_it_matters(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="BURN_TRIAGE_CREDENTIALS"):
        check_writable(tmp_path / "file" / "app.json")


def test_the_probe_leaves_nothing(path: Path):
    check_writable(path)
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("text", ["", "[]", '{"app_id": 1}', "{"])
def test_a_damaged_file_is_a_problem_with_a_name(path: Path, text: str):
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(UserError, match=r"app\.json is not the JSON"):
        read_settings({"BURN_TRIAGE_CREDENTIALS": str(path)})


def test_the_settings_read_it_and_variables_come_first(path: Path):
    create_kept(path, {"app_id": "1", "private_key": KEY, "webhook_secret": "kept", "app_page": "x", "listen": "bad"})
    settings = read_settings({"BURN_TRIAGE_CREDENTIALS": str(path), "BURN_TRIAGE_WEBHOOK_SECRET": "set"})
    assert (settings.app_id, settings.private_key, settings.webhook_secret) == ("1", KEY, "set")
    assert settings.credentials == path


def test_its_default_place_is_the_state_folder(tmp_path: Path):
    create_kept(tmp_path / "burn-triage" / "app.json", {"app_id": "7"})
    assert read_settings({"XDG_STATE_HOME": str(tmp_path)}).app_id == "7"


def test_with_nothing_at_all_it_points_to_the_set_up(path: Path):
    needed = ("webhook_secret", "app_id", "private_key")
    with pytest.raises(UserError, match="`burn-triage setup`"):
        read_settings({"BURN_TRIAGE_CREDENTIALS": str(path)}, needed=needed)
    with pytest.raises(UserError) as caught:
        read_settings({"BURN_TRIAGE_CREDENTIALS": str(path), "BURN_TRIAGE_APP_ID": "1"}, needed=needed)
    assert "setup" not in str(caught.value)


def test_former_marker_keys_verify_and_the_present_one_signs(path: Path):
    create_kept(path, {"marker_key": "new", "marker_key_old": "older\noldest"})
    settings = read_settings({"BURN_TRIAGE_CREDENTIALS": str(path)})
    assert settings.marker_keys() == (b"new", b"older", b"oldest")


def test_which_variable_sets_what_and_which_files_hold_secrets(path: Path):
    create_kept(path, {})
    env = {"BURN_TRIAGE_CREDENTIALS": str(path), "BURN_TRIAGE_MARKER_KEY_FILE": str(path.parent), "HOME": "/nowhere"}
    assert [set_by_variable(name, env) for name in ("marker_key", "app_id")] == ["BURN_TRIAGE_MARKER_KEY_FILE", ""]
    assert secret_files(env) == [path, path.parent]


def test_a_watched_value_follows_the_file_and_survives_a_damaged_one(path: Path):
    create_kept(path, {"webhook_secret": "one"})
    seen = Watched(path, ("one",), lambda: read_settings({"BURN_TRIAGE_CREDENTIALS": str(path)}).secrets())
    told = [seen()]
    change_kept(path, lambda kept: {"webhook_secret": "two", "webhook_secret_old": kept["webhook_secret"]})
    told.append(seen())
    path.with_name("damaged").write_text("{")
    path.with_name("damaged").replace(path)
    told.append(seen())
    path.with_name("mended").write_text(json.dumps({"webhook_secret": "three"}))
    path.with_name("mended").replace(path)
    assert [*told, seen()] == [("one",), ("two", "one"), ("two", "one"), ("three",)]


def test_the_first_secret_makes_the_file_and_its_folder(path: Path):
    """An App made by hand keeps its key before anything else was kept."""
    change_kept(path, lambda kept: kept | {"private_key": KEY})
    assert (read_kept(path), stat.S_IMODE(path.parent.stat().st_mode)) == ({"private_key": KEY}, 0o700)


def test_behind_a_link_the_file_itself_is_changed(path: Path, tmp_path: Path):
    create_kept(path, {"app_id": "1"})
    link = tmp_path / "link.json"
    link.symlink_to(path)
    change_kept(link, lambda kept: kept | {"app_id": "2"})
    assert (link.is_symlink(), read_kept(path), stat.S_IMODE(path.stat().st_mode)) == (True, {"app_id": "2"}, 0o600)


def test_a_link_that_somebody_else_made_is_not_followed(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    create_kept(path, {"app_id": "1"})
    link = tmp_path / "link.json"
    link.symlink_to(path)
    monkeypatch.setattr(credentials.os, "geteuid", lambda: os.getuid() + 1)
    change_kept(link, lambda kept: kept | {"app_id": "2"})
    assert (link.is_symlink(), read_kept(path), read_kept(link)) == (False, {"app_id": "1"}, {"app_id": "2"})


def test_root_hands_the_file_to_its_owner_and_nothing_else(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A service that puts a link to a foreign file in the new file's place gets that file not."""
    create_kept(path, {"app_id": "1"})
    foreign = tmp_path / "foreign"
    foreign.write_text("not yours")
    changed: list[str] = []

    def fchown(place: int, user: int, group: int) -> None:
        [fresh] = path.parent.glob(".app.json.*")
        fresh.unlink()
        fresh.symlink_to(foreign)
        same = os.path.samestat(os.fstat(place), foreign.stat())
        changed.append(f"{'foreign' if same else 'ours'} {user == path.stat().st_uid} {group == path.stat().st_gid}")

    monkeypatch.setattr(credentials.os, "geteuid", lambda: 0)
    monkeypatch.setattr(credentials.os, "fchown", fchown)
    monkeypatch.setattr(credentials.os, "chown", lambda *_args: changed.append("by its name"))
    change_kept(path, lambda kept: kept | {"app_id": "2"})
    assert changed == ["ours True True"]
