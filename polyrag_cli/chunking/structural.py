"""Documents to chunks by structure: headings, tables, paragraphs, lists, then meaning, then sentences."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from polyrag_cli.chunking.semantic import Embed, by_meaning, packed
from polyrag_cli.config.sections import ChunkingSettings
from polyrag_cli.text.spans import Span, trimmed
from polyrag_cli.types import Block, BlockKind, Chunk, LoadedDocument

HEADING_SEPARATOR = " › "
_MARKS = re.compile(r"!?\[([^\]]*)\]\([^)]*\)|(\*\*|__|~~|`)(?=\S)(.+?)(?<=\S)\2")
_ITEM_START = re.compile(r"^[ \t]*(?:[-*+•‣–]|\d{1,9}[.)]|[a-z][.)])[ \t]", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class _Section:
    """What stands under one heading path; `opening` is the offset of its own heading, None without one."""

    heading: str
    blocks: tuple[Block, ...]
    opening: int | None = None


def chunk_document(
    document: str,
    loaded: LoadedDocument,
    language: str,
    embed: Embed | None = None,
    settings: ChunkingSettings | None = None,
) -> list[Chunk]:
    """The chunks of a document, in the order of its text; none for a document that is only tables.

    document: public name; language: code of the text, "und" when unknown. embed: maps n sentences to (n, d) unit
    vectors, called only for stretches that structure can't bring under `max_chars`; None splits those at sentences.
    A table is one chunk, however long. `loaded.text[chunk.start:chunk.end] == chunk.text` for every chunk.
    """
    settings = settings or ChunkingSettings()
    chunks: list[Chunk] = []
    for section in _sections(loaded):
        opening = section.opening
        for (start, end), blocks in _section_spans(loaded.text, section, embed, settings):
            text = loaded.text[start:end]
            chunks.append(
                Chunk(
                    chunk_id(document, start, end, text),
                    document,
                    len(chunks),
                    start,
                    end,
                    text,
                    section.heading,
                    loaded.title,
                    blocks[0].page,
                    _kind(blocks),
                    language,
                    "" if opening is None else loaded.text[opening:start],
                )
            )
            opening = None
    return chunks


def chunk_id(document: str, start: int, end: int, text: str) -> str:
    """First 16 hex digits of sha256 over the document's name, the span and the text, separated by zero bytes."""
    content = "\0".join((document, str(start), str(end), text))
    return hashlib.sha256(content.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def heading_text(text: str) -> str:
    """A heading as people read it: inline marks off, white space collapsed."""
    return " ".join(_MARKS.sub(lambda mark: mark[1] or mark[3] or "", text).split())


def _kind(blocks: Sequence[Block]) -> BlockKind:
    kinds = {block.kind for block in blocks}
    return blocks[0].kind if len(kinds) == 1 else "paragraph"


def _sections(loaded: LoadedDocument) -> Iterator[_Section]:
    """Runs of blocks under one heading path; a heading that nothing stands under is a section of its own."""
    blocks = loaded.blocks
    if not blocks and not loaded.tables and loaded.text.strip():
        blocks = (Block("paragraph", 0, len(loaded.text)),)
    path: dict[int, str] = {}
    body: list[Block] = []
    opening: int | None = None
    has_body = any(block.kind != "heading" for block in blocks)
    for index, block in enumerate(blocks):
        if block.kind != "heading":
            body.append(block)
            continue
        if body:
            yield _Section(_joined(path, loaded.title), tuple(body), opening)
            body = []
        opening = block.start
        path = {level: heading for level, heading in path.items() if level < block.level}
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        leaf = following is None or (following.kind == "heading" and following.level <= block.level)
        if leaf and not (has_body and heading_text(loaded.text[block.start : block.end]) == loaded.title):
            yield _Section(_joined(path, loaded.title), (block,))
        path[block.level] = heading_text(loaded.text[block.start : block.end])
    if body:
        yield _Section(_joined(path, loaded.title), tuple(body), opening)


def _joined(path: dict[int, str], title: str) -> str:
    return HEADING_SEPARATOR.join(path[level] for level in sorted(path) if path[level] and path[level] != title)


def _section_spans(
    text: str, section: _Section, embed: Embed | None, settings: ChunkingSettings
) -> Iterator[tuple[Span, list[Block]]]:
    """The section's pieces: each table alone, a document's fields too, what stands between packed up to the maximum."""
    run: list[Block] = []
    for block in section.blocks:
        if block.kind in ("table", "fields"):
            yield from _run_spans(text, run, embed, settings)
            yield trimmed(text, block.start, block.end), [block]
            run = []
        else:
            run.append(block)
    yield from _run_spans(text, run, embed, settings)


def _run_spans(
    text: str, run: Sequence[Block], embed: Embed | None, settings: ChunkingSettings
) -> Iterator[tuple[Span, list[Block]]]:
    """Whole when it fits; else neighbouring blocks merged up to the maximum, and blocks that are too long split."""
    blocks = [block for block in run if text[block.start : block.end].strip()]
    for group in _packed_blocks(blocks, settings.max_chars):
        span = trimmed(text, group[0].start, group[-1].end)
        if span[1] - span[0] <= settings.max_chars:
            yield span, group
        else:
            for piece in _split_block(text, group[0], embed, settings):
                yield piece, group


def _packed_blocks(blocks: Sequence[Block], max_chars: int) -> list[list[Block]]:
    """Groups of neighbouring blocks, each of at most max_chars unless it is one block; pages are never mixed."""
    if not blocks:
        return []
    spans = [(block.start, block.end) for block in blocks]
    groups: list[list[Block]] = []
    for first, last in packed(spans, max_chars):
        group: list[Block] = []
        for block in blocks[first:last]:
            if group and block.page != group[-1].page:
                groups.append(group)
                group = []
            group.append(block)
        groups.append(group)
    return groups


def _split_block(text: str, block: Block, embed: Embed | None, settings: ChunkingSettings) -> Iterator[Span]:
    """A block that is too long: at its items or lines when it has them, else by meaning."""
    start, end = trimmed(text, block.start, block.end)
    if block.kind == "list":
        borders = [match.start() for match in _ITEM_START.finditer(text, start, end)]
    elif block.kind == "code":
        borders = [start + match.end() for match in re.finditer("\n", text[start:end])]
    else:
        borders = []
    if not borders:
        yield from by_meaning(text, start, end, embed, settings.max_chars, settings.min_chars)
        return
    cuts = sorted({start, end, *borders})
    items = [trimmed(text, cut, following) for cut, following in pairwise(cuts)]
    items = [item for item in items if item[0] < item[1]]
    for first, last in packed(items, settings.max_chars):
        span = (items[first][0], items[last - 1][1])
        if span[1] - span[0] <= settings.max_chars:
            yield span
        else:
            yield from by_meaning(text, *span, embed, settings.max_chars, settings.min_chars)
