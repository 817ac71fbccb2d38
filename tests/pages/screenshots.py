"""Pictures of every page, for people to look at: light and dark, on a phone and on a desk, over little and over much.

    python -m tests.pages.screenshots DIR [--only WORD] [--verdicts 20000]

Needs Chromium. `demo-…` shows deploy/demo after its last scene, behind the real server; `year-…` a year of a busy
installation; `bare-…` an installation that nothing happened to yet; `login-…` the login against the stand-in GitHub;
`file-…` what is opened from a disk: the report on paper, the exported pages. Each picture is named after what it shows,
the scheme and the width: `year-board-dark-390.png`. Prints every page that is wider than its window, or whose console
says anything, and ends with 1 then.
"""

from __future__ import annotations

import argparse
import logging
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import Browser, Page, sync_playwright
from rich.console import Console

from bot.clock import SystemClock
from bot.paper.answer import answer_on_paper
from bot.paper.report import Report, write_report
from bot.setting_values import Address
from bot.setup.gate import Gate
from bot.setup.pages import PLACE, SetUp, create_pages
from bot.setup.server import PageServer
from bot.store.engine import open_engine
from bot.triage.snapshot import IssueSnapshot
from bot.web.board import Board
from bot.web.desk import Record
from bot.web.export import export
from bot.web.local import LocalDoor
from bot.web.public import create_public
from tests.bot.web import board_world, world
from tests.fakes.databases import SqliteFiles
from tests.fakes.serving import served
from tests.pages import year
from tests.pages.board_site import login_site
from tests.pages.conftest import CHROMIUM, OPTIONS

ROOT = Path(__file__).parents[2]
SCHEMES = ("light", "dark")
WIDTHS = (390, 1280)
TALLEST = 4000
"""Pixels of a page that are shown: a longer one goes on in the same way."""

PUBLIC = {
    "home": "/",
    "errors": "/errors",
    "search": "/errors?q=embedding",
    "search-nothing": "/errors?q=xyzzyplugh",
    "bare-sites": "/errors?show=all&q=tensor",
    "entry": "/errors/KB-0001",
    "entry-second": "/errors/KB-0044",
    "explain": "/explain",
    "about": "/about",
    "missing": "/errors/KB-9999",
}
BOARD = {
    "board": "/board",
    "unknowns": "/board/unknowns",
    "verdicts": "/board/verdicts",
    "verdicts-nothing": "/board/verdicts?entry=KB-9999",
    "entries": "/board/entries",
    "entries-drift": "/board/entries?sort=drift",
    "inbox": "/board/inbox",
    "inbox-parked": "/board/inbox?state=parked",
    "settings": "/board/settings",
    "board-missing": "/board/verdicts/999999999",
}
LINKED = {
    "panic": ("/board", ".panics tbody a"),
    "panic-unknown": ("/board/unknowns", ".panics tbody a"),
    "verdict": ("/board/verdicts?outcome=matched", ".listing tbody th a"),
    "verdict-none": ("/board/verdicts?outcome=none", ".listing tbody th a"),
    "verdict-ambiguous": ("/board/verdicts?outcome=ambiguous", ".listing tbody th a"),
}
"""Pages whose address stands on another page: where, and which link."""


@dataclass
class Camera:
    """Takes the pictures."""

    browser: Browser
    folder: Path
    only: str
    count: int = 0
    faults: list[str] = field(default_factory=list)

    def take(self, name: str, address: str, before: Callable[[Page], object] = lambda page: None) -> None:
        """A page in both schemes and widths; `before` is done on it first."""
        if self.only not in name:
            return
        for width in WIDTHS:
            for scheme in SCHEMES:
                self._one(f"{name}-{scheme}-{width}", address, before, scheme, width)

    def _one(self, name: str, address: str, before: Callable[[Page], object], scheme: str, width: int) -> None:
        view = {"width": width, "height": 900}
        context = self.browser.new_context(color_scheme=scheme, viewport=view, reduced_motion="reduce")  # type: ignore[arg-type]
        page, said = context.new_page(), list[str]()
        # What is not there is meant to be missing.
        page.on("console", lambda message: said.append(message.text) if " 404 " not in message.text else None)
        page.goto(address)
        before(page)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        tall = min(page.evaluate("document.documentElement.scrollHeight"), TALLEST)
        area = {"x": 0, "y": 0, "width": width, "height": max(tall, 900)}
        page.screenshot(path=self.folder / f"{name}.png", full_page=True, clip=area)  # type: ignore[arg-type]
        self.faults += [f"{name}: {wide} px too wide"] if wide > 0 else []
        self.faults += [f"{name}: the console says {line}" for line in said]
        self.count += 1
        context.close()

    def link(self, page: str, which: str) -> str | None:
        """Where the first such link of a page leads."""
        tab = self.browser.new_page()
        tab.goto(page)
        found = tab.locator(which)
        address = found.first.evaluate("link => link.href") if found.count() else None
        tab.close()
        return str(address) if address else None


def explained(log: str) -> Callable[[Page], object]:
    """Paste a log and ask."""

    def ask(page: Page) -> None:
        page.get_by_label("Paste the panic").fill(log)
        page.get_by_role("button", name="Explain it").click()
        page.wait_for_load_state()

    return ask


