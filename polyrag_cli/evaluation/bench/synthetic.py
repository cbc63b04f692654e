"""A made-up corpus of any size, for measuring growth: passages in two languages, a web of names, tables.

Base set number n is the same in every corpus that holds it. Its words and names are invented or stand in the language
files.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polyrag_cli.languages import all_languages
from polyrag_cli.languages.sections.made_up import MadeUp

SECTIONS = 25
DOCUMENTS = 4
CHUNKS_PER_SET = SECTIONS * DOCUMENTS
ROWS = 40
SEED = 0
# Words that passages draw on, a few of them often and most of them seldom.
_VOCABULARY = 30_000
_ZIPF = 1.07
_ZIPF_SHIFT = 30.0
_NAMES = 12
# Which of the words that are drawn for questions they ask about.
_ASKED_WORDS = (0, 2, 4, 5)
# fmt: off
_SYLLABLES = (
    "ba", "be", "bi", "bo", "bru", "ca", "cla", "co", "cri", "da", "de", "dou", "du", "fa", "fer", "fi", "flo", "ga",
    "gra", "gui", "jo", "ju", "la", "lei", "lin", "lo", "ma", "mi", "mon", "mu", "na", "nei", "no", "pa", "pe", "pra",
    "qui", "ra", "rei", "ri", "ros", "sa", "sel", "si", "so", "ta", "tei", "tri", "tu", "va", "vel", "vi", "vo", "xa",
)
# fmt: on


@dataclass(frozen=True, slots=True)
class ScaleQuestions:
    """Questions about base set 0, which every corpus holds, by the store that they are about."""

    text: tuple[str, ...]
    graph: tuple[str, ...]
    table: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """The three kinds, one after the other."""
        return self.text + self.graph + self.table


def write_corpus(folder: Path, sets: int) -> None:
    """Writes so many base sets, each in a folder of its own: 4 Markdown files of 25 sections and a table of 40 rows."""
    for number in range(sets):
        _write_set(folder / f"set-{number:05}", number)


def scale_questions() -> ScaleQuestions:
    """Four questions of each kind, the same for every size."""
    names = names_of(0)
    rng = np.random.default_rng((SEED, 0, 1))
    words = [word(rank) for rank in rng.integers(200, 2000, 8)]
    measures = _measures(0)
    text, graph = (_by_turns(kind) for kind in ("text_questions", "graph_questions"))
    asked = _of_tables().table_question
    return ScaleQuestions(
        text=tuple(pattern.format(w=words[at]) for pattern, at in zip(text, _ASKED_WORDS, strict=True)),
        graph=tuple(pattern.format(a=name) for pattern, name in zip(graph, names, strict=False)),
        table=tuple(asked.format(measure=measures[i % 2], a=name) for i, name in enumerate(names[:4])),
    )


def word_question(number: int) -> str:
    """A question of its own for each number, about the word of that rank and a name of that base set."""
    return _of_tables().word_question.format(w=word(number), a=names_of(number)[0])


@cache
def _languages() -> tuple[MadeUp, ...]:
    """The languages of the corpus; their order is part of what it holds."""
    known = sorted(all_languages(), key=lambda each: each.code, reverse=True)
    return tuple(each.made_up for each in known if each.made_up.patterns)


def _of_tables() -> MadeUp:
    return next(each for each in _languages() if each.measures)


def _by_turns(key: str) -> list[str]:
    """What the languages hold under a key: the first of each, the second of each, and so on."""
    return [pattern for turn in zip(*(getattr(each, key) for each in _languages()), strict=True) for pattern in turn]


def word(rank: int) -> str:
    """The invented word of a rank, 0 to 29,999; every rank has its own."""
    base = len(_SYLLABLES)
    rank = (rank * 7919 + 13) % base**3
    return "".join(_SYLLABLES[rank // base**place % base] for place in range(3))


def names_of(number: int) -> list[str]:
    """The names of a base set: people, places and offices alike, two invented words each."""
    rng = np.random.default_rng((SEED, number, 2))
    draws = rng.integers(0, _VOCABULARY, (_NAMES, 2))
    return [f"{word(int(a)).capitalize()} {word(int(b)).capitalize()}" for a, b in draws]


def _measures(number: int) -> list[str]:
    """The labels of a table's two number columns: a measure of a thing that few tables have."""
    rng = np.random.default_rng((SEED, number, 3))
    known = _of_tables().measures
    kinds = rng.permutation(len(known))[:2]
    return [f"{known[kind]} {word(int(rng.integers(0, _VOCABULARY)))}" for kind in kinds]


def _write_set(folder: Path, number: int) -> None:
    folder.mkdir(parents=True)
    rng = np.random.default_rng((SEED, number, 4))
    # Names of the set before tie the sets together, so that the graph is one web and not as many as there are sets.
    names = names_of(number) + names_of(max(0, number - 1))[:3]
    for document in range(DOCUMENTS):
        language = _languages()[document % len(_languages())]
        sections = [_section(rng, language, names, index) for index in range(SECTIONS)]
        title = f"# {word(int(rng.integers(0, _VOCABULARY))).capitalize()} {number}\n\n"
        (folder / f"notes-{document}.md").write_text(title + "\n".join(sections), encoding="utf-8")
    _write_table(folder / f"register-{number:05}.csv", rng, number)


def _section(rng: np.random.Generator, language: MadeUp, names: Sequence[str], index: int) -> str:
    lines = []
    for _ in range(int(rng.integers(4, 7))):
        a, b = rng.permutation(len(names))[:2]
        w, v = (word(rank) for rank in _ranks(rng, 2))
        values = {"a": names[a], "b": names[b], "w": w, "v": v, "n": int(rng.integers(1701, 1999))}
        values |= {"s": _one(rng, language.subjects), "t": _one(rng, language.things), "p": _one(rng, language.places)}
        lines.append(_one(rng, language.patterns).format(**values))
    heading = " ".join(word(rank) for rank in _ranks(rng, 2)).capitalize()
    return f"## {heading} {index + 1}\n\n{' '.join(lines)}\n"


def _one(rng: np.random.Generator, choices: Sequence[str]) -> str:
    return choices[int(rng.integers(len(choices)))]


def _ranks(rng: np.random.Generator, count: int) -> list[int]:
    """Ranks of words: the chance of a rank falls as 1 / (30 + rank)^1.07 (Zipf's law in Mandelbrot's form)."""
    return [int(rank) for rank in np.searchsorted(_cumulated(), rng.random(count))]


@lru_cache(maxsize=1)
def _cumulated() -> NDArray[np.float64]:
    weights = (_ZIPF_SHIFT + np.arange(_VOCABULARY)) ** -_ZIPF
    total: NDArray[np.float64] = np.cumsum(weights) / weights.sum()
    return total


def _write_table(path: Path, rng: np.random.Generator, number: int) -> None:
    known, places, measures = _of_tables(), names_of(number)[:5], _measures(number)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow([*known.columns, *measures])
        for row in range(ROWS):
            amounts = (int(rng.integers(1, 900)), f"{rng.integers(100, 99_999) / 100:.2f}".replace(".", ","))
            writer.writerow([places[row % len(places)], known.periods[row // len(places)], *amounts])
