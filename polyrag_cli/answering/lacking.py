"""What a passage lacks of a question that it doesn't answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from polyrag_cli.answering.candidates import above_stems
from polyrag_cli.languages import UNDETERMINED
from polyrag_cli.strategies.passages import word_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.text.words import Word, unspaced
from polyrag_cli.types import Chunk


def lacking(asked: Utterance, chunk: Chunk) -> tuple[str, ...]:
    """The content words of a question, as asked and each once, that neither a passage nor what stands above it holds;
    none where the passage is in another language than the question.

    Neighbours of a script without spaces count as one word, and a single character of it as none.
    """
    if UNDETERMINED not in (asked.language, chunk.language) and asked.language != chunk.language:
        return ()
    held = above_stems(chunk) | word_stems(chunk.text, chunk.language)
    missing = (word for word in asked.content if held.isdisjoint(word.stems))
    found: dict[str, str] = {}
    for word in _joined(missing):
        found.setdefault(word.folded, word.text)
    return tuple(found.values())


def _joined(found: Iterable[Word]) -> Iterator[Word]:
    """Words in their order, the characters of a script without spaces that stand side by side as one."""
    run: list[Word] = []
    for word in found:
        if run and not (run[-1].end == word.start and unspaced(word.text)):
            yield from _words_of(run)
            run = []
        if unspaced(word.text):
            run.append(word)
        else:
            yield word
    yield from _words_of(run)


def _words_of(run: list[Word]) -> list[Word]:
    """One word of characters side by side; none of a single one."""
    if len(run) < 2:
        return []
    text, folded = ("".join(parts) for parts in zip(*((word.text, word.folded) for word in run), strict=True))
    return [Word(text, folded, run[0].start, run[-1].end)]
