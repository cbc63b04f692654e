"""A language file that isn't what the schema says is refused by file and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from polyrag_cli import languages
from polyrag_cli.errors import ConfigError
from polyrag_cli.languages.compiled import FOLDER
from polyrag_cli.languages.making import joined, made, tables
from polyrag_cli.languages.reading import read_language
from polyrag_cli.languages.schema import Language

FRENCH = (FOLDER / "es.toml").read_text(encoding="utf-8").replace('name = "español"', 'name = "français"')


def read(folder: Path, text: str, name: str = "fr.toml") -> dict[str, Any]:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return read_language(file)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("capitals_mark_names = true\n", "", "fr.toml: [writing] lacks capitals_mark_names."),
        ("month_first =", "months_first =", "fr.toml: [dates] has no key 'months_first'. Did you mean 'month_first'?"),
        ("month_first = false", 'month_first = "yes"', "fr.toml: [dates] month_first: true or false is wanted."),
        ("\n[writing]", "\n[writings]", "fr.toml has no key 'writings'. Did you mean 'writing'?"),
        ('decimal = ","', "decimal = 3", "fr.toml: [writing] decimal: a text is wanted."),
        ("months = [", "months = [3,", "fr.toml: [dates] months: words in one text, or a list of texts, are wanted."),
        ('decimal = ","', 'decimal = ";;"', "fr.toml: [writing] decimal: one character is wanted, not ';;'."),
        ('decimal = ","', 'decimal = "."', "fr.toml: [writing] decimal and thousands are the same mark, '.'."),
        ("semestre = 6 }", "semestre = true }", "[dates] parts: 'semestre' must be a word with its number"),
        (
            'algorithm = "spanish"',
            'algorithm = "klingon"',
            "fr.toml: [stemming] algorithm: there is no stemmer 'klingon'. One of arabic,",
        ),
        (
            'falling = "',
            'falling = "encogió ',
            "fr.toml: [tables] falling: 'encogio' isn't among the words of operators.growth.",
        ),
        ('rising = "', 'rising = "bajó ', "fr.toml: [tables] rising: 'bajo' is among those of falling."),
        ('requests = "', 'requests = "dime ', "fr.toml: [function_words] requests: twice there: dime."),
    ],
)
def test_a_wrong_file_is_refused_by_name_and_key(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert FRENCH.count(old) == 1
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, FRENCH.replace(old, new))
    assert told in str(caught.value)


@pytest.mark.parametrize("name", ["french.toml", "und.toml", "FR.toml"])
def test_a_file_is_named_after_its_code(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="named after its ISO 639 code"):
        read(tmp_path, FRENCH, name)


def test_a_file_that_is_no_toml_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"fr\.toml: can't be read as TOML"):
        read(tmp_path, "months = [")


def test_words_are_folded_and_marks_are_kept(tmp_path: Path) -> None:
    plain = read(tmp_path, FRENCH)
    french = Language("fr", lambda table: made(plain[table], table))
    assert (french.code, french.writing.name, french.writing.decimal) == ("fr", "français", ",")
    assert "cual" in french.function_words.interrogatives
    assert french.dates.weekdays[2] == {"miercoles", "mie"}


def test_a_section_cannot_be_changed() -> None:
    with pytest.raises(AttributeError, match="can't be changed"):
        languages.language("en").writing.decimal = ","  # type: ignore[misc]
    with pytest.raises(TypeError):
        languages.language("en").dates.parts["quarter"] = 4  # type: ignore[index]


def test_languages_are_sorted_and_each_is_found_by_its_code() -> None:
    every = languages.all_languages()
    codes = [each.code for each in every]
    assert codes == sorted(codes) and len(codes) >= 3
    assert all(languages.language(each.code) is each for each in every)


def test_the_undetermined_language_says_what_any_says() -> None:
    every, union = languages.all_languages(), languages.language("und")
    assert languages.language("tlh") is union
    assert union.function_words.words == frozenset().union(*(each.function_words.words for each in every))
    assert all(each.dates.months[0] <= union.dates.months[0] for each in every)
    assert union.writing.decimal == "" and union.stemming.algorithm == ""
    assert joined(every[:1]).writing.decimal == every[0].writing.decimal


def test_each_file_says_at_its_head_what_its_tables_are_for() -> None:
    for file in FOLDER.glob("*.toml"):
        head = file.read_text(encoding="utf-8").split("\n\n")[0]
        lacking = [name for name in tables() if f"# [{name}]" not in head]
        assert lacking == [], file.name
