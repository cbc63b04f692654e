from __future__ import annotations

import pytest

from polyrag_cli.answering.asked import Asked, Term
from polyrag_cli.answering.candidates import Passage, Sentence
from polyrag_cli.answering.stretches import Stretch, stretches
from polyrag_cli.types import Chunk, Hit

_ASKED = Asked(
    (Term("bees", 3.0, 1.0, True), Term("smoke", 1.0, 1.0, True)),
    {"bee": [("bees", 1.0)], "smok": [("smoke", 1.0)]},
    4.0,
    4.0,
    "person",
    (),
    10,
)


def _passage(
    *sentences: tuple[str, set[str]],
    cosines: tuple[float, ...] = (),
    above: set[str] | None = None,
    title: set[str] | None = None,
    heading: set[str] | None = None,
    rank: int = 0,
    score: float = 1.0,
) -> Passage:
    text, made = "", []
    for said, stems in sentences:
        kinds = frozenset({"person"}) if "Marta" in said else frozenset()
        made.append(
            Sentence(
                len(text), len(text) + len(said), said, len(said.split()), frozenset(stems), frozenset(), kinds, (), (),
                said.endswith(":"), said.startswith("- "),
            )
        )  # fmt: skip
        text += said + " "
    chunk = Chunk("c", "d.md", 0, 0, len(text), text)
    hit = Hit("d.md", "c", "", None, 0, len(text), text, score, "dense")
    return Passage(
        hit,
        chunk,
        rank,
        tuple(made),
        frozenset({*(above or ()), *(title or ()), *(heading or ())}),
        frozenset(title or ()),
        cosines or (0.0,) * len(made),
        "Smoke" if heading else "",
        frozenset(heading or ()),
    )


def _spans(found: list[Stretch]) -> list[tuple[int, int]]:
    return [(stretch.first, stretch.last) for stretch in found]


def test_every_run_of_sentences_within_the_words_and_a_longer_sentence_alone() -> None:
    passage = _passage(("One two three.", {"a"}), ("Four five.", {"b"}), ("Six seven eight nine ten.", {"c"}))
    assert _spans(stretches(_ASKED, [passage], 5)) == [(0, 1), (0, 2), (1, 2), (2, 3)]
    assert _spans(stretches(_ASKED, [passage], 2)) == [(0, 1), (1, 2), (2, 3)]


def test_what_a_sentence_leads_in_to_belongs_to_it() -> None:
    passage = _passage(("Use these:", {"a"}), ("- one", {"b"}), ("- two", {"c"}), ("Then rest.", {"d"}))
    # A list of few words is quoted whole, from its first item on.
    assert _spans(stretches(_ASKED, [passage], 20)) == [(0, 3), (0, 4), (1, 3), (1, 4), (3, 4)]
    # One that doesn't fit is cut between its items; what leads in answers nothing.
    assert _spans(stretches(_ASKED, [passage], 3)) == [(1, 2), (2, 3), (3, 4)]


def test_a_heading_alone_is_no_stretch() -> None:
    passage = _passage(("Bees", {"bee"}), ("They sleep.", {"sleep"}), above={"bee"})
    assert _spans(stretches(_ASKED, [passage], 20)) == [(0, 2), (1, 2)]


def test_the_score_is_the_sum_of_what_speaks_for_it() -> None:
    passage = _passage(("Marta calms the bees.", {"bee", "calm"}), cosines=(0.5,), above={"smok"}, title={"bee"})
    (found,) = stretches(_ASKED, [passage], 8)
    # coverage 3/4, above 1.6 · 1/4, title 0.6 · 3/4, cosine 1.2 · 0.5, the best passage 0.55, a person 0.45, length
    # 0.1 · 4/8, one sentence of the twenty that make a crowd -0.5 / 20
    assert found.score == pytest.approx(0.75 + 0.4 + 0.45 + 0.6 + 0.55 + 0.45 + 0.05 - 0.025)
    assert found.coverage == 1.0
    assert not found.headed


def test_a_heading_that_says_what_the_stretch_lacks_is_shown() -> None:
    (lacking,) = stretches(_ASKED, [_passage(("The bees sleep.", {"bee"}), heading={"smok"})], 8)
    (saying,) = stretches(_ASKED, [_passage(("Bees flee smoke.", {"bee", "smok"}), heading={"smok"})], 8)
    assert lacking.headed
    assert not saying.headed


def test_a_second_passage_of_a_document_speaks_for_both() -> None:
    alone = stretches(_ASKED, [_passage(("The bees sleep.", {"bee"}))], 8)
    beside = _passage(("Rain fell.", {"rain"}), rank=1, score=0.5)
    both = stretches(_ASKED, [_passage(("The bees sleep.", {"bee"})), beside], 8)
    # The document's second best passage has half of the best one's score: 0.45 · 0.5.
    assert both[0].score - alone[0].score == pytest.approx(0.225)
    # The passages' own scores: 0.55 · (1 - 0.5); the share 3/4 that the first covers; four words more to the length.
    assert both[0].score - both[1].score == pytest.approx(0.275 + 0.75 + 0.1 * (3 - 2) / 8)


def test_words_before_the_first_that_is_asked_for_count_against_it() -> None:
    passage = _passage(("It rained.", {"rain"}), ("The bees slept.", {"bee"}))
    scores = {(s.first, s.last): s.score for s in stretches(_ASKED, [passage], 10)}
    # length: 0.1 · (5 - 4 · 2) / 10 against 0.1 · 3 / 10
    assert scores[0, 2] - scores[1, 2] == pytest.approx(-0.03 - 0.03)


def test_nothing_leads_up_where_the_heading_alone_is_about_the_question() -> None:
    passage = _passage(("A mite brings it.", {"mite"}), ("Nothing cures it.", {"cure"}), above={"bee"})
    scores = {(s.first, s.last): s.score for s in stretches(_ASKED, [passage], 20)}
    # 0.1 · (7 - 4) / 20: both say more than one
    assert scores[0, 2] - scores[0, 1] == pytest.approx(0.015)


@pytest.mark.parametrize(
    ("item", "stems", "headed"),
    [
        ("- a mite brings it", {"mite"}, True),
        ("- beeswax heals", {"wax", "heal"}, False),
        ("A mite brings it.", {"mite"}, False),
    ],
)
def test_items_that_do_not_name_their_subject_are_shown_with_their_heading(
    item: str, stems: set[str], headed: bool
) -> None:
    (found,) = stretches(_ASKED, [_passage((item, stems), heading={"wax"})], 20)
    assert found.headed is headed


def test_no_passages_no_stretches() -> None:
    assert stretches(_ASKED, [], 10) == []
