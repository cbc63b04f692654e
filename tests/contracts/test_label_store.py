"""What every registered store of labels' vectors promises."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli import registry
from polyrag_cli.stores.base import LabelStore
from polyrag_cli.stores.data_paths import DataPaths
from tests.stores.corpus import unit_vectors

TEXTS = ("receita bruta", "", "Foz", "\ud800", "river")
VECTORS = dict(zip(TEXTS, unit_vectors(len(TEXTS)), strict=True))


@pytest.fixture(params=registry.names("labels"))
def fresh(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[], LabelStore]:
    """Gives the store as another process would open it."""
    return lambda: registry.resolve("labels", request.param)(DataPaths(tmp_path / "data"))  # type: ignore[no-any-return]


def _bits(found: dict[str, NDArray[np.float32]]) -> dict[str, bytes]:
    return {text: vector.tobytes() for text, vector in found.items()}


def test_what_is_kept_is_found_bit_for_bit_by_another_process(fresh: Callable[[], LabelStore]) -> None:
    first = fresh().of("one", 16)
    assert first.find(TEXTS) == {}
    first.keep({text: VECTORS[text] for text in TEXTS[:3]})
    first.keep({text: VECTORS[text] for text in TEXTS[2:]})
    for kept in (first, fresh().of("one", 16)):
        assert _bits(kept.find([*TEXTS, "unknown"])) == _bits(VECTORS)
        assert kept.find([]) == {}


def test_an_embedder_finds_its_own_vectors_alone(fresh: Callable[[], LabelStore]) -> None:
    fresh().of("one", 16).keep(VECTORS)
    assert fresh().of("two", 16).find(TEXTS) == {}
    assert fresh().of("one", 8).find(TEXTS) == {}


def test_what_is_kept_takes_up_room(fresh: Callable[[], LabelStore]) -> None:
    kept = fresh().of("one", 16)
    room = kept.room()
    kept.keep(VECTORS)
    kept.keep(VECTORS)
    assert fresh().of("one", 16).room() == room - len(VECTORS)
