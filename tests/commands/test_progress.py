"""The line about long work: quiet when quick, drawn over on a terminal, whole lines elsewhere."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from polyrag_cli.commands import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    yield now


@pytest.mark.parametrize("kind", [io.StringIO, Terminal])
def test_quick_work_says_nothing(monkeypatch: pytest.MonkeyPatch, clock: list[float], kind: type[io.StringIO]) -> None:
    out = kind()
    monkeypatch.setattr("sys.stderr", out)
    with progress.telling("bench") as tell:
        tell("a")
        clock[0] += 0.9
        tell("b")
    assert out.getvalue() == ""


def test_a_pipe_gets_whole_lines_now_and_then(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    with progress.telling("bench") as tell:
        for text in "abcdefg":
            clock[0] += 2.0
            tell(text)
    assert out.getvalue() == "bench: c\nbench: f\n"


def test_a_terminal_gets_one_line_that_is_cleared(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = Terminal()
    monkeypatch.setattr("sys.stderr", out)
    with pytest.raises(KeyboardInterrupt), progress.telling("replay") as tell:
        clock[0] += 1.5
        tell("1 of 9\x1b[2J")
        raise KeyboardInterrupt
    assert out.getvalue() == "\r\x1b[Kreplay: 1 of 9[2J\r\x1b[K"
