"""Nothing outside languages/ holds a word of a human language, but for the English that the program itself speaks.

Two rules, over every text in the code but docstrings:

- No word of another language: one of three letters or more that a language file has, English hasn't, and the package's
  own prose (docstrings, comments and identifiers; examples in quotes aside) doesn't use.
- No list of words: no tuple, list, set, table or `"…".split()` of texts, and no alternation in a pattern, with two
  words of grammar that a language file has. Names are no such list: the keys of the language files, as in
  `("when", "where")`, and what the package calls its fields, parameters and literal values.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.languages import OWN, all_languages
from polyrag_cli.languages.cues import Cues
from polyrag_cli.languages.making import tables as language_tables
from polyrag_cli.languages.schema import Language
from polyrag_cli.languages.section import Section
from polyrag_cli.text.fold import fold

PACKAGE = Path(__file__).parents[2] / "polyrag_cli"
LETTERS = re.compile(r"[^\W\d_]+")
QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|'[^']*'")
# Of a regular expression: what is no text.
SYNTAX = re.compile(r"\\[a-zA-Z]|\(\?P?[<=!:]+(?:\w+>)?|\[[^\]]*\]|[\\^$.*+?{}()]")
SHORTEST = 3
TABLES = language_tables()
# Tables whose words say how a language is built; the others hold words of content.
GRAMMAR = ("function_words", "clauses", "greetings", "arithmetic", "retrieval", "expected", "limits", "names", "slots")

# What a word of another language also is, and no prose of the package says: a key of the keyboard.
HOMOGRAPHS = frozenset({"alt"})

# What holds such words and may, by file and the name that it is assigned to.
ALLOWED = {
    ("evaluation/bench/synthetic.py", "_SYLLABLES"): "syllables of invented words",
    ("scoring/metrics.py", "_NUMBER_WORDS"): "the canonical form of a measure, which no language file may move",
    ("text/stem.py", "_NO_PLURAL"): "endings, not words",
}


def modules(allowed: Iterable[tuple[str, str]] = tuple(ALLOWED)) -> Iterator[tuple[str, ast.Module]]:
    """Every module outside languages/ by its path, without what is allowed."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        if not name.startswith("languages/"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            tree.body = [node for node in tree.body if (name, assigned(node)) not in allowed]
            yield name, tree


def assigned(node: ast.stmt) -> str:
    """The name that a statement assigns to, "" for any other."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return targets[0].id if targets and isinstance(targets[0], ast.Name) else ""


def words_in(text: str) -> list[str]:
    return LETTERS.findall(fold(text))


def strings(value: Any) -> Iterator[str]:
    """The texts of a value of a language file, but for names of ours."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Cues):
        yield from (SYNTAX.sub(" ", source.replace("[ -]", " ")).replace("|", " ") for source in value.sources)
    elif isinstance(value, Section):
        for key in value.__annotations__:
            yield from strings(getattr(value, key))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from strings(each) if not isinstance(each, int) else (key,)
    elif isinstance(value, tuple | frozenset):
        for each in value:
            yield from strings(each)


def words_of(language: Language, tables: Iterable[str] = TABLES) -> set[str]:
    return {word for name in tables for text in strings(getattr(language, name)) for word in words_in(text)}


def names_of(value: Any) -> Iterator[str]:
    """The keys of tables by a name of ours."""
    if isinstance(value, Section):
        for key in value.__annotations__:
            yield from names_of(getattr(value, key))
    elif isinstance(value, Mapping):
        yield from (key for key, each in value.items() if not isinstance(each, int | str))


@cache
def prose() -> frozenset[str]:
    """The words of the package's docstrings, comments and identifiers."""
    found: set[str] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type in (tokenize.COMMENT, tokenize.NAME):
                found.update(words_in(QUOTED.sub(" ", token.string).replace("_", " ")))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
                found.update(words_in(QUOTED.sub(" ", text)))
    return frozenset(found)


@cache
def identifiers() -> frozenset[str]:
    """What the package calls its fields, parameters and attributes, and the values of its literal types."""
    found: set[str] = set()
    for _, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                found.add(node.attr)
            elif isinstance(node, ast.arg | ast.keyword):
                found.add(node.arg or "")
            elif isinstance(node, ast.Name):
                found.add(node.id)
            elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == "Literal":
                found.update(said(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]))
    return frozenset(found)


