"""Where what all data directories of a user share is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli import Engine
from polyrag_cli.config import user_cache
from polyrag_cli.providers.hashing import HashingEmbedder


def test_the_environment_says_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert user_cache({"XDG_CACHE_HOME": str(tmp_path / "c")}) == tmp_path / "c" / "polyrag"
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    # A relative path is none, as the specification says.
    for environ in ({}, {"XDG_CACHE_HOME": "c"}):
        assert user_cache(environ) == tmp_path / "home" / ".cache" / "polyrag"


def test_where_nothing_can_be_kept_the_data_directory_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("no folder")
    assert user_cache({"XDG_CACHE_HOME": str(tmp_path / "file")}) is None
    given: list[Path] = []

    def remembered(cls: object, *, cache_dir: Path, threads: int) -> object:
        given.append(cache_dir)
        return HashingEmbedder()

    monkeypatch.setattr(HashingEmbedder, "from_options", classmethod(remembered))
    for cache in (tmp_path / "file", tmp_path / "own"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
        with Engine.open(tmp_path / "data", overrides={"embedder.name": "hashing"}) as engine:
            assert engine.embedder
    assert given == [tmp_path / "data" / "cache", tmp_path / "own" / "polyrag"]
