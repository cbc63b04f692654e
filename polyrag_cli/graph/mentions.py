"""Owns what one passage says by itself: its sentences, capitalised spans, title names and relations.

Pure and per passage: no statistics of the corpus, so that a document's rows don't depend on other documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from polyrag_cli.graph.gazetteer import MAX_KEY_WORDS, TitleName, key_of, title_names
from polyrag_cli.graph.relations import Relation, relations
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.languages import language as language_of
from polyrag_cli.languages.schema import Language
from polyrag_cli.text.capitals import adjectival, capital_names, nouns_have_capitals
from polyrag_cli.text.parts import parted
from polyrag_cli.text.sentences import sentences
from polyrag_cli.text.stem import stems
from polyrag_cli.text.words import Word, is_stopword, words
from polyrag_cli.types import Chunk

HEADING_SEPARATOR = " › "
MentionKind = Literal["name", "initial", "noun", "identifier", "acronym"]

_LINE = re.compile(r"[^\n]+")
_PLAIN_GAP = re.compile(r"\s+")
_NAME_GAP = re.compile(r"\s+|\s?[-\u2010-\u2015&'’]\s?")
_INITIAL_GAP = re.compile(r"\.\s?")
_IDENTIFIER_SIGN = re.compile(r"[\d_]")
_SHOUTING = 0.6


@dataclass(frozen=True, slots=True)
class Mention:
    """A capitalised span; `start`/`end` are document offsets.

    kind: initial for a single capitalised word at a sentence's start, which is a name only if one is met elsewhere;
    noun for one that is used as a noun where nouns have capitals, which speaks against its being a name.
    """

    sentence: int
    start: int
    end: int
    key: str
    name: str
    kind: MentionKind


@dataclass(frozen=True, slots=True)
class SentenceGraph:
    """A sentence: document offsets, its words in normal form in order, and its distinct content stems, sorted."""

    start: int
    end: int
    words: tuple[str, ...]
    stems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PassageGraph:
    """What a chunk gives the graph.

    titles: names from the most specific heading (weight ≤ 1) and from what stands above it (weight ≤ 0.6).
    title_words, title_stems: of the document title and the heading path together.
    """

    chunk: Chunk
    sentences: tuple[SentenceGraph, ...]
    mentions: tuple[Mention, ...]
    titles: tuple[TitleName, ...]
    title_words: tuple[str, ...]
    title_stems: tuple[str, ...]
    relations: tuple[Relation, ...]


def passage_graph(chunk: Chunk) -> PassageGraph:
    """Return the sentences, mentions, title names and relations of one chunk."""
    found: list[SentenceGraph] = []
    mentions: list[Mention] = []
    said: list[Relation] = []
    known = language_of(chunk.language)
    for ordinal, (start, end) in enumerate(_sentences(chunk)):
        text = chunk.text[start:end]
        parts = parted(text)
        found.append(
            SentenceGraph(
                chunk.start + start,
                chunk.start + end,
                tuple(word.folded for word in parts),
                tuple(sorted(set(stems(text, chunk.language)))),
            )
        )
        spans = _spans(text, parts, chunk.language)
        placed = [_mention(text, parts[a:b], ordinal, chunk.start + start, a == 0, known) for a, b in spans]
        mentions.extend(placed)
        mentions.extend(_nouns(text, parts, spans, ordinal, chunk.start + start, known))
        mentions.extend(_identifiers(text, ordinal, chunk.start + start, placed))
        named = [(a, b, m.key, m.name) for (a, b), m in zip(spans, placed, strict=True)]
        said.extend(relations(ordinal, parts, named, chunk.language))
    heading = " ".join(part for part in (chunk.title, chunk.heading) if part)
    return PassageGraph(
        chunk,
        tuple(found),
        tuple(mentions),
        _titles(chunk),
        tuple(word.folded for word in parted(heading)),
        tuple(sorted(set(stems(heading, chunk.language)))),
        tuple(said),
    )


def _sentences(chunk: Chunk) -> list[tuple[int, int]]:
    """Spans in the chunk's text; in a table or in code, each line is a sentence."""
    if chunk.kind in ("table", "code"):
        return [match.span() for match in _LINE.finditer(chunk.text) if match[0].strip()]
    return sentences(chunk.text)


def _titles(chunk: Chunk) -> tuple[TitleName, ...]:
    levels = [level for level in (chunk.title, *chunk.heading.split(HEADING_SEPARATOR)) if level.strip()]
    names: dict[str, TitleName] = {}
    for depth, level in enumerate(reversed(levels)):
        for name in title_names(level, chunk.language):
            weight = name.weight if depth == 0 else 0.6 * name.weight
            names.setdefault(name.key, TitleName(name.key, name.name, round(weight, 6)))
    return tuple(names.values())