@cache
def foreign() -> frozenset[str]:
    """Words of other languages than English that are none of English as well."""
    own = next(each for each in all_languages() if each.code == OWN)
    others = set().union(*(words_of(each) for each in all_languages() if each is not own))
    return frozenset(word for word in others - words_of(own) - prose() - HOMOGRAPHS if len(word) >= SHORTEST)


@cache
def grammar() -> frozenset[str]:
    return frozenset().union(*(words_of(each, GRAMMAR) for each in all_languages()))


@cache
def names() -> frozenset[str]:
    keys = {key for each in all_languages() for table in TABLES for key in names_of(getattr(each, table))}
    return frozenset(keys) | identifiers()


def texts(tree: ast.Module) -> Iterator[ast.Constant]:
    """The texts of a module but for docstrings, which stand as statements of their own."""
    stated = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in stated:
            yield node


def lists(tree: ast.Module) -> Iterator[tuple[int, list[str]]]:
    """The lines and texts of every list of them: collections, tables' keys, split texts, alternations in patterns."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Tuple | ast.List | ast.Set):
            yield node.lineno, said(node.elts)
        elif isinstance(node, ast.Dict):
            yield node.lineno, said([key for key in node.keys if key is not None])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "split":
            yield node.lineno, [word for text in said([node.func.value]) for word in text.split()]
    for text in texts(tree):
        yield (
            text.lineno,
            [part.strip() for part in SYNTAX.sub("|", str(text.value)).split("|") if "|" in str(text.value)],
        )


def said(nodes: list[ast.expr]) -> list[str]:
    return [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]


def words_of_other_languages(name: str, tree: ast.Module) -> list[str]:
    found = []
    for text in texts(tree):
        held = foreign().intersection(words_in(str(text.value)))
        if held:
            found.append(f"{name}:{text.lineno}: {', '.join(sorted(held))}")
    return found


def lists_of_words(name: str, tree: ast.Module) -> list[str]:
    found = []
    for line, members in lists(tree):
        held = sorted({member for member in members if len(member) > 1 and fold(member) in grammar()})
        if len(held) > 1 and not names().issuperset(held):
            found.append(f"{name}:{line}: {', '.join(held)}")
    return found


def test_no_word_of_another_language() -> None:
    assert [line for name, tree in modules() for line in words_of_other_languages(name, tree)] == []


def test_no_list_of_words() -> None:
    assert [line for name, tree in modules() for line in lists_of_words(name, tree)] == []


@pytest.mark.parametrize(
    "planted",
    [
        'x = "quanto"',
        "x = re.compile(r'\\b(?:quais|onde)\\b')",
        'x = {"donde": 1}',
        'x = f"{a} nenhuma {b}"',
    ],
)
def test_a_planted_word_of_another_language_is_found(planted: str) -> None:
    assert words_of_other_languages("planted.py", ast.parse(planted))


@pytest.mark.parametrize(
    "planted",
    [
        'x = ("the", "of")',
        'x = {"who", "whom"}',
        'x = frozenset("the an of".split())',
        'x = {"without": 1, "never": -1}',
        "x = re.compile(r'^(?:how many|whose|which)\\b')",
        'x = ("do", "da", "de")',
    ],
)
def test_a_planted_list_of_words_is_found(planted: str) -> None:
    assert lists_of_words("planted.py", ast.parse(planted))


@pytest.mark.parametrize(
    "honest",
    ['x = ("when", "where")', 'x = "none of the rows matches"', 'x = ("name", "title")', '"""of, the, quanto"""'],
)
def test_names_and_sentences_are_no_lists(honest: str) -> None:
    tree = ast.parse(honest)
    assert lists_of_words("honest.py", tree) == words_of_other_languages("honest.py", tree) == []


@pytest.mark.parametrize("allowed", ALLOWED)
def test_every_exception_is_still_one(allowed: tuple[str, str]) -> None:
    others = [each for each in ALLOWED if each != allowed]
    tree = next(tree for name, tree in modules(others) if name == allowed[0])
    assert words_of_other_languages(allowed[0], tree) or lists_of_words(allowed[0], tree)
