"""Forms of words that follow from one that a language file lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli import languages
from polyrag_cli.errors import ConfigError
from polyrag_cli.languages.compiled import FOLDER
from polyrag_cli.languages.inflection import inflected, replaced
from polyrag_cli.languages.reading import read_language

PORTUGUESE = languages.language("pt").inflections


def test_the_first_ending_that_fits_is_replaced() -> None:
    endings = {"ies$": "y", "(?<!s)s$": ""}
    assert [replaced(word, endings) for word in ("cities", "rows", "glass", "sum")] == ["city", "row", "glass", "sum"]


@pytest.mark.parametrize(
    ("listed", "forms"),
    [
        ("país", "país países"),
        ("vendedor/a", "vendedor vendedores vendedora vendedoras"),
        ("vendido/a", "vendido vendidos vendida vendidas"),
        ("gastaram casa", "gastaram gastamos casa casas"),
        ("venderam", "venderam vendemos"),
        ("produziram", "produziram produzimos"),
        ("gastou", "gastou"),
    ],
)
def test_words_are_listed_once(listed: str, forms: str) -> None:
    assert inflected(listed, PORTUGUESE.plurals, PORTUGUESE.verbs) == forms.split()


def test_an_ending_that_begins_with_a_consonant_is_put_behind_a_vowel() -> None:
    assert inflected(["kunde/n"], {}, {}) == ["kunde", "kunden"]


def test_words_by_name_are_inflected_and_the_rest_is_left_to_the_reader() -> None:
    assert inflected({"city": "cidade"}, PORTUGUESE.plurals, {}) == {"city": ["cidade", "cidades"]}
    assert inflected(3, {}, {}) == 3
    assert inflected([3], {}, {}) == [3]


def test_an_ending_that_is_no_expression_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "fr.toml"
    wrong = (FOLDER / "en.toml").read_text(encoding="utf-8").replace("'ed$' =", "'(ed$' =")
    file.write_text(wrong, encoding="utf-8")
    with pytest.raises(ConfigError, match=r"fr\.toml: \[inflections\]: '\(ed\$' is no regular expression"):
        read_language(file)


@pytest.mark.parametrize(
    "table", ["operators", "statements", "most", "least", "measured", "date_parts", "notions", "units"]
)
def test_every_language_names_the_same_things(table: str) -> None:
    """What a language lacks it says with an empty list, so a name that is spelled wrong is noticed."""
    named = {each.code: getattr(each.tables, table).keys() for each in languages.all_languages()}
    assert all(names == named["en"] for names in named.values())
