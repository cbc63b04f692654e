"""Owns evidence as a sum whose terms are told."""

from __future__ import annotations

from collections.abc import Mapping

from polyrag_cli.scoring.terms import DECIMALS, rounded_steps
from polyrag_cli.types import Evidence, ScoreTerm


def added(kind: str, name: str, totals: Mapping[str, float]) -> Evidence:
    """Evidence of this kind and name. totals: the sum after each term, by the term's name, in the order added; terms
    that add nothing are left out."""
    steps = zip(totals, rounded_steps(totals.values()), strict=True)
    terms = tuple(ScoreTerm(term, value) for term, value in steps if value)
    return Evidence(kind, name, round(list(totals.values())[-1], DECIMALS) + 0.0, terms)
