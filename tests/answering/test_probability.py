from __future__ import annotations

import math
from dataclasses import replace

import pytest

from polyrag_cli.answering.asked import Asked, Term
from polyrag_cli.answering.candidates import Passage
from polyrag_cli.answering.probability import Signs, Weights, signs_of, weights_of
from polyrag_cli.answering.stretches import Stretch
from polyrag_cli.config.sections import AnswerProbabilitySettings
from polyrag_cli.types import Chunk, Hit
from tests.command_line import ROOT

_TERMS = (Term("bees", 2.0, 1.0, True), Term("lorry", 3.0, 0.1, False))
_ASKED = Asked(_TERMS, {}, 2.3, 5.0, "", (), 20)


def _stretch(coverage: float, cosine: float, language: str = "en", score: float = 1.0) -> Stretch:
    chunk = Chunk("c", "d.md", 0, 0, 5, "text.", language=language)
    hit = Hit("d.md", "c", "", None, 0, 5, "text.", 1.0, "dense")
    return Stretch(
        Passage(hit, chunk, 0, (), frozenset(), frozenset(), ()), 0, 1, {}, False, coverage, cosine, 1, score
    )


def test_signs_are_what_the_best_stretch_covers_the_nearest_sentence_and_what_the_corpus_lacks() -> None:
    signs = signs_of(_ASKED, "en", [_stretch(0.6, 0.1), _stretch(0.4, 0.2, score=1.5), _stretch(0.1, 0.5)])
    assert signs == Signs(0.4, 0.5, 3.0 / 5.0, math.log(20))


def test_passages_in_another_language_lack_no_words() -> None:
    signs = signs_of(_ASKED, "en", [_stretch(0.4, 0.2), _stretch(0.1, 0.5, "pt")])
    assert signs == Signs(0.5, 0.5, 0.0, math.log(20))
    assert signs_of(_ASKED, "und", [_stretch(0.1, 0.5, "pt")]).unknown == pytest.approx(0.6)


def test_nothing_to_quote_says_the_least() -> None:
    assert signs_of(_ASKED, "en", []) == Signs(0.0, 0.0, 1.0, math.log(20))
    assert signs_of(replace(_ASKED, passages=0), "en", []).size == 0.0


def test_the_logistic_function_over_the_weighted_signs() -> None:
    # z = -1 + 2 · 0.5 + 4 · 0.25 - 1 · 0.5 · 2 - 0.5 · 2 = -1
    weights = Weights(bias=-1.0, coverage=2.0, cosine=4.0, unknown=-1.0, size=-0.5)
    assert weights.probability(Signs(0.5, 0.25, 0.5, 2.0)) == pytest.approx(1.0 / (1.0 + math.e), abs=1e-6)


_WEIGHTS = weights_of(AnswerProbabilitySettings(), dense=True)


def test_each_sign_moves_the_probability_its_way() -> None:
    usual = Signs(0.5, 0.4, 0.2, 5.0)
    probability = _WEIGHTS.probability(usual)
    assert _WEIGHTS.probability(replace(usual, coverage=0.8)) > probability
    assert _WEIGHTS.probability(replace(usual, cosine=0.6)) > probability
    assert _WEIGHTS.probability(replace(usual, unknown=0.6)) < probability
    assert _WEIGHTS.probability(replace(usual, size=9.0)) < probability


def test_the_manual_gives_the_formula_that_is_computed() -> None:
    manual = (ROOT / "polyrag_cli" / "manual" / "routing.md").read_text(encoding="utf-8")
    w = _WEIGHTS
    formula = (
        f"z = {w.bias:.2f} + {w.coverage:.2f} · coverage + {w.cosine:.2f} · cosine - {-w.unknown:.2f} · unknown · ln n"
    )
    assert f"{formula} - {-w.size:.2f} · ln n" in manual


def test_without_an_embedder_other_weights_hold_and_cosines_say_nothing() -> None:
    settings = AnswerProbabilitySettings(words_bias=1.0, words_coverage=2.0, words_unknown=-3.0, words_size=-4.0)
    assert weights_of(settings, dense=False) == Weights(1.0, 2.0, 0.0, -3.0, -4.0)
