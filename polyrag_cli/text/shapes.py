"""Owns what of a document stays as it is when somebody translates it: its structure, its figures, names and code."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from functools import cache
from zlib import crc32

from polyrag_cli.languages import UNDETERMINED, language
from polyrag_cli.text.language import detect
from polyrag_cli.types import DocumentShape, LoadedDocument

_SIGNS = {"paragraph": "p", "list": "l", "table": "t", "code": "c"}
_PROSE = frozenset(("heading", "paragraph", "list"))
_MOST_BLOCKS = 2000
_MOST_MARKS = 64
# Of a document, for its language: code and fields say little of it.
_READ = 4000
# Words with what may stand inside a name, and what tells a figure or a name from a word.
_TOKEN = re.compile(r"[\w.:/-]+")
_FIGURE_OR_NAME = re.compile(r"[\d_.:/]")
_CODE_WORD = re.compile(r"\w{3,}")


def shape_of(loaded: LoadedDocument) -> DocumentShape:
    """The shape of a document; without blocks it has no structure."""
    signs: list[str] = []
    marks: set[int] = set()
    prose: list[str] = []
    for block in loaded.blocks[:_MOST_BLOCKS]:
        if block.kind == "fields":
            continue
        text = loaded.text[block.start : block.end]
        signs.append(str(block.level) if block.kind == "heading" else _SIGNS[block.kind])
        found = _CODE_WORD.findall(text) if block.kind == "code" else _figures_and_names(text)
        marks.update(crc32(word.encode("utf-8", "surrogatepass")) for word in found)
        if block.kind in _PROSE:
            prose.append(text)
    return DocumentShape("".join(signs), tuple(sorted(marks)[:_MOST_MARKS]), _language("\n".join(prose)[:_READ]))


def _figures_and_names(text: str) -> list[str]:
    """What has a digit or a mark inside: "3.2", "v1", "en_US", "docs/start"."""
    tokens = (token.strip(".:/-") for token in _TOKEN.findall(text))
    return [token for token in tokens if _FIGURE_OR_NAME.search(token)]


def _language(prose: str) -> str:
    """The language of a text; "und" where most of it is written otherwise, as with English terms in Arabic."""
    found = detect(prose)
    return found if found == UNDETERMINED or _script(prose) == _script_of(found) else UNDETERMINED


@cache
def _script_of(code: str) -> str:
    return _script("".join(sorted(language(code).function_words.words)))


def _script(text: str) -> str:
    """The script that most letters of a text are of, such as LATIN; the first by name of equals, "" without letters."""
    counts = Counter(text)
    scripts: Counter[str] = Counter()
    for character, count in counts.items():
        if character.isalpha():
            scripts[unicodedata.name(character, "").partition(" ")[0]] += count
    return min(scripts, key=lambda name: (-scripts[name], name), default="")
