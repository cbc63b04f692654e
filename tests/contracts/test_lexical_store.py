"""What every registered lexical store promises."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli import registry
from polyrag_cli.stores.base import LexicalStore
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk
from tests.stores.corpus import chunk

Opened = tuple[SQLiteCatalog, LexicalStore]


@pytest.fixture(params=registry.names("lexical"))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    paths = DataPaths(tmp_path)
    catalog = SQLiteCatalog.open(paths, create=True)
    yield catalog, registry.resolve("lexical", request.param)(paths)
    catalog.close()


def _index(opened: Opened, chunks: list[Chunk]) -> None:
    catalog, store = opened
    with catalog.writer() as writer:
        for document in dict.fromkeys(one.document for one in chunks):
            store.add(writer, document, [one for one in chunks if one.document == document])


def _found(opened: Opened, question: str, k: int = 10) -> list[str]:
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        return [hit.chunk_id for hit in store.search(snapshot, read(question), k)]


def test_score_and_coverage_by_hand(opened: Opened) -> None:
    chunks = [chunk("walnut walnut maple", "a"), chunk("maple birch", "b"), chunk("cedar cedar cedar cedar", "c")]
    _index(opened, chunks)
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        hits = store.search(snapshot, read("walnut maple spruce"), 10)
    # Three chunks of 3, 2 and 4 words: the average length is 3.
    idf = {df: math.log((3 - df + 0.5) / (df + 0.5) + 1) for df in (0, 1, 2)}
    total = idf[0] + idf[1] + idf[2]
    first = idf[1] * 2 * 2.5 / (2 + 1.5) + idf[2] * 1 * 2.5 / (1 + 1.5)
    second = idf[2] * 2.5 / (1 + 1.5 * (0.25 + 0.75 * 2 / 3))
    assert [hit.chunk_id for hit in hits] == [chunks[0].chunk_id, chunks[1].chunk_id]
    assert [hit.score for hit in hits] == [round(first, 6), round(second, 6)]
    assert [hit.coverage for hit in hits] == [round((idf[1] + idf[2]) / total, 6), round(idf[2] / total, 6)]


def test_inflections_accents_and_case_meet(opened: Opened) -> None:
    english = chunk("Shipments were delayed by storms.", "en.md", language="en")
    portuguese = chunk("As expedições foram adiadas pelas tempestades.", "pt.md", language="pt")
    unknown = chunk("Tempestades", "und.md", language="und")
    _index(opened, [english, portuguese, unknown])
    assert _found(opened, "SHIPMENT delay")[0] == english.chunk_id
    assert _found(opened, "expedicao adiada")[0] == portuguese.chunk_id
    assert set(_found(opened, "tempestade")) == {portuguese.chunk_id, unknown.chunk_id}


def test_a_word_counts_once_under_however_many_stems(opened: Opened) -> None:
    # Its Portuguese and English stems differ, and a chunk of unknown language holds both.
    word = "nationalities"
    assert len(all_stems(word)) == 2
    _index(opened, [chunk(word, "a.md", language="und")])
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        (hit,) = store.search(snapshot, read(word), 5)
    assert hit.score == round(math.log((1 - 1 + 0.5) / (1 + 0.5) + 1) * 2.5 / 2.5, 6)
    assert hit.coverage == 1.0


def test_title_and_heading_are_searched(opened: Opened) -> None:
    headed = Chunk("h" * 16, "a.md", 0, 0, 4, "Text.", heading="Refund policy", title="Handbook", language="en")
    _index(opened, [headed, chunk("Nothing of the kind.", "b.md")])
    assert _found(opened, "refunds") == ["h" * 16]
    assert _found(opened, "handbook") == ["h" * 16]


def test_identifiers_and_hyphens(opened: Opened) -> None:
    code = chunk("Part QX-17 is blocked, see app_v2.", "a.md", language="en")
    joined = chunk("The follow-up call is free.", "b.md", language="en")
    _index(opened, [code, joined])
    assert _found(opened, "qx-17") == [code.chunk_id]
    assert _found(opened, "app_v2") == [code.chunk_id]
    assert _found(opened, "follow up") == [joined.chunk_id]
    assert _found(opened, "follow-up") == [joined.chunk_id]


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("東京都の人口は約千四百万人です。", "人口は何人ですか"),
        ("ประเทศไทยมีประชากรจำนวนมาก", "ประชากร"),
        ("मंत्रालय ने रिपोर्ट जारी की", "रिपोर्ट"),
        ("Население города растёт", "НАСЕЛЕНИЕ"),
        ("عدد السكان في المدينة", "السكان"),
    ],
)
def test_any_script_is_found(opened: Opened, text: str, question: str) -> None:
    target = chunk(text, "a.md", language="und")
    _index(opened, [target, chunk("Nothing of the kind.", "b.md"), chunk("大阪は海に近い", "c.md", language="und")])
    assert _found(opened, question)[0] == target.chunk_id


def test_ties_are_broken_by_chunk_id(opened: Opened) -> None:
    chunks = [chunk("identical words", f"{n}.md") for n in range(6)]
    _index(opened, chunks)
    assert _found(opened, "identical", 4) == sorted(one.chunk_id for one in chunks)[:4]


def test_a_question_of_function_words_is_searched_by_them(opened: Opened) -> None:
    said = chunk("To be or not to be", "a.md", language="en")
    _index(opened, [said, chunk("Walnut", "b.md")])
    assert _found(opened, "to be or not to be") == [said.chunk_id]


@pytest.mark.parametrize(
    "question", ["", "   ", "?!…—()\"'*", "😀🎉", '"', "NEAR(", "a AND (b OR", "stems:x", "\0", "\ud800", "-", "^x*"]
)
def test_no_question_breaks_the_search(opened: Opened, question: str) -> None:
    _index(opened, [chunk("walnut", "a.md")])
    assert _found(opened, question) == []


def test_a_very_long_question(opened: Opened) -> None:
    target = chunk("walnut planks", "a.md")
    _index(opened, [target])
    assert _found(opened, "walnut " + "word1234 other " * 7000) == [target.chunk_id]
    assert _found(opened, "x" * 100_000) == []


def test_replace_and_remove(opened: Opened) -> None:
    catalog, store = opened
    _index(opened, [chunk("walnut", "a.md"), chunk("walnut", "b.md")])
    _index(opened, [chunk("cedar", "a.md")])
    with catalog.writer() as writer:
        store.remove(writer, "b.md")
        store.remove(writer, "never.md")
    assert _found(opened, "walnut") == []
    assert len(_found(opened, "cedar")) == 1
    with catalog.snapshot() as snapshot:
        assert store.document_frequency(snapshot, ["walnut", "cedar"]) == (1, {"walnut": 0, "cedar": 1})


def test_document_frequency_counts_chunks(opened: Opened) -> None:
    catalog, store = opened
    _index(opened, [chunk("walnut walnut", "a.md"), chunk("walnut maple", "b.md"), chunk("birch", "c.md")])
    with catalog.snapshot() as snapshot:
        found = store.document_frequency(snapshot, ["walnut", "mapl", "maple", "never", "walnut"])
    assert found[0] == 3
    assert found[1]["walnut"] == 2
    assert found[1]["mapl"] + found[1]["maple"] == 1
    assert found[1]["never"] == 0


def test_an_empty_corpus(opened: Opened) -> None:
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        assert store.search(snapshot, read("walnut"), 5) == []
        assert store.document_frequency(snapshot, ["walnut"]) == (0, {"walnut": 0})


def test_an_old_snapshot_is_searched_as_it_was(opened: Opened) -> None:
    catalog, store = opened
    _index(opened, [chunk("walnut", "a.md")])
    with catalog.snapshot() as snapshot:
        _index(opened, [chunk("cedar", "a.md")])
        assert len(store.search(snapshot, read("walnut"), 5)) == 1
        assert store.search(snapshot, read("cedar"), 5) == []
    assert _found(opened, "walnut") == []


def test_soft_coverage_by_hand(opened: Opened) -> None:
    chunks = [chunk("walnut birch", "a"), chunk("maple", "b"), chunk("cedar", "c")]
    _index(opened, chunks)
    catalog, store = opened
    words = [[("oak", 1.0), ("walnut", 0.6), ("birch", 0.8)], [("mapl", 1.0), ("cedar", 0.5)], [("spruc", 1.0)]]
    with catalog.snapshot() as snapshot:
        hits = store.soft_search(snapshot, words, 10)
        assert store.soft_search(snapshot, words, 1) == hits[:1]
        assert store.soft_search(snapshot, [[("spruc", 1.0)]], 10) == []
        assert store.soft_search(snapshot, [], 10) == []

    def idf(df: float) -> float:
        return math.log((3 - df + 0.5) / (df + 0.5) + 1)

    # The first word is held to .8 by one chunk, the second to 1 and .5, the third by none.
    first, second, third = idf(0.8), idf(1.5), idf(0.0)
    total = first + second + third
    expected = {chunks[0].chunk_id: 0.8 * first, chunks[1].chunk_id: second, chunks[2].chunk_id: 0.5 * second}
    assert {hit.chunk_id: hit.score for hit in hits} == {i: round(value, 6) for i, value in expected.items()}
    assert [hit.score for hit in hits] == sorted((round(v, 6) for v in expected.values()), reverse=True)
    coverage = {i: value / total for i, value in expected.items()}
    assert {hit.chunk_id: hit.coverage for hit in hits} == pytest.approx(coverage, abs=2e-6)


def test_soft_search_breaks_ties_by_chunk_id_and_forgets_with_the_commit(opened: Opened) -> None:
    chunks = [chunk("walnut", name) for name in ("a", "b", "c")]
    _index(opened, chunks)
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        found = [hit.chunk_id for hit in store.soft_search(snapshot, [[("walnut", 0.7)]], 2)]
    assert found == sorted(one.chunk_id for one in chunks)[:2]
    with catalog.writer() as writer:
        store.remove(writer, chunks[0].document)
    with catalog.snapshot() as snapshot:
        left = [hit.chunk_id for hit in store.soft_search(snapshot, [[("walnut", 0.7)]], 5)]
    assert left == sorted(one.chunk_id for one in chunks[1:])


@pytest.mark.parametrize("term", ['say"so', "a*", "x AND y", "-", "(", "", "\x00"])
def test_no_term_is_read_as_a_query(opened: Opened, term: str) -> None:
    one = chunk("walnut", "a")
    _index(opened, [one])
    catalog, store = opened
    with catalog.snapshot() as snapshot:
        assert store.soft_search(snapshot, [[(term, 1.0)]], 5) == []
        (hit,) = store.soft_search(snapshot, [[(term, 1.0)], [("walnut", 0.5)]], 5)
        assert store.document_frequency(snapshot, [term, "walnut"]) == (1, {term: 0, "walnut": 1})
    assert hit.chunk_id == one.chunk_id
