"""How often one client may ask, and who counts as one client."""

from __future__ import annotations

import pytest
from flask import Request
from flask.testing import FlaskClient
from werkzeug.test import EnvironBuilder

from bot.setting_values import networks
from bot.web.desk import EXPLAIN_RATE, SEARCH_RATE, Desk
from bot.web.guard import Limiter, Rate, client_of
from bot.web.public import create_public
from tests.bot.web import world
from tests.fakes.clock import FakeClock


@pytest.fixture
def limited(clock: FakeClock) -> FlaskClient:
    return create_public(Desk.of(world.shelf, clock)).test_client()


def test_a_bucket_empties_and_fills_again(clock: FakeClock):
    limiter = Limiter(clock, Rate(burst=2, seconds=10.0))
    assert [limiter.wait("a"), limiter.wait("a"), limiter.wait("a")] == [0.0, 0.0, 10.0]
    clock.sleep(9.0)
    assert limiter.wait("a") == pytest.approx(1.0)
    clock.sleep(1.0)
    assert limiter.wait("a") == 0.0


def test_asking_in_vain_costs_nothing(clock: FakeClock):
    limiter = Limiter(clock, Rate(burst=1, seconds=10.0))
    limiter.wait("a")
    assert [limiter.wait("a") for _ in range(5)] == [10.0] * 5


def test_one_client_does_not_slow_another(clock: FakeClock):
    limiter = Limiter(clock, Rate(burst=1, seconds=10.0))
    assert [limiter.wait("a"), limiter.wait("a"), limiter.wait("b")] == [0.0, 10.0, 0.0]


def test_a_bucket_never_holds_more_than_the_burst(clock: FakeClock):
    limiter = Limiter(clock, Rate(burst=2, seconds=10.0))
    limiter.wait("a")
    clock.sleep(1_000_000.0)
    assert [limiter.wait("a") > 0 for _ in range(4)] == [False, False, True, True]


def test_old_clients_are_forgotten(clock: FakeClock):
    limiter = Limiter(clock, Rate(burst=1, seconds=10.0), clients=2)
    for client in "abc":
        limiter.wait(client)
    assert limiter.wait("a") == 0.0
    assert len(limiter._buckets) == 2


def request_from(peer: str, forwarded: str = "") -> Request:
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    return Request(EnvironBuilder(environ_base={"REMOTE_ADDR": peer}, headers=headers).get_environ())


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("203.0.113.7", "", "203.0.113.7"),
        ("203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("127.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "10.9.9.9, 198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "nonsense", "127.0.0.1"),
        ("::1", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "", "2001:db8:1:2::/64"),
        ("", "", "None"),
    ],
)
def test_who_asks(peer: str, forwarded: str, client: str):
    """Only a proxy on this machine is believed, and only about the address that it added itself: the last one."""
    assert client_of(request_from(peer, forwarded)) == client


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        ("172.18.0.3", "198.51.100.1", "198.51.100.1"),
        ("172.18.0.3", "10.9.9.9, 198.51.100.1", "198.51.100.1"),
        ("::ffff:172.18.0.3", "198.51.100.1", "198.51.100.1"),
        ("::ffff:203.0.113.7", "198.51.100.1", "203.0.113.7"),
        ("fd00::3", "2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("172.18.0.3", "nonsense", "172.18.0.3"),
        ("172.15.0.3", "198.51.100.1", "172.15.0.3"),
    ],
)
def test_who_asks_through_a_proxy_elsewhere(peer: str, forwarded: str, client: str):
    assert client_of(request_from(peer, forwarded), networks("172.16.0.0/12, fd00::/8")) == client


def test_visitors_behind_a_proxy_do_not_share_a_limit(clock: FakeClock):
    browser = create_public(Desk.of(world.shelf, clock, proxies=networks("172.16.0.0/12"))).test_client()

    def ask(visitor: str) -> int:
        from_proxy = {"environ_base": {"REMOTE_ADDR": "172.18.0.3"}, "headers": {"X-Forwarded-For": visitor}}
        return browser.post("/explain", data={"log": "x"}, **from_proxy).status_code

    codes = [ask("198.51.100.1") for _ in range(EXPLAIN_RATE.burst + 1)]
    assert (codes[-1], ask("198.51.100.2")) == (429, 200)


def test_explain_is_limited(limited: FlaskClient, clock: FakeClock):
    codes = [limited.post("/explain", data={"log": "x"}).status_code for _ in range(EXPLAIN_RATE.burst + 1)]
    assert codes == [200] * EXPLAIN_RATE.burst + [429]
    refused = limited.post("/api/explain", json={"text": "x"})
    assert (refused.status_code, refused.headers["Retry-After"]) == (429, "5")
    assert limited.get("/explain").status_code == 200
    clock.sleep(EXPLAIN_RATE.seconds)
    assert limited.post("/explain", data={"log": "x"}).status_code == 200


def test_search_is_limited_and_reading_is_not(limited: FlaskClient):
    codes = {limited.get("/errors?q=x").status_code for _ in range(SEARCH_RATE.burst)}
    assert codes == {200}
    assert limited.get("/api/errors?q=x").status_code == 429
    assert [limited.get(a).status_code for a in ("/errors", "/errors/KB-0001", "/")] == [200, 200, 200]
