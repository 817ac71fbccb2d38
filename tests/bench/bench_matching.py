"""What matching costs: ours beside one regex per template and RapidFuzz over all templates; places; bodies; memory.

    python -m tests.bench.bench_matching

One run, one process, the same messages for all: printed sites of all releases and texts that are nobody's. Single
calls are timed; the body is a log of 20 KB with one panic in its middle, then the same without it.
"""

from __future__ import annotations

import re
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from random import Random

from rapidfuzz import fuzz, process

from bot.opening import open_for_command
from bot.triage.analyze import analyze
from bot.triage.extract import read
from bot.triage.knowledge import Knowledge
from bot.triage.known_text import read_known_text
from bot.triage.matching import match_panic
from bot.triage.model import Location, PanicReport, Report, SourceRef
from bot.triage.verdict import decide
from kb.messages import SHORTEST_LITERAL
from kb.model import LOCATED_KINDS, PANIC_KINDS, SiteKind
from kb.template import MessageTemplate, literal_length, literals, squeeze
from tests.bot.triage import printed_sites as printed

KB = Path(__file__).parents[2] / "kb"
MESSAGES = 300
PLACES = 300
ROUNDS = 25
LOG = (
    "[2026-05-29T17:21:58Z INFO  cubecl_runtime::tune::tuner] Tuning ReduceKey { axis: true, size: 1024 }, Writes: 8\n"
)
FOREIGN = (
    "ndarray: could not broadcast array from shape: [2] to: [1]",
    "wgpu error: Validation Error",
    "Slice end 785 is past end of axis of length 784",
    "failed to find an appropriate adapter",
)


def timed(calls: Sequence[Callable[[], object]]) -> tuple[float, float]:
    """Median and 90th percentile of single calls, microseconds."""
    taken = []
    for call in calls:
        start = time.process_time_ns()
        call()
        taken.append((time.process_time_ns() - start) / 1000)
    return statistics.median(taken), statistics.quantiles(taken, n=10)[-1]


def shown(what: str, figures: tuple[float, float], goal: str = "") -> None:
    print(f"{what:44} median {figures[0]:9.1f} us, p90 {figures[1]:9.1f} us  {goal}")


def sites(knowledge: Knowledge, number: int) -> list[tuple[object, str]]:
    """Sites of all releases with what they print."""
    index, pick, found = knowledge.index, Random(3), []
    keys = index.keys(LOCATED_KINDS - {SiteKind.MACRO_CALL, SiteKind.CUBE, SiteKind.CHECK})
    while len(found) < number:
        key = pick.choice(keys)
        revision = index.stands(key)[0][0]
        for site in index.places(key, revision)[:1]:
            message = printed.printed_message(site, index, pick)
            if message and not site.test and not site.macro_body:
                found.append((site, message))
    return found


def regexes(knowledge: Knowledge) -> list[re.Pattern[str]]:
    """One anchored pattern per template that ours uses: the obvious first version."""
    keys = {(k.kind, k.template) for k in knowledge.index.keys(PANIC_KINDS)}
    forms = [MessageTemplate(k, t).printed for k, t in sorted(keys) if literal_length(t) >= SHORTEST_LITERAL]
    return [re.compile(".*?".join(map(re.escape, literals(form)))) for each in forms for form in each]


def messages(knowledge: Knowledge) -> None:
    """One message against all templates, three ways."""
    texts = [squeeze(text) for _, text in sites(knowledge, MESSAGES)] + [*FOREIGN] * 10
    patterns, wordings = regexes(knowledge), knowledge.panics.wordings
    print(f"{len(texts)} messages, {len(patterns)} patterns, {len(wordings)} wordings")
    shown("message, ours", timed([lambda t=t: knowledge.panics.match(t) for t in texts]), "goal 50")
    shown("message, a regex per template", timed([lambda t=t: [p for p in patterns if p.match(t)] for t in texts[::6]]))
    fuzzy = [lambda t=t: process.extract(t, wordings, scorer=fuzz.ratio, limit=5) for t in texts[::6]]
    shown("message, RapidFuzz ratio", timed(fuzzy))
    wide = [lambda t=t: process.extract(t, wordings, scorer=fuzz.WRatio, limit=5) for t in texts[::20]]
    shown("message, RapidFuzz WRatio", timed(wide))


def places(knowledge: Knowledge) -> None:
    """A panic whose path names its release, from location to candidates: all different, then again."""
    asked = []
    for site, message in sites(knowledge, PLACES):
        crate = printed.crate_of(site, knowledge.index)
        if crate:
            where = Location(crate[2], site.line, site.column, crate[0], crate[1])
            asked.append(PanicReport(message, where, "rust_1_73", SourceRef("body")))
    calls = [lambda p=p: match_panic(p, (), None, knowledge) for p in asked]
    shown("panic with its release, not cached", timed(calls))
    shown("panic with its release, again", timed(calls), "goal 50 for the look-up")


def body(size: int, panic: str) -> str:
    """A log of about `size` characters with a panic in its middle."""
    half = LOG * (size // len(LOG) // 2)
    return f"It stops after an hour.\n\n```\n{half}{panic}{half}```\n"


def bodies(knowledge: Knowledge) -> None:
    """The stages of an analysis of 20 KB, and the whole of it."""
    panic = (
        "thread 'main' panicked at /home/me/.cargo/registry/src/index.crates.io-1949cf8c6b5b557f/burn-ir-0.21.0/src/"
        "handle.rs:97:32:\nShould have handle for tensor TensorId { value: 7 }\n"
    )
    for name, text in (("with a panic", panic), ("without", "")):
        report = Report(None, "It stops", body(20_000, text), (), "tracel-ai/burn", "2026-05-20")
        print(f"body of {len(report.body)} characters, {name}")
        shown("  read", timed([partial(read, report)] * ROUNDS))
        if text:
            stages(report, knowledge)
        else:
            shown("  known texts", timed([partial(read_known_text, report, knowledge)] * ROUNDS))
        shown("  analyze", timed([partial(analyze, report, knowledge)] * ROUNDS), "goal 10000")


def stages(report: Report, knowledge: Knowledge) -> None:
    """What follows reading."""
    reading = read(report)
    root = reading.root
    assert root is not None
    match = partial(match_panic, root, reading.facts, report.created_at, knowledge)
    shown("  match", timed([match] * ROUNDS), "goal 3000")
    shown("  decide", timed([partial(decide, reading, match(), knowledge)] * ROUNDS))


def main() -> None:
    start = time.perf_counter()
    knowledge, _ = open_for_command(KB, None)
    print(f"opened in {time.perf_counter() - start:.2f} s")
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"everything loaded: {memory:.0f} MB, goal 200")
    messages(knowledge)
    places(knowledge)
    bodies(knowledge)
    print(f"peak of this run: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
