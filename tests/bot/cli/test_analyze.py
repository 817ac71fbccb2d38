"""`burn-triage analyze --batch` and `explain`, run as people run them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

CHECKOUT = Path(__file__).parents[3]
PANIC = (
    "thread 'main' panicked at /home/u/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/burn-fusion-0.21.0/"
    "src/stream/execution/ordering.rs:49:13:\nOrdering is bigger than operations\n"
)


def run(*arguments, text=b"", cwd=CHECKOUT):
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        input=text,
        capture_output=True,
        cwd=cwd,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(CHECKOUT),
            "HOME": "/nonexistent",
            "XDG_CACHE_HOME": str(CACHE),
        },
        check=False,
    )


CACHE = Path.home() / ".cache"


def batch(*lines):
    done = run("analyze", "--batch", text=b"".join(line + b"\n" for line in lines))
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def report(**fields):
    return json.dumps({"id": "a", "title": "", "body": "", "comments": []} | fields).encode()


def test_a_report_gets_its_verdict_and_the_first_line_names_the_knowledge_base():
    status, (verdict,), said = batch(report(body=f"```\n{PANIC}```"))
    assert status == 0
    assert said.startswith("knowledge base ")
    assert verdict["verdict"] == "matched"
    assert verdict["site"] == {
        "repo": "tracel-ai/burn",
        "revision": "v0.21.0",
        "path": "crates/burn-fusion/src/stream/execution/ordering.rs",
        "line": 49,
        "function": "OrderedExecution::execute_optimization",
        "permalink": "https://github.com/tracel-ai/burn/blob/546cacb55fe00168854d19bdf0a5d79bd8060e03/"
        "crates/burn-fusion/src/stream/execution/ordering.rs#L49",
    }
    assert verdict["panics"][0]["location"] == {
        "crate": "burn-fusion",
        "version": "0.21.0",
        "commit": None,
        "file": "src/stream/execution/ordering.rs",
        "line": 49,
        "column": 13,
    }


def test_a_bad_line_is_reported_and_the_run_goes_on():
    status, verdicts, _ = batch(
        b"{not json", report(id="b"), b'["a list"]', report(id="c", comments="one"), report(id="d")
    )
    assert status == 2
    assert [v["id"] for v in verdicts] == [None, "b", None, None, "d"]
    errors = [v["error"] for v in verdicts if "error" in v]
    assert "not JSON" in errors[0]
    assert errors[1:] == ["a report must be a JSON object", "`comments` must be a list of strings"]


def test_any_text_gets_a_verdict():
    bodies = ["\x00", "\ufeff", "\ud800", "\u202e" * 50, "`" * 5000, "> " * 5000, "\r\n\r\n", "<details>" * 500]
    status, verdicts, said = batch(*(report(body=body) for body in bodies))
    assert (status, [(v["verdict"], v["comment"]) for v in verdicts]) == (0, [("none", None)] * len(bodies)), said


def test_bytes_that_are_no_utf8_are_read_all_the_same():
    status, (verdict,), _ = batch(b'{"id": "a", "title": "\xff\xfe", "body": "", "comments": []}')
    assert (status, verdict["id"]) == (0, "a")


def test_explain_reads_a_log_from_stdin():
    done = run("explain", text=PANIC.encode())
    assert done.returncode == 0
    assert b"OrderedExecution::execute_optimization" in done.stdout
    assert b"/triage" not in done.stdout


def test_explain_says_why():
    done = run("explain", "--why", text=PANIC.encode())
    assert b"line 49, column 13 and the text agree with this site at v0.21.0" in done.stdout


def test_explain_without_a_panic_fails_quietly():
    done = run("explain", text=b"all is well\n")
    assert (done.returncode, done.stderr) == (1, b"")
    assert b"No Rust panic was found" in done.stdout


def test_explain_names_a_file_that_cannot_be_read():
    done = run("explain", "missing.log")
    assert done.returncode == 2
    assert b"cannot read missing.log" in done.stderr


def test_a_folder_of_clones_that_is_not_there_is_named():
    done = run("explain", "--clones", "/nowhere/at/all", text=b"all is well\n")
    assert done.returncode == 2
    assert b"--clones /nowhere/at/all: no such folder" in done.stderr


def test_evaluate_names_a_folder_without_cases(tmp_path):
    done = run("evaluate", "--cases", str(tmp_path))
    assert done.returncode == 2
    assert b"no case files" in done.stderr
