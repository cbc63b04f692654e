"""Blocks between blank lines."""

from __future__ import annotations

from hashlib import blake2b

from polyrag_cli.text.blocks import text_blocks


def test_blocks_are_told_by_their_words_alone() -> None:
    text = "  One two\nthree.\n\n \nFOUR  five \n\nfour five"
    blocks = text_blocks(text)
    assert [text[block.start : block.end] for block in blocks] == ["One two\nthree.", "FOUR  five", "four five"]
    assert [block.words for block in blocks] == [3, 2, 2]
    assert blocks[1].key == blocks[2].key != blocks[0].key
    digest = blake2b(b"four five", digest_size=8).digest()
    assert blocks[1].key == int.from_bytes(digest, "little", signed=True)


def test_nothing_has_no_blocks() -> None:
    assert text_blocks(" \n\n ") == ()
