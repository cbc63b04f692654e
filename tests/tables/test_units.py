"""Units and scales of headers."""

from __future__ import annotations

import pytest

from polyrag_cli.tables.units import Unit, conversions, folded_unit, header_unit


@pytest.mark.parametrize(
    ("label", "language", "unit", "scale"),
    [
        ("Depth m", "en", "m", 1),
        ("Weight kg", "en", "kg", 1),
        ("load_kg", "en", "kg", 1),
        ("Price R$", "en", "R$", 1),
        ("Rent (£)", "en", "£", 1),
        ("Share, %", "en", "%", 1),
        ("% of seats", "en", "%", 1),
        ("Speed (km/h)", "en", "km/h", 1),
        ("Plot [m²]", "en", "m²", 1),
        ("Funds (k EUR)", "en", "EUR", 1000),
        ("Funds kEUR", "en", "EUR", 1000),
        ("Turnover ($M)", "en", "$", 1_000_000),
        ("Turnover in millions", "en", "", 1_000_000),
        ("People (thousands)", "en", "", 1000),
        ("Grant £000", "en", "£", 1000),
        ("Receita (R$ mil)", "pt", "R$", 1000),
        ("Receita (em milhões de R$)", "pt", "R$", 1_000_000),
        ("Custo R$ mi", "pt", "R$", 1_000_000),
        ("Umsatz (Mio. €)", "de", "€", 1_000_000),
        ("kg", "en", "kg", 1),
        ("Team", "en", "", 1),
        ("Games W", "en", "", 1),
        ("Power (W)", "en", "W", 1),
        ("power_w", "en", "w", 1),
        ("Shift a", "en", "", 1),
        ("espera_min", "pt", "min", 1),
        ("Temperature min", "en", "", 1),
        ("Checked in", "en", "", 1),
        ("Top million", "en", "", 1),
        ("Rooms (old building)", "en", "", 1),
        ("m", "en", "", 1),
    ],
)
def test_what_a_header_says_of_its_figures(label: str, language: str, unit: str, scale: float) -> None:
    assert header_unit(label, language) == Unit(unit, scale)


def test_units_convert_within_one_kind_only() -> None:
    found = conversions(["g", "kg"])
    assert found is not None
    assert (found[0], found[1]["g"] * 1000) == ("kg", 1)
    assert conversions(["g", "km"]) is None
    assert conversions(["$", "£"]) is None


def test_equal_units_have_one_spelling() -> None:
    assert folded_unit("US$") == folded_unit("USD") == folded_unit("$") != folded_unit("£")
    assert folded_unit("KM²") == "km2"
