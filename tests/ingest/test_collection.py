from __future__ import annotations

import gc

import pytest

from polyrag_cli.ingest.collection import seldom_collected


@pytest.mark.parametrize("failing", [False, True])
def test_the_collector_is_as_it_was_afterwards(failing: bool) -> None:
    before = gc.get_threshold()
    try:
        with seldom_collected():
            assert gc.get_threshold()[0] > before[0]
            if failing:
                raise ValueError
    except ValueError:
        assert failing
    assert gc.get_threshold() == before


def test_a_collector_that_is_off_stays_off() -> None:
    before = gc.get_threshold()
    gc.set_threshold(0, *before[1:])
    try:
        with seldom_collected():
            assert gc.get_threshold()[0] == 0
    finally:
        gc.set_threshold(*before)
