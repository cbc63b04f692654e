"""Chunks by structure, with offsets that hold."""

import hashlib

import numpy as np
import pytest

from polyrag_cli.chunking.structural import chunk_document, chunk_id, heading_text
from polyrag_cli.config.sections import ChunkingSettings
from polyrag_cli.types import Block, Chunk, LoadedDocument, RawTable


def built(*parts: tuple[str, int, str], title: str = "") -> LoadedDocument:
    """A document from (kind, level, text) parts, separated by blank lines."""
    text, blocks = "", []
    for kind, level, content in parts:
        blocks.append(Block(kind, len(text), len(text) + len(content), level))  # type: ignore[arg-type]
        text += content + "\n\n"
    return LoadedDocument(text, tuple(blocks), title=title)


def chunks_of(loaded: LoadedDocument, max_chars: int = 1200) -> list[Chunk]:
    chunks = chunk_document("d", loaded, "en", None, ChunkingSettings(max_chars, 20))
    for ordinal, chunk in enumerate(chunks):
        assert loaded.text[chunk.start : chunk.end] == chunk.text
        assert chunk.text == chunk.text.strip()
        assert chunk.ordinal == ordinal
    return chunks


def test_a_section_that_fits_is_one_chunk_under_its_heading_path() -> None:
    loaded = built(
        ("heading", 1, "Manual"),
        ("paragraph", 0, "Intro."),
        ("heading", 2, "Deck"),
        ("heading", 3, "**Ropes**"),
        ("paragraph", 0, "One."),
        ("paragraph", 0, "Two."),
        ("heading", 2, "Hull"),
        ("paragraph", 0, "Three."),
        title="Manual",
    )
    assert [(chunk.heading, chunk.text) for chunk in chunks_of(loaded)] == [
        ("", "Intro."),
        ("Deck › Ropes", "One.\n\nTwo."),
        ("Hull", "Three."),
    ]


def test_ids_follow_document_span_and_text() -> None:
    expected = hashlib.sha256(b"doc\x003\x009\x00Intro.").hexdigest()[:16]
    assert chunk_id("doc", 3, 9, "Intro.") == expected
    (chunk,) = chunk_document("d", LoadedDocument("  One."), "pt")
    assert chunk == Chunk(chunk_id("d", 2, 6, "One."), "d", 0, 2, 6, "One.", language="pt")


def test_a_heading_without_anything_under_it_is_a_chunk_itself() -> None:
    loaded = built(("heading", 1, "A"), ("heading", 2, "B"), ("heading", 2, "C"), ("paragraph", 0, "Text."))
    assert [(chunk.kind, chunk.heading, chunk.text) for chunk in chunks_of(loaded)] == [
        ("heading", "A", "B"),
        ("paragraph", "A › C", "Text."),
    ]


def test_a_document_of_headings_alone_is_not_lost() -> None:
    assert [chunk.text for chunk in chunks_of(built(("heading", 1, "Alone"), title="Alone"))] == ["Alone"]


def test_tables_are_chunks_of_their_own_and_never_split() -> None:
    table = "| a | b |\n|---|---|\n" + "| long cell | long cell |\n" * 100
    loaded = built(
        ("heading", 2, "T"), ("paragraph", 0, "Before."), ("table", 0, table.strip()), ("list", 0, "- after")
    )
    chunks = chunks_of(loaded, 200)
    assert [(chunk.kind, chunk.heading) for chunk in chunks] == [("paragraph", "T"), ("table", "T"), ("list", "T")]
    assert chunks[1].text == table.strip()


def test_a_document_that_is_only_tables_has_no_chunks() -> None:
    table = RawTable("t", (("a",), ("1",)))
    assert chunk_document("d", LoadedDocument("a\n1\n", tables=(table,)), "und") == []


def test_long_sections_split_at_paragraphs_first() -> None:
    paragraphs = [f"Paragraph {number} " + "word " * 15 + "end." for number in range(8)]
    chunks = chunks_of(built(*[("paragraph", 0, text) for text in paragraphs]), 200)
    assert "\n\n".join(chunk.text for chunk in chunks) == "\n\n".join(paragraphs)
    assert all(len(chunk.text) <= 200 for chunk in chunks)
    assert len(chunks) == 4


def test_then_at_list_items() -> None:
    items = [f"- item {number} {'word ' * 8}end" for number in range(20)]
    chunks = chunks_of(built(("list", 0, "\n".join(items))), 200)
    assert all(chunk.text.startswith("- item") and chunk.kind == "list" for chunk in chunks)
    assert "\n".join(chunk.text for chunk in chunks) == "\n".join(items)


def test_then_at_lines_of_code() -> None:
    lines = [f"call({number}, 'something longer than that')" for number in range(20)]
    chunks = chunks_of(built(("code", 0, "\n".join(lines))), 200)
    assert "\n".join(chunk.text for chunk in chunks) == "\n".join(lines)


def test_last_at_sentences() -> None:
    sentences = [f"This is sentence number {number}." for number in range(30)]
    chunks = chunks_of(built(("paragraph", 0, " ".join(sentences))), 200)
    assert " ".join(chunk.text for chunk in chunks) == " ".join(sentences)
    assert all(chunk.text.endswith(".") and len(chunk.text) <= 200 for chunk in chunks)


def test_the_embedder_is_asked_only_for_stretches_that_are_too_long() -> None:
    asked: list[int] = []

    def embed(texts):  # type: ignore[no-untyped-def]
        asked.append(len(texts))
        return np.eye(len(texts), 8, dtype=np.float32)

    short = built(*[("paragraph", 0, "Short one. And two. And three.") for _ in range(3)])
    chunk_document("d", short, "en", embed, ChunkingSettings(100, 20))
    assert asked == []
    chunk_document("d", built(("paragraph", 0, "A sentence is here. " * 10)), "en", embed, ChunkingSettings(100, 20))
    assert asked == [10]


def test_pages_are_never_mixed() -> None:
    text = "One.\n\nTwo."
    loaded = LoadedDocument(text, (Block("paragraph", 0, 4, page=1), Block("paragraph", 6, 10, page=2)))
    assert [(chunk.page, chunk.text) for chunk in chunks_of(loaded)] == [(1, "One."), (2, "Two.")]


@pytest.mark.parametrize("text", ["日本語の文章。" * 400, "כתב " * 800, "🚢" * 3000, "a" * 5000, ". " * 2000])
def test_any_script_is_cut_to_size_without_loss(text: str) -> None:
    chunks = chunks_of(LoadedDocument(text), 300)
    assert all(len(chunk.text) <= 300 for chunk in chunks)
    assert "".join("".join(chunk.text.split()) for chunk in chunks) == "".join(text.split())


def test_heading_text() -> None:
    assert heading_text("  **A** [b](http://c)  `d`\n e") == "A b d e"