def all_pages(camera: Camera, kind: str, site: str) -> None:
    """Everything that a site with a dashboard has."""
    for name, path in {**PUBLIC, **BOARD}.items():
        camera.take(f"{kind}-{name}", site + path)
    for name, (path, which) in LINKED.items():
        if camera.only in f"{kind}-{name}" and (address := camera.link(site + path, which)):
            camera.take(f"{kind}-{name}", address)
    shelf = world.shelf()
    bare = next(doc.id for doc in shelf.docs if not doc.explained)
    camera.take(f"{kind}-site", f"{site}/errors/{bare}")
    camera.take(f"{kind}-explained", f"{site}/explain", explained(world.EMBEDDING))
    camera.take(f"{kind}-explained-nothing", f"{site}/explain", explained("It does not work."))


@contextmanager
def demo_site() -> Iterator[str]:
    """deploy/demo after its last scene: receiver, pages and worker as processes of their own."""
    sys.path.insert(0, str(ROOT / "deploy"))
    from demo_run import Stage
    from demo_scenes import SCENES
    from demo_world import running

    with tempfile.TemporaryDirectory() as folder, running(Path(folder)) as demo:
        stage = Stage(demo, Console(quiet=True))
        stage.set_up()
        for position, scene in enumerate(SCENES, 1):
            stage.play(position, scene)
        yield demo.receiver


@contextmanager
def own_site(folder: Path, verdicts: int) -> Iterator[str]:
    """A dashboard in local mode over a year of so many verdicts."""
    clock, place = SystemClock(), folder / f"own-{verdicts}"
    place.mkdir()
    engine = open_engine(SqliteFiles(place).make(place))
    if verdicts:
        year.fill(engine, world.shelf(), size=verdicts, now=clock.now())
    else:
        board_world.install(engine)
    record = Record(1204, 9, 4) if verdicts else Record(0, 0, 0)
    desk = world.desk(clock=clock, board=Board(engine, clock, LocalDoor(engine)), record=lambda: record)  # type: ignore[arg-type]
    with served(create_public(desk)) as address:
        yield address
    engine.dispose()


def login_pages(camera: Camera, folder: Path) -> None:
    """Before the login, and after one that found nothing to show."""
    place = folder / "login"
    place.mkdir()
    with login_site(SqliteFiles(place), place) as (address, _):
        camera.take("login-page", f"{address}/login")
        camera.take("login-refused", f"{address}/login/callback?state=forged&code=no")


def set_up_page(camera: Camera) -> None:
    """The first page of the set-up, on this machine."""
    server, done = PageServer(Address("127.0.0.1", 0)), threading.Event()
    gate = Gate(SystemClock())
    made = SetUp(gate=gate, server_url="https://bot.example.org", github_url="https://github.com",
                 register=lambda code: None, exists=lambda: False, local_host=str(server.address))  # type: ignore[arg-type, return-value]  # fmt: skip
    thread = threading.Thread(target=server.run, args=(create_pages(made), done, lambda: False))
    thread.start()
    camera.take("file-set-up", f"http://{made.local_host}{PLACE}?token={gate.token}")
    done.set()
    thread.join()


def files(camera: Camera, folder: Path) -> None:
    """The report on paper, and the exported pages."""
    fenced = f"```\n{world.EMBEDDING}```"
    bodies = {4: fenced, 3: "Hello", 2: fenced, 1: "thread 'main' panicked at src/main.rs:1:1:\nboom"}
    at = "2026-03-01T00:00:00Z"
    issues = [
        IssueSnapshot("tracel-ai/burn", 1, n, n, f"Issue {n}", b, "ann", False, at, at) for n, b in bodies.items()
    ]
    report = Report("tracel-ai/burn", [answer_on_paper(issue, world.shelf().knowledge) for issue in issues])
    (folder / "paper").mkdir()
    write_report(report, folder / "paper")
    camera.take("file-paper", (folder / "paper/report.html").as_uri())
    export(world.desk(static=True), folder / "site")
    for name, path in {
        "home": "index.html",
        "errors": "errors/index.html",
        "entry": "errors/KB-0001/index.html",
    }.items():
        camera.take(f"file-exported-{name}", f"file://{quote(str(folder / 'site' / path))}")


def main() -> int:
    """0 when every page is quiet and fits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--only", default="", help="pictures whose name has this in it")
    parser.add_argument("--verdicts", type=int, default=20_000, help="how many the year has")
    args = parser.parse_args()
    if CHROMIUM is None:
        print("no chromium: install the package chromium", file=sys.stderr)
        return 2
    args.folder.mkdir(parents=True, exist_ok=True)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        driver = stack.enter_context(sync_playwright())
        browser = stack.enter_context(driver.chromium.launch(executable_path=CHROMIUM, headless=True, args=OPTIONS))
        camera = Camera(browser, args.folder, args.only)
        for kind, site in [
            ("demo", lambda: demo_site()),
            ("year", lambda: own_site(place, args.verdicts)),
            ("bare", lambda: own_site(place, 0)),
        ]:
            if not args.only or args.only.startswith(kind) or "-" not in args.only:
                with site() as address:
                    all_pages(camera, kind, address)
        login_pages(camera, place)
        set_up_page(camera)
        files(camera, place)
    print(f"{camera.count} pictures in {args.folder}")
    print("\n".join(camera.faults))
    return 1 if camera.faults else 0


if __name__ == "__main__":
    sys.exit(main())
