"""Who is let in: one token, one browser, one state, half an hour."""

from __future__ import annotations

from bot.setup.gate import LIFETIME, Gate
from tests.fakes.clock import FakeClock


def test_a_token_works_once_and_binds_the_browser(clock: FakeClock):
    gate = Gate(clock)
    assert [gate.admit(token) for token in ("", "guess", gate.token[:-1], gate.token + "x")] == [None] * 4
    cookie = gate.admit(gate.token)
    assert cookie is not None
    assert (gate.admit(gate.token), gate.admit("")) == (None, None)
    assert [gate.knows(value) for value in (cookie, gate.token, "", "é")] == [True, False, False, False]


def test_nothing_is_known_before_the_token_came(clock: FakeClock):
    gate = Gate(clock)
    assert (gate.knows(""), gate.redeem("", "")) == (False, False)


def test_a_state_works_once_in_its_browser_and_the_newest_alone(clock: FakeClock):
    gate = Gate(clock)
    cookie = gate.admit(gate.token) or ""
    old, new = gate.new_state(), gate.new_state()
    tries = [(cookie, old), ("other", new), ("", new), (cookie, ""), (cookie, new), (cookie, new)]
    assert [gate.redeem(*one) for one in tries] == [False, False, False, False, True, False]


def test_all_of_it_ends_after_half_an_hour(clock: FakeClock):
    gate, late = Gate(clock), Gate(clock)
    cookie = gate.admit(gate.token) or ""
    state = gate.new_state()
    clock.sleep(LIFETIME - 1)
    assert (gate.knows(cookie), gate.is_over) == (True, False)
    clock.sleep(1)
    assert (gate.knows(cookie), gate.redeem(cookie, state), late.admit(late.token), gate.is_over) == (
        False,
        False,
        None,
        True,
    )
