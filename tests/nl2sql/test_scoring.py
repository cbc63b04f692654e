from __future__ import annotations

import re
from dataclasses import asdict
from importlib.resources import files
from math import exp

import pytest

from polyrag_cli.config.sections import TableConfidenceSettings
from polyrag_cli.nl2sql.chart import Reading, readings
from polyrag_cli.nl2sql.scoring import Score, confidence, evidence, scored, spread, weights
from polyrag_cli.types import Rows
from tests.nl2sql.operators.staff import entry, parsed

SETTINGS = TableConfidenceSettings()


def sure(reading: Reading, score: Score, rows: Rows, margin: float) -> float:
    return confidence(evidence(reading, score, rows, margin), SETTINGS)


def best(question: str) -> tuple[Reading, Score]:
    found = [(reading, scored(reading)) for reading in readings(parsed(question), entry("staff"), None)]
    return max(found, key=lambda pair: pair[1].total)


def test_names_and_figures_weigh_more_than_other_words_and_verbs_less() -> None:
    taken = parsed("How many employees earn 4000 in Leeds?")
    found = {taken.tokens[i].text: weight for i, weight in weights(taken).items()}
    assert found["4000"] == found["Leeds"] > found["employees"] > found["earn"]


def test_what_is_all_explained_is_covered() -> None:
    reading, score = best("How many employees work in Leeds?")
    assert reading.proposal.operator == "aggregate"
    # Two for all words, .45 · (1.1 − .7) for the whole cell of one word, .9 for a count.
    assert (score.coverage, score.links, score.unexplained) == (1.0, 0.18, ())
    assert score.total == 3.08


def test_a_noun_that_nothing_explains_is_needed() -> None:
    reading, score = best("How many reptiles work in Leeds?")
    taken = reading.scope.question
    assert [taken.tokens[i].text for i in score.needed] == ["reptiles"]
    assert score.total < best("How many employees work in Leeds?")[1].total


def test_confidence_is_a_chance_that_grows_with_what_is_explained_and_with_the_lead() -> None:
    counted = Rows(("count",), ((5,),))
    known, unknown = best("How many employees work in Leeds?"), best("How many reptiles work in Leeds?")
    assert 0 < sure(*unknown, counted, 0.2) < sure(*known, counted, 0.2) < 1
    assert sure(*known, counted, 0.1) < sure(*known, counted, 0.5)


def test_confidence_is_the_manual_s_formula() -> None:
    reading, score = best("How many employees work in Leeds?")
    # One sure link of one word (worth 1.1), all explained, a lead of .4, one row.
    odds = -4.05 + 2.2 * 0.9 + 2.0 * 1.0 + 0.8 * 0.4 + 1.4 * 1.1 - 0.55
    assert sure(reading, score, Rows(("count",), ((5,),)), 0.4) == pytest.approx(1 / (1 + exp(-odds)), abs=1e-6)


def test_the_manual_states_the_weights() -> None:
    manual = files("polyrag_cli").joinpath("manual", "tables.md").read_text(encoding="utf-8")
    stated = dict(re.findall(r"^\| `(\w+)` \|[^|]*\| (\S+) \|$", manual, re.MULTILINE))
    assert {name: float(weight.replace("−", "-")) for name, weight in stated.items()} == {
        name: weight for name, weight in asdict(SETTINGS).items() if name != "bias"
    }


def test_several_rows_cost_an_answer_of_which_one_is_expected() -> None:
    single = next(
        reading
        for reading in readings(parsed("Which employee works in Leeds?"), entry("staff"), None)
        if reading.proposal.single
    )
    one, three, five = (Rows(("name",), tuple((f"n{i}",) for i in range(count))) for count in (1, 3, 5))
    assert spread(single, one) == 0.0 < spread(single, three) < spread(single, five)
