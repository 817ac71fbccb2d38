"""What a report says beside the panic: versions, commits, backends, features, systems. Each with its place and words.

Names of facts: `burn`, `cubecl`, `cubek`, `burn-onnx` (a version, or `main`); `burn commit` and the like (a sha);
`wgpu`, `tch`, `ndarray`, `cudarc`, `rust` (a version); `date` (`2025-11`, said of a git state); `backend`, `feature`,
`os`, `gpu` (as written, the first two in lower case).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bot.triage.cargo_facts import BACKENDS, Said, cargo_said, feature, home_of
from bot.triage.markdown import Line
from bot.triage.model import Fact, Location, SpanKind

MAX_FACTS = 80
_LONGEST = 1000

_CRATE = r"(burn(?:-[a-z]+)*|cubecl(?:-[a-z]+)*|cubek(?:-[a-z]+)*|onnx-ir|wgpu|tch|ndarray|cudarc|rustc?|Rust)"
_VERSION = r"(\d+\.\d+(?:\.\d+)?(?:-(?:pre|alpha|beta|rc|dev)[.\d]*|\.x)?)"
_NAMED = re.compile(
    rf"(?<![\w/.\\-]){_CRATE}[`\"*_]*(?:[ ]+(?:crates?|version|release|is|at|on"
    rf"|to))*[\s:=@(`\"*_|~^-]{{1,6}}[vV]?{_VERSION}(?![\w.]*/)(?!\.\d)(?! ?[GMK]i?B\b)",
    re.IGNORECASE,
)
_OF_NAMED = re.compile(rf"\b[vV]ersion\s+[vV]?{_VERSION}\s+of\s+`?{_CRATE}\b", re.IGNORECASE)
_UNNAMED = re.compile(
    r"(?:\b(?:in|with|on|version|release|since|using|is|to|and|or)\s*:?\**\s*|^\W*"
    r"|[(,]\s?)`?[vV]?(0\.\d+(?:\.\d+)?(?:-(?:pre|alpha|beta|rc|dev)[.\d]*)?)(?![\w%]|\.\d|\s?(?:%|s\b|ms|GB|MB"
    r"|GiB|\.\.))",
    re.IGNORECASE,
)
_IN_PATH = re.compile(r"(?<![\w-])([a-z][a-z_]*(?:-[a-z]+)*)-(\d+\.\d+\.\d+(?:-(?:pre|alpha|beta|rc)\.?\d*)?)[/\\]")
_WAS_FINE = re.compile(
    r"\s*[^.,;\n]{0,25}?\b(?:works?|worked|working|(?:was|is|were|seems?) (?:still )?(?:fine|ok|okay|good"
    r"|right))\b|\s*(?:I|we) \w+ed the",
    re.IGNORECASE,
)
_FINE_BEFORE = re.compile(
    r"\b(?:from|works?(?: \w+)? (?:with|in|on)|worked(?: \w+)? (?:with|in|on)|fine (?:with|in|on)|not (?:in"
    r"|with)|before|until|older than"
    r"|than|unlike)\s*(?:burn\s*)?[vV]?$",
    re.IGNORECASE,
)
_MAIN = re.compile(
    r"(?:\b(?:burn|cubecl|git|latest|current|on|tracks?|tracking|from|with|using|todays?|against"
    r"|both)\b[ `'(]{1,3}(?:the )?`?(main|master)\b"
    r"(?![.\w(/'-])|^\W*(main|master) (?:branch|of|as of|at|from)\b|\b(main|master)(?: branch\b| of (?:early "
    r"|late |mid |today|\w+ 20)| at [0-9a-f]{7}| as of\b"
    r"| \([0-9a-f]{7}|,? (?:of )?(?:January|February|March|April|May|June|July|August|September|October"
    r"|November|December) 20)"
    r"|\bgit (?:version|HEAD|of (?:early |late |mid )?\w+ 20\d\d)|\bboth \S+ and git\b|\bby git\b|\b0\.\d+-dev\b)",
    re.IGNORECASE,
)
_STATE_WORD = re.compile(r"[Mm][Aa]|[Gg][Ii][Tt]|-[Dd][Ee][Vv]")
"""Stands in whatever `_MAIN` finds, and is looked for in a tenth of the time."""
_ELSE = re.compile(
    r"\b(?:tch|torch|pytorch|ndarray|onnx|opset|onnxruntime|candle|python|rust|cuda|rocm)\b[^.;,]*$", re.IGNORECASE
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = re.compile(
    r"\b(January|February|March|April|May|June|July|August|September|October|November|December|(?:Jan|Feb|Mar"
    r"|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\.?)"
    r"(?: \d{1,2}(?:st|nd|rd|th)?,?)? (20\d\d)\b|\b(20\d\d)-([01]\d)(?:-[0-3]\d)?\b"
)
_SHA = re.compile(r"(?<![\w/.#@%-])`?([0-9a-f]{7,40})(?![\w/-]|\.\w)")
_HEX = re.compile(r"[0-9a-f]{7}")
_POINT = re.compile(r"\d\.\d")
_SHA_CUE = re.compile(
    r"\b(?:commit|revision|sha)\b[^.;]{0,25}$|\b(?:at|commit|rev|revision|git|main|master|with|to|sha|hash"
    r"|checkout|burn|cubecl|cubek|onnx|HEAD|version"
    r"|on|is|from|updated)\W{0,4}$",
    re.IGNORECASE,
)
_REPO_WORD = re.compile(r"\b(burn-onnx|burn|cubecl|cubek)\b", re.IGNORECASE)
_BACKEND = re.compile(
    r"\b(?:(?:backend|with|on|using|feature)s?\W{1,3})?(wgpu|cuda|ndarray|libtorch|tch|candle|rocm|hip|metal"
    r"|vulkan|webgpu|flex|cpu)\b(\W{1,2}(?:backend|feature))?",
    re.IGNORECASE,
)
_CLI_FEATURES = re.compile(r"--features[= ]+[\"']?([\w,/ -]{1,200}?)(?=[\"'`]|\s--|\s*$|\s[^\w])")
_OS = re.compile(
    r"\b(Windows (?:1[01]|7|8(?:\.1)?|Server \d{4})|Windows|Ubuntu(?: \d\d\.\d\d(?:\.\d)?)?|Debian(?: \d+)?"
    r"|Fedora(?: \d+)?|Arch(?: Linux)?|NixOS"
    r"|Pop!?_OS(?: \d\d\.\d\d)?|Manjaro|openSUSE|CentOS(?: \d)?|WSL2?|macOS(?: (?:\d+(?:\.\d+)*|[A-Z][a-z]+))?"
    r"|Mac OS X|Android(?: \d+)?|iOS(?: \d+)?|Linux)\b"
)
_GPU = re.compile(
    r"\b((?:GeForce |NVIDIA |Nvidia )*(?:RTX|GTX) ?(?:A?\d{3,4})(?: ?(?:Ti|SUPER|Super|Mobile|Laptop))*|(?:AMD "
    r"|Radeon )*RX ?\d{3,4}(?: ?(?:XTX|XT|M|GRE))?"
    r"|(?:NVIDIA |Nvidia )?(?:Tesla )?(?:A100|H100|H200|V100|P100|T4|L4|L40S?|P40|K80)"
    r"|(?:Apple )?M[1-5](?: (?:Max|Pro|Ultra))?(?= |\b)|(?:Intel )?Arc (?:A|B)\d{3}"
    r"|Radeon (?:\d{3}M|Pro \w+|VII)|Snapdragon \w+|llvmpipe)\b"
)
_TOOLCHAIN = re.compile(
    r"\brustc (\d+\.\d+\.\d+(?:-\w+)?)|\b[Rr]ust (?:version |toolchain )?(\d\.\d+(?:\.\d+)?|nightly|stable)\b"
)


_WORDS = re.compile(
    r"burn|cube|onnx|git|main|master|wgpu|cuda|ndarray|torch|tch|candle|rocm|hip|metal|vulkan|flex|cpu|feature"
    r"|windows|ubuntu"
    r"|debian|fedora|arch|nix|linux|mac|wsl|android|ios|snapdragon|llvmpipe|rust|manjaro|suse|centos|pop|rtx"
    r"|gtx|rx ?\d"
    r"|m[1-5]\b|[avlpth]\d|k80|arc |radeon|nvidia|geforce|tesla",
    re.IGNORECASE,
)
"""A word that the surroundings of a panic are told with; a line without one and without numbers tells nothing."""


def read_facts(lines: Sequence[Line], repo: str | None = None) -> tuple[Fact, ...]:
    """All facts in reading order, each name and value once. `repo`: where the report stands, of whom "0.18" is said."""
    facts: dict[tuple[str, str], Fact] = {}
    here = _here(repo)
    cargo = cargo_said(lines)
    for at, line in enumerate(lines):
        for said in (*cargo.get(at, ()), *_said(line, here)):
            key = (said.name, said.value)
            if key not in facts and len(facts) < MAX_FACTS:
                facts[key] = Fact(said.name, said.value, line.ref(), said.words.strip()[:200])
    return tuple(facts.values())


def _here(repo: str | None) -> str | None:
    name = (repo or "tracel-ai/burn").split("/")[-1]
    return name if name in ("burn", "cubecl", "cubek", "burn-onnx") else None


def _said(line: Line, here: str | None) -> Iterator[Said]:
    text = line.text[:_LONGEST]
    worded = _WORDS.search(text) is not None
    numbered = "." in text and _POINT.search(text) is not None
    if numbered and "-" in text:
        yield from _in_paths(text)
    if worded:
        yield from _features(text)
    if line.kind is SpanKind.CODE:
        return
    named = list(_named(text)) if numbered and worded else []
    yield from named
    if worded or _HEX.search(text):
        yield from _git_state(text, here)
    if numbered and here and not any(said.name == here for said in named):
        yield from _unnamed(text, here)
    if worded:
        yield from _surroundings(text)


def _in_paths(text: str) -> Iterator[Said]:
    for match in _IN_PATH.finditer(text):
        home = home_of(match[1], match[2])
        if home:
            yield Said(home, match[2], match[0].rstrip("/\\"))


def _named(text: str) -> Iterator[Said]:
    for match in (*_NAMED.finditer(text), *_OF_NAMED.finditer(text)):
        crate, version = (match[1], match[2]) if match.re is _NAMED else (match[2], match[1])
        home = home_of(crate.lower(), version)
        if home and not _is_past(text, match.start(), match.end()):
            yield Said(home, _version(version), match[0])


def _unnamed(text: str, here: str) -> Iterator[Said]:
    for match in _UNNAMED.finditer(text):
        others = _ELSE.search(text[max(0, match.start() - 60) : match.start(1)])
        if not others and not _is_past(text, match.start(1), match.end()):
            yield Said(here, _version(match[1]), match[0])


def _version(text: str) -> str:
    return "main" if text.endswith("-dev") else text.removesuffix(".x").rstrip(".-")


def _is_past(text: str, start: int, end: int) -> bool:
    """Said of a version that had no fault, or that was left behind."""
    return bool(_FINE_BEFORE.search(text[max(0, start - 40) : start]) or _WAS_FINE.match(text[end : end + 60]))


def _git_state(text: str, here: str | None) -> Iterator[Said]:
    state = _MAIN.search(text) if _STATE_WORD.search(text) else None
    if state:
        home = _repo_near(text, state.end()) or here
        if home:
            yield Said(home, "main", state[0])
    found_sha = False
    for match in _SHA.finditer(text):
        sha = match[1]
        if sha.isdigit() or sha.isalpha():
            continue
        cue = _SHA_CUE.search(text[max(0, match.start() - 30) : match.start()])
        bracketed = text[max(0, match.start() - 1) : match.start()] == "("
        home = _repo_near(text, match.start()) or here
        if (cue or bracketed) and home:
            found_sha = True
            yield Said(f"{home} commit", sha, text[max(0, match.start() - 30) : match.end()])
    if state or found_sha or re.search(r"\bgit\b|\bclone\b", text):
        for month in _MONTH.finditer(text):
            year, number = (
                (month[2], _MONTHS.index(month[1][:3].lower()) + 1) if month[1] else (month[3], int(month[4]))
            )
            yield Said("date", f"{year}-{number:02}", month[0])


def _repo_near(text: str, at: int) -> str | None:
    """The repository named last before `at` in the same sentence."""
    sentence = re.split(r"[.!?]\s", text[max(0, at - 120) : at])[-1]
    names = _REPO_WORD.findall(sentence)
    return names[-1].lower() if names else None


def _features(text: str) -> Iterator[Said]:
    for match in _CLI_FEATURES.finditer(text):
        for name in re.split(r"[,\s]+", match[1]):
            yield from feature(name, match[0])


def _surroundings(text: str) -> Iterator[Said]:
    for match in _BACKEND.finditer(text):
        near = match[0].lower()
        if (near != match[1].lower()) and not _is_past(text, match.start(), match.end()):
            yield Said("backend", BACKENDS[match[1].lower()], match[0])
    for pattern, name in ((_OS, "os"), (_GPU, "gpu")):
        for match in pattern.finditer(text):
            yield Said(name, match[1], match[0])
    for match in _TOOLCHAIN.finditer(text):
        yield Said("rust", match[1] or match[2], match[0])


def stated_commit(location: Location, part: tuple[str, int], facts: Iterable[Fact]) -> str | None:
    """The commit that the reporter names for this location's repository, where the path itself pins nothing.

    Only from the same part of the report (title and body are one), and only if there is no doubt which.
    """
    if location.std or location.version or location.commit or not location.crate:
        return None
    home = home_of(location.crate, "")
    found = {
        fact.value
        for fact in facts
        if home and fact.name == f"{home} commit" and (fact.ref.part.replace("title", "body"), fact.ref.index) == part
    }
    return found.pop() if len(found) == 1 else None


def with_stated_commit(location: Location, part: tuple[str, int], facts: Iterable[Fact]) -> Location:
    """The location with the commit of `stated_commit`, itself where there is none."""
    commit = stated_commit(location, part, facts)
    return replace(location, commit=commit) if commit else location
