"""What every registered graph store promises."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from polyrag_cli import registry
from polyrag_cli.chunking.windows import windows
from polyrag_cli.graph.base import GraphContent, GraphWalk
from polyrag_cli.graph.mentions import passage_graph
from polyrag_cli.providers.hashing import HashingEmbedder
from polyrag_cli.stores.base import GraphStore, Snapshot
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Chunk
from tests.graph import corpus

DAMPING = 0.7
OWNER = "Where was the owner of Mill Brindle born?"
CAPELA = "Quem construiu a capela da aldeia onde nasceu a diretora do Moinho Pedral?"
CHAPEL = "Who built the chapel of the village where the owner of Mill Brindle was born?"


class Opened:
    """A graph store beside a catalog."""

    def __init__(self, root: Path, name: str) -> None:
        self.paths = DataPaths(root)
        self.catalog = SQLiteCatalog.open(self.paths, create=True)
        self.name = name
        self.store = self.fresh()

    def fresh(self) -> GraphStore:
        """The store as another process would open it."""
        store: GraphStore = registry.resolve("graph", self.name)(self.paths)
        return store

    def fill(self, chunks: list[Chunk]) -> None:
        with self.catalog.writer(after_commit=partial(self.store.refresh, last=True)) as writer:
            for chunk in chunks:
                self.catalog.put_document(writer, *corpus.stored(chunk))
                self.store.add(writer, chunk.document, [passage_graph(chunk)])

    def walk(self, question: str, snapshot: Snapshot, store: GraphStore | None = None, top_k: int = 5) -> GraphWalk:
        return (store or self.store).walk(snapshot, read(question, "en"), (), DAMPING, top_k)

    def content(self, store: GraphStore | None = None) -> GraphContent:
        with self.catalog.snapshot() as snapshot:
            return (store or self.store).content(snapshot)


@pytest.fixture(params=registry.names("graph"))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    made = Opened(tmp_path / "data", request.param)
    yield made
    made.catalog.close()


def _id(title: str) -> str:
    return f"{corpus.number(title):016x}"


def test_an_empty_graph_finds_nothing(opened: Opened) -> None:
    with opened.catalog.writer() as writer:
        opened.store.remove(writer, "unknown.md")
    with opened.catalog.snapshot() as snapshot:
        assert opened.store.match(snapshot, read(OWNER)) == []
        assert opened.walk(OWNER, snapshot).passages == ()
        assert opened.store.neighbours(snapshot, "Mill Brindle") == []
        assert opened.store.names(snapshot) == []
        assert opened.store.content(snapshot) == GraphContent((), (), (), ())
        assert opened.store.lost(snapshot) == frozenset()
        assert "0" in opened.store.check(snapshot)


def test_names_in_a_text_come_with_their_strength(opened: Opened) -> None:
    opened.fill(corpus.chunks())
    with opened.catalog.snapshot() as snapshot:
        found = opened.store.match(snapshot, read("Was Tove Aldgate born in Acafrais?"))
        assert [name for name, _ in found] == ["Açafrais", "Tove Aldgate"]
        assert all(0 < strength <= 1 for _, strength in found)
        assert [strength for _, strength in found] == sorted((s for _, s in found), reverse=True)
        assert opened.store.match(snapshot, read("how does it grow when the days are cold?")) == []


def test_a_walk_goes_from_name_to_name(opened: Opened) -> None:
    opened.fill(corpus.chunks())
    with opened.catalog.snapshot() as snapshot:
        walk = opened.walk(CHAPEL, snapshot)
        assert {_id("Mill Brindle"), _id("Tove Aldgate"), _id("Quarnby")} <= {p.chunk_id for p in walk.passages[:4]}
        assert walk.names > 0 and walk.terms > 0
        chain = opened.store.walk(snapshot, read(CAPELA, "pt"), (), DAMPING, 5)
        assert (chain.path, chain.hops) == (("Moinho Pedral", "Rita Sobral", "Açafrais"), 2)
        scores = [passage.score for passage in walk.passages]
        assert scores == sorted(scores, reverse=True) and all(0 < score <= 1 for score in scores)
        texts = {chunk.chunk_id: chunk.text for chunk in corpus.chunks()}
        assert all(0 <= p.start < p.end <= len(texts[p.chunk_id]) for p in walk.passages if p.end)
        assert len(opened.walk(CHAPEL, snapshot, top_k=2).passages) == 2
        assert opened.walk("zyxwvut qponmlk", snapshot).passages == ()


def test_windows_like_the_question_count(opened: Opened) -> None:
    opened.fill(corpus.chunks())
    embedder = HashingEmbedder()
    question = embedder.embed_query(OWNER)
    own = [window for chunk in corpus.chunks() for window in windows(chunk)]
    cosines = (embedder.embed([window.text for window in own]) @ question).tolist()
    near = list(zip(own, cosines, strict=True))
    with opened.catalog.snapshot() as snapshot:
        plain = opened.walk(OWNER, snapshot)
        dense = opened.store.walk(snapshot, read(OWNER, "en"), near, DAMPING, 5)
        again = opened.store.walk(snapshot, read(OWNER, "en"), near, DAMPING, 5)
    assert dense == again
    assert [p.score for p in dense.passages] != [p.score for p in plain.passages]


def test_neighbours_are_related_or_named_beside(opened: Opened) -> None:
    opened.fill(corpus.chunks())
    with opened.catalog.snapshot() as snapshot:
        found = opened.store.neighbours(snapshot, "mill brindle")
        assert any(neighbour.name == "Tove Aldgate" for neighbour in found)
        assert all(neighbour.weight > 0 for neighbour in found)
        kinds = [bool(neighbour.relation) for neighbour in found]
        assert kinds == sorted(kinds, reverse=True)
        assert opened.store.neighbours(snapshot, "Nobody") == []


def test_names_are_found_by_a_part_and_by_the_chunk_that_holds_them(opened: Opened) -> None:
    opened.fill(corpus.chunks())
    with opened.catalog.snapshot() as snapshot:
        every = opened.store.names(snapshot, limit=None)
        assert len(set(every)) == len(every) > 5
        assert opened.store.names(snapshot, limit=2) == every[:2]
        assert opened.store.names(snapshot, "ACAFRAIS")[0] == "Açafrais"
        assert opened.store.names(snapshot, "no such name") == []
        within = opened.store.names(snapshot, within=_id("Mill Brindle"))
        assert "Tove Aldgate" in within and "Orvalho" not in within
        assert opened.store.names(snapshot, within="0" * 15 + "f") == []


def test_the_content_is_whole_and_hangs_together(opened: Opened) -> None:
    opened.fill(corpus.chunks())
    content = opened.content()
    keys = {name.key for name in content.names}
    chunks = {chunk_id for chunk_id, _ in content.passages}
    assert content.passages == tuple((chunk.chunk_id, chunk.document) for chunk in corpus.chunks())
    assert {key for key, _ in content.mentions} <= keys and {chunk_id for _, chunk_id in content.mentions} <= chunks
    assert content.relations and all({subject, other} <= keys for subject, _, other in content.relations)
    assert all(np.isfinite(name.idf) and name.idf > 0 for name in content.names)


def test_a_document_is_replaced_and_removed(opened: Opened) -> None:
    chunks = corpus.chunks()
    opened.fill(chunks)
    with opened.catalog.writer() as writer:
        opened.store.add(writer, chunks[0].document, [])
        opened.store.remove(writer, chunks[1].document)
        opened.store.remove(writer, "unknown.md")
    left = opened.content()
    assert {document for _, document in left.passages} == {chunk.document for chunk in chunks[2:]}
    opened.fill(chunks[:2])
    again = opened.content()
    opened.fill(chunks)
    assert opened.content() == again


def test_an_old_snapshot_keeps_its_graph_and_a_failed_commit_leaves_none(opened: Opened) -> None:
    chunks = corpus.chunks()
    opened.fill(chunks[:3])
    with opened.catalog.snapshot() as old:
        opened.fill(chunks[3:])
        assert len(opened.store.content(old).passages) == 3
    with pytest.raises(RuntimeError, match="stop"), opened.catalog.writer() as writer:
        opened.store.add(writer, chunks[0].document, [])
        opened.store.remove(writer, chunks[1].document)
        raise RuntimeError("stop")
    assert len(opened.content().passages) == len(chunks)
    assert len(opened.content(opened.fresh()).passages) == len(chunks)


def test_order_process_and_repair_change_nothing(opened: Opened, tmp_path: Path) -> None:
    opened.fill(corpus.chunks())
    other = Opened(tmp_path / "other", opened.name)
    for chunk in reversed(corpus.chunks()):
        other.fill([chunk])
    with opened.catalog.snapshot() as one, other.catalog.snapshot() as two:
        expected = opened.walk(CHAPEL, one)
        assert other.walk(CHAPEL, two) == opened.walk(CHAPEL, one, opened.fresh()) == expected
        assert other.store.content(two) == opened.store.content(one)
        assert opened.catalog.fingerprint(one) == other.catalog.fingerprint(two)
    other.catalog.derive(other.store.repair)
    with other.catalog.snapshot() as snapshot:
        assert other.walk(CHAPEL, snapshot, other.fresh()) == expected
    other.catalog.close()


def test_the_check_counts_the_names(opened: Opened) -> None:
    opened.fill(corpus.chunks())
    with opened.catalog.snapshot() as snapshot:
        assert opened.store.check(snapshot) == f"{len(opened.store.names(snapshot, limit=None))} names"


@pytest.mark.parametrize("text", ["", "\0", "\ud800 Mill \ud800", "x" * 100_000, "Mill " * 5000])
def test_no_text_breaks_it(opened: Opened, text: str) -> None:
    odd = Chunk("f" * 16, "odd.md", 0, 0, len(text), text, title="T\ud800", language="en")
    opened.fill([*corpus.chunks(), odd])
    with opened.catalog.snapshot() as snapshot:
        opened.store.match(snapshot, read(text))
        opened.walk(text, snapshot)
        opened.store.neighbours(snapshot, text)
        opened.store.names(snapshot, text)
        assert len(opened.store.content(snapshot).passages) == len(corpus.chunks()) + 1
