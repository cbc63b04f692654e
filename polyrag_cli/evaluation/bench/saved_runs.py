"""Saved measurements: reading one back, and comparing today's with it row by row."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from polyrag_cli.display.text import counted
from polyrag_cli.errors import UsageError, reason
from polyrag_cli.evaluation.bench.bench import FORMAT, BenchReport
from polyrag_cli.evaluation.bench.latency import Rounds
from polyrag_cli.evaluation.bench.noise import Verdict, ratio_change
from polyrag_cli.types import as_json

_STATED = ("version", "python", "cores", "embedder", "config_hash", "fingerprint", "generation", "questions_hash")
_WORDS = {
    "config_hash": "configuration",
    "fingerprint": "corpus",
    "questions_hash": "questions",
    "generation": "corpus generation",
}
_AGAIN = "Save a run again: polyrag bench --save FILE"
# A whole process, and rates: each round is one sample.
_OF_NO_QUESTIONS = ("cold", "throughput", "ingest")

_TICK_MS = 1e-4
# Months in milliseconds; what is above is no duration.
_MOST = 1e11


@dataclass(frozen=True, slots=True)
class Measured:
    """One row of a run as it is compared: `rounds` are positive samples, of milliseconds or of a rate."""

    kind: str
    name: str
    rounds: Rounds
    is_rate: bool = False


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run read back from its file; `about` says what was measured, and where. asked: () where it doesn't say."""

    about: Mapping[str, Any]
    measured: tuple[Measured, ...]
    asked: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """One row in both runs: medians, and how many times slower the new one is, with its interval and noise.

    paired: whether the ratio is the median of each question's own, as where both runs asked the same ones.
    """

    kind: str
    name: str
    old: float
    new: float
    ratio: float
    low: float | None
    high: float | None
    noise: float
    verdict: Verdict
    paired: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """Today's run beside a saved one.

    differences: what else differs between the runs, in words. only: rows that one of them lacks.
    machine: how many times slower the machine itself was on a fixed loop.
    only_before, only_now: questions that one run alone asked; None where the saved one doesn't name its own.
    """

    rows: tuple[ComparedRow, ...]
    machine: float
    differences: tuple[str, ...]
    only: tuple[str, ...]
    only_before: tuple[str, ...] | None = None
    only_now: tuple[str, ...] | None = None

    @property
    def paired(self) -> bool:
        """Whether each question is compared with itself, in the rows that are of questions in turn."""
        return any(row.paired and row.kind not in _OF_NO_QUESTIONS for row in self.rows)

    def slower_than(self, factor: float) -> tuple[ComparedRow, ...]:
        """The rows that are certainly slower and whose ratio is above the factor."""
        return tuple(row for row in self.rows if row.verdict == "slower" and row.ratio > factor)


def load_run(path: Path) -> SavedRun:
    """A run as `--save` wrote it.

    Raises UsageError naming the file when it can't be read or isn't one.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8-sig"), parse_constant=_refused)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{path}: can't be read: {reason(error)}.", "Save a run with: polyrag bench --save FILE"
        ) from error
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: damaged, not JSON: {error}.", _AGAIN) from error
    if not isinstance(value, dict) or value.get("format") != FORMAT:
        raise UsageError(f"{path}: no saved run of this version of bench.", "Save one: polyrag bench --save FILE")
    try:
        return _run(value)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
        raise UsageError(f"{path}: damaged: {error!r}.", _AGAIN) from error


def compare(old: SavedRun, report: BenchReport) -> Comparison:
    """Today's report beside a saved run."""
    new = _run(as_json(report))
    before = {(row.kind, row.name): row for row in old.measured}
    after = {(row.kind, row.name): row for row in new.measured}
    machine = median(new.about["machine_ms"]) / median(old.about["machine_ms"])
    paired = old.about.get("questions_hash") == new.about["questions_hash"]
    rows = tuple(_compared(before[key], row, machine, paired) for key, row in after.items() if key in before)
    only = [f"{kind} {name} (saved run)" for kind, name in before if (kind, name) not in after]
    only += [f"{kind} {name} (this run)" for kind, name in after if (kind, name) not in before]
    differences = _differences(old.about, new.about)
    only_before, only_now = _asked_by_one(old, new, paired)
    return Comparison(rows, round(machine, 3), differences, tuple(only), only_before=only_before, only_now=only_now)


def _asked_by_one(old: SavedRun, new: SavedRun, paired: bool) -> tuple[tuple[str, ...] | None, tuple[str, ...] | None]:
    """The questions that the old run alone asked, and the new one alone; None where that isn't known."""
    if paired:
        return (), ()
    if not old.asked:
        return None, None
    before, now = set(old.asked), set(new.asked)
    return tuple(q for q in old.asked if q not in now), tuple(q for q in new.asked if q not in before)


def _compared(old: Measured, new: Measured, machine: float, paired: bool) -> ComparedRow:
    change = ratio_change(old.rounds, new.rounds, machine, new.is_rate, paired)
    low, high = (None if math.isnan(end) else end for end in (change.low, change.high))
    return ComparedRow(
        kind=new.kind,
        name=new.name,
        old=_median(old),
        new=_median(new),
        ratio=change.ratio,
        low=low,
        high=high,
        noise=change.noise,
        verdict=change.verdict,
        paired=change.paired,
    )


def _median(row: Measured) -> float:
    return round(median([value for one in row.rounds for value in one]), 3)


def _differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[str, ...]:
    found = []
    for name in _STATED:
        was, now = (str(about.get(name, "unknown")) for about in (old, new))
        if was != now:
            short = (was[:12], now[:12]) if name in ("config_hash", "fingerprint", "questions_hash") else (was, now)
            found.append(f"{_WORDS.get(name, name)}: {short[0]} → {short[1]}")
    return tuple(found)


def _run(value: Mapping[str, Any]) -> SavedRun:
    """What is compared of a run's JSON. Raises KeyError, TypeError or ValueError when something is missing or wrong."""
    about = dict(value["about"])
    about["machine_ms"] = _samples([about["machine_ms"]])[0]
    if not min(about["machine_ms"]) > _TICK_MS:
        raise ValueError("the machine's loop took no time")
    measured = [Measured(_name(row["kind"]), _name(row["name"]), _samples(row["rounds"])) for row in value["rows"]]
    if not measured:
        raise ValueError("no rows")
    for row in value["throughput"]:
        rates = _samples([[rate] for rate in row["rates"]])
        measured.append(Measured("throughput", counted(int(row["clients"]), "client"), rates, is_rate=True))
    if value.get("ingest") is not None:
        rate = _samples([[value["ingest"]["chunks_per_s"]]])
        measured.append(Measured("ingest", "chunks per second", rate, is_rate=True))
    return SavedRun(about, tuple(measured), tuple(_name(question) for question in _listed(value.get("asked", ()))))


def _samples(rounds: Sequence[Sequence[Any]]) -> Rounds:
    found = tuple(tuple(_sample(value) for value in _listed(one)) for one in _listed(rounds))
    values = [value for one in found for value in one]
    if not values or not all(found):
        raise ValueError("no samples")
    # A clock's tick may pass within a sample; a ratio needs more than nothing.
    return tuple(tuple(max(value, _TICK_MS) for value in one) for one in found)


def _sample(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value <= _MOST:
        raise ValueError(f"{value!r} is no duration and no rate")
    return float(value)


def _listed(value: Any) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise TypeError(f"{value!r} is no list")
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no name")
    return value


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number")
