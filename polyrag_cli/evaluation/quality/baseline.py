"""A measured state kept in a file: what each question gave, and under which code, settings and corpus.

Owns the file's form. Paths in it are relative to it, and it holds no times but the latencies, which stand in a key
of their own, so that two equal runs write the same lines.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrag_cli import __version__
from polyrag_cli.config import digest
from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError, reason
from polyrag_cli.evaluation.quality.measures import MEASURES, means
from polyrag_cli.evaluation.quality.runner import ItemResult
from polyrag_cli.routing.replay import decision_from_json
from polyrag_cli.types import as_json
from polyrag_cli.whole_file import write_whole

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Origin:
    """What made the numbers. settings: dotted key → value, anchors as a digest. corpus: its fingerprint."""

    version: str
    config_hash: str
    settings: Mapping[str, Any]
    corpus: str


@dataclass(frozen=True, slots=True)
class Baseline:
    """`sets` holds each set's questions by its path relative to the file."""

    origin: Origin
    sets: Mapping[str, tuple[ItemResult, ...]]


def origin_of(engine: Engine) -> Origin:
    """What makes the numbers of an engine over its corpus now. Raises StoreError without a corpus."""
    with engine.snapshot() as snapshot:
        corpus = engine.catalog.fingerprint(snapshot)
    return Origin(
        __version__,
        engine.router.config_hash[:16],
        engine.settings.stated("chunks", "homes", "routes", "answers"),
        corpus,
    )


def set_name(path: Path, file: Path) -> str:
    """A set's name in a baseline: its path relative to the baseline's folder, with forward slashes."""
    return Path(os.path.relpath(path.absolute(), file.absolute().parent)).as_posix()


def set_digest(items: Sequence[ItemResult]) -> str:
    """16 hex digits over the questions of a set and their labels."""
    return digest([[item.question, item.labels] for item in items])


# ---------------------------------------------------------------- writing
def write_baseline(file: Path, origin: Origin, sets: Mapping[str, Sequence[ItemResult]]) -> None:
    """Writes the file as a whole, in place of an older one: readers see the old one or the new one.

    Raises StoreError when it can't be written.
    """
    write_whole(file, baseline_text(origin, sets))


def baseline_text(origin: Origin, sets: Mapping[str, Sequence[ItemResult]]) -> str:
    """The file's content: JSON with a line for each question, so that a change shows as the lines that it touches."""
    head = {"format": FORMAT, "version": origin.version, "config_hash": origin.config_hash, "corpus": origin.corpus}
    lines = [f"{_line(key)}: {_line(value)}," for key, value in head.items()]
    lines += ['"settings": {', *_joined(f"{_line(k)}: {_line(v)}" for k, v in sorted(origin.settings.items())), "},"]
    lines.append('"sets": {')
    for number, (name, items) in enumerate(sorted(sets.items()), 1):
        lines.append(f'{_line(name)}: {{"digest": {_line(set_digest(items))}, "overall": {_line(_overall(items))},')
        lines += ['"items": [', *_joined(_line(to_json(item)) for item in items), "]}" + "," * (number < len(sets))]
    lines.append("},")
    times = (f"{_line(name)}: {_line([item.took_ms for item in items])}" for name, items in sorted(sets.items()))
    return "\n".join(["{", *lines, '"latency_ms": {', *_joined(times), "}", "}"]) + "\n"


def _overall(items: Sequence[ItemResult]) -> dict[str, float]:
    measured = means([item.scores for item in items], [0.0])
    return {name: value for name, value in measured.items() if not name.startswith("latency")}


