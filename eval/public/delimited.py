"""Sets of delimited files that are hard to read, each with the table that it holds."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

from corpus import corpus


def polluted(folder: Path, score: Any) -> dict[str, Any]:
    """One table, polluted in many ways, against its clean version: means over files, and the worst files."""
    measured: dict[str, dict[str, float]] = {}
    held = read(folder / "csv")
    for file in sorted((folder / "csv").iterdir()):
        clean = list(csv.reader((folder / "clean" / file.name).open(newline="", encoding="utf-8")))
        # A file without content has no table, and none is what its clean version holds.
        if file.name in held or not clean:
            measured[file.name] = score.table(held.get(file.name, []), clean)
        else:
            measured[file.name] = {"header": 0.0, "record": 0.0, "cell": 0.0}
    n = len(measured)
    means = {key: round(sum(m[key] for m in measured.values()) / n, 4) for key in ("header", "record", "cell")}
    worst = sorted(measured, key=lambda name: (sum(measured[name].values()), name))[:10]
    failed = sum(1 for m in measured.values() if not any(m.values()))
    return {"n": n, "success": round(1 - failed / n, 4), **means, "worst": worst}


def corner_cases(folder: Path, score: Any) -> dict[str, Any]:
    """Twelve corner cases of CSV, each with its records as JSON."""
    held, right = read(folder / "csvs"), []
    for file in sorted((folder / "csvs").iterdir()):
        said = json.loads((folder / "json" / f"{file.stem}.json").read_text(encoding="utf-8"))
        records = [_with_plain_newlines(record) for record in (said if isinstance(said, list) else [said])]
        header, *body = held.get(file.name, [[]])
        if [_with_plain_newlines(dict(zip(header, row, strict=False))) for row in body] == records:
            right.append(file.name)
    n = len(list((folder / "csvs").iterdir()))
    return {"n": n, "right": len(right), "wrong": sorted({f.name for f in (folder / "csvs").iterdir()} - set(right))}


def _with_plain_newlines(record: dict[str, str]) -> dict[str, str]:
    """A record whose newlines are all of one kind: a checkout of the files may have changed theirs."""
    return {key: value.replace("\r\n", "\n") for key, value in record.items()}


def read(folder: Path) -> dict[str, list[list[str]]]:
    """The first table of each file of a folder as the product reads it, by file name."""
    with corpus(folder) as engine:
        files = [file for file in engine.corpus.files() if file.tables]
        return {file.document: engine.table_as_text(file.tables[0].name) for file in files}
