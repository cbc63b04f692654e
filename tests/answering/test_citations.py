"""Which passages an answer cites, and under which numbers."""

from __future__ import annotations

from dataclasses import replace

from polyrag_cli.answering.citations import numbered
from polyrag_cli.answering.clause_answer import ClauseAnswer
from polyrag_cli.types import Hit, Retrieval, SamePassage
from tests.strategies.library import decision

TEXT = "One sentence.\n\nTwo sentences. Or three.\nFour of them."
FIRST, SECOND, THIRD = (0, 13), (15, 39), (40, 53)


def _read(document: str, start: int, end: int) -> str:
    assert document == "a.md"
    return TEXT[start:end]


def _hit(span: tuple[int, int], heading: str = "H", document: str = "a.md", score: float = 0.5) -> Hit:
    return Hit(document, f"{document}{span}{heading}", heading, None, *span, TEXT[slice(*span)], score, "dense")


def _quoted(*hits: Hit, text: str = "x [1]\ny [2]\nz [3]", found: tuple[Hit, ...] | None = None) -> ClauseAnswer:
    quotes = tuple(Hit(h.document, h.chunk_id, h.heading, None, h.start, h.start + 3, "", h.score, "") for h in hits)
    return ClauseAnswer(decision(), Retrieval(hits=found if found is not None else hits), text, quotes)


def test_neighbours_of_one_section_are_one_citation() -> None:
    one, two = _hit(FIRST, score=0.4), _hit(SECOND, score=0.9)
    text, sources = numbered([_quoted(two, one, text="x [1]\ny [2]")], _read)
    assert text == "x [1]\ny [1]"
    (source,) = sources
    assert (source.start, source.end, source.text) == (0, 39, TEXT[:39])
    assert source.quotes == ((0, 3), (15, 18))
    assert (source.chunk_id, source.score) == (two.chunk_id, 0.9)


def test_a_passage_between_two_cited_ones_joins_them() -> None:
    text, sources = numbered([_quoted(_hit(FIRST), _hit(THIRD), _hit(SECOND))], _read)
    assert text == "x [1]\ny [1]\nz [1]"
    assert [(source.start, source.end) for source in sources] == [(0, 53)]


def test_overlapping_spans_are_one_citation() -> None:
    text, sources = numbered([_quoted(_hit((0, 30)), _hit(SECOND), text="x [1]\ny [2]")], _read)
    assert (text, [(s.start, s.end) for s in sources]) == ("x [1]\ny [1]", [(0, 39)])


def test_what_lies_apart_stays_apart() -> None:
    pairs = [
        (_hit(FIRST), _hit(THIRD)),
        (_hit(FIRST), _hit(SECOND, heading="Another")),
        (_hit(FIRST), _hit(SECOND, document="b.md")),
    ]
    for pair in pairs:
        text, sources = numbered([_quoted(*pair, text="x [1]\ny [2]")], _read)
        assert (text, len(sources)) == ("x [1]\ny [2]", 2)


def test_only_what_is_quoted_is_joined() -> None:
    one, two = _hit(FIRST), _hit(SECOND)
    text, sources = numbered([_quoted(two, text="x [1]", found=(one, two))], _read)
    assert text == "x [1]"
    assert [(source.chunk_id, source.quotes) for source in sources] == [(two.chunk_id, ((15, 18),)), (one.chunk_id, ())]


def test_what_is_cited_behind_neighbours_is_kept_once() -> None:
    same = SamePassage("copy", "c.md", "c", "H", None, 0, 9)
    more = SamePassage("translation", "d.md", "d", "H", None, 0, 9, "pt")
    hits = [replace(_hit(FIRST), same=(same,)), replace(_hit(SECOND), same=(same, more))]
    _, (source,) = numbered([_quoted(*hits, text="x [1]\ny [2]")], _read)
    assert source.same == (same, more)


def test_clauses_share_numbers_and_are_labelled() -> None:
    text, sources = numbered([_quoted(_hit(FIRST), text="x [1]"), _quoted(_hit(SECOND), text="y [1]")], _read)
    assert text == "(1) x [1]\n(2) y [1]"
    assert len(sources) == 1
    nothing = ClauseAnswer(decision(), Retrieval(), None)
    assert numbered([nothing], _read) == (None, ())
