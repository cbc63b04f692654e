"""The clauses' answers put together: which passages they cite, under which numbers.

Owns the numbers of sources, and which passages are one citation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from polyrag_cli.answering.clause_answer import ClauseAnswer
from polyrag_cli.types import Hit, TableSchema

_MARK = re.compile(r"\[(\d+)\]")
# Passages with more than this many characters between them have more than white space there.
_WIDEST_GAP = 100

Reader = Callable[[str, int, int], str]
"""Gives the characters of a document from one offset to another."""


def numbered(parts: Sequence[ClauseAnswer], read: Reader) -> tuple[str | None, tuple[Hit, ...]]:
    """The whole answer with its marks numbered through, and its passages: quoted ones by their mark, then the rest.

    A clause's own marks count its quotes; quotes of one passage, and of neighbouring passages of one section, get one
    number.
    """
    cited = _cited(parts, read)
    places = {chunk_id: number for number, (_, ids) in enumerate(cited, 1) for chunk_id in ids}
    texts = [
        None if part.text is None else _renumber(part.text, [places[quote.chunk_id] for quote in part.quotes])
        for part in parts
    ]
    rest = {hit.chunk_id: hit for part in reversed(parts) for hit in reversed(part.retrieval.hits)}
    sources = tuple(hit for hit, _ in cited)
    sources += tuple(replace(rest[i], quotes=()) for i in _order(parts) if i not in places)
    sources += tuple(_table_source(part.retrieval.table) for part in parts if part.retrieval.table is not None)
    if all(text is None for text in texts):
        return None, sources
    if len(texts) == 1:
        return texts[0], sources
    return "\n".join(f"({i}) {text if text is not None else '–'}" for i, text in enumerate(texts, 1)), sources


def _order(parts: Sequence[ClauseAnswer]) -> list[str]:
    return list(dict.fromkeys(hit.chunk_id for part in parts for hit in part.retrieval.hits))


def _cited(parts: Sequence[ClauseAnswer], read: Reader) -> list[tuple[Hit, list[str]]]:
    """The quoted passages in the order of their first quotes, neighbours as one, each with the ids of its chunks."""
    passages: dict[str, Hit] = {}
    quotes: dict[str, set[tuple[int, int]]] = {}
    for part in parts:
        found = {hit.chunk_id: hit for hit in part.retrieval.hits}
        for quote in part.quotes:
            passages.setdefault(quote.chunk_id, found.get(quote.chunk_id, quote))
            quotes.setdefault(quote.chunk_id, set()).add((quote.start, quote.end))
    cited: list[tuple[Hit, list[str]]] = []
    for chunk_id, passage in passages.items():
        hit, ids = replace(passage, quotes=tuple(sorted(quotes[chunk_id]))), [chunk_id]
        # A passage between two that are cited already joins them both.
        at = len(cited)
        for i in range(len(cited) - 1, -1, -1):
            if (joined := _joined(cited[i][0], hit, read)) is not None:
                hit, ids, at = joined, [*cited[i][1], *ids], i
                del cited[i]
        cited.insert(at, (hit, ids))
    return cited


def _joined(a: Hit, b: Hit, read: Reader) -> Hit | None:
    """Two passages of one section as one, where they overlap or only white space is between them; `a` was cited
    first."""
    if (a.document, a.heading, a.page) != (b.document, b.heading, b.page):
        return None
    first, second = sorted((a, b), key=lambda hit: (hit.start, hit.end))
    start, end = first.start, max(first.end, second.end)
    if second.start - first.end > _WIDEST_GAP:
        return None
    text = read(a.document, start, end)
    if text[first.end - start : max(first.end, second.start) - start].strip():
        return None
    known = {one.chunk_id for one in a.same}
    return replace(
        a,
        start=start,
        end=end,
        text=text,
        score=max(a.score, b.score),
        quotes=tuple(sorted({*a.quotes, *b.quotes})),
        same=(*a.same, *(one for one in b.same if one.chunk_id not in known)),
    )


def _table_source(table: TableSchema) -> Hit:
    """The table behind a figure: its document, without a span, since the SQL and its rows are what is cited."""
    return Hit(table.document, f"table:{table.name}", table.heading, None, 0, 0, "", 1.0, "sql")


def _renumber(text: str, marks: Sequence[int]) -> str:
    def number(match: re.Match[str]) -> str:
        index = int(match[1]) - 1
        return f"[{marks[index]}]" if index < len(marks) else match[0]

    return _MARK.sub(number, text) if marks else text
