from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.tui.corpus.path_suggester import completed


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder, a file that begins like it, and a hidden file."""
    (tmp_path / "notas").mkdir()
    (tmp_path / "nota.md").write_text("x", encoding="utf-8")
    (tmp_path / ".nota").write_text("x", encoding="utf-8")
    return tmp_path


def test_folders_come_first_and_end_with_a_slash(folder: Path) -> None:
    assert completed(f"{folder}/no") == f"{folder}/notas/"
    assert completed(f"{folder}/nota.") == f"{folder}/nota.md"


def test_hidden_entries_wait_for_a_dot(folder: Path) -> None:
    assert completed(f"{folder}/.") == f"{folder}/.nota"


def test_nothing_is_suggested_where_nothing_fits(folder: Path) -> None:
    assert completed("") is None
    assert completed(f"{folder}/x") is None
    assert completed(f"{folder}/nota.md") is None
    assert completed("/no such folder/x") is None


def test_a_name_that_would_act_on_the_terminal_is_not_offered(tmp_path: Path) -> None:
    (tmp_path / "a\x1b[31m.md").touch()
    assert completed(f"{tmp_path}/a") is None
    (tmp_path / "a[red].md").touch()
    assert completed(f"{tmp_path}/a") == f"{tmp_path}/a[red].md"
