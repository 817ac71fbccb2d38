"""When the dashboard is served, and what is refused at start."""

from __future__ import annotations

import pytest

from bot.board_mode import board_mode
from bot.errors import UserError
from bot.settings import read_settings
from tests.bot.github.stage import private_key

LOGIN = {
    "BURN_TRIAGE_CLIENT_ID": "Iv23",
    "BURN_TRIAGE_CLIENT_SECRET": "secret",
    "BURN_TRIAGE_APP_ID": "1",
    "BURN_TRIAGE_PRIVATE_KEY": private_key(),
    "BURN_TRIAGE_PUBLIC_URL": "https://triage.example",
}
LOCAL = {"BURN_TRIAGE_BOARD": "local"}


@pytest.mark.parametrize(
    ("environ", "mode"),
    [
        ({}, "off"),
        (LOGIN, "login"),
        (LOGIN | {"BURN_TRIAGE_BOARD": "off"}, "off"),
        (LOGIN | {"BURN_TRIAGE_PAGES": "off"}, "off"),
        ({"BURN_TRIAGE_CLIENT_ID": "Iv23"}, "off"),
        (LOCAL, "local"),
        (LOCAL | {"BURN_TRIAGE_PUBLIC_URL": "http://127.0.0.1:8000"}, "local"),
        (LOCAL | {"BURN_TRIAGE_LISTEN": "[::1]:8000"}, "local"),
        (LOGIN | {"BURN_TRIAGE_BOARD": "login", "BURN_TRIAGE_PUBLIC_URL": "http://localhost:8000"}, "login"),
    ],
)
def test_the_mode(environ: dict[str, str], mode: str):
    settings = read_settings(environ)
    assert board_mode(settings) == mode
    assert settings.serves_pages or mode == "off"


@pytest.mark.parametrize(
    ("environ", "said"),
    [
        (LOCAL | {"BURN_TRIAGE_LISTEN": "0.0.0.0:8000"}, "set BURN_TRIAGE_LISTEN to 127.0.0.1:8000"),
        (LOCAL | {"BURN_TRIAGE_LISTEN": "[::]:8000"}, "on loopback only"),
        (LOCAL | {"BURN_TRIAGE_LISTEN": "10.0.0.7:8000"}, "on loopback only"),
        (LOCAL | {"BURN_TRIAGE_PUBLIC_URL": "https://triage.example"}, "take the public address away"),
        (LOCAL | {"BURN_TRIAGE_PAGES": "off"}, "which BURN_TRIAGE_PAGES=off switches off"),
        ({"BURN_TRIAGE_BOARD": "login"}, "needs BURN_TRIAGE_CLIENT_ID, BURN_TRIAGE_CLIENT_SECRET, BURN_TRIAGE_APP_ID"),
        (LOGIN | {"BURN_TRIAGE_BOARD": "login", "BURN_TRIAGE_PUBLIC_URL": "http://triage.example"}, "https://"),
        ({"BURN_TRIAGE_BOARD": "open"}, "give one of auto, off, login, local"),
    ],
)
def test_what_would_leave_it_open_is_refused(environ: dict[str, str], said: str):
    with pytest.raises(UserError, match=said):
        read_settings(environ)
