"""The delivery log, the lists that sweeps walk, and source files from the API and from clones."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.errors import PermanentError
from bot.github.source import CloneSource
from bot.ports import Installation
from tests.bot.github.stage import REPO, Stage


def iso(stage: Stage, seconds_back: float) -> str:
    from tests.fakes.github.state import iso as printed

    return printed(stage.clock.now() - seconds_back)


def test_deliveries_newest_first_down_to_a_moment(stage: Stage) -> None:
    stage.app.webhook_url = "http://127.0.0.1:9/webhook"
    for number in range(130):
        stage.github.hooks.deliver(
            stage.app, "issues", {"action": "opened", "installation": {"id": 5}}, f"guid-{number}"
        )
        stage.clock.moment += 1
    found = list(stage.bot.list_deliveries(since=iso(stage, 120)))
    assert [d.guid for d in found] == [f"guid-{n}" for n in range(129, 9, -1)]
    assert {(d.event, d.action, d.status_code, d.succeeded, d.installation_id) for d in found} == {
        ("issues", "opened", 0, False, 5)
    }


def test_a_logged_delivery_has_its_request(stage: Stage) -> None:
    stage.app.webhook_url = "http://127.0.0.1:9/webhook"
    sent = stage.github.hooks.deliver(stage.app, "issues", {"action": "opened", "issue": {"title": "ü"}}, "guid-1")
    found = stage.bot.read_delivery(sent.id)
    assert (found.summary.guid, found.payload) == ("guid-1", {"action": "opened", "issue": {"title": "ü"}})
    assert found.headers["X-GitHub-Event"] == "issues"


def test_a_redelivery_has_the_same_guid(stage: Stage) -> None:
    stage.app.webhook_url = "http://127.0.0.1:9/webhook"
    sent = stage.github.hooks.deliver(stage.app, "issues", {"action": "opened"}, "guid-1")
    stage.bot.redeliver(sent.id)
    stage.github.hooks.settle()
    found = list(stage.bot.list_deliveries(since=iso(stage, 60)))
    assert [(d.guid, d.redelivery) for d in found] == [("guid-1", True), ("guid-1", False)]


def test_deliveries_older_than_three_days_are_gone(stage: Stage) -> None:
    stage.app.webhook_url = "http://127.0.0.1:9/webhook"
    sent = stage.github.hooks.deliver(stage.app, "issues", {"action": "opened"}, "guid-1")
    stage.clock.moment += 3 * 86_400 + 1
    assert list(stage.bot.list_deliveries(since="2000-01-01T00:00:00Z")) == []
    with pytest.raises(PermanentError):
        stage.bot.read_delivery(sent.id)


def test_installations_and_repositories(stage: Stage) -> None:
    for number in range(120):
        stage.installation.repos.append(stage.github.create_repo(f"tracel-ai/r{number}"))
    stage.github.suspend(stage.installation.id)
    assert list(stage.bot.installations()) == [Installation(stage.installation.id, "tracel-ai", True)]
    stage.github.suspend(stage.installation.id, suspended=False)
    names = list(stage.bot.repositories(stage.installation.id))
    assert names == [REPO, *(f"tracel-ai/r{n}" for n in range(120))]


def test_issues_since_a_moment_oldest_update_first(stage: Stage) -> None:
    people = stage.github.people
    for number in range(2, 150):
        stage.clock.moment += 1
        people.open_issue(REPO, "dependabot[bot]" if number == 3 else "reporter", f"issue {number}", "")
    people.open_issue(REPO, "reporter", "a pull request", "", pull=True)
    stage.clock.moment += 1
    people.close_issue(REPO, 2)
    since = iso(stage, stage.clock.now() - stage.repo.issues[3].updated_at)
    found = list(stage.bot.list_issues(REPO, installation_id=stage.installation.id, since=since))
    assert [i.number for i in found] == [*range(3, 150), 2]
    assert [i.number for i in found if i.author_is_bot] == [3]


def test_files_and_commits_over_the_api(stage: Stage) -> None:
    big = b"x" * (1024 * 1024 + 1)
    sha = stage.github.add_commit(
        REPO, {"crates/burn/src/lib.rs": "fn x() {}\n", "big": big}, refs=["main", "v0.1.0"]
    ).sha
    source = stage.bot.source(stage.installation.id)
    assert source.read_blob(REPO, "crates/burn/src/lib.rs", sha) == b"fn x() {}\n"
    assert source.read_blob(REPO, "/crates/burn/src/lib.rs", "v0.1.0") == b"fn x() {}\n"
    assert source.read_blob(REPO, "big", sha) == big
    missing = [("crates", sha), ("nothing.rs", sha), ("big", "v9"), ("big", "0" * 40)]
    assert [source.read_blob(REPO, path, ref) for path, ref in missing] == [None] * 4
    assert source.read_blob("tracel-ai/none", "big", sha) is None
    found = [source.find_commit(REPO, text) for text in (sha, sha[:7], "0000000", "main", "v0.1.0", "")]
    assert [c.sha if c else None for c in found] == [sha, sha, None, None, None, None]
    assert found[0] is not None
    assert found[0].date == iso(stage, 0)


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A folder with one small repository, and the sha of its commit in a file beside it."""
    home = tmp_path / "clones" / "tracel-ai" / "burn"
    home.mkdir(parents=True)
    (home / "lib.rs").write_bytes(b"fn x() {}\r\n\xff")
    date = {"GIT_AUTHOR_DATE": "2026-01-02T03:04:05+02:00", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05+02:00"}
    who = {f"GIT_{role}_{part}": "x@example.invalid" for role in ("AUTHOR", "COMMITTER") for part in ("NAME", "EMAIL")}
    env = {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(tmp_path), "GIT_CONFIG_NOSYSTEM": "1"} | date | who
    for command in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "one"], ["tag", "v0.1.0"]):
        subprocess.run(["git", *command], cwd=home, env=env, check=True)
    return tmp_path / "clones"


