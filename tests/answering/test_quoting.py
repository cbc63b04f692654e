from __future__ import annotations

from polyrag_cli.answering.quoting import Quote, moved, stated
from polyrag_cli.types import Chunk, Hit

_TEXT = "One came first.  Two came\nsecond. Three came last."
_CHUNK = Chunk("c", "d.md", 0, 100, 100 + len(_TEXT), _TEXT)
_HIT = Hit("d.md", "c", "", None, 100, 100 + len(_TEXT), _TEXT, 1.0, "dense")


def _quote(text: str) -> Quote:
    start = 100 + _TEXT.index(text)
    return Quote(_HIT, _CHUNK, start, start + len(text))


ONE, TWO, THREE = _quote("One came first."), _quote("Two came\nsecond."), _quote("Three came last.")


def test_quotes_keep_their_order_and_number() -> None:
    text, sources = stated([THREE, ONE], 20)
    assert text == "Three came last. [1]\nOne came first. [2]"
    assert [hit.text for hit in sources] == ["Three came last.", "One came first."]
    assert [(hit.start, hit.end) for hit in sources] == [(134, 150), (100, 115)]


def test_neighbours_are_joined_in_the_documents_order() -> None:
    text, sources = stated([TWO, ONE], 20)
    assert text == "One came first. Two came second. [1]"
    assert sources[0].text == "One came first.  Two came\nsecond."


def test_a_gap_that_closes_joins_three() -> None:
    text, sources = stated([ONE, THREE, TWO], 20)
    assert text == "One came first. Two came second. Three came last. [1]"
    assert sources[0].text == _TEXT


def test_a_quote_that_is_too_long_is_cut_at_a_word() -> None:
    text, sources = stated([TWO], 3)
    assert text == "Two came [1]"
    assert sources[0].text == "Two came"


def test_figures_only_where_there_is_room() -> None:
    chunk = Chunk("c", "d.md", 0, 0, 22, "vinte e quatro e doze.")
    quote = Quote(_HIT, chunk, 0, 22)
    assert stated([quote], 6, "pt")[0] == "vinte e quatro e doze. [1]"
    assert stated([quote], 7, "pt")[0].startswith("vinte e quatro (24) e doze.")
    assert stated([quote], 8, "pt")[0] == "vinte e quatro (24) e doze (12). [1]"
    assert stated([quote], 7, None)[0] == "vinte e quatro e doze. [1]"


def test_a_span_is_where_it_was_once_figures_stand_beside_number_words() -> None:
    plain, figured = "Catorze horas, ou catorze dias.", "Catorze (14) horas, ou catorze (14) dias."
    assert moved((0, 7), plain, figured) == (0, 7)
    start, end = moved((18, 25), plain, figured)
    assert figured[start:end] == "catorze"
    start, end = moved((8, 13), plain, figured)
    assert figured[start:end] == "horas"
