"""What a visitor types finds what is meant: words, whole messages, filters, and nothing for nothing."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from bot.web.search import Doc, Query, Run, put_right, search, tokens
from bot.web.shelf import Shelf


def doc(name: str, head: str, *, explained: bool = True, runs: tuple[Run, ...] = (), **more: str) -> Doc:
    return Doc(
        id=name,
        explained=explained,
        title=head,
        message=head,
        summary="",
        repos=(more.get("repo", "tracel-ai/burn"),),
        crates=(more.get("crate", "burn-core"),),
        kinds=(more.get("kind", "panic"),),
        severity=more.get("severity", "error"),
        runs=runs,
        keys=(f"key of {name}",),
        head=head.lower(),
        words=f"{head} {more.get('words', '')}".lower(),
    )


def names(found: object) -> list[str]:
    return [one.id for one in found.docs]  # type: ignore[attr-defined]


def test_every_word_must_be_there():
    docs = [doc("a", "Should have handle"), doc("b", "Should have step"), doc("c", "handle", words="should have")]
    assert names(search(docs, Query("should have HANDLE"))) == ["a", "c"]


def test_entries_come_before_bare_sites_and_the_phrase_before_its_words():
    docs = [
        doc("site", "not on the device", explained=False),
        doc("words", "device on which it is not"),
        doc("phrase", "it is not on the device"),
    ]
    assert names(search(docs, Query("not on the device"))) == ["phrase", "words", "site"]


def test_a_template_that_fits_counts_whatever_values_the_text_holds():
    docs = [doc("a", "handle for {id}"), doc("b", "other")]
    assert names(search(docs, Query("handle for 51"), ["key of a"])) == ["a"]


def test_where_nothing_has_all_words_most_of_them_are_enough_and_that_is_said():
    docs = [doc("a", "matmul shapes do not fit"), doc("b", "device lost")]
    found = search(docs, Query("matmul shapes mismatch"))
    assert (names(found), found.loose) == (["a"], True)


@pytest.mark.parametrize(
    ("text", "kb_id", "instead"),
    [
        ("embeding backward", "KB-0001", "embedding backward"),
        ("quantisation not suported yet", "KB-0002", "quantization not supported yet"),
        ("BufferTooBigg", "KB-0007", "buffertoobig"),
    ],
)
def test_a_mistyped_word_is_put_right_and_that_is_said(shelf: Shelf, text: str, kb_id: str, instead: str):
    found = shelf.search(Query(text))
    assert (found.docs[0].id, found.instead) == (kb_id, instead)


def test_words_that_are_there_are_never_changed(shelf: Shelf):
    assert put_right(("embedding", "xyzzyplugh", "cat"), shelf.docs, shelf.words) == ("embedding", "xyzzyplugh", "cat")


def test_words_that_nothing_has_find_nothing():
    assert names(search([doc("a", "matmul")], Query("xyzzy plugh"))) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (Query(repo="tracel-ai/cubecl"), ["b"]),
        (Query(crate="cubecl-wgpu"), ["b"]),
        (Query(kind="todo"), ["b"]),
        (Query(severity="usage"), ["b"]),
        (Query(explained=True), ["a", "b"]),
        (Query(orders={"tracel-ai/burn": 4}), ["a"]),
        (Query(orders={"tracel-ai/burn": 6}), []),
        (Query(orders={"tracel-ai/cubecl": 2}), ["b"]),
        (Query(orders={}), []),
    ],
)
def test_filters(query: Query, expected: list[str]):
    docs = [
        doc("a", "one", runs=(Run("tracel-ai/burn", 1, 5),)),
        doc("b", "two", repo="tracel-ai/cubecl", crate="cubecl-wgpu", kind="todo", severity="usage",
            runs=(Run("tracel-ai/cubecl", 2, 2),)),
        doc("c", "three", explained=False),
    ]  # fmt: skip
    assert names(search(docs, query)) == expected


def test_noise_of_a_header_is_no_word_but_alone_it_is_all_there_is():
    assert tokens("thread 'main' panicked at Handle_x 7") == ("handle_x", "7")
    assert tokens("thread main") == ("thread", "main")


@pytest.mark.parametrize(
    ("text", "kb_id"),
    [
        ("embedding backward", "KB-0001"),
        ("Can't differentiate embedding backward.", "KB-0001"),
        ("Should have handle for tensor TensorId { value: 51 }", "KB-0004"),
        ("KB-0007", "KB-0007"),
        ("kb-0007", "KB-0007"),
        ("fd0de0d722285fea", "KB-0001"),
        ("<Autodiff as ModuleOps>::embedding_backward", "KB-0001"),
        ("burn#4252", "KB-0016"),
        ("redefinition powf_primitive", "KB-0008"),
        ("thread 'main' panicked at 'Can't differentiate embedding backward.'", "KB-0001"),
    ],
)
def test_what_people_type_finds_the_entry_first(shelf: Shelf, text: str, kb_id: str):
    assert names(shelf.search(Query(text)))[0] == kb_id


def test_every_entry_is_among_the_first_for_its_title(shelf: Shelf):
    missed = [e.kb_id for e in shelf.published if e.kb_id not in names(shelf.search(Query(e.title)))[:3]]
    assert missed == []


def test_a_version_reaches_the_other_repositories_through_their_companions(shelf: Shelf):
    orders = shelf.orders_at("tracel-ai/burn", "0.18.0")
    assert orders is not None
    cubecl = shelf.index.revision("tracel-ai/cubecl", "v0.6.0")
    assert cubecl is not None
    assert orders["tracel-ai/cubecl"] == cubecl.order
    found = names(shelf.search(Query(orders=orders, explained=True)))
    assert "KB-0008" in found
    later = shelf.orders_at("tracel-ai/burn", "v0.19.0")
    assert "KB-0008" not in names(shelf.search(Query(orders=later, explained=True)))


def test_without_a_question_the_entries_are_listed_alone(client: FlaskClient, shelf: Shelf):
    found = client.get("/api/errors").json
    assert found is not None
    assert (found["total"], found["explained"]) == (len(shelf.published), len(shelf.published))


def test_pages_of_results_are_all_results_once(client: FlaskClient):
    first = client.get("/api/errors?kind=todo").json
    assert first is not None
    ids = [
        one["id"]
        for n in range(1, first["pages"] + 1)
        for one in client.get(f"/api/errors?kind=todo&page={n}").json["results"]
    ]  # type: ignore[index]
    assert (len(ids), len(set(ids))) == (first["total"], first["total"])


def test_a_log_in_the_search_box_is_offered_the_better_way(client: FlaskClient):
    html = client.get("/errors", query_string={"q": "thread 'main' panicked at src/a.rs:1:1: boom"}).text
    assert "This looks like a log" in html
    assert 'action="/explain"' in html
