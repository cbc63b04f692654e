"""Passages weigh less by what of them many documents hold, against values worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest

from polyrag_cli.stores.shared_sqlite import SQLiteSharedStore
from polyrag_cli.strategies.base import Context
from polyrag_cli.strategies.passages import read_chunks
from polyrag_cli.strategies.weighing import block_weights, copy_key, weighed
from polyrag_cli.types import Chunk
from tests.strategies.library import Library

COMMON = "Forty hives stand behind the cellar. Marta Quill keeps the bees calm with smoke."


@contextmanager
def shared(library: Library, holding: int, documents: int) -> Iterator[tuple[Context, dict[str, Chunk]]]:
    """A context in which the chunk about hives stands in `holding` of `documents`, and the chunks by heading."""
    store = SQLiteSharedStore(library.catalog.paths)
    with library.catalog.writer() as writer:
        for number in range(documents):
            store.add(writer, f"other{number}", None, [COMMON] if number < holding else [f"Number {number}."])
    with library.context() as context:
        context = replace(context, stores=replace(context.stores, shared=store))
        found = [one for name in ("bees.md", "orchard.md") for one in library.catalog.chunks_of(context.snapshot, name)]
        yield context, {one.chunk.heading: one.chunk for one in found}
    with library.catalog.writer() as writer:
        for number in range(documents):
            store.remove(writer, f"other{number}")


def test_scores_fall_with_the_share_that_is_repeated(library: Library) -> None:
    with shared(library, 10, 100) as (context, chunks):
        hives, pears = chunks["Hives"].chunk_id, chunks["Pears"].chunk_id
        # ln(100 / 10) / ln 100 = 1/2
        ranked, weights = weighed(((hives, 0.9), (pears, 0.5)), context, 5)
        assert ranked == ((pears, 0.5), (hives, 0.45))
        assert weights == {hives: 0.5}
        (block,) = block_weights(chunks["Hives"], 1, context)
        assert block == (chunks["Hives"].start, chunks["Hives"].end, 0.5)
        assert block_weights(chunks["Hives"], 2, context) == block_weights(chunks["Pears"], 1, context) == ()


def test_what_is_in_two_documents_is_not_repeated(library: Library) -> None:
    with shared(library, 2, 100) as (context, chunks):
        ranked = ((chunks["Hives"].chunk_id, 0.9), (chunks["Pears"].chunk_id, 0.5))
        assert weighed(ranked, context, 5) == (ranked, {})


def test_without_a_store_of_what_is_shared_all_weigh_the_same(library: Library) -> None:
    with library.context() as context:
        assert weighed((("a", 0.9),), context, 5) == ((("a", 0.9),), {})


@pytest.mark.parametrize(
    ("changes", "same"),
    [
        ({"text": "forty HIVES\nstand"}, True),
        ({"heading": "A › Hives"}, True),
        ({"heading": "Bees"}, False),
        ({"text": "Forty hives stood"}, False),
    ],
)
def test_copies_have_heading_and_words_in_common(changes: dict[str, str], same: bool) -> None:
    chunk = Chunk("a", "d", 0, 0, 9, "Forty hives stand", "Hives")
    assert (copy_key(replace(chunk, **changes)) == copy_key(chunk)) is same


def test_chunks_that_are_gone_keep_their_score(library: Library) -> None:
    with shared(library, 10, 100) as (context, _):
        assert weighed((("gone", 0.9),), context, 5) == ((("gone", 0.9),), {})
        assert read_chunks(context, ["gone"]) == {}
