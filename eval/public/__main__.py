"""Runs PolyRAG over public data sets in a folder that the caller names: `make eval-public BENCH=DIR`.

Prints one JSON object a set, as each is done. The folder's own `score.py` scores; nothing of it is copied here. Every
corpus gets a data directory of its own, made new, and the shipped default configuration.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cache
import delimited
import folders
import passages
import routing
import tables
from corpus import load_scorer

Run = Callable[[Path, Any], dict[str, Any]]

SETS: dict[str, Run] = {
    "meridiano": folders.company,
    "multihop/musique100": lambda folder, score: passages.one_language(folder, score, "graph"),
    "multilingual/faquad_pt": lambda folder, score: passages.one_language(folder, score, "vectorial"),
    "multilingual/pira": passages.two_languages,
    "tableqa/wtq": tables.single_tables,
    "tableqa/geography": tables.related_tables,
    "csv/pollock": delimited.polluted,
    "csv/spectrum": delimited.corner_cases,
    "routing/tatqa": routing.table_or_text,
    "cache/value_swap": lambda folder, score: cache.pairs(folder.with_suffix(".jsonl"), score),
    "cache/qqp": lambda folder, score: cache.pairs(folder.with_suffix(".jsonl"), score),
    "cache/pira": lambda folder, score: cache.paraphrases(folder.parent / "pira_paraphrase_en_pt.jsonl", score),
    "cases": tables.cases,
    "folders/fastapi": folders.documents,
    "folders/f538": folders.documents,
}


def main(arguments: list[str]) -> None:
    if not arguments:
        sys.exit("eval/public: name the folder of the data sets.")
    bench, chosen = Path(arguments[0]), arguments[1:]
    unknown = [name for name in chosen if name not in SETS]
    if unknown:
        sys.exit(f"eval/public: no set is called {unknown[0]}. There are: {', '.join(SETS)}.")
    score = load_scorer(bench)
    for name, run in SETS.items():
        if not chosen or name in chosen:
            print(json.dumps({"set": name, **run(bench / name, score)}, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
