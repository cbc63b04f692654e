"""Tests of the dashboard: no key is one held down, however late a slow machine gets to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli.tui.shell import input_filter
from tests.tui.pilot import dashboard
from tests.tui.shared import SharedApp


@pytest.fixture(autouse=True)
def no_key_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late repetition of a key that opens a screen counts as well."""
    monkeypatch.setattr(input_filter, "_LATE_S", float("inf"))


@pytest.fixture(scope="module")
def shared(small_data: Path) -> Iterator[SharedApp]:
    """One dashboard over the small corpus for a whole module."""
    shared = SharedApp(dashboard(small_data))
    yield shared
    shared.close()
