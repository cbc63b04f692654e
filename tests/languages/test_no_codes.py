"""Code names no language and holds no word of another than its own: what it does for one, it does for an added file."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import polyrag_cli
from polyrag_cli.languages import OWN, all_languages
from polyrag_cli.text.fold import fold

PACKAGE = Path(polyrag_cli.__file__).parent
CODES = frozenset(each.code for each in all_languages()) | {"en", "pt", "es", "de"}
# File and literal, with the reason.
NO_CODES = {
    ("evaluation/bench/synthetic.py", "de"): "a syllable of made-up names",
    ("languages/__init__.py", "en"): "OWN, the language that the program itself speaks",
}
# Words of other languages too, and of English or of computers here.
HOMOGRAPHS = frozenset(
    {
        "abs", "alt", "alter", "analyse", "aria", "auto", "dir", "division", "era", "lag", "lang", "links", "maximal",
        "measure", "meta", "miss", "neg", "quote", "rates", "sem", "set", "sin", "str",
    }
)  # fmt: skip
# File and the name that is assigned to, with the reason.
NO_WORDS = {
    ("evaluation/bench/synthetic.py", "_SYLLABLES"): "syllables of made-up names",
    ("scoring/metrics.py", "_NUMBER_WORDS"): "the canonical form of a measure, which no language file may move",
}


@pytest.fixture(scope="module")
def modules() -> dict[str, ast.Module]:
    """Every module of the package by its path, parsed once for all tests here."""
    files = {file.relative_to(PACKAGE).as_posix(): file for file in sorted(PACKAGE.rglob("*.py"))}
    return {path: ast.parse(file.read_text(encoding="utf-8")) for path, file in files.items()}


def named_languages(module: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and literal of each text, attribute and keyword that consists of language codes alone ("pt", "pt|en")."""
    for node in ast.walk(module):
        match node:
            case ast.Constant(value=str(text)) | ast.Attribute(attr=text) | ast.keyword(arg=str(text)):
                words = re.findall(r"\w+", text)
                if words and CODES.issuperset(words):
                    yield node.lineno, text


def test_no_code_names_a_language(modules: dict[str, ast.Module]) -> None:
    found: dict[tuple[str, str], int] = {}
    for path, module in modules.items():
        found |= {(path, text): line for line, text in named_languages(module)}
    told = [f"{path}:{line} {text!r}" for (path, text), line in found.items() if (path, text) not in NO_CODES]
    assert told == []
    assert set(found) >= set(NO_CODES), "an exception that nothing needs"


@pytest.mark.parametrize(
    ("source", "literal"),
    [
        ('language != "en"', "en"),
        ('language in ("pt", None)', "pt"),
        ('re.compile(r"(pt|es)")', "(pt|es)"),
        ('{"de": 1}', "de"),
        ("anchors.es", "es"),
        ("dict(de=1)", "de"),
        ("match x:\n    case 'en': pass", "en"),
    ],
)
def test_a_named_language_is_found(source: str, literal: str) -> None:
    assert [text for _, text in named_languages(ast.parse(source))] == [literal]


@pytest.mark.parametrize("source", ['"den"', '"en route"', 'f"{de}"', "de = 1", "# en", '""'])
def test_other_texts_name_no_language(source: str) -> None:
    assert list(named_languages(ast.parse(source))) == []


def texts(value: Any) -> Iterator[str]:
    """Every text of a value of TOML."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts(each)


def words_of(values: Iterable[str]) -> set[str]:
    """The folded words of three letters or more in some texts: shorter ones are syllables and signs as well."""
    return {word for text in values for word in re.findall(r"[^\W\d_]{3,}", fold(text))}


@cache
def foreign() -> frozenset[str]:
    """The words that other language files have and English hasn't."""
    files = {file.stem: tomllib.loads(file.read_text(encoding="utf-8")) for file in PACKAGE.glob("languages/*.toml")}
    words = {code: words_of(texts(held)) for code, held in files.items()}
    return frozenset(set().union(*words.values()) - words[OWN] - HOMOGRAPHS)


def foreign_words(module: ast.Module) -> Iterator[tuple[str, str]]:
    """The name that a statement of a module assigns to ("" where it assigns to none), and each foreign word in it;
    docstrings aside."""
    for statement in module.body:
        targets = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
        name = targets[0].id if isinstance(targets[0], ast.Name) else ""
        nodes = list(ast.walk(statement))
        told = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
        literals = (node for node in nodes if isinstance(node, ast.Constant) and id(node) not in told)
        for word in words_of(literal.value for literal in literals if isinstance(literal.value, str)) & foreign():
            yield name, word


def test_no_code_holds_a_word_of_another_language(modules: dict[str, ast.Module]) -> None:
    found: dict[tuple[str, str], set[str]] = {}
    for path, module in modules.items():
        if not path.startswith("languages/"):
            for name, word in foreign_words(module):
                found.setdefault((path, name), set()).add(word)
    assert {place: words for place, words in found.items() if place not in NO_WORDS} == {}
    assert set(found) >= set(NO_WORDS), "an exception that nothing needs"


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ('_SMALL = {"quantos"}', ("_SMALL", "quantos")),
        ('_SMALL: str = "a mayúsculas cuántos"', ("_SMALL", "cuantos")),
        ('def f(word):\n    return word == "wieviele" or re.match("wohin|der", word)', ("", "wieviele")),
    ],
)
def test_a_foreign_word_is_found(source: str, place: tuple[str, str]) -> None:
    assert place in list(foreign_words(ast.parse(source)))


@pytest.mark.parametrize(
    "source", ['def f():\n    """Such as \'quantos\'."""', 'x = "how many"', "quantos = 1  # quantos"]
)
def test_docstrings_names_and_english_are_none(source: str) -> None:
    assert list(foreign_words(ast.parse(source))) == []
