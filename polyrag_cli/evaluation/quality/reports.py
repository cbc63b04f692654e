"""A run and its verdict as JUnit XML, for a CI's test view, and as Markdown, for a pull request."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from xml.etree import ElementTree

from polyrag_cli.display.text import clip, counted
from polyrag_cli.evaluation.quality.gate import Flip, SetVerdict, Verdict
from polyrag_cli.evaluation.quality.measures import LATENCY_P50, LATENCY_P95, MEASURES, METRICS
from polyrag_cli.evaluation.quality.runner import EvalReport, ItemResult

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# Anywhere, and at the beginning of a line, where they'd open a list.
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~&]|^[-+=](?=\s|$)|(?<=^\d)[.)]|(?<=^\d\d)[.)])")
_SHOWN = 50
Reports = Mapping[str, EvalReport]


# ---------------------------------------------------------------- text of one question
def score_change(name: str, before: float, now: float) -> str:
    """A measure's way from one value to another: 1 → 0, 0.50 → 0.33."""
    old, new = (f"{v:.0f}" if v in (0.0, 1.0) else f"{v:.2f}" for v in (before, now))
    if old == new:
        old, new = f"{before:.4f}", f"{now:.4f}"
    return f"{name} {old} → {new}"


def flip_line(flip: Flip) -> str:
    """The measures that changed, the lost ones first."""
    return ", ".join(score_change(*entry) for entry in (*flip.lost, *flip.won))


def wrong_measures(item: ItemResult) -> list[str]:
    """The measures in which a question falls short; coverage says what empty_rate says."""
    wrong = []
    for measure in MEASURES:
        value = item.scores.get(measure.name)
        if value is not None and measure.name != "empty_rate" and (value > 0 if measure.falls else value < 1):
            wrong.append(measure.name)
    return wrong


# ---------------------------------------------------------------- JUnit
def junit(reports: Reports, verdict: Verdict | None) -> str:
    """JUnit XML: a suite for each set with a case for each question, and one for what the gate bounds.

    A case fails when the gate fails and its question is lost. What else is wrong with a question stands in its output:
    it was so before.
    """
    root = ElementTree.Element("testsuites", name="polyrag eval")
    for name, report in reports.items():
        checked = verdict.sets[name] if verdict is not None else None
        # By turns, where a set repeats a question.
        failing = defaultdict(list)
        for flip in checked.lost if checked is not None else ():
            failing[flip.question].append(flip)
        blocked = verdict is not None and sum(len(v.lost) for v in verdict.sets.values()) > verdict.max_lost
        suite = ElementTree.SubElement(root, "testsuite", name=_xml(name))
        for item in report.items:
            flips = failing[item.question]
            _case(suite, name, item, flips.pop(0) if flips else None, blocked)
        if checked is not None:
            _bounds_case(suite, name, checked)
        _count(suite)
    _count(root)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'


def _case(suite: ElementTree.Element, name: str, item: ItemResult, lost: Flip | None, blocked: bool) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=_xml(name), name=_xml(item.question), time=f"{item.took_ms / 1000:.3f}"
    )
    if lost is not None and blocked:
        failure = ElementTree.SubElement(case, "failure", message=_xml(flip_line(lost)), type="lost")
        failure.text = _xml(f"{lost.change}\nanswer: {item.answer if item.answer is not None else 'none'}")
        return
    said = [f"lost within gate.max_lost: {flip_line(lost)}; {lost.change}"] if lost is not None else []
    wrong = wrong_measures(item)
    said += [f"falls short in: {', '.join(wrong)}"] if wrong else []
    if said:
        ElementTree.SubElement(case, "system-out").text = _xml("\n".join(said))


def _bounds_case(suite: ElementTree.Element, name: str, checked: SetVerdict) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=_xml(name), name="bounds in [gate]", time="0.000")
    if checked.broken:
        failure = ElementTree.SubElement(case, "failure", message=_xml("; ".join(checked.broken)), type="bound")
        failure.text = _xml("\n".join(checked.broken))


def _count(element: ElementTree.Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    element.set("failures", str(sum(case.find("failure") is not None for case in cases)))
    element.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")


def _xml(text: str) -> str:
    """The text without the characters that XML 1.0 can't hold, not even escaped."""
    return _NOT_XML.sub("\ufffd", text)


# ---------------------------------------------------------------- Markdown
def markdown(reports: Reports, verdict: Verdict | None) -> str:
    """A summary for a pull request: the verdict, each set's measures, the questions lost and won, and why."""
    lines = ["## polyrag eval", ""]
    if verdict is not None:
        lines += [f"**Gate {'passed' if verdict.passed else 'failed'}** against {_md(verdict.baseline)}", ""]
        lines += [*(f"- {_md(reason)}" for reason in verdict.reasons), *[""] * bool(verdict.reasons)]
        lines += [f"Since then: {_md('; '.join(verdict.notes))}.", ""] if verdict.notes else []
    for name, report in reports.items():
        checked = verdict.sets[name] if verdict is not None else None
        lines += [f"### {_md(name)}: {counted(report.questions, 'question')}", "", *_table(report, checked), ""]
        if checked is not None:
            lines += _flips("Lost", checked.lost) + _flips("Won", checked.won)
            lines += [f"- {line}" for line in (latency_line(checked), unmatched_line(checked)) if line] + [""]
    return "\n".join(lines).rstrip() + "\n"


def _table(report: EvalReport, checked: SetVerdict | None) -> list[str]:
    compared = {c.measure: c for c in checked.comparisons} if checked is not None else {}
    head = ["measure", "now", "95 %", *(["before", "lost", "won", "p"] if checked is not None else [])]
    rows = [head, ["---", *["---:"] * (len(head) - 1)]]
    for metric in METRICS:
        if metric not in report.overall:
            continue
        digits = 1 if metric in (LATENCY_P50, LATENCY_P95) else 3
        low, high = report.intervals[metric]
        row = [metric, f"{report.overall[metric]:.{digits}f}", f"{low:.{digits}f} to {high:.{digits}f}"]
        if checked is not None:
            c = compared.get(metric)
            row += [f"{c.before:.3f}", str(c.lost), str(c.won), f"{c.p:.3f}"] if c is not None else [""] * 4
        rows.append(row)
    return ["| " + " | ".join(row) + " |" for row in rows]


def _flips(title: str, flips: tuple[Flip, ...]) -> list[str]:
    if not flips:
        return []
    lines = [f"**{title}: {counted(len(flips), 'question')}**", ""]
    for flip in flips[:_SHOWN]:
        lines.append(f"- {_md(flip.question)}  \n  {_md(flip_line(flip))}  \n  {_md(flip.change)}")
    return [*lines, *([f"- and {len(flips) - _SHOWN} more"] if len(flips) > _SHOWN else []), ""]


def latency_line(checked: SetVerdict) -> str:
    """The ratio of the median latencies with its interval."""
    ratio, low, high = checked.slowdown
    return f"median latency × {ratio:.2f} (95 %: {low:.2f} to {high:.2f})"


def unmatched_line(checked: SetVerdict) -> str:
    """How many questions have no counterpart in the baseline; "" when all have one."""
    parts = {"added": checked.added, "removed": checked.removed, "with other labels": checked.relabelled}
    said = [f"{counted(len(questions), 'question')} {how}" for how, questions in parts.items() if questions]
    return f"not compared: {', '.join(said)}" if said else ""


def _md(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", clip(text, 400))
