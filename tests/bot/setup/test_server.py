"""Serving the set-up: until it is done or the time is over, and quietly."""

from __future__ import annotations

import socket
import threading

import pytest
import requests
from flask import Flask

from bot.errors import UserError
from bot.setting_values import Address
from bot.setup.server import PageServer

HERE = Address("127.0.0.1", 0)


def test_a_port_that_is_taken_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UserError, match="--listen"):
            PageServer(Address("127.0.0.1", taken.getsockname()[1]))


def test_it_ends_when_the_time_is_over():
    assert PageServer(HERE).run(Flask("x"), threading.Event(), lambda: True) is False


def test_it_ends_when_it_is_done_and_says_nothing_of_requests(capfd: pytest.CaptureFixture[str]):
    server, done, app = PageServer(HERE), threading.Event(), Flask("x")
    app.add_url_rule("/setup", view_func=lambda: "here")
    answers: list[str] = []

    def visit() -> None:
        answers.append(requests.get(f"http://{server.address}/setup?token=s3cret", timeout=5).text)
        done.set()

    threading.Thread(target=visit).start()
    assert server.run(app, done, lambda: False) is True
    said = capfd.readouterr()
    assert (answers, "s3cret" in said.out + said.err) == (["here"], False)
