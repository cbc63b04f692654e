"""Owns what the tables hold of a clause, as evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polyrag_cli.routing.evidence.adding import added
from polyrag_cli.text.fold import fold
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import Evidence

if TYPE_CHECKING:
    from polyrag_cli.nl2sql.index import SchemaIndex

_DECIMALS = 6


def best_table(
    asked: Utterance, index: SchemaIndex | None, lone_value_factor: float
) -> tuple[Evidence | None, frozenset[str]]:
    """The table that explains most of a clause, and the folded words that it explains.

    Its evidence is the share of the clause's content words that it explains, by rarity. One value met by chance (a
    month's name, a word inside a label) never makes a table's question: alone it counts lone_value_factor, 0–1.
    """
    if index is None:
        return None, frozenset()
    from polyrag_cli.nl2sql.evidence import table_evidence

    found = table_evidence(asked, index)
    best = min(found, key=lambda item: (-round(item.coverage, _DECIMALS), item.table), default=None)
    if best is None or best.coverage <= 0.0:
        return None, frozenset()
    spoken = frozenset(fold(word) for word in best.words)
    coverage = float(best.coverage)
    lone = coverage * lone_value_factor if best.kind == "value" and len(spoken) == 1 else coverage
    return added(best.kind, best.name, {"coverage": coverage, "lone_value": lone}), spoken
