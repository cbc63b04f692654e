from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.stores.packing import add_unpacked, packed, unpacked

TEXT = "Os doze atabaques dormem no galpão.\n" * 40


@pytest.mark.parametrize("text", ["", "a", TEXT, "\0\n\U0001f600"])
@pytest.mark.parametrize("like", ["", "Os doze atabaques", "ã" * 40_000])
def test_a_text_comes_back_whole(text: str, like: str) -> None:
    assert unpacked(packed(text, like), like) == text


def test_what_another_text_says_is_not_said_again() -> None:
    said = " ".join(f"word{n * n}" for n in range(300))
    assert len(packed(said, said)) < len(packed(said)) / 10


@pytest.mark.parametrize("place", range(0, len(packed(TEXT, "galpão")), 3))
def test_a_flipped_bit_is_said(place: int) -> None:
    content = bytearray(packed(TEXT, "galpão"))
    content[place] ^= 4
    with pytest.raises(StoreError, match="damaged row"):
        unpacked(bytes(content), "galpão")


def test_what_is_cut_short_or_of_another_text_is_said() -> None:
    for content, like in ((packed(TEXT)[:-1], ""), (b"", ""), (packed(TEXT, "one"), "two"), (packed(TEXT, "one"), "")):
        with pytest.raises(StoreError, match="damaged row"):
            unpacked(content, like)


def test_statements_see_the_text() -> None:
    with closing(sqlite3.connect(":memory:")) as connection:
        add_unpacked(connection)
        assert connection.execute("SELECT unpacked(?)", (packed(TEXT),)).fetchone() == (TEXT,)
