"""Compares a run with a baseline, question by question, and says whether it may pass."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from polyrag_cli.config import changed_settings
from polyrag_cli.config.sections import GateSettings
from polyrag_cli.display.text import counted
from polyrag_cli.errors import UsageError
from polyrag_cli.evaluation.quality.baseline import Baseline, Origin, from_json, to_json
from polyrag_cli.evaluation.quality.changes import change
from polyrag_cli.evaluation.quality.measures import MEASURES, Measure
from polyrag_cli.evaluation.quality.runner import EvalReport, ItemResult

_LEAST = 1e-6
_SHOWN_SETTINGS = 4


@dataclass(frozen=True, slots=True)
class Flip:
    """A question that some measure now judges differently: (measure, before, now) by direction, and what changed it."""

    question: str
    lost: tuple[tuple[str, float, float], ...]
    won: tuple[tuple[str, float, float], ...]
    change: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """One measure over the n questions judged in both runs: means, questions lost and won, two-sided p of `test`."""

    measure: str
    n: int
    before: float
    now: float
    lost: int
    won: int
    p: float
    test: str


@dataclass(frozen=True, slots=True)
class SetVerdict:
    """One set against its baseline. slowdown: ratio of median latencies with its 95 % interval.

    broken: measures beyond their bound, in words. added, removed, relabelled: questions that can't be compared.
    """

    lost: tuple[Flip, ...]
    won: tuple[Flip, ...]
    comparisons: tuple[Comparison, ...]
    slowdown: tuple[float, float, float]
    broken: tuple[str, ...]
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    relabelled: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's decision. reasons: why it fails, () when it passes; notes: what differs from the baseline's making."""

    passed: bool
    baseline: str
    max_lost: int
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    sets: Mapping[str, SetVerdict]


def matching_set(name: str, questions: Sequence[str], baseline: Baseline, file: Path) -> str:
    """The name under which the baseline holds a set: its own, or that of the only one with the same questions.

    Raises UsageError when it holds none of them.
    """
    wanted = Counter(questions)
    common = {key: sum((wanted & Counter(i.question for i in items)).values()) for key, items in baseline.sets.items()}
    if common.get(name):
        return name
    same = [key for key, n in common.items() if n == len(questions) == len(baseline.sets[key])]
    if len(same) == 1:
        return same[0]
    held = ", ".join(sorted(baseline.sets)) or "no set"
    raise UsageError(
        f"{file}: holds {held}, but no question of {name}.",
        "Write it again with --update-baseline, naming every set with --set.",
    )


def judge(
    reports: Mapping[str, EvalReport],
    now: Origin,
    baseline: Baseline,
    names: Mapping[str, str],
    settings: GateSettings,
    file: str,
) -> Verdict:
    """The verdict over all sets of a run. names: set as named in `reports` → its name in the baseline.

    The gate fails when more than max_lost questions of all sets are lost, when nothing of a set could be compared, when
    a measure of a set lies beyond its bound, or when a set's median latency grew by more than max_slowdown with its
    whole interval.
    """
    sets = {set_: _verdict(report, baseline.sets[names[set_]], settings) for set_, report in reports.items()}
    reasons = []
    lost = [flip for verdict in sets.values() for flip in verdict.lost]
    if len(lost) > settings.max_lost:
        reasons.append(f"{counted(len(lost), 'question')} lost, {settings.max_lost} allowed")
    for name, verdict in sets.items():
        where = f"{name}: " if len(sets) > 1 else ""
        if len(verdict.added) + len(verdict.relabelled) == len(reports[name].items):
            reasons.append(f"{where}no question has the labels that it has in the baseline, so nothing was compared")
        reasons += [f"{where}{broken}" for broken in verdict.broken]
    return Verdict(not reasons, file, settings.max_lost, tuple(reasons), _notes(baseline.origin, now), sets)


def _verdict(report: EvalReport, recorded: Sequence[ItemResult], settings: GateSettings) -> SetVerdict:
    # Today's results take the way of the baseline's through the file's form: both are rounded alike.
    items = [from_json(to_json(item), item.took_ms) for item in report.items]
    before, now = _keyed(recorded), _keyed(items)
    common = [key for key in now if key in before and before[key].labels == now[key].labels]
    pairs = [(before[key], now[key]) for key in common]
    flips = [flip for a, b in pairs if (flip := _flip(a, b)) is not None]
    slowdown = _slowdown(pairs)
    return SetVerdict(
        lost=tuple(flip for flip in flips if flip.lost),
        won=tuple(flip for flip in flips if not flip.lost),
        comparisons=tuple(c for measure in MEASURES if (c := _comparison(measure, pairs)) is not None),
        slowdown=slowdown,
        broken=_broken(report, slowdown, settings),
        added=tuple(question for question, n in now if (question, n) not in before),
        removed=tuple(question for question, n in before if (question, n) not in now),
        relabelled=tuple(key[0] for key in now if key in before and before[key].labels != now[key].labels),
    )


