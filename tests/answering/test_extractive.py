from __future__ import annotations

import pytest

from polyrag_cli.answering import extractive
from polyrag_cli.answering.candidates import Passage
from polyrag_cli.answering.extractive import MAX_QUOTES, Extract, extract, lead
from polyrag_cli.answering.stretches import Stretch
from polyrag_cli.strategies.hybrid import HybridStrategy
from polyrag_cli.types import Chunk, Hit
from tests.strategies.library import Library, decision


def _answer(
    library: Library, question: str, words: int = 60, dense: bool = True, route: str = "vectorial", least: float = 0.55
) -> Extract | None:
    with library.context(dense=dense) as context:
        query = library.query(question, 4, dense)
        hits = HybridStrategy().retrieve(query, decision(route), context).hits
        found = extract(query, hits, context, words, least)
    return found if found is not None and found.text is not None else None


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("Who keeps the bees calm?", "Marta Quill keeps the bees calm with smoke."),
        ("When are apples picked?", "Every apple is picked by hand in October."),
        ("Quem assina a Regra Z9?", "A Regra Z9 é assinada pela Clara Dias."),
        ("where do pears ripen", "Pears ripen on straw in the cellar."),
    ],
)
def test_the_answering_sentence_is_quoted(library: Library, question: str, first: str, dense: bool) -> None:
    found = _answer(library, question, dense=dense)
    assert found is not None
    assert first in found.text.split("[1]")[0]
    assert 0.0 < found.probability <= 1.0


@pytest.mark.parametrize("words", [4, 8, 15, 25, 60])
def test_sources_are_exact_and_words_are_bounded(library: Library, words: int) -> None:
    found = _answer(library, "Which cellar with hives and pears is cold?", words)
    assert found is not None
    lines = found.text.splitlines()
    assert len(lines) == len(found.sources) <= MAX_QUOTES
    assert all(0 < len(line.split()) <= words for line in lines)
    for number, hit in enumerate(found.sources, 1):
        assert library.texts[hit.document][hit.start : hit.end] == hit.text
        assert f"{' '.join(hit.text.split())} [{number}]" in found.text


def test_neighbouring_sentences_are_one_quote_with_its_line_break_collapsed(library: Library) -> None:
    found = _answer(library, "cold cellar dug in 1911")
    assert found is not None
    first = found.sources[0]
    assert "\n" in first.text
    assert "The cellar is cold. It was dug in 1911. [1]" in found.text


def test_a_chain_is_followed_along_its_names(library: Library) -> None:
    found = _answer(library, "Quem assina a regra a que obedece o sistema de que depende a colheita?", route="graph")
    assert found is not None
    assert "Sistema Pomar" in found.text
    assert "Clara Dias" in found.text


def test_a_limit_that_holds_goes_before_others(library: Library) -> None:
    found = _answer(library, "Does a jar of three kilos need a label?", words=12)
    assert found is not None
    assert found.text.startswith("Jars above two kilos need a label.")


@pytest.mark.parametrize("dense", [True, False])
@pytest.mark.parametrize(
    "question",
    [
        "zyxwv qponm",
        "In 1805, who kept the bees calm?",
        "How many apples does Clara Dias eat?",
    ],
)
def test_what_nothing_supports_is_declined(library: Library, question: str, dense: bool) -> None:
    assert _answer(library, question, dense=dense) is None


def test_number_words_get_their_figure_where_a_number_was_asked(library: Library) -> None:
    counted = _answer(library, "How many hives stand behind the cellar?")
    told = _answer(library, "Which hives stand behind the cellar?")
    assert counted is not None and told is not None
    assert "Forty (40) hives" in counted.text
    assert "Forty hives" in told.text
    assert counted.sources[0].text.startswith("Forty hives")


def test_no_hits_no_answer(library: Library) -> None:
    with library.context() as context:
        assert extract(library.query("bees"), (), context, 60, 0.35) is None


def test_equal_calls_give_equal_answers(library: Library) -> None:
    assert _answer(library, "cold cellar") == _answer(library, "cold cellar")


def _stretch(rank: int, score: float) -> Stretch:
    chunk = Chunk(f"c{rank}", "d.md", 0, 0, 5, "text.")
    hit = Hit("d.md", f"c{rank}", "", None, 0, 5, "text.", 1.0, "")
    passage = Passage(hit, chunk, rank, (), frozenset(), frozenset(), ())
    return Stretch(passage, 0, 1, {}, False, 0.5, 0.5, 1, score)


def test_the_lead_is_the_best_score_over_the_mean_of_the_other_passages_best_ones() -> None:
    # The best of passage 0 is 2; of passages 1 and 2 they are 1 and .5.
    assert lead([_stretch(0, 2.0), _stretch(0, 1.9), _stretch(1, 1.0), _stretch(2, 0.5), _stretch(2, 0.1)]) == 1.25
    assert lead([_stretch(0, 2.0)]) == 2.0


def test_what_leads_clearly_is_told_briefly(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    question = "Which cellar with hives and pears is cold?"
    monkeypatch.setattr(extractive, "_SURE", 2.0)
    monkeypatch.setattr(extractive, "_CLEAR_LEAD", 9.0)
    told = _answer(library, question, 15)
    monkeypatch.setattr(extractive, "_CLEAR_LEAD", -9.0)
    brief = _answer(library, question, 15)
    assert told is not None
    assert brief is not None
    assert len(told.text.split()) > 15 >= len(brief.text.split())
    assert brief.sources[0].chunk_id == told.sources[0].chunk_id