def _joined(parts: Iterable[str]) -> list[str]:
    lines = list(parts)
    return [line + "," * (number < len(lines)) for number, line in enumerate(lines, 1)]


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def to_json(item: ItemResult) -> dict[str, Any]:
    """A question's record: what was decided, found and answered, without times; numbers rounded to 1e-6."""
    clauses = as_json(item.decision.clauses) if item.decision is not None else []
    record: dict[str, Any] = {
        "question": item.question,
        "labels": item.labels,
        "scores": dict(item.scores),
        "expected": item.expected,
        "routes": item.routes,
        "answer": item.answer,
        "sql": item.sql,
        "hits": item.hits,
        "false_hit": item.false_hit,
        "clauses": clauses,
    }
    rounded: dict[str, Any] = _rounded(record)
    return rounded


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, dict):
        return {key: _rounded(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [_rounded(part) for part in value]
    return value


# ---------------------------------------------------------------- reading
def read_baseline(file: Path) -> Baseline:
    """The baseline in a file.

    Raises UsageError when there is none, when it is damaged or holds something else.
    """
    try:
        payload = json.loads(file.read_text(encoding="utf-8-sig"), parse_constant=_refused)
    except FileNotFoundError as error:
        raise UsageError(f"{file}: no such baseline.", f"Write one with --update-baseline {file}") from error
    except (OSError, ValueError, RecursionError) as error:
        why = reason(error) if isinstance(error, OSError) else f"damaged: {error}"
        raise UsageError(f"{file}: can't be read as a baseline: {why}.", _AGAIN) from error
    if not isinstance(payload, dict) or payload.get("format") != FORMAT:
        raise UsageError(f"{file}: no baseline of polyrag eval (format {FORMAT}).", _AGAIN)
    try:
        origin = Origin(
            str(payload["version"]), str(payload["config_hash"]), dict(payload["settings"]), str(payload["corpus"])
        )
        times = payload["latency_ms"]
        sets = {
            str(name): tuple(from_json(r, _time(t)) for r, t in zip(held["items"], times[name], strict=True))
            for name, held in payload["sets"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, StoreError) as error:
        why = error.message.rstrip(".") if isinstance(error, StoreError) else f"{type(error).__name__} {error}"
        raise UsageError(f"{file}: damaged: {why}.", _AGAIN) from error
    return Baseline(origin, sets)


_AGAIN = "Write it again with --update-baseline."
# A month; what is longer is no latency.
_LONGEST_MS = 3e9


def from_json(record: Mapping[str, Any], took_ms: float) -> ItemResult:
    """The question behind `to_json`. Raises KeyError, TypeError, ValueError or StoreError for anything else."""
    answer = _text(record, "answer", optional=True)
    decision = {
        "question": record["question"],
        "clauses": record["clauses"],
        "config_hash": "",
        "generation": 0,
    }
    return ItemResult(
        question=_text(record, "question") or "",
        expected=_texts(record, "expected"),
        routes=_texts(record, "routes"),
        answer=answer,
        words=len((answer or "").split()),
        took_ms=took_ms,
        scores={name: _score(record["scores"], name) for name in record["scores"]},
        sql=_text(record, "sql", optional=True),
        hits=_texts(record, "hits"),
        decision=decision_from_json(decision),
        false_hit=_text(record, "false_hit") or "",
        labels=_text(record, "labels") or "",
    )


def _text(record: Mapping[str, Any], key: str, optional: bool = False) -> str | None:
    value = record[key]
    if not isinstance(value, str) and not (optional and value is None):
        raise TypeError(f"{key} is no text: {value!r}")
    return value


def _texts(record: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = record[key]
    if not isinstance(values, (list, tuple)) or not all(isinstance(value, str) for value in values):
        raise TypeError(f"{key} is no list of texts")
    return tuple(values)


def _score(scores: Mapping[str, Any], name: str) -> float:
    """A measure's value of one question, 0 to 1; only 0 or 1 where it has no other."""
    value = _number(scores[name])
    whole = next((measure.binary for measure in MEASURES if measure.name == name), False)
    if not 0.0 <= value <= 1.0 or (whole and value not in (0.0, 1.0)):
        raise ValueError(f"{name} can't be {value:g}")
    return value


def _time(value: Any) -> float:
    if not 0.0 <= _number(value) <= _LONGEST_MS:
        raise ValueError(f"{value!r} is no latency")
    return float(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise TypeError(f"{value!r} is no number")
    return float(value)


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no number")
