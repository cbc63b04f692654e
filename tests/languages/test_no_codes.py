"""Code names no language: whatever it does for one, it does for a file that is added."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import polyrag_cli
from polyrag_cli.languages import all_languages

PACKAGE = Path(polyrag_cli.__file__).parent
CODES = frozenset(each.code for each in all_languages()) | {"en", "pt", "es", "de"}
# File and literal, with the reason.
NO_CODES = {
    ("evaluation/bench/synthetic.py", "de"): "a syllable of made-up names",
    ("languages/__init__.py", "en"): "OWN, the language that the program itself speaks",
}


def named_languages(source: str) -> Iterator[tuple[int, str]]:
    """Line and literal of each text, attribute and keyword that consists of language codes alone ("pt", "pt|en")."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(text)) | ast.Attribute(attr=text) | ast.keyword(arg=str(text)):
                words = re.findall(r"\w+", text)
                if words and CODES.issuperset(words):
                    yield node.lineno, text


def test_no_code_names_a_language() -> None:
    found: dict[tuple[str, str], int] = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        path = file.relative_to(PACKAGE).as_posix()
        found |= {(path, text): line for line, text in named_languages(file.read_text(encoding="utf-8"))}
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
    assert [text for _, text in named_languages(source)] == [literal]


@pytest.mark.parametrize("source", ['"den"', '"en route"', 'f"{de}"', "de = 1", "# en", '""'])
def test_other_texts_name_no_language(source: str) -> None:
    assert list(named_languages(source)) == []
