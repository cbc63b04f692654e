"""Passages weigh less by what of them stands in many documents.

Owns the weight of candidates, and of the blocks inside a passage.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from polyrag_cli.chunking.structural import HEADING_SEPARATOR
from polyrag_cli.scoring.repetition import block_weight, weight_of
from polyrag_cli.strategies.base import Context
from polyrag_cli.strategies.passages import read_chunks
from polyrag_cli.text.blocks import text_blocks
from polyrag_cli.types import Chunk

# Candidates that are weighed, counted from the best one; for each passage asked for, so many.
_LEAST = 50
_EACH = 3


def weighed(
    ranked: Sequence[tuple[str, float]], context: Context, top_k: int
) -> tuple[tuple[tuple[str, float], ...], dict[str, float]]:
    """(chunk id, score) by falling weighted score, ties by id, and the weights below 1.

    The copies of a passage are weighed as one, and their weights add up, to 1 at most: who asks for what is repeated
    finds it.
    """
    shared = context.stores.shared
    if shared is None or not (spread := shared.spread(context.snapshot)).of_block:
        return tuple(ranked), {}
    chunks = read_chunks(context, (i for i, _ in ranked[: max(_LEAST, _EACH * top_k)]))
    copies = Counter(map(copy_key, chunks.values()))
    weights = {}
    for i, chunk in chunks.items():
        blocks = [(block.key, block.words) for block in text_blocks(chunk.text)]
        weight = min(1.0, copies[copy_key(chunk)] * weight_of(blocks, spread.documents, spread.of_block))
        if weight < 1.0:
            weights[i] = weight
    if not weights:
        return tuple(ranked), {}
    lowered = [(i, round(score * weights.get(i, 1.0), 6)) for i, score in ranked]
    return tuple(sorted(lowered, key=lambda item: (-item[1], item[0]))), weights


def copy_key(chunk: Chunk) -> tuple[str, str]:
    """What is the same for copies of a passage: the innermost heading above it, and its words."""
    return chunk.heading.split(HEADING_SEPARATOR)[-1].casefold(), " ".join(chunk.text.casefold().split())


def block_weights(chunk: Chunk, copies: int, context: Context) -> tuple[tuple[int, int, float], ...]:
    """(start, end, weight) of the blocks of a chunk that weigh less than 1, as offsets in the document.

    copies: how many copies of the chunk are taken as one.
    """
    shared = context.stores.shared
    if shared is None or not (spread := shared.spread(context.snapshot)).of_block:
        return ()
    found = []
    for block in text_blocks(chunk.text):
        weight = min(1.0, copies * block_weight(spread.documents, spread.of_block.get(block.key, 1)))
        if weight < 1.0:
            found.append((chunk.start + block.start, chunk.start + block.end, weight))
    return tuple(found)
