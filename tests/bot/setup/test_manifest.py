"""The one packaged file says what the App may do and hears of; code, stand-in and documentation agree with it."""

from __future__ import annotations

from bot.delivery import HANDLED
from bot.setup.manifest import ALWAYS_SENT, events, manifest, packaged, permissions
from tests.fakes.github.hub import EVENTS, PERMISSIONS
from tests.fakes.github.pages import manifest_faults


def test_the_receiver_handles_what_the_app_hears_of_and_nothing_else():
    assert events() | ALWAYS_SENT == set(HANDLED)
    assert not events() & ALWAYS_SENT


def test_the_stand_in_grants_and_sends_the_same():
    assert (permissions(), set(EVENTS)) == (PERMISSIONS, set(HANDLED))


def test_the_permissions_are_the_three_that_are_needed():
    assert permissions() == {"metadata": "read", "issues": "write", "contents": "read"}


def test_a_manifest_is_what_github_takes():
    made = manifest(name="My bot", public=True, server_url="https://bot.example.org", back_url="https://x/setup/return")
    assert manifest_faults(made) == []
    assert made["hook_attributes"] == {"url": "https://bot.example.org/webhook", "active": True}
    assert (made["name"], made["public"], packaged()["public"]) == ("My bot", True, False)
    assert made["callback_urls"] == ["https://bot.example.org/login/callback"]
