"""Whole numbers of one word that are written in several ways."""

import pytest

from polyrag_cli.text.number_forms import number_forms


@pytest.mark.parametrize(
    ("word", "language", "among"),
    [
        ("two", "en", {"2"}),
        ("duas", "pt", {"2"}),
        ("2", "en", {"two", "dois", "duas", "zwei"}),
        ("noventa", "es", {"90"}),
        ("primeira", "pt", {"1a", "1o", "1st"}),
        ("third", "en", {"3rd", "3a"}),
        ("3rd", "en", {"third", "terceira", "3a"}),
        ("2a", "pt", {"segunda", "second", "2nd"}),
    ],
)
def test_a_number_is_written_otherwise(word: str, language: str, among: set[str]) -> None:
    forms = number_forms(word, language)
    assert among <= set(forms)
    assert word not in forms
    assert list(forms) == sorted(forms)


@pytest.mark.parametrize(
    ("word", "language"),
    # An article; what is no word of that language; a hundred and more; an identifier; no mark of an ordinal; a word.
    [("um", "pt"), ("two", "de"), ("1", "en"), ("300", "en"), ("b12", "en"), ("3kg", "en"), ("dog", "en")],
)
def test_other_words_have_no_other_form(word: str, language: str) -> None:
    assert number_forms(word, language) == ()
