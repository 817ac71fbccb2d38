"""What a report says beside the panic."""

from __future__ import annotations

import pytest

from bot.triage.extract import read
from bot.triage.model import Report

SAID = [
    ("burn 0.18.0 on Linux", {"burn": "0.18.0"}),
    ("Burn version: 0.20", {"burn": "0.20"}),
    ("I use `burn-import` 0.16.1 here", {"burn": "0.16.1"}),
    ("cubecl 0.11.0-pre.2.", {"cubecl": "0.11.0-pre.2"}),
    ("burn-onnx 0.21.0.", {"burn-onnx": "0.21.0"}),
    ("onnx-ir 0.20.1", {"burn": "0.20.1"}),
    ("onnx-ir 0.21.0", {"burn-onnx": "0.21.0"}),
    ("In 0.19.0 this ends badly. In 0.18 I passed the axis by hand.", {"burn": "0.19.0"}),
    ("0.17 worked fine, burn 0.18 does not", {"burn": "0.18"}),
    ("Local clone (0.17-dev)", {"burn": "main"}),
    ("Same on main", {"burn": "main"}),
    ("Happens on cubecl main too", {"cubecl": "main"}),
    ("thread 'main' stops in main.rs, the main problem", {}),
    ("burn is at 859ca5b.", {"burn commit": "859ca5b"}),
    ("main at c9af669", {"burn": "main", "burn commit": "c9af669"}),
    ("git of early May 2025", {"burn": "main", "date": "2025-05"}),
    ("gpt-burn 0.3.0 and stable-diffusion-burn 0.2.0", {}),
    ("it takes 14.8 GB, 0.5 s, 0.3 %", {}),
    ("RTX 4090, Windows 11, rustc 1.85.0", {"gpu": "RTX 4090", "os": "Windows 11", "rust": "1.85.0"}),
    ("cargo run --features llama3,wgpu", {"feature": "wgpu", "backend": "wgpu"}),
    ("the wgpu backend is used, ndarray backend works", {"backend": "wgpu"}),
]


def facts(body: str, repo: str | None = None) -> dict[str, str]:
    return {fact.name: fact.value for fact in read(Report(None, "A report", body, (), repo)).facts}


@pytest.mark.parametrize(("body", "expected"), SAID)
def test_a_sentence_tells_its_facts(body: str, expected: dict[str, str]):
    got = facts(body)
    assert {name: got.get(name) for name in expected} == expected
    versions = {"burn", "cubecl", "cubek", "burn-onnx"}
    assert versions & set(got) == versions & set(expected)


MANIFESTS = [
    ('burn = "0.18"', {"burn": "0.18"}),
    ('burn = { version = "0.17.0", features = ["rocm", "fusion"] }', {"burn": "0.17.0", "backend": "rocm"}),
    ('burn = { git = "https://github.com/tracel-ai/burn", rev = "1f5ccd4" }', {"burn commit": "1f5ccd4"}),
    ('burn = { git = "https://github.com/tracel-ai/burn", tag = "v0.19.0" }', {"burn": "0.19.0"}),
    ('burn = { git = "https://github.com/tracel-ai/burn" }', {"burn": "main"}),
    ('[dependencies.burn]\nversion = "0.19.1"\nfeatures = ["cuda"]', {"burn": "0.19.1", "backend": "cuda"}),
    ('[[package]]\nname = "cubecl-runtime"\nversion = "0.8.1"', {"cubecl": "0.8.1"}),
    ('[[package]]\nname = "burn"\nversion = "0.19.0"\nsource = "git+https://x/burn#0abc1234567"',
     {"burn": "0.19.0", "burn commit": "0abc1234567"}),
    ('serde = "1.0"\nwgpu = "25.0"', {"wgpu": "25.0"}),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), MANIFESTS)
def test_cargo_files_are_read_in_a_fence(text: str, expected: dict[str, str]):
    got = facts(f"```toml\n{text}\n```")
    assert {name: got.get(name) for name in expected} == expected


def test_inline_dependencies_are_read():
    assert facts('I have `burn-import = "0.13.0"` in it')["burn"] == "0.13.0"


def test_paths_name_versions_too():
    body = "```\n  at /x/burn-tensor-0.16.0/src/a.rs:1:2\n  at /x/cubecl-runtime-0.6.0/src/b.rs:3:4\n```"
    assert facts(body) == {"burn": "0.16.0", "cubecl": "0.6.0"}


def test_a_bare_number_is_said_of_the_repository_where_the_report_stands():
    assert facts("seen with 0.10.0-pre.3", "tracel-ai/cubecl") == {"cubecl": "0.10.0-pre.3"}
    assert facts("seen with 0.10.0-pre.3", "somebody/app") == {}


def test_each_fact_knows_its_place_and_its_words():
    (fact,) = read(Report(None, "A report", "hello\n\nburn 0.18.0 here")).facts
    assert (fact.ref.part, fact.ref.start, fact.said) == ("body", 3, "burn 0.18.0")


def located(body: str, repo: str = "tracel-ai/burn"):
    return read(Report(None, "A report", body, (), repo)).panics[0].location


PANIC = "```\nthread 'main' panicked at {}:1:2:\nBoom goes it\n```"


def test_a_stated_commit_pins_a_place_of_its_repository():
    body = "burn is at 859ca5b.\n\n" + PANIC.format("crates/burn-import/src/a.rs")
    assert located(body).commit == "859ca5b"


def test_a_stated_commit_of_another_repository_pins_nothing():
    assert located("burn is at 859ca5b.\n\n" + PANIC.format("crates/cubecl-core/src/a.rs")).commit is None


def test_two_stated_commits_pin_nothing():
    body = "burn at 859ca5b and burn at 1f5ccd4.\n\n" + PANIC.format("crates/burn-import/src/a.rs")
    assert located(body).commit is None
