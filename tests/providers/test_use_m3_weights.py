"""The decoded model on disk: written whole or not at all, and never trusted when it isn't whole."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from polyrag_cli.providers import use_m3_weights
from polyrag_cli.providers.use_m3_weights import ModelArrays, load_model


def _small(sources: object = None) -> tuple[Any, ...]:
    """A model of a few numbers, as decoding gives it; the real one is the other tests' `model`."""
    named = {"scale": np.float32([0.5]), "w1_0": np.arange(12, dtype=np.float32).reshape(3, 4)}
    flat, layout = use_m3_weights._in_a_row(named)
    tables = {"slots": np.arange(500), "table": np.arange(5000, dtype=np.uint8).reshape(50, 100)}
    return ModelArrays("0123456789ab", tables, use_m3_weights._parameters(flat, layout), 1e-6), flat, layout


_DECODE = use_m3_weights._decode


@pytest.fixture(scope="module")
def decoded() -> ModelArrays:
    made: ModelArrays = _small()[0]
    return made


@pytest.fixture(autouse=True)
def fast_decoding(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Decoding that gives the small model; the list grows with each call."""
    calls: list[object] = []
    monkeypatch.setattr(use_m3_weights, "_decode", lambda sources: (calls.append(sources), _small())[1])
    return calls


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("weights") / "made" / "on demand"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(use_m3_weights, "_decode", _small)
        load_model(path)
    return path


def _folder(cache: Path) -> Path:
    (folder,) = cache.glob("use-m3-*")
    return folder


def _assert_equal(left: ModelArrays, right: ModelArrays) -> None:
    assert (left.identity, left.epsilon) == (right.identity, right.epsilon)
    for ours, theirs in ((left.tables, right.tables), (left.parameters, right.parameters)):
        assert ours.keys() == theirs.keys()
        for name, values in ours.items():
            assert values.dtype == theirs[name].dtype
            assert np.array_equal(values, theirs[name]), name


def test_a_second_start_maps_what_the_first_decoded(
    cache: Path, decoded: ModelArrays, fast_decoding: list[object]
) -> None:
    mapped = load_model(cache)
    _assert_equal(mapped, decoded)
    assert fast_decoding == []
    assert not mapped.tables["table"].flags.writeable
    assert [path.name for path in cache.iterdir()] == [_folder(cache).name]


@pytest.mark.parametrize("damage", ["truncated", "missing", "manifest", "emptied manifest", "a file in its place"])
def test_a_damaged_folder_is_decoded_again(
    tmp_path: Path, cache: Path, decoded: ModelArrays, fast_decoding: list[object], damage: str
) -> None:
    folder = tmp_path / _folder(cache).name
    shutil.copytree(_folder(cache), folder)
    if damage == "truncated":
        os.truncate(folder / "table.npy", 1000)
    elif damage == "missing":
        (folder / "slots.npy").unlink()
    elif damage == "manifest":
        (folder / "manifest.json").write_text("{not json", encoding="utf-8")
    elif damage == "emptied manifest":
        (folder / "manifest.json").write_text("[]", encoding="utf-8")
    else:
        folder.rename(tmp_path / "elsewhere")
        folder.write_text("no folder", encoding="utf-8")
    _assert_equal(load_model(tmp_path), decoded)
    assert len(fast_decoding) == 1
    assert use_m3_weights._open(_folder(tmp_path)) is not None


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path: Path, decoded: ModelArrays) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    _assert_equal(load_model(blocked / "cache"), decoded)


def test_a_full_disk_leaves_nothing_behind(
    tmp_path: Path, decoded: ModelArrays, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(stream: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(use_m3_weights, "_to_disk", full)
    _assert_equal(load_model(tmp_path), decoded)
    assert not list(tmp_path.iterdir())


def _first_run(cache: str) -> str:
    # In a process of its own.
    use_m3_weights._decode = _small
    return load_model(Path(cache)).identity


@pytest.mark.long
def test_the_package_is_decoded_alike_every_time(model: Path) -> None:
    kept = load_model(model)
    _assert_equal(kept, _DECODE(use_m3_weights._source_files())[0])


def test_concurrent_first_runs_agree(tmp_path: Path, decoded: ModelArrays) -> None:
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        assert pool.map(_first_run, [str(tmp_path)] * 2) == [decoded.identity] * 2
    assert [path.name for path in tmp_path.iterdir()] == [_folder(tmp_path).name]
    assert json.loads((_folder(tmp_path) / "manifest.json").read_bytes())["identity"] == decoded.identity


def test_leftovers_of_killed_processes_are_removed_after_an_hour(tmp_path: Path) -> None:
    for name, age in ((".use-m3-old", 4000), (".use-m3-new", 60)):
        (tmp_path / name).mkdir()
        moment = time.time() - age
        os.utime(tmp_path / name, (moment, moment))
    load_model(tmp_path)
    assert sorted(path.name for path in tmp_path.glob(".use-m3-*")) == [".use-m3-new"]
