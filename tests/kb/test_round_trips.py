"""What is written reads back the same, for any index and not only for those that tests think of."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from kb.model import FileFacts, FunctionSpan, SiteKind, SourceSite
from kb.records import CommitRecord, CrateRecord, Identity, RepoIndex, RequirementRecord, RevisionRecord
from kb.sitefiles import bit_runs, decode, encode
from kb.source.assemble import FileState, RevisionFacts, assemble, disassemble, move_bits
from kb.source.scan import FileScan
from kb.source.scancodec import pack, unpack

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
NAME = st.from_regex(r"[a-z_][a-z0-9_]{0,5}", fullmatch=True)
PATH = st.builds("{}/src/{}.rs".format, NAME, NAME)
NUMBER = st.integers(1, 5000)
IDENTITY = st.builds(
    Identity, TEXT, st.sampled_from(SiteKind), TEXT, TEXT, NAME | st.just(""), st.booleans(), st.booleans()
)
SITES = st.lists(st.tuples(IDENTITY, NUMBER, NUMBER), max_size=4).map(tuple)
SPANS = st.lists(st.tuples(TEXT, NUMBER, NUMBER, st.booleans(), st.booleans()), max_size=3).map(tuple)
STATE = st.builds(FileState, NAME | st.just(""), SITES, SPANS)


@st.composite
def indexes(draw: st.DrawFn) -> RepoIndex:
    """Up to four revisions over a few files; a file often stays as it was."""
    count = draw(st.integers(1, 4))
    paths = draw(st.lists(PATH, min_size=1, max_size=3, unique=True))
    states = draw(st.lists(STATE, min_size=1, max_size=3))
    facts = []
    for place in range(count):
        chosen = {path: draw(st.sampled_from([None, *states])) for path in paths}
        record = RevisionRecord(
            f"v0.{place}.0",
            draw(st.from_regex(r"[0-9a-f]{40}", fullmatch=True)),
            "2024-01-01T00:00:00Z",
            draw(st.booleans()),
            {name: CrateRecord(f"crates/{name}", "0.1.0") for name in draw(st.lists(NAME, max_size=2))},
            {name: RequirementRecord("1", "", "1.0.0") for name in draw(st.lists(NAME, max_size=2))},
            dict.fromkeys(draw(st.lists(NAME, max_size=2)), ("g",)),
        )
        facts.append(RevisionFacts(record, {path: state for path, state in chosen.items() if state is not None}))
    names = draw(st.dictionaries(NAME, st.integers(1, 2**count - 1), max_size=4))
    commits = [CommitRecord("a" * 40, "2024-01-01T00:00:00Z", "v0.0.0", main=True)]
    return assemble("a/b", facts, names, commits)


@given(indexes())
@settings(deadline=None, max_examples=60)
def test_files_read_back_give_the_index(index: RepoIndex):
    written = encode(index)
    assert decode("a/b", written) == index
    assert encode(decode("a/b", written)) == written


@given(indexes())
@settings(deadline=None, max_examples=60)
def test_an_index_taken_apart_and_put_together_is_the_same(index: RepoIndex):
    assert assemble(index.repo, disassemble(index), index.names, index.commits) == index


@given(indexes(), st.data())
@settings(deadline=None, max_examples=60)
def test_revisions_put_in_later_give_the_same_index(index: RepoIndex, data: st.DataObject):
    facts = disassemble(index)
    kept = [i for i in range(len(facts)) if data.draw(st.booleans())]
    names = move_bits(index.names, {old: new for new, old in enumerate(kept)})
    part = decode("a/b", encode(assemble("a/b", [facts[i] for i in kept], names, index.commits))) if kept else None
    again = dict(zip(kept, disassemble(part), strict=True)) if part is not None else {}
    merged = [again.get(i, facts[i]) for i in range(len(facts))]
    assert encode(assemble("a/b", merged, index.names, index.commits)) == encode(index)


@given(st.integers(0, 2**70))
def test_runs_of_bits_are_the_bits(mask: int):
    runs = bit_runs(mask)
    assert sum((1 << last + 1) - (1 << first) for first, last in runs) == mask
    assert all(after[0] > before[1] + 1 for before, after in pairwise(runs))


@given(
    st.lists(st.builds(SourceSite, TEXT, st.sampled_from(SiteKind), TEXT, NUMBER, NUMBER, st.booleans(), target=TEXT)),
    st.lists(st.builds(FunctionSpan, TEXT, NUMBER, NUMBER, st.booleans(), st.booleans())),
    st.lists(NAME, unique=True).map(sorted),
    st.dictionaries(NAME, st.frozensets(NAME)),
)
@settings(deadline=None, max_examples=60)
def test_a_packed_scan_unpacks_to_itself(sites, spans, names, macros):
    facts = FileFacts(tuple(sites), tuple(spans), tuple(names), fallback=True)
    scan = FileScan(facts, macros, macros, frozenset(names))
    assert unpack(pack(scan)) == scan