def test_files_and_commits_of_a_clone(clone: Path) -> None:
    source = CloneSource(clone)
    found = source.find_commit(REPO, subprocess.check_output(
        ["git", "-C", str(clone / REPO), "rev-parse", "HEAD"], text=True).strip())  # fmt: skip
    assert found is not None
    assert found.date == "2026-01-02T01:04:05Z"
    assert source.find_commit(REPO, found.sha[:8]) == found
    assert source.read_blob(REPO, "lib.rs", found.sha) == b"fn x() {}\r\n\xff"
    assert source.read_blob(REPO, "lib.rs", "v0.1.0") == b"fn x() {}\r\n\xff"
    assert [source.read_blob(REPO, p, r) for p, r in (("no.rs", "v0.1.0"), ("lib.rs", "v9"), ("lib.rs", "--all"))] == [
        None
    ] * 3
    assert [source.find_commit(REPO, text) for text in ("0000000", "HEAD", "--all", "")] == [None] * 4


@pytest.mark.parametrize("repo", ["tracel-ai/cubecl", "../tracel-ai/burn", "tracel-ai/..", "burn", "a/b/c"])
def test_a_clone_that_is_not_there(clone: Path, repo: str) -> None:
    assert CloneSource(clone).read_blob(repo, "lib.rs", "v0.1.0") is None


@pytest.mark.parametrize("name", ["burn", "burn.git", "tracel-ai+burn", "tracel-ai/burn.git"])
def test_where_clones_may_lie(clone: Path, tmp_path: Path, name: str) -> None:
    other = tmp_path / "other" / name
    other.parent.mkdir(parents=True)
    subprocess.run(["git", "clone", "-q", "--bare", str(clone / REPO), str(other)], check=True)
    assert CloneSource(tmp_path / "other").read_blob(REPO, "lib.rs", "v0.1.0") == b"fn x() {}\r\n\xff"


def test_the_clone_is_asked_before_the_api(stage: Stage, clone: Path) -> None:
    stage.github.add_commit(REPO, {"lib.rs": "api", "more.rs": "api"}, refs=["v0.1.0"])
    source = stage.bot.source(stage.installation.id, clones=clone)
    assert source.read_blob(REPO, "lib.rs", "v0.1.0") == b"fn x() {}\r\n\xff"
    assert source.read_blob(REPO, "more.rs", "v0.1.0") == b"api"
