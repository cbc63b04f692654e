"""Owns the columns that the graph's arrays are built from: what passages say, as numbers, gathered one by one.

A passage is taken in and let go, so that the memory is that of the numbers.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import numpy.typing as npt

from polyrag_cli.graph.gazetteer import nameless

if TYPE_CHECKING:
    from polyrag_cli.graph.mentions import PassageGraph

Numbers = npt.NDArray[np.int32]


class PassageRows(NamedTuple):
    """What the graph keeps of one passage, as rows.

    sentences: (start, end, words, stems), words and stems joined by spaces. mentions: (sentence, key, name, kind).
    titles: (key, name, weight). relations: (subject key, object key, verb).
    """

    chunk_id: str
    document: str
    title: str
    heading: str
    title_words: str
    title_stems: str
    sentences: Sequence[tuple[int, int, str, str]]
    mentions: Sequence[tuple[int, str, str, str]]
    titles: Sequence[tuple[str, str, float]]
    relations: Sequence[tuple[str, str, str]]

    @classmethod
    def of(cls, passage: PassageGraph) -> PassageRows:
        """The rows of a passage."""
        chunk = passage.chunk
        return cls(
            chunk_id=chunk.chunk_id,
            document=chunk.document,
            title=chunk.title,
            heading=chunk.heading,
            title_words=" ".join(passage.title_words),
            title_stems=" ".join(passage.title_stems),
            sentences=[(s.start, s.end, " ".join(s.words), " ".join(s.stems)) for s in passage.sentences],
            mentions=[(m.sentence, m.key, m.name, m.kind) for m in passage.mentions],
            titles=[(t.key, t.name, t.weight) for t in passage.titles],
            relations=[(r.subject, r.object, r.verb) for r in passage.relations],
        )


class Vocabulary(dict[str, int]):
    """Strings numbered from 0 in the order in which they are first asked for."""

    def __missing__(self, string: str) -> int:
        self[string] = number = len(self)
        return number


class Lists:
    """Lists of strings as numbers: `flat` one after the other, `lengths` of each; lists may share a vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self._flat = array("i")
        self._lengths = array("i")

    def append(self, strings: Sequence[str]) -> None:
        """Adds one list."""
        self._flat.extend(map(self.vocabulary.__getitem__, strings))
        self._lengths.append(len(strings))

    @property
    def flat(self) -> Numbers:
        """The number of each string, (strings,)."""
        return numbers(self._flat)

    @property
    def lengths(self) -> Numbers:
        """The length of each list, (lists,)."""
        return numbers(self._lengths)


class Columns:
    """What passages say, in the order in which they are added; numbers of keys, words and stems by first occurrence.

    held: sentences of each passage. article: one number for the passages of one title and heading path, or, without
    either, of one document. spelled: how often each (key, name) names something; nouns: how often a key is used as a
    noun where nouns have capitals. mention_sentence, mention_key: one a mention, sentences numbered over all passages.
    title_*, relation_*: passages by number, keys by theirs.
    """

    def __init__(self) -> None:
        words, stems = Vocabulary(), Vocabulary()
        self.words, self.title_words = Lists(words), Lists(words)
        self.stems, self.title_stems = Lists(stems), Lists(stems)
        self.keys, self.verbs = Vocabulary(), Vocabulary()
        self.spelled: Counter[tuple[str, str]] = Counter()
        self.nouns: Counter[str] = Counter()
        self.chunk_ids: list[str] = []
        self.documents: list[str] = []
        self.held, self.article = array("i"), array("i")
        self.starts, self.ends = array("i"), array("i")
        self.mention_sentence, self.mention_key = array("i"), array("i")
        self.title_passage, self.title_key, self.title_weight = array("i"), array("i"), array("d")
        self.relation_subject, self.relation_object = array("i"), array("i")
        self.relation_passage, self.relation_verb = array("i"), array("i")
        self._articles: dict[tuple[str, str], int] = {}

    @classmethod
    def of(cls, passages: Iterable[PassageRows]) -> Columns:
        """The columns of passages, which come by chunk id."""
        columns = cls()
        for passage in passages:
            columns.add(passage)
        return columns

    def add(self, passage: PassageRows) -> None:
        """Takes in the next passage."""
        number, first = len(self.chunk_ids), len(self.starts)
        self.chunk_ids.append(passage.chunk_id)
        self.documents.append(passage.document)
        named = (passage.title, passage.heading) if passage.title or passage.heading else ("", passage.document)
        self.article.append(self._articles.setdefault(named, len(self._articles)))
        self.title_words.append(passage.title_words.split())
        self.title_stems.append(passage.title_stems.split())
        self.held.append(len(passage.sentences))
        for start, end, words, stems in passage.sentences:
            self.starts.append(start)
            self.ends.append(end)
            self.words.append(words.split())
            self.stems.append(stems.split())
        self._add_names(passage, number, first)
        for subject, other, verb in passage.relations:
            self.relation_subject.append(self.keys[subject])
            self.relation_object.append(self.keys[other])
            self.relation_passage.append(number)
            self.relation_verb.append(self.verbs[verb])

    def _add_names(self, passage: PassageRows, number: int, first: int) -> None:
        for sentence, key, name, kind in passage.mentions:
            self.mention_sentence.append(first + sentence)
            self.mention_key.append(self.keys[key])
            if kind == "noun":
                self.nouns[key] += 1
            elif kind != "initial" and not (kind == "name" and nameless(key)):
                self.spelled[key, name] += 1
        for key, name, weight in passage.titles:
            self.title_passage.append(number)
            self.title_key.append(self.keys[key])
            self.title_weight.append(weight)
            self.spelled[key, name] += 1


def numbers(column: array[int]) -> Numbers:
    """A column of numbers as an array over the same memory."""
    return np.frombuffer(column, dtype=np.int32) if column else np.zeros(0, dtype=np.int32)


def ranks(vocabulary: Vocabulary, ordered: Sequence[str]) -> npt.NDArray[np.int64]:
    """For each number of a vocabulary the place of its string in `ordered`, -1 where it has none."""
    places = np.full(len(vocabulary), -1, dtype=np.int64)
    places[[vocabulary[string] for string in ordered]] = np.arange(len(ordered))
    return places
