from __future__ import annotations

import pytest

from polyrag_cli.config.sections import RetrievalSettings
from polyrag_cli.strategies.diverse import DiverseStrategy
from polyrag_cli.strategies.hybrid import HybridStrategy
from tests.strategies.library import Library, decision


@pytest.mark.parametrize("dense", [True, False])
def test_relevance_alone_is_the_hybrid_order(library: Library, dense: bool) -> None:
    with library.context(RetrievalSettings(mmr_lambda=1.0), dense=dense) as context:
        query = library.query("cellar and hives", dense=dense)
        diverse = DiverseStrategy().retrieve(query, decision(), context).hits
        hybrid = HybridStrategy().retrieve(query, decision(), context).hits
    assert diverse == hybrid
    assert diverse


def test_diversity_changes_the_choice_but_not_the_first(library: Library) -> None:
    with library.context(RetrievalSettings(mmr_lambda=0.05, home_bonus=0.0)) as context:
        query = library.query("A Regra Z9 do Sistema Pomar", top_k=2)
        diverse = DiverseStrategy().retrieve(query, decision(), context).hits
        hybrid = HybridStrategy().retrieve(query, decision(), context).hits
    assert diverse[0] == hybrid[0]
    assert diverse[1] != hybrid[1]
