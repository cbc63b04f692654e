from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.providers.none import NullEmbedder
from polyrag_cli.strategies.base import Context
from polyrag_cli.strategies.heads import hybrid_ranking
from polyrag_cli.strategies.soft import MAX_WORDS, alike, likeness_of, soft_head
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import read
from tests.stores.corpus import every_chunk
from tests.strategies.library import Library

NEAR = {"insects": (("bees", 0.82), ("hives", 0.55), ("pears", 0.4)), "quiet": (("calm", 0.7),)}


class Neighbours:
    """Word vectors, as far as their neighbours are asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def nearest(self, snapshot: object, words: Sequence[str], *rest: object) -> list[tuple[tuple[str, float], ...]]:
        self.asked += words
        return [NEAR.get(word, ()) for word in words]


def _with(context: Context, terms: Neighbours) -> Context:
    return replace(context, stores=replace(context.stores, terms=cast(Any, terms)))


@pytest.mark.parametrize(("cosine", "likeness"), [(1.0, 1.0), (0.7, 0.5), (0.4, 0.0), (0.1, 0.0)])
def test_likeness_by_hand(cosine: float, likeness: float) -> None:
    assert likeness_of(cosine) == likeness


def test_what_stands_for_a_word(library: Library) -> None:
    terms = Neighbours()
    with library.context() as context:
        found = {
            word: dict(likeness)
            for word, likeness in alike(read("Insects 40 B12 quiet third"), _with(context, terms)).items()
        }
    assert terms.asked == ["insects", "quiet", "third"]
    # Of a word's stems under two languages each stands for it; (.82 - .4) / .6 and (.55 - .4) / .6; .4 is nothing.
    stems = {
        stem: value for value, word in ((1.0, "insects"), (0.7, "bees"), (0.25, "hives")) for stem in all_stems(word)
    }
    assert found["insects"] == pytest.approx(stems)
    assert found["40"].keys() > {"40", "vierzig", "cuarenta"}
    assert found["third"].keys() > {"third", "3rd", "3a"}
    assert set(found["40"].values()) == set(found["third"].values()) == {1.0}
    assert list(found) == ["insects", "40", "b12", "quiet", "third"]


def test_a_passage_is_found_by_words_like_the_questions(library: Library) -> None:
    settings = RetrievalSettings(dense_weight=0.1, soft_weight=0.9)
    with library.context(settings) as plain:
        context = _with(plain, Neighbours())
        hits = soft_head(read("quiet insects"), context, 5)
        headings = {c.chunk.chunk_id: c.chunk.heading for c in every_chunk(library.catalog, context.snapshot)}
        found = hybrid_ranking(library.query("quiet insects"), context, "nowhere")
    assert [headings[hit.chunk_id] for hit in hits] == ["Hives"]
    assert 0.0 < hits[0].coverage < 1.0
    assert found.ranked[0][0] == hits[0].chunk_id
    assert found.sources[hits[0].chunk_id] == "dense+soft"


def test_without_vectors_there_is_no_soft_head(library: Library) -> None:
    with library.context() as context:
        assert soft_head(read("quiet bees"), context, 5) == []
        assert dict(alike(read("quiet bees"), context)["quiet"]) == {"quiet": 1.0}
        without = replace(_with(context, Neighbours()), embedder=NullEmbedder())
        assert soft_head(read("quiet bees"), without, 5) == []


def test_a_long_question_is_read_from_its_start(library: Library) -> None:
    with library.context() as context:
        assert len(alike(read(" ".join(f"word{'x' * i}" for i in range(200))), context)) == MAX_WORDS
