"""Writing an exported text: whole, to a name that is free or was confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.errors import StoreError
from polyrag_cli.tui.shell import export_screen
from polyrag_cli.tui.shell.export_screen import _write
from polyrag_cli.whole_file import write_whole


def test_a_file_that_is_there_is_overwritten_only_when_confirmed(tmp_path: Path) -> None:
    path = tmp_path / "talk.md"
    assert (_write(path, "first", False).problem, path.read_text()) == ("", "first")
    refused = _write(path, "second", False)
    assert refused.exists and refused.problem == f"{path} exists: enter again overwrites it."
    assert path.read_text() == "first"
    assert (_write(path, "second", True).problem, path.read_text()) == ("", "second")
    assert [file.name for file in tmp_path.iterdir()] == ["talk.md"]


def test_the_name_is_taken_before_the_text_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def beside_another(path: Path, text: str) -> None:
        with pytest.raises(FileExistsError):
            path.open("x")
        write_whole(path, text)

    monkeypatch.setattr(export_screen, "write_whole", beside_another)
    written = _write(tmp_path / "talk.md", "text", False)
    assert (written.problem, written.path.read_text()) == ("", "text")


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_failed_write_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwrite: bool) -> None:
    def fail(path: Path, text: str) -> None:
        raise StoreError("the disk is full.")

    path = tmp_path / "talk.md"
    if overwrite:
        path.write_text("before")
    monkeypatch.setattr(export_screen, "write_whole", fail)
    assert _write(path, "text", overwrite).problem == "the disk is full."
    assert [file.read_text() for file in tmp_path.iterdir()] == ["before"] * overwrite


@pytest.mark.parametrize("name", ["none/talk.md", "a\0b", "x" * 300])
def test_a_name_that_no_file_can_have_is_said(tmp_path: Path, name: str) -> None:
    refused = _write(tmp_path / name, "text", False)
    assert not refused.exists and ": can't be written: " in refused.problem
    assert list(tmp_path.iterdir()) == []
