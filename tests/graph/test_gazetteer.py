from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from polyrag_cli.graph.gazetteer import acronym_pairs, find_ngrams, key_of, nameless, title_names
from polyrag_cli.text.language import detect
from polyrag_cli.text.parts import parted


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Usina São Brás", "usina sao bras"),
        ("Rosa's", "Rosa"),
        ("Rosa’s", "ROSA"),
        ("Jean-Luc Prado", "Jean Luc Prado"),
        ("U.S.A. Council", "USA council"),
        ("rule_12", "Rule 12"),
    ],
)
def test_spellings_of_a_name_share_a_key(one: str, other: str) -> None:
    assert key_of(one) == key_of(other)


def test_key_of_punctuation_is_empty() -> None:
    assert key_of("— !?") == ""


def test_tokens_keep_offsets() -> None:
    text = "Ana Rosa-Lima visita a U.S.A. hoje"
    found = parted(text)
    assert [t.folded for t in found] == ["ana", "rosa", "lima", "visita", "a", "usa", "hoje"]
    assert [text[t.start : t.end] for t in found] == ["Ana", "Rosa", "Lima", "visita", "a", "U.S.A", "hoje"]
    assert [t.capital for t in found] == [True, True, True, False, False, True, False]


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("Supplier Kestrel", {"supplier kestrel": 1.0}),
        ("Rule K-7: limits", {"rule k 7 limits": 1.0, "rule k 7": 0.7}),
        ("Tavira (river)", {"tavira river": 1.0, "tavira": 1.0}),
        ("The Long Harbour", {"the long harbour": 1.0, "long harbour": 1.0}),
        ("Ponte Velha, Lousã", {"ponte velha lousa": 1.0, "ponte velha": 0.7}),
        ("12", {}),
        ("", {}),
    ],
)
def test_title_names(title: str, names: dict[str, float]) -> None:
    assert {name.key: name.weight for name in title_names(title, detect(title))} == names


def test_title_names_keep_their_spelling() -> None:
    assert [n.name for n in title_names("O Farol Branco (Açores)", "pt")] == [
        "O Farol Branco (Açores)",
        "Farol Branco (Açores)",
        "O Farol Branco",
        "Farol Branco",
    ]


def test_nameless_words() -> None:
    assert [nameless(key) for key in ("the", "de", "7", "x", "quem", "kestrel", "de lima")] == [True] * 5 + [False] * 2


def test_acronyms_meet_their_names_with_and_without_function_words() -> None:
    keys = ["abc", "associacao brasileira de ceramica", "idl", "instituto da lousa", "of", "xyz"]
    assert acronym_pairs(keys) == [(0, 1), (2, 3)]


def test_an_acronym_of_three_names_is_left_alone() -> None:
    assert acronym_pairs(["abc", "alpha beta coda", "alto bosque claro", "amber basin coast"]) == []


def _found(sequences: Sequence[Sequence[str]], keys: Mapping[str, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    vocabulary: dict[str, int] = {}
    flat = [vocabulary.setdefault(word, len(vocabulary)) for sequence in sequences for word in sequence]
    lengths = np.asarray([len(sequence) for sequence in sequences], dtype=np.int32)
    return find_ngrams(np.asarray(flat, dtype=np.int32), lengths, vocabulary, keys)


def test_find_ngrams_stays_inside_a_sequence_and_skips_function_words() -> None:
    keys = {"serra alta": 0, "alta": 1, "the": 2, "lima serra": 3, "a b c d e f": 4}
    rows, columns = _found([["the", "serra", "alta", "lima"], ["serra", "x"], [], ["a", "b", "c", "d", "e", "f"]], keys)
    assert list(zip(rows.tolist(), columns.tolist(), strict=True)) == [(0, 0), (0, 1), (3, 4)]


def test_find_ngrams_finds_the_same_block_by_block(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = {"serra alta": 0, "alta": 1, "lima": 2, "alta lima serra": 3}
    sequences = [["serra", "alta"], [], ["lima"], ["serra", "alta", "lima", "serra"], ["alta"], []]
    whole = _found(sequences, keys)
    assert list(zip(*(part.tolist() for part in whole), strict=True)) == [
        *[(0, 0), (0, 1), (2, 2), (3, 0), (3, 1), (3, 2), (3, 3), (4, 1)]
    ]
    for size in (1, 2, 3, 5):
        monkeypatch.setattr("polyrag_cli.graph.gazetteer._BLOCK_WORDS", size)
        rows, columns = _found(sequences, keys)
        assert rows.tolist() == whole[0].tolist()
        assert columns.tolist() == whole[1].tolist()


def test_find_ngrams_of_nothing() -> None:
    rows, columns = _found([], {"a b": 0})
    assert rows.dtype == columns.dtype == np.int64
    assert len(rows) == len(columns) == 0
