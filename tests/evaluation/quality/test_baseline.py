"""A baseline's way to a file and back, and what a file must not hold."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import StoreError, UsageError
from polyrag_cli.evaluation.quality.baseline import (
    Origin,
    baseline_text,
    from_json,
    origin_of,
    read_baseline,
    set_digest,
    set_name,
    to_json,
    write_baseline,
)
from polyrag_cli.evaluation.quality.runner import ItemResult, run_set
from polyrag_cli.types import EvalItem

ITEMS = [EvalItem("Qual a receita total de Foz?", routes=("relational",), facts=("1342,50",)), EvalItem("O começo?")]
ORIGIN = Origin("1", "abc", {"answer.top_k": 5}, "f" * 64)


@pytest.fixture(scope="module")
def results(small_data: Path) -> tuple[ItemResult, ...]:
    with Engine.open(data_dir=small_data, overrides={"embedder.name": "hashing"}) as engine:
        return run_set(engine, ITEMS).items


def test_a_baseline_survives_its_file(results: tuple[ItemResult, ...], tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_baseline(file, ORIGIN, {"s.yaml": results, "t.yaml": results[:1]})
    read = read_baseline(file)
    assert read.origin == ORIGIN
    assert read.sets["s.yaml"] == tuple(from_json(to_json(item), item.took_ms) for item in results)
    assert [item.scores for item in read.sets["t.yaml"]] == [dict(results[0].scores)]
    assert list(tmp_path.iterdir()) == [file]


def test_two_equal_runs_differ_in_the_latencies_alone(engine: Engine) -> None:
    origin = origin_of(engine)
    one, two = (json.loads(baseline_text(origin, {"s": run_set(engine, ITEMS).items})) for _ in range(2))
    assert one.pop("latency_ms").keys() == two.pop("latency_ms").keys() == {"s"}
    assert one == two


def test_a_file_names_no_folder_of_the_machine(engine: Engine, results: tuple[ItemResult, ...]) -> None:
    text = baseline_text(origin_of(engine), {"s": results})
    assert str(engine.paths.root.parent) not in text
    assert "paths.data" not in text


def test_what_no_answer_depends_on_is_left_out(engine: Engine) -> None:
    kept = origin_of(engine).settings
    assert kept["embedder.name"] == "hashing"
    assert not [key for key in kept if key.startswith(("gate.", "tracing.", "paths.")) or key == "embedder.threads"]


def test_sets_are_named_from_the_files_folder(tmp_path: Path) -> None:
    assert set_name(tmp_path / "eval" / "g.yaml", tmp_path / "eval" / "b.json") == "g.yaml"
    assert set_name(tmp_path / "g.yaml", tmp_path / "eval" / "b.json") == "../g.yaml"


def test_a_set_is_told_by_its_questions_and_labels(results: tuple[ItemResult, ...]) -> None:
    other_numbers = tuple(replace(item, answer="another", took_ms=item.took_ms + 1.0, scores={}) for item in results)
    assert set_digest(other_numbers) == set_digest(results)
    assert set_digest([replace(results[0], labels="another"), *results[1:]]) != set_digest(results)
    assert set_digest(results) != set_digest(results[::-1])


def test_an_absent_baseline_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no such baseline\. Write one with --update-baseline"):
        read_baseline(tmp_path / "b.json")


def damaged(payload: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in payload.items() if name != key}


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 99}', "\x00\xff", "[" * 100_000])
def test_a_file_of_something_else_is_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    file.write_text(text, encoding="latin-1")
    with pytest.raises(UsageError, match=r"b\.json: "):
        read_baseline(file)


@pytest.mark.parametrize("key", ["settings", "sets", "latency_ms", "corpus"])
def test_a_file_that_lacks_a_part_is_refused(key: str, results: tuple[ItemResult, ...], tmp_path: Path) -> None:
    payload = json.loads(baseline_text(ORIGIN, {"s": results}))
    file = tmp_path / "b.json"
    file.write_text(json.dumps(damaged(payload, key)), encoding="utf-8")
    with pytest.raises(UsageError, match="damaged"):
        read_baseline(file)
    payload["latency_ms"]["s"].append(1.0)
    file.write_text(json.dumps(payload), encoding="utf-8")
    with pytest.raises(UsageError, match="damaged"):
        read_baseline(file)


def test_a_folder_that_is_not_there_cannot_be_written_to(results: tuple[ItemResult, ...], tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="can't be written"):
        write_baseline(tmp_path / "no" / "b.json", ORIGIN, {"s": results})


def test_a_baseline_that_cannot_be_replaced_leaves_nothing_behind(
    results: tuple[ItemResult, ...], tmp_path: Path
) -> None:
    (tmp_path / "b.json").mkdir()
    with pytest.raises(StoreError, match="can't be written"):
        write_baseline(tmp_path / "b.json", ORIGIN, {"s": results})
    assert [path.name for path in tmp_path.iterdir()] == ["b.json"]


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("scores", "facts"), float("nan")),
        (("scores", "facts"), 0.5),
        (("scores", "recall@5"), 7),
        (("scores", "facts"), -1),
        (("scores", "facts"), True),
        (("scores", "facts"), "1"),
        (("answer",), 5),
        (("sql",), 5),
        (("hits",), "abc"),
        (("routes",), [1]),
        (("question",), 5),
        (("labels",), None),
        (("clauses", 0, "text"), None),
        (("clauses", 0, "also"), [None]),
        (("clauses", 0, "margin"), "x"),
        (("clauses", 0, "scores", 0, "score"), None),
    ],
)
def test_a_value_of_another_kind_is_refused(
    path: tuple[Any, ...], value: Any, results: tuple[ItemResult, ...], tmp_path: Path
) -> None:
    file = tmp_path / "b.json"
    write_baseline(file, ORIGIN, {"s": results})
    payload = json.loads(file.read_text(encoding="utf-8"))
    part = payload["sets"]["s"]["items"][0]
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    file.write_text(json.dumps(payload), encoding="utf-8")
    with pytest.raises(UsageError, match=r"b\.json.*damaged.*--update-baseline"):
        read_baseline(file)


@pytest.mark.parametrize("time", [float("nan"), float("inf"), -1, "1", 1e308, 10**400, True])
def test_a_latency_that_is_none_is_refused(time: Any, results: tuple[ItemResult, ...], tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    write_baseline(file, ORIGIN, {"s": results})
    payload = json.loads(file.read_text(encoding="utf-8"))
    payload["latency_ms"]["s"][0] = time
    file.write_text(json.dumps(payload), encoding="utf-8")
    with pytest.raises(UsageError, match=r"b\.json.*damaged"):
        read_baseline(file)


def test_a_set_whose_name_is_no_text_survives_its_file(results: tuple[ItemResult, ...], tmp_path: Path) -> None:
    write_baseline(tmp_path / "b.json", ORIGIN, {"q\udcff.yaml": results})
    assert list(read_baseline(tmp_path / "b.json").sets) == ["q\udcff.yaml"]
