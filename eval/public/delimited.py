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
        if file.name in held:
            clean = list(csv.reader((folder / "clean" / file.name).open(newline="", encoding="utf-8")))
            measured[file.name] = score.table(held[file.name], clean)
        else:
            measured[file.name] = {"header": 0.0, "record": 0.0, "cell": 0.0}
    n = len(measured)
    means = {key: round(sum(m[key] for m in measured.values()) / n, 4) for key in ("header", "record", "cell")}
    worst = sorted(measured, key=lambda name: (sum(measured[name].values()), name))[:10]
    return {"n": n, "success": round(len(held) / n, 4), **means, "worst": worst}


def corner_cases(folder: Path, score: Any) -> dict[str, Any]:
    """Twelve corner cases of CSV, each with its records as JSON."""
    held, right = read(folder / "csvs"), []
    for file in sorted((folder / "csvs").iterdir()):
        records = json.loads((folder / "json" / f"{file.stem}.json").read_text(encoding="utf-8"))
        header, *body = held.get(file.name, [[]])
        if [dict(zip(header, row, strict=False)) for row in body] == records:
            right.append(file.name)
    n = len(list((folder / "csvs").iterdir()))
    return {"n": n, "right": len(right), "wrong": sorted({f.name for f in (folder / "csvs").iterdir()} - set(right))}


def read(folder: Path) -> dict[str, list[list[str]]]:
    """The first table of each file of a folder as the product reads it, by file name."""
    with corpus(folder) as engine:
        return {file.document: engine.table_as_text(file.tables[0].name) for file in engine.files() if file.tables}