def _mention(text: str, parts: Sequence[Word], sentence: int, offset: int, first: bool, known: Language) -> Mention:
    start, end = parts[0].start, parts[-1].end
    kind: MentionKind = "name"
    name = text[start:end]
    if len(parts) == 1 or len(name.split()) == 1:
        letters = name if name.isalpha() else "".join(filter(str.isalpha, name))
        if len(letters) < len(name) and _has_figure(name):
            kind = "identifier"
        elif len(letters) > 1 and all(map(str.isupper, letters)):
            kind = "acronym"
        elif first and len(parts) == 1:
            kind = "initial"
    elif first and len(parts) == 2 and nouns_have_capitals(known) and adjectival(parts[0].folded, known):
        # "Neue Maschinen" or "Marie Weber".
        kind = "initial"
    key = parts[0].folded if len(parts) == 1 else " ".join([p.folded for p in parts])
    return Mention(sentence, offset + start, offset + end, key, name, kind)


def _nouns(
    text: str, parts: Sequence[Word], spans: Sequence[tuple[int, int]], sentence: int, offset: int, known: Language
) -> list[Mention]:
    """The capitalised words inside a sentence that it uses as nouns, where nouns have capitals."""
    if not nouns_have_capitals(known):
        return []
    named = {i for start, end in spans for i in range(start, end)}
    found: list[Mention] = []
    for i, word in enumerate(parts):
        if i > 0 and i not in named and word.capital and not is_stopword(word.folded, known.code):
            start, end = offset + word.start, offset + word.end
            found.append(Mention(sentence, start, end, word.folded, text[word.start : word.end], "noun"))
    return found


def _has_figure(text: str) -> bool:
    return "_" in text or any(map(str.isdigit, text))


def _identifiers(text: str, sentence: int, offset: int, placed: Sequence[Mention]) -> list[Mention]:
    """Identifiers (letters with figures, or joined by underscores) that are no mention yet, or stand inside one."""
    if _IDENTIFIER_SIGN.search(text) is None:
        return []
    taken = {(mention.start, mention.end) for mention in placed}
    found: list[Mention] = []
    for word in words(text):
        if word.text.isalpha() or not word.text[0].isalpha() or not _has_figure(word.text):
            continue
        start, end = offset + word.start, offset + word.end
        if ("_" in word.text or any(map(str.isupper, word.text))) and (start, end) not in taken:
            found.append(Mention(sentence, start, end, key_of(word.text), word.text, "identifier"))
    return found


def _spans(text: str, parts: Sequence[Word], language: str) -> list[tuple[int, int]]:
    names = language_of(language).names
    connectors = names.connectors | names.loose_connectors
    capital = capital_names(parts, language_of(language))
    # In a sentence set in capitals, capitals say nothing; figures in a word still do.
    shouted = sum([word.text.isupper() for word in parts if word.text.isalpha()])
    worded = sum([word.text.isalpha() for word in parts]) if shouted else 0
    if worded > 3 and shouted >= _SHOUTING * worded:
        capital = [c and any(char.isdigit() for char in t.text) for t, c in zip(parts, capital, strict=True)]
    spans: list[tuple[int, int]] = []
    i = 0
    while i < len(parts):
        if not capital[i]:
            i += 1
            continue
        end = _grow(text, parts, capital, i, connectors)
        start = i
        while start < end and _leads(parts[start], language):
            start += 1
        if start < end and end - start <= MAX_KEY_WORDS and (end - start > 1 or len(parts[start].folded) > 1):
            spans.append((start, end))
        i = max(end, i + 1)
    return spans


def _leads(word: Word, language: str) -> bool:
    never_first = language_of(UNDETERMINED).names.leading
    return not word.acronym and (is_stopword(word.folded, language) or word.folded in never_first)


def _grow(text: str, parts: Sequence[Word], capital: Sequence[bool], start: int, connectors: frozenset[str]) -> int:
    end = start + 1
    while end < len(parts):
        gap = text[parts[end - 1].end : parts[end].start]
        number = parts[end].text.isdigit() and len(parts[end].text) <= 3
        if (capital[end] and _joins(gap, parts[end - 1])) or (number and _NAME_GAP.fullmatch(gap)):
            end += 1
        elif (jump := _over_connectors(text, parts, capital, end, connectors)) > end:
            end = jump
        else:
            break
    return end


def _joins(gap: str, before: Word) -> bool:
    if _NAME_GAP.fullmatch(gap):
        return True
    # "J. Smith", "St. Mary", "Dr. Silva": a short word with a dot, inside one sentence.
    return len(before.text) <= 3 and _INITIAL_GAP.fullmatch(gap) is not None


def _over_connectors(
    text: str, parts: Sequence[Word], capital: Sequence[bool], at: int, connectors: frozenset[str]
) -> int:
    """Index after the capitalised word that one or two connectors lead to, or `at` when they lead nowhere."""
    for after in (at + 1, at + 2):
        inside = range(at, after + 1)
        if after >= len(parts) or parts[after - 1].folded not in connectors or parts[after - 1].capital:
            return at
        if not all(_PLAIN_GAP.fullmatch(text[parts[k - 1].end : parts[k].start]) for k in inside):
            return at
        if capital[after]:
            return after + 1
    return at
