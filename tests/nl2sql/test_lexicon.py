"""What words say in a question's language alone, and where its language can't be told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from polyrag_cli.languages import all_languages
from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.lexicon import every_language, figure_words, lexicon, lexicon_of
from polyrag_cli.nl2sql.question import take_apart
from polyrag_cli.nl2sql.units import counts, units_of
from polyrag_cli.text.utterance import read
from polyrag_cli.types import Column, TableSchema


def test_words_of_another_language_mean_nothing_in_a_question() -> None:
    assert take_apart(read("receita no Norte", "pt")).find("not") == []
    assert [mark.first for mark in take_apart(read("ingresos no facturados", "es")).find("not")] == [1]
    assert lexicon("en").notions("venda") == frozenset()
    assert lexicon("pt").notions("venda") == {"revenue", "quantity"}


def test_borrowed_words_keep_the_meaning_of_their_language() -> None:
    assert lexicon("es").notions("coach") == lexicon("en").notions("coach") == {"person"}


@pytest.mark.parametrize(
    ("question", "code"),
    [("quantas vezes teve reclamação de fila", "pt"), ("top 3 salaries", "en"), ("cuántas filas hay", "es")],
)
def test_a_question_in_no_certain_language_is_read_in_the_one_that_knows_it(question: str, code: str) -> None:
    assert take_apart(read(question, "und")).lexicon.code == code


def test_what_no_language_knows_is_read_in_all() -> None:
    assert lexicon_of(["xyzzy"]) is every_language() is lexicon("tlh")


def test_a_table_is_read_in_its_own_language() -> None:
    columns = tuple(
        Column(name, label, kind, values, len(values), 0)
        for name, label, kind, values in (
            ("preco", "Preço", "integer", ("3", "4", "9")),
            ("cliente", "Cliente", "text", ("Ana de Souza", "Rui da Costa")),
        )
    )
    schema = TableSchema("precos", "precos.csv", "preços dos produtos", columns, 3, "")  # type: ignore[arg-type]
    assert TableEntry(schema).lexicon.code == "pt"
    english = replace(columns[0], name="amount_due", label="amount due"), replace(columns[1], label="customer")
    assert TableEntry(replace(schema, label="orders", columns=english)).lexicon.code == "en"


def test_compounds_mean_what_the_noun_they_end_in_means() -> None:
    german = lexicon("de")
    assert german.notions("verkaufspreis") == german.notions("preis")
    assert german.notions("artigkeit") == frozenset() == lexicon("en").notions("salesprice")
    assert german.identifies("kundennummer") and not german.identifies("kunde")
    assert (german.described("kundenname"), german.described("umsatz")) == ("kunden", "")


def test_what_is_written_together_with_a_noun_is_a_word_of_its_own() -> None:
    asked = take_apart(read("Wie hoch war der Gesamtumsatz?", "de"))
    assert [(word.text, word.word.start) for word in asked.tokens][-2:] == [("Gesamt", 17), ("umsatz", 23)]
    assert [mark.operation for mark in asked.marks] == ["which", "sum"]


def test_of_two_operations_of_a_phrase_a_date_behind_it_tells_which() -> None:
    asked = take_apart(read("Umsatz nach Stadt nach März und nach 2023", "de"))
    assert [mark.operation for mark in asked.marks] == ["group", "after", "after"]


def test_capitals_are_no_names_where_nouns_have_them() -> None:
    assert any(word.capital for word in take_apart(read("Quem é Ana Melo?", "pt")).tokens)
    assert not any(word.capital for word in take_apart(read("Wer ist Anna Roth?", "de")).tokens)
    assert not any(word.capital for word in take_apart(read("QUEM É ANA MELO?", "pt")).tokens)


def test_units_by_name_and_by_sign() -> None:
    assert units_of("reais", lexicon("en")) == {"r$", "brl"}
    assert units_of("kg", lexicon("pt")) == units_of("quilos", lexicon("pt")) == {"kg"}
    assert units_of("eur", lexicon("pt")) == units_of("casas", lexicon("pt")) == frozenset()
    assert counts("euros", frozenset({"amount"}), lexicon("es")) and counts("m", frozenset({"height"}), lexicon("de"))
    assert not counts("kilos", frozenset({"amount"}), lexicon("es"))
    assert not counts("metros", frozenset({"weight"}), lexicon("es"))


def test_words_that_no_reading_expresses_decline() -> None:
    assert take_apart(read("Qual é a mediana do preço?", "pt")).blocker == ""
    assert take_apart(read("Já temos quase dez?", "pt")).blocker == "ja"
    assert take_apart(read("the second highest price and why", "en")).blocker == "why"
    assert take_apart(read("the second highest price", "en")).blocker == ""


def test_figure_words_ask_for_a_figure_by_themselves() -> None:
    assert {"quantos", "total", "promedio", "average"} <= figure_words("und")
    assert figure_words("und").isdisjoint({"mais", "overall", "some"})


def test_no_phrase_asks_for_two_operators_in_one_language() -> None:
    """But for those of which what follows tells which is meant."""
    for language in all_languages():
        tables = language.tables
        named = [(name, p) for name, phrases in tables.operators.items() for p in phrases]
        named += [(f"most {n}", p) for n, phrases in tables.most.items() for p in phrases]
        named += [(f"least {n}", p) for n, phrases in tables.least.items() for p in phrases]
        named += [(f"measured {n}", p) for n, phrases in tables.measured.items() for p in phrases]
        by_phrase: dict[tuple[str, ...], set[str]] = {}
        for name, phrase in named:
            by_phrase.setdefault(phrase, set()).add(name)
        twice = {phrase: names for phrase, names in by_phrase.items() if len(names) > 1}
        assert all(names == {"group", "after"} for names in twice.values()), (language.code, twice)


@pytest.mark.parametrize("language", all_languages(), ids=lambda language: language.code)
def test_every_statement_can_be_made(language: object) -> None:
    statements = language.tables.statements  # type: ignore[attr-defined]
    for name in ("sum", "average", "max", "min", "count_distinct", "row", "rows", "more"):
        assert statements[name].format("x") != statements[name]
    for name in ("group", "difference", "share", "of_rows"):
        assert statements[name].format("x", "y").count("x") >= 1 and "y" in statements[name].format("x", "y")
    assert statements["date"].format(year=2024, month="03", day="09").count("2024") == 1
