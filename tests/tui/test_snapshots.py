"""Each view looks as its pictures show, at three sizes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.tui.snapshots.views import NAMES, VIEWS, file_of, pictures


@pytest.mark.parametrize("view", VIEWS)
def test_a_view_looks_as_its_pictures(view: str, small_data: Path, tmp_path: Path) -> None:
    different = []
    for name, now in pictures(view, small_data, tmp_path).items():
        kept = file_of(name)
        if not kept.exists() or kept.read_text(encoding="utf-8") != now:
            (tmp_path / kept.name).write_text(now, encoding="utf-8")
            different.append(name)
    # The differing pictures lie there to be looked at; `python -m tests.tui.snapshots` makes them the kept ones.
    assert (different, str(tmp_path)) == ([], str(tmp_path))


def test_no_picture_is_left_of_a_view_that_is_gone() -> None:
    assert sorted(file.stem for file in file_of("x").parent.glob("*.svg")) == sorted(NAMES)
