"""Facts from Cargo.toml and Cargo.lock excerpts, wherever they are pasted; and which repository a crate belongs to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bot.triage.markdown import Line

_BURN = frozenset(
    [
        "autodiff",
        "backend",
        "backend-extension",
        "backend-tests",
        "candle",
        "collective",
        "common",
        "communication",
        "compute",
        "core",
        "cpu",
        "cubecl",
        "cubecl-fusion",
        "cuda",
        "dataset",
        "derive",
        "dispatch",
        "flex",
        "fusion",
        "hip",
        "import",
        "ir",
        "jit",
        "ndarray",
        "nn",
        "no-std-tests",
        "optim",
        "pack",
        "remote",
        "rl",
        "rocm",
        "router",
        "std",
        "store",
        "tch",
        "tensor",
        "tensor-testgen",
        "train",
        "vision",
        "vulkan",
        "webgpu",
        "wgpu",
        "metal",
    ]
)
_CUBECL = frozenset(
    [
        "attention",
        "common",
        "convolution",
        "core",
        "cpp",
        "cpu",
        "cuda",
        "environment",
        "hip",
        "ir",
        "linalg",
        "macros",
        "macros-internal",
        "matmul",
        "metal",
        "opt",
        "quant",
        "random",
        "reduce",
        "runtime",
        "spirv",
        "std",
        "wgpu",
        "zspace",
    ]
)
_CUBEK = frozenset(["attention", "convolution", "matmul", "quant", "random", "reduce"])
_OTHERS = {name: name for name in ("wgpu", "tch", "ndarray", "cudarc", "candle-core")} | {
    "rustc": "rust",
    "rust": "rust",
}

BACKENDS = {
    **{
        name: name
        for name in (
            "wgpu",
            "cuda",
            "ndarray",
            "tch",
            "candle",
            "rocm",
            "hip",
            "metal",
            "vulkan",
            "webgpu",
            "flex",
            "cpu",
        )
    },
    "libtorch": "tch",
}
"""Cargo features and words that name a backend, with the backend's one name."""

_DEPENDENCY = re.compile(r"\s*\"?([a-z][\w-]*)\"?\s*=\s*(?:\"([^\"]{1,40})\"|\{(.{1,600}?)\}?\s*,?\s*$)")
_INLINE = re.compile(r"`?(?<![\w-])([a-z][\w-]*)`?\s*=\s*(?:\"([^\"\s]{1,40})\"|\{([^{}]{1,400})\})")
_TABLE = re.compile(r"\s*\[(?:[\w.-]*dependencies\.)([\w-]+)\]")
_KEY = re.compile(r"\s*(name|version|source|features|git|rev|tag|branch)\s*=\s*(.{1,400})$")
_VALUE = re.compile(r"\b(version|rev|tag|branch)\s*=\s*\"([^\"]{1,60})\"")
_FEATURES = re.compile(r"features\s*=\s*\[([^\]]{0,300})\]?")
_SOURCE = re.compile(r"git\+\S{1,200}#([0-9a-f]{7,40})")
_NUMBER = re.compile(r"[\^~=<> ]*v?(\d+(?:\.\d+){0,2}(?:-[\w.]+)?)")
_LONGEST = 1000


@dataclass(frozen=True, slots=True)
class Said:
    """A fact before it has its place."""

    name: str
    value: str
    words: str


def home_of(crate: str, version: str) -> str | None:
    """The repository (its short name) of a crate of the family, the crate itself for a few others, else None.

    `onnx-ir` moved from burn to burn-onnx after 0.20. Other people's crates with burn in their name are nobody's.
    """
    crate = crate.replace("_", "-")
    if crate == "burn" or (crate.startswith("burn-") and crate[5:] in _BURN):
        return "burn"
    if crate == "burn-onnx":
        return "burn-onnx"
    if crate in ("onnx-ir", "onnx-ir-derive"):
        return "burn" if not version or _minor(version) < 21 else "burn-onnx"
    if crate == "cubecl" or (crate.startswith("cubecl-") and crate[7:] in _CUBECL):
        return "cubecl"
    if crate == "cubek" or (crate.startswith("cubek-") and crate[6:] in _CUBEK):
        return "cubek"
    return _OTHERS.get(crate)


def _minor(version: str) -> int:
    parts = version.split(".")
    return int(parts[1]) if len(parts) > 1 and parts[1].isdecimal() else 0


def cargo_said(lines: Sequence[Line]) -> dict[int, list[Said]]:
    """Facts by line index. A table or a lock entry runs over lines; everything else stands on its own."""
    found: dict[int, list[Said]] = {}
    crate = ""
    for at, line in enumerate(lines):
        text = line.text[:_LONGEST]
        if "=" not in text and "[" not in text:
            if not text.strip():
                crate = ""
            continue
        table = _TABLE.match(text)
        if table:
            crate = table[1]
            continue
        if "=" not in text:
            found[at] = []
            continue
        key = _KEY.match(text)
        if key and key[1] == "name":
            crate = key[2].strip("\"' ")
        elif key and crate:
            found[at] = list(_of_key(crate, key[1], key[2], text))
        else:
            found[at] = list(_dependencies(text))
    return found


def _of_key(crate: str, key: str, value: str, words: str) -> Iterator[Said]:
    home = home_of(crate, value.strip("\"' "))
    if home is None:
        return
    if key == "features":
        yield from _feature_list(f"features = {value}", words)
    elif key == "source":
        commit = _SOURCE.search(value)
        if commit:
            yield Said(f"{home} commit", commit[1], words)
    else:
        yield from _pinned(home, key, value.strip("\"' "), words)


def _dependencies(text: str) -> Iterator[Said]:
    whole = _DEPENDENCY.match(text)
    for match in [whole] if whole else _INLINE.finditer(text):
        home = home_of(match[1], match[2] or "")
        if home is None:
            continue
        if match[2]:
            yield from _pinned(home, "version", match[2], match[0])
            continue
        keys = list(_VALUE.finditer(match[3]))
        for key in keys:
            yield from _pinned(home, key[1], key[2], match[0])
        if not keys and re.search(r"\bgit\s*=", match[3]):
            yield Said(home, "main", match[0])
        yield from _feature_list(match[3], match[0])


def _pinned(home: str, key: str, value: str, words: str) -> Iterator[Said]:
    if key == "branch":
        if value in ("main", "master"):
            yield Said(home, "main", words)
    elif key == "rev":
        if re.fullmatch(r"[0-9a-f]{7,40}", value):
            yield Said(f"{home} commit", value, words)
    elif key in ("version", "tag"):
        number = _NUMBER.match(value)
        if number:
            yield Said(home, number[1], words)


def _feature_list(text: str, words: str) -> Iterator[Said]:
    listed = _FEATURES.search(text)
    for name in listed[1].split(",") if listed else ():
        yield from feature(name, words)


def feature(name: str, words: str) -> Iterator[Said]:
    """A cargo feature as facts: itself, and the backend that it turns on."""
    name = name.strip("\"' ").rsplit("/", 1)[-1].lower()
    if name and len(name) < 40:
        yield Said("feature", name, words)
        if name in BACKENDS:
            yield Said("backend", BACKENDS[name], words)
