"""What the passage nearest to a question lacks of it, where nothing answers."""

from __future__ import annotations

from polyrag_cli.answering.candidates import above_stems
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.strategies.passages import word_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import Chunk


def lacking(asked: Utterance, chunk: Chunk) -> tuple[str, ...]:
    """The content words of a question, as asked and each once, that neither a passage nor what stands above it holds;
    none where the passage is in another language than the question.
    """
    if UNDETERMINED not in (asked.language, chunk.language) and asked.language != chunk.language:
        return ()
    held = above_stems(chunk) | word_stems(chunk.text, chunk.language)
    missing: dict[str, str] = {}
    for word in asked.content:
        if held.isdisjoint(word.stems):
            missing.setdefault(word.folded, word.text)
    return tuple(missing.values())
