import pytest
from memory_corpus import HONEY, PASSAGES, MemoryCorpus, default_routes

from polyrag_cli.config.sections import RoutingSettings
from polyrag_cli.routing.router import Router


@pytest.fixture
def corpus() -> MemoryCorpus:
    return MemoryCorpus(PASSAGES, (HONEY,), ("Warden Board", "Extractor"))


@pytest.fixture
def router(corpus: MemoryCorpus) -> Router:
    return Router(default_routes(), RoutingSettings(), corpus.embedder, None)
