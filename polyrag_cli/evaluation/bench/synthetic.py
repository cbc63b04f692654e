"""A made-up corpus of any size, for measuring growth: passages in two languages, a web of names, tables.

Base set number n is the same in every corpus that holds it. All words and names are invented or drawn from the lists
below.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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
# fmt: off
_SYLLABLES = (
    "ba", "be", "bi", "bo", "bru", "ca", "cla", "co", "cri", "da", "de", "dou", "du", "fa", "fer", "fi", "flo", "ga",
    "gra", "gui", "jo", "ju", "la", "lei", "lin", "lo", "ma", "mi", "mon", "mu", "na", "nei", "no", "pa", "pe", "pra",
    "qui", "ra", "rei", "ri", "ros", "sa", "sel", "si", "so", "ta", "tei", "tri", "tu", "va", "vel", "vi", "vo", "xa",
)
# fmt: on
_MEASURES_PT = ("quantidade", "custo", "peso", "prazo", "volume", "consumo", "receita", "visitas")
_MONTHS = ("janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto")
# Subjects, things and places that a language's patterns put in for {s}, {t} and {p}.
_WORDS = {
    "pt": (
        "a equipe|o setor|a oficina|o comitê|a guarda|a escola|o armazém|a estação|o viveiro|a cozinha",
        "mapa|barco|cesto|relógio|portão|forno|moinho|caderno|sino|telhado|poço|farol|trilho|tonel|banco",
        "no galpão|junto ao rio|atrás do muro|na praça|sob a ponte|no sótão|perto do cais|na encosta",
    ),
    "en": (
        "the crew|the office|the workshop|the board|the guild|the school|the depot|the station",
        "map|boat|basket|clock|gate|oven|mill|ledger|bell|roof|well|lantern|rail|barrel|bench",
        "in the shed|by the river|behind the wall|on the square|under the bridge|in the attic|near the quay",
    ),
}
_PATTERNS = {
    "pt": (
        "Desde {n}, {s} de {a} guarda o {w} {p}.",
        "Sabe-se que {s} de {a} depende do {t} de {v} que {b} entrega.",
        "Nenhum {w} sai sem que {b} confira o {v} {p}.",
        "Quando o {t} falha, {a} avisa {b} e espera o {w}.",
        "O {t} de {b} foi achado {p} com um {v} dentro.",
        "A regra de {a} proíbe levar {w} e {v} na mesma viagem.",
        "Depois de {n} tentativas, o {v} ficou pronto {p}.",
        "Quem cuida do {w} em {a} responde também pelo {v} de {b}.",
        "Conta {b} que o {w} nasceu de um {t} esquecido {p}.",
        "Por causa do {v}, {s} de {a} trocou o {t} em {n}.",
    ),
    "en": (
        "Since {n}, {s} of {a} has kept the {w} {p}.",
        "It is known that {s} of {a} depends on the {t} of {v} that {b} delivers.",
        "No {w} leaves before {b} has checked the {v} {p}.",
        "When the {t} fails, {a} tells {b} and waits for the {w}.",
        "The {t} of {b} was found {p} with a {v} inside.",
        "The rule of {a} forbids carrying {w} and {v} on the same trip.",
        "After {n} attempts the {v} was ready {p}.",
        "Whoever looks after the {w} at {a} answers for the {v} of {b} as well.",
        "As {b} tells it, the {w} began as a {t} forgotten {p}.",
        "Because of the {v}, {s} of {a} changed the {t} in {n}.",
    ),
}


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
    places, measures = names[:4], _measures(0)
    return ScaleQuestions(
        text=(
            f"Por que o {words[0]} nasceu de um relógio?",
            f"How was the {words[2]} found near the quay?",
            f"O que fazer quando o {words[4]} falha?",
            f"Where has the crew kept the {words[5]}?",
        ),
        graph=(
            f"De que depende o setor {names[0]}?",
            f"Who depends on what {names[1]} delivers?",
            f"Qual regra de {names[2]} vale para a viagem?",
            f"Which boat was found by {names[3]}?",
        ),
        table=tuple(f"Qual é o total de {measures[i % 2]} em {place}?" for i, place in enumerate(places)),
    )


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
    kinds = rng.permutation(len(_MEASURES_PT))[:2]
    return [f"{_MEASURES_PT[kind]} {word(int(rng.integers(0, _VOCABULARY)))}" for kind in kinds]


def _write_set(folder: Path, number: int) -> None:
    folder.mkdir(parents=True)
    rng = np.random.default_rng((SEED, number, 4))
    # Names of the set before tie the sets together, so that the graph is one web and not as many as there are sets.
    names = names_of(number) + names_of(max(0, number - 1))[:3]
    for document in range(DOCUMENTS):
        language = "pt" if document % 2 == 0 else "en"
        sections = [_section(rng, language, names, index) for index in range(SECTIONS)]
        title = f"# {word(int(rng.integers(0, _VOCABULARY))).capitalize()} {number}\n\n"
        (folder / f"notes-{document}.md").write_text(title + "\n".join(sections), encoding="utf-8")
    _write_table(folder / f"register-{number:05}.csv", rng, number)


def _section(rng: np.random.Generator, language: str, names: Sequence[str], index: int) -> str:
    subjects, things, places = (words.split("|") for words in _WORDS[language])
    lines = []
    for _ in range(int(rng.integers(4, 7))):
        a, b = rng.permutation(len(names))[:2]
        w, v = (word(rank) for rank in _ranks(rng, 2))
        values = {"a": names[a], "b": names[b], "w": w, "v": v, "n": int(rng.integers(1701, 1999))}
        values |= {"s": _one(rng, subjects), "t": _one(rng, things), "p": _one(rng, places)}
        lines.append(_one(rng, _PATTERNS[language]).format(**values))
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
    places, measures = names_of(number)[:5], _measures(number)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(["local", "mes", *measures])
        for row in range(ROWS):
            amounts = (int(rng.integers(1, 900)), f"{rng.integers(100, 99_999) / 100:.2f}".replace(".", ","))
            writer.writerow([places[row % len(places)], _MONTHS[row // len(places)], *amounts])
