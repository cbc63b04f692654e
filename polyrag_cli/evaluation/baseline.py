"""A measured state kept in a file: what each question gave, and under which code, settings and corpus.

Owns the file's form. Paths in it are relative to it, and it holds no times but the latencies, which stand in a key of
their own, so that two equal runs write the same lines. Must never print or judge.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from polyrag_cli import __version__
from polyrag_cli.config import Settings, digest
from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.measures import means
from polyrag_cli.evaluation.runner import ItemResult
from polyrag_cli.routing.replay import decision_from_json
from polyrag_cli.types import as_json

FORMAT = 1
# What an answer depends on; paths, tracing and the gate itself change none.
_SECTIONS = ("embedder", "stores", "chunking", "routing", "routes", "retrieval", "answer", "cache")
_IRRELEVANT = ("embedder.threads", "cache.max_entries")


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
    return Origin(__version__, engine.router.config_hash[:16], _settings(engine.settings), corpus)


def set_name(path: Path, file: Path) -> str:
    """A set's name in a baseline: its path relative to the baseline's folder, with forward slashes."""
    return Path(os.path.relpath(path.absolute(), file.absolute().parent)).as_posix()


def set_digest(items: Sequence[ItemResult]) -> str:
    """16 hex digits over the questions of a set and their labels."""
    return digest([[item.question, item.labels] for item in items])


def _settings(settings: Settings) -> dict[str, Any]:
    kept = {}
    for key, value, _ in settings.listed():
        if key.partition(".")[0] in _SECTIONS and key not in _IRRELEVANT:
            kept[key] = digest(value) if isinstance(value, (list, dict)) else value
    return kept


# ---------------------------------------------------------------- writing
def write_baseline(file: Path, origin: Origin, sets: Mapping[str, Sequence[ItemResult]]) -> None:
    """Writes the file as a whole, in place of an older one: readers see the old one or the new one.

    Raises StoreError when it can't be written.
    """
    text = baseline_text(origin, sets)
    temporary = ""
    try:
        descriptor, temporary = tempfile.mkstemp(dir=file.absolute().parent, prefix=f".{file.name}-")
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as out:
            out.write(text)
        # A temporary file is readable by its owner alone; a baseline is committed and read by others.
        Path(temporary).chmod(0o644)
        Path(temporary).replace(file)
    except OSError as error:
        with suppress(OSError):
            Path(temporary).unlink()
        raise StoreError(f"{file}: can't be written: {error.strerror or error}.") from error


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

    Raises UsageError when there is none, StoreError when it is damaged or holds something else.
    """
    try:
        payload = json.loads(file.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise UsageError(f"{file}: no such baseline.", f"Write one with --update-baseline {file}") from error
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else f"damaged: {error}"
        raise StoreError(f"{file}: can't be read as a baseline: {reason}.", _AGAIN) from error
    if not isinstance(payload, dict) or payload.get("format") != FORMAT:
        raise StoreError(f"{file}: no baseline of polyrag eval (format {FORMAT}).", _AGAIN)
    try:
        origin = Origin(
            str(payload["version"]), str(payload["config_hash"]), dict(payload["settings"]), str(payload["corpus"])
        )
        times = payload["latency_ms"]
        sets = {
            str(name): tuple(from_json(r, float(t)) for r, t in zip(held["items"], times[name], strict=True))
            for name, held in payload["sets"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError, StoreError) as error:
        raise StoreError(f"{file}: damaged: {type(error).__name__} {error}.", _AGAIN) from error
    return Baseline(origin, sets)


_AGAIN = "Write it again with --update-baseline."


def from_json(record: Mapping[str, Any], took_ms: float) -> ItemResult:
    """The question behind `to_json`. Raises KeyError, TypeError, ValueError or StoreError for anything else."""
    answer = record["answer"]
    decision = {
        "question": record["question"],
        "clauses": record["clauses"],
        "config_hash": "",
        "generation": 0,
    }
    return ItemResult(
        question=str(record["question"]),
        expected=tuple(record["expected"]),
        routes=tuple(record["routes"]),
        answer=answer,
        words=len((answer or "").split()),
        took_ms=took_ms,
        scores={str(name): float(value) for name, value in record["scores"].items()},
        sql=record["sql"],
        hits=tuple(record["hits"]),
        decision=decision_from_json(decision),
        false_hit=str(record["false_hit"]),
        labels=str(record["labels"]),
    )
