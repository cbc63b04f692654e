"""The guard with the default embedder on pairs in four languages and across them."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.answering.cache import AnswerCache
from polyrag_cli.config.sections import CacheSettings
from polyrag_cli.providers.use_m3 import UseM3Embedder
from polyrag_cli.stores.activity import Activity
from polyrag_cli.stores.data_paths import DataPaths
from tests.answering.question_pairs import DIFFERENT, SAME


@pytest.fixture(scope="module")
def cache(model: Path, tmp_path_factory: pytest.TempPathFactory) -> AnswerCache:
    def no_stores() -> None:
        raise AssertionError("nothing is looked up in a corpus here")

    folder = tmp_path_factory.mktemp("pairs")
    return AnswerCache(Activity(DataPaths(folder)), UseM3Embedder(model), CacheSettings(), no_stores)  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", DIFFERENT)
def test_one_thing_that_matters_differs(cache: AnswerCache, kind: str) -> None:
    served = [(a, b) for a, b in DIFFERENT[kind] if cache.match(a, b).hit or cache.match(b, a).hit]
    assert served == []


def test_most_of_what_asks_the_same_shares_an_answer(cache: AnswerCache) -> None:
    missed = [(a, b) for a, b in SAME if not cache.match(a, b).hit]
    assert len(missed) <= 2, missed