def _keyed(items: Sequence[ItemResult]) -> dict[tuple[str, int], ItemResult]:
    """Questions by their text and, where a set repeats one, its number."""
    seen: Counter[str] = Counter()
    keyed = {}
    for item in items:
        keyed[(item.question, seen[item.question])] = item
        seen[item.question] += 1
    return keyed


# ---------------------------------------------------------------- one question
def _scores(measure: Measure, before: ItemResult, now: ItemResult) -> tuple[float, float] | None:
    """A measure of one question in both runs; None when one of them doesn't judge it.

    A question that isn't answered has no wrong answer: its precision counts as 1 beside a run that gave one.
    """
    a, b = before.scores.get(measure.name), now.scores.get(measure.name)
    if measure.name == "precision" and (a is None) != (b is None):
        a, b = (1.0 if a is None else a), (1.0 if b is None else b)
    return None if a is None or b is None else (a, b)


def _flip(before: ItemResult, now: ItemResult) -> Flip | None:
    lost: list[tuple[str, float, float]] = []
    won: list[tuple[str, float, float]] = []
    for measure in MEASURES:
        pair = _scores(measure, before, now)
        # empty_rate is coverage seen from the other side.
        if pair is None or abs(pair[1] - pair[0]) < _LEAST or measure.name == "empty_rate":
            continue
        (won if (pair[1] > pair[0]) != measure.falls else lost).append((measure.name, *pair))
    if not lost and not won:
        return None
    names = [name for name, _, _ in lost or won]
    return Flip(now.question, tuple(lost), tuple(won), change(before, now, names))


# ---------------------------------------------------------------- one measure
def _comparison(measure: Measure, pairs: Sequence[tuple[ItemResult, ItemResult]]) -> Comparison | None:
    from polyrag_cli.scoring.significance import mcnemar, paired_bootstrap

    scores = [found for a, b in pairs if (found := _scores(measure, a, b)) is not None]
    if not scores:
        return None
    before, now = [a for a, _ in scores], [b for _, b in scores]
    worse = sum((a - b if not measure.falls else b - a) >= _LEAST for a, b in scores)
    better = sum((b - a if not measure.falls else a - b) >= _LEAST for a, b in scores)
    p = mcnemar(worse, better) if measure.binary else paired_bootstrap(before, now)
    test = "McNemar" if measure.binary else "paired bootstrap"
    n = len(scores)
    return Comparison(
        measure.name, n, round(sum(before) / n, 4), round(sum(now) / n, 4), worse, better, round(p, 4), test
    )


def _slowdown(pairs: Sequence[tuple[ItemResult, ItemResult]]) -> tuple[float, float, float]:
    """Ratio of the median latencies with its interval; 1 where there is nothing to compare."""
    from polyrag_cli.scoring.significance import median_ratio

    before, now = [a.took_ms for a, _ in pairs], [b.took_ms for _, b in pairs]
    if not pairs or sorted(before)[len(before) // 2] <= 0:
        return 1.0, 1.0, 1.0
    ratio, low, high = median_ratio(before, now)
    return round(ratio, 3), round(low, 3), round(high, 3)


def _broken(report: EvalReport, slowdown: tuple[float, float, float], settings: GateSettings) -> tuple[str, ...]:
    found = []
    for measure in MEASURES:
        bound, value = getattr(settings, measure.floor), report.overall.get(measure.name)
        if value is not None and (value > bound if measure.falls else value < bound):
            side = "above" if measure.falls else "below"
            found.append(f"{measure.name} {value:.3f} is {side} gate.{measure.floor} {bound:g}")
    ratio, low, high = slowdown
    if settings.max_slowdown and low > settings.max_slowdown:
        bound = f"gate.max_slowdown {settings.max_slowdown:g}"
        found.append(f"median latency × {ratio:.2f} (95 %: {low:.2f} to {high:.2f}) is above {bound}")
    return tuple(found)


# ---------------------------------------------------------------- what made the numbers
def _notes(before: Origin, now: Origin) -> tuple[str, ...]:
    found = []
    if before.version != now.version:
        found.append(f"version {before.version} → {now.version}")
    changed = changed_settings(before.settings, now.settings)
    if changed:
        shown = changed[:_SHOWN_SETTINGS]
        more = len(changed) - len(shown)
        found.append(f"settings: {', '.join(shown)}" + (f" and {more} more" if more else ""))
    elif before.config_hash != now.config_hash:
        found.append(f"routing configuration {before.config_hash} → {now.config_hash}")
    if before.corpus != now.corpus:
        found.append(f"corpus {before.corpus[:12]} → {now.corpus[:12]}")
    return tuple(found)
