"""What every registered store of words' vectors promises."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli import registry
from polyrag_cli.stores.base import TermStore
from polyrag_cli.stores.catalog import META_EMBEDDER
from polyrag_cli.stores.catalog_sqlite import SQLiteCatalog
from polyrag_cli.stores.data_paths import DataPaths

BOAT, SHIP, TREE = (np.array(v, dtype=np.float16) for v in ((1, 0, 0, 0), (0.8, 0.6, 0, 0), (0, 0, 0, 1)))


def _embed(words: Sequence[str]) -> NDArray[np.float32]:
    known = {"vessel": (0.6, 0.8, 0, 0), "boat": (1, 0, 0, 0), "ship": (0.8, 0.6, 0, 0), "tree": (0, 0, 0, 1)}
    return np.array([known[word] for word in words], dtype=np.float32)


class Opened:
    def __init__(self, root: Path, name: str) -> None:
        self.name = name
        self.catalog = SQLiteCatalog.open(DataPaths(root), create=True)
        self.store = self.fresh()

    def fresh(self) -> TermStore:
        store: TermStore = registry.resolve("terms", self.name)(self.catalog.paths)
        return store

    def put(self, document: str, vectors: dict[str, NDArray[np.float16] | None]) -> None:
        with self.catalog.writer() as writer:
            self.store.add(writer, document, vectors)

    def nearest(self, *words: str, k: int = 5, floor: float = 0.5) -> list[tuple[tuple[str, float], ...]]:
        with self.catalog.snapshot() as snapshot:
            return self.store.nearest(snapshot, words, _embed, k, floor)

    def fingerprint(self) -> str:
        with self.catalog.snapshot() as snapshot:
            return self.catalog.fingerprint(snapshot)


@pytest.fixture(params=registry.names("terms"))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opened]:
    made = Opened(tmp_path, request.param)
    yield made
    made.catalog.close()


def test_neighbours_by_cosine_above_the_floor(opened: Opened) -> None:
    opened.put("a", {"boat": BOAT, "ship": SHIP, "tree": TREE})
    (near,) = opened.nearest("vessel")
    # .6·.8 + .8·.6 and .6·1, float16 being what is stored.
    assert [word for word, _ in near] == ["ship", "boat"]
    assert [cosine for _, cosine in near] == pytest.approx([0.96, 0.6], abs=1e-3)
    assert opened.nearest("vessel", k=1) == [near[:1]]
    assert opened.nearest("vessel", floor=0.7) == [near[:1]]


def test_a_word_asked_alone_or_among_others_has_the_same_neighbours(opened: Opened) -> None:
    opened.put("a", {"boat": BOAT, "ship": SHIP, "tree": TREE})
    together = opened.nearest("boat", "vessel", "tree")
    assert [opened.nearest(word)[0] for word in ("boat", "vessel", "tree")] == together
    fresh = opened.fresh()
    with opened.catalog.snapshot() as snapshot:
        assert fresh.nearest(snapshot, ["vessel"], _embed, 5, 0.5) == [together[1]]


def test_ties_are_broken_by_the_word(opened: Opened) -> None:
    opened.put("a", {"zebra": BOAT, "ant": BOAT})
    assert [word for word, _ in opened.nearest("boat")[0]] == ["ant", "zebra"]
    assert opened.nearest("boat", k=1) == [(("ant", 1.0),)]


def test_a_word_lives_as_long_as_a_document_holds_it(opened: Opened) -> None:
    opened.put("a", {"boat": BOAT, "ship": SHIP})
    before = opened.fingerprint()
    opened.put("b", {"boat": None, "tree": TREE})
    opened.put("a", {"tree": None})
    assert [word for word, _ in opened.nearest("boat")[0]] == ["boat"]
    with opened.catalog.writer() as writer:
        opened.store.remove(writer, "b")
    assert opened.nearest("boat") == [()]
    with opened.catalog.snapshot() as snapshot:
        assert opened.store.known(snapshot, ["boat", "tree", "sand"]) == {"boat", "tree"}
    # What is left over of an earlier version neither shows nor counts.
    opened.put("a", {"boat": None, "ship": None})
    assert opened.fingerprint() == before
    assert [word for word, _ in opened.nearest("boat")[0]] == ["boat", "ship"]


def test_the_first_vector_of_a_word_stays(opened: Opened) -> None:
    opened.put("a", {"boat": BOAT})
    opened.put("b", {"boat": SHIP})
    assert opened.nearest("boat")[0] == (("boat", 1.0),)
    assert opened.nearest("vessel")[0][0][1] == pytest.approx(0.6, abs=1e-3)


def test_vectors_are_those_of_the_corpus_s_embedder(opened: Opened) -> None:
    for embedder, vector in (("one", BOAT), ("one in part two", SHIP)):
        with opened.catalog.writer() as writer:
            opened.catalog.set_meta(writer, META_EMBEDDER, embedder)
        opened.put("a", {"boat": vector})
        with opened.catalog.snapshot() as snapshot:
            assert opened.store.known(snapshot, ["boat", "ship"]) == {"boat"}
    with opened.catalog.writer() as writer:
        opened.catalog.set_meta(writer, META_EMBEDDER, "two")
    assert opened.nearest("vessel")[0][0][1] == pytest.approx(0.96, abs=1e-3)


def test_vectors_that_were_lost_are_made_again(opened: Opened) -> None:
    opened.put("a", {"boat": BOAT, "ship": SHIP, "tree": TREE})
    expected = opened.nearest("vessel")
    for path in opened.catalog.paths.shared.glob("*.vectors"):
        path.unlink()
    for _ in range(2):
        with opened.catalog.snapshot() as snapshot:
            assert opened.fresh().nearest(snapshot, ["vessel"], _embed, 5, 0.5) == expected
            assert opened.store.known(snapshot, ["boat", "ship", "tree"]) == {"boat", "ship", "tree"}


def test_no_words_no_neighbours(opened: Opened) -> None:
    assert opened.nearest("boat", "vessel") == [(), ()]


def test_the_check_counts_the_words_of_documents(opened: Opened) -> None:
    opened.put("a", {"boat": BOAT, "ship": SHIP})
    opened.put("b", {"tree": TREE})
    opened.put("b", {"ship": None})
    with opened.catalog.snapshot() as snapshot:
        assert opened.store.check(snapshot) == "2 words"
