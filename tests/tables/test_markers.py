"""What cells say besides values, in every language that has a file."""

from __future__ import annotations

from polyrag_cli.tables.markers import (
    boolean_words,
    booleans,
    empty_cells,
    maybe_empty_cells,
    multipliers,
    totals,
)


def test_nothing_and_what_may_be_nothing() -> None:
    assert {"", "-", "n/a", "n/d"} <= empty_cells() < maybe_empty_cells()
    assert {"none", "sem dados", "sin datos", "?"} <= maybe_empty_cells() - empty_cells()


def test_yes_and_no_in_pairs() -> None:
    assert {("sim", "nao"), ("si", "no"), ("yes", "no"), ("true", "false")} <= set(booleans())
    assert boolean_words() == {word for pair in booleans() for word in pair}


def test_names_of_totals() -> None:
    assert {("total", "geral"), ("grand", "total"), ("suma",)} <= totals()


def test_a_scale_that_languages_disagree_on_counts_in_its_own_alone() -> None:
    assert multipliers("en")["million"] == multipliers("und")["million"] == 1_000_000
    assert multipliers("es")["billon"] == 10**12
    assert multipliers("pt")["mi"] == 10**6 and multipliers("pt")["k"] == 1000
    assert "m" not in multipliers("en") and "b" not in multipliers("pt")
