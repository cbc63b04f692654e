"""Tests of the dashboard: no key is one held down, however late a slow machine gets to it."""

from __future__ import annotations

import pytest

from polyrag_cli.tui.shell import input_filter


@pytest.fixture(autouse=True)
def no_key_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A late repetition of a key that opens a screen counts as well."""
    monkeypatch.setattr(input_filter, "_LATE_S", float("inf"))
