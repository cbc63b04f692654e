"""`doctor`: each setting with its origin in a narrow terminal, and the state of each store."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console

from polyrag_cli.commands.doctor import setting_lines
from polyrag_cli.config import Settings
from tests.command_line import Finished

Run = Callable[..., Finished]
FILE = "/a/place/polyrag.toml"
MEANING = "What it is for, in one sentence."
SETTINGS: dict[str, dict[str, Any]] = {
    "answer.top_k": {"value": 5, "origin": f"polyrag.toml: {FILE}", "meaning": MEANING},
    "embedder.threads": {"value": 2, "origin": "environment: POLYRAG_EMBEDDER__THREADS", "meaning": MEANING},
    "paths.data": {
        "value": "/a/folder/of a name/that is far too long/for a column/of a narrow terminal/" * 2,
        "origin": "flag",
        "meaning": MEANING,
    },
    "routes.relational.anchors.question.en": {
        "value": ["How many?", "How much?"],
        "origin": "default",
        "meaning": MEANING,
    },
    "routing.x": {"value": 1, "origin": "polyrag.toml: /elsewhere/polyrag.toml", "meaning": MEANING},
}


def terminal(width: int | None) -> Console:
    return Console(file=io.StringIO(), width=width or 100, force_terminal=width is not None)


def test_settings_fit_80_columns_and_nothing_is_cut() -> None:
    lines = setting_lines(SETTINGS, FILE, terminal(80))
    assert all(len(line) <= 80 for line in lines)
    assert "…" not in "".join(lines)
    first = lines[0].split()
    # The file is named in full above the list, others where they count.
    assert first == ["answer.top_k", "5", "polyrag.toml"]
    assert "polyrag.toml: /elsewhere/polyrag.toml" in " ".join(" ".join(lines[-3:]).split())
    assert "2 sentences" in next(line for line in lines if "anchors" in line)
    at = next(i for i, line in enumerate(lines) if "paths.data" in line)
    below = " ".join(part.strip() for part in lines[at + 1 : at + 4] if part.startswith("      "))
    assert lines[at].split() == ["paths.data", "flag"] and SETTINGS["paths.data"]["value"] == below
    origins = [lines[i].index(word) for i, word in ((0, "polyrag.toml"), (2, "environment"), (at, "flag"))]
    assert len(set(origins)) == 1


def test_what_differs_from_the_default_is_marked() -> None:
    lines = setting_lines(SETTINGS, FILE, terminal(80), {"answer.top_k"})
    assert lines[0].startswith("* answer.top_k ") and all(line.startswith("  ") for line in lines[1:])


def test_below_each_setting_stands_what_it_means() -> None:
    lines = setting_lines(SETTINGS, FILE, terminal(80))
    assert lines.count(f"      {MEANING}") == len(SETTINGS)
    assert lines[1] == f"      {MEANING}" and lines[-1] == lines[1]
    # Behind a value that has lines of its own.
    at = next(i for i, line in enumerate(lines) if "paths.data" in line)
    assert lines.index(f"      {MEANING}", at) > at + 1


def test_the_file_that_init_writes_differs_in_nothing(polyrag: Run) -> None:
    assert polyrag("init").code == 0
    assert Settings.load(environ={}).changed() == frozenset()
    changed = Settings.load(environ={}, overrides={"answer.top_k": 9, "answer.max_words": 60}).changed()
    assert changed == {"answer.top_k"}


def test_in_a_pipe_a_setting_is_whole_in_its_line() -> None:
    lines = setting_lines(SETTINGS, FILE, terminal(None))
    assert len(lines) == 2 * len(SETTINGS) + 1
    assert f"      {SETTINGS['paths.data']['value']}" in lines


def test_each_setting_and_each_store_is_shown(polyrag: Run, small_data: Path) -> None:
    Path("polyrag.toml").write_text("[answer]\ntop_k = 9\n")
    done = polyrag("--data", small_data, "doctor")
    rows = [line.split() for line in done.out.splitlines()]
    assert rows[0] == ["configuration", str(Path("polyrag.toml").absolute())]
    assert ["answer.max_words", "60", "default"] in rows
    assert ["*", "answer.top_k", "9", "polyrag.toml"] in rows and "* differs from the default" in done.out.splitlines()
    assert ["cache.enabled", "true", "default"] in rows
    (catalog,) = [row for row in rows if row[:2] == ["ok", "catalog"]]
    assert catalog[4:8] == ["5", "files,", "6", "documents,"]
    assert {"catalog", "vector", "lexical", "relational", "graph"} <= {row[1] for row in rows if row[:1] == ["ok"]}
    assert rows[-1][0] == "fingerprint" and len(rows[-1][1]) == 64
