"""JUnit XML and Markdown of a run and its verdict."""

from dataclasses import replace
from xml.etree import ElementTree

from polyrag_cli.evaluation.quality.gate import Flip, SetVerdict, Verdict
from polyrag_cli.evaluation.quality.reports import flip_line, junit, markdown, score_change
from polyrag_cli.evaluation.quality.runner import ItemResult, summary

ITEMS = (
    ItemResult("Who | signs?", ("graph",), ("graph",), None, 0, 1500.0, {"facts": 0.0, "coverage": 0.0}),
    ItemResult("bell \x07 <b>", ("graph",), ("graph",), "a", 1, 2.0, {"facts": 1.0, "coverage": 1.0}),
)
REPORTS = {"s.yaml": summary(ITEMS)}
FLIP = Flip("Who | signs?", (("facts", 1.0, 0.0),), (("mrr", 0.333333, 0.5),), "stage 2: cosine of graph 0.41 → 0.38")
CHECKED = SetVerdict((FLIP,), (), (), (1.0, 0.9, 1.1), (), ("new?",))
FAILED = Verdict(False, "b.json", 0, ("1 question lost, 0 allowed",), ("version 1 → 2",), {"s.yaml": CHECKED})


def cases(text: str) -> dict[str, ElementTree.Element]:
    root = ElementTree.fromstring(text)
    return {case.get("name", ""): case for case in root.iter("testcase")}


def test_scores_are_told_apart() -> None:
    assert score_change("facts", 1.0, 0.0) == "facts 1 → 0"
    assert score_change("mrr", 1 / 3, 0.5) == "mrr 0.33 → 0.50"
    assert score_change("mrr", 0.7012, 0.7013) == "mrr 0.7012 → 0.7013"
    assert flip_line(FLIP) == "facts 1 → 0, mrr 0.33 → 0.50"


def test_junit_has_a_case_for_each_question_and_one_for_the_bounds() -> None:
    text = junit(REPORTS, FAILED)
    found = cases(text)
    assert list(found) == ["Who | signs?", "bell \ufffd <b>", "bounds in [gate]"]
    failure = found["Who | signs?"].find("failure")
    assert failure is not None
    assert failure.get("message") == "facts 1 → 0, mrr 0.33 → 0.50"
    assert failure.text == "stage 2: cosine of graph 0.41 → 0.38\nanswer: none"
    assert found["bell \ufffd <b>"].find("failure") is None
    root = ElementTree.fromstring(text)
    assert (root.get("tests"), root.get("failures"), root.get("time")) == ("3", "1", "1.502")
    assert text.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites')


def test_junit_fails_no_case_that_the_gate_lets_pass() -> None:
    passed = replace(FAILED, passed=True, max_lost=1, reasons=())
    case = cases(junit(REPORTS, passed))["Who | signs?"]
    assert case.find("failure") is None
    said = case.findtext("system-out") or ""
    assert said.startswith("lost within gate.max_lost: facts 1 → 0")
    assert said.endswith("falls short in: facts, coverage")


def test_junit_fails_the_bounds() -> None:
    broken = replace(CHECKED, lost=(), broken=("facts 0.500 is below gate.facts_min 0.9",))
    failure = cases(junit(REPORTS, replace(FAILED, sets={"s.yaml": broken})))["bounds in [gate]"].find("failure")
    assert failure is not None
    assert failure.get("type") == "bound"


def test_junit_without_a_gate_fails_nothing() -> None:
    assert 'failures="1"' not in junit(REPORTS, None)
    assert list(cases(junit(REPORTS, None))) == ["Who | signs?", "bell \ufffd <b>"]


def test_markdown_names_the_verdict_the_offender_and_the_cause() -> None:
    text = markdown(REPORTS, FAILED)
    assert "**Gate failed** against b.json" in text
    assert "- 1 question lost, 0 allowed" in text
    assert "Since then: version 1 → 2." in text
    assert "- Who \\| signs?  \n  facts 1 → 0, mrr 0.33 → 0.50  \n  stage 2: cosine of graph 0.41 → 0.38" in text
    assert "- median latency × 1.00 (95 %: 0.90 to 1.10)\n- not compared: 1 question added\n" in text
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert {row.count("|") for row in rows} == {8}


def test_markdown_without_a_gate_is_the_measures_alone() -> None:
    text = markdown(REPORTS, None)
    assert "Gate" not in text
    assert "| facts | 0.500 | 0.000 to 1.000 |" in text
