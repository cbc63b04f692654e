"""Memory and the reference loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.evaluation.bench import machine


def test_memory_is_that_of_this_process() -> None:
    found = machine.memory()
    assert found.rss_mb is not None and found.peak_mb is not None
    # An interpreter with the test suite; the two are read one after the other.
    assert 20 < found.rss_mb <= found.peak_mb + 5


def test_the_peak_of_a_block_holds_what_was_freed_in_it() -> None:
    before = machine.resident_mb() or 0.0
    with machine.peak_memory() as peak:
        held = bytearray(80 * 1024 * 1024)
        held[::4096] = b"x" * len(held[::4096])
        peak.look()
        del held
    assert peak.mb is not None and peak.mb >= before + 60


def test_a_system_without_proc_says_unknown(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(machine, "_STATM", tmp_path / "none")
    assert machine.resident_mb() is None
    with machine.peak_memory() as peak:
        pass
    assert peak.mb is None


def test_the_reference_loop_takes_time() -> None:
    assert machine.reference_ms() > 0
    assert machine.cores() >= 1
