from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.strategies.library import Library


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    made = Library(tmp_path_factory.mktemp("library"))
    yield made
    made.catalog.close()
