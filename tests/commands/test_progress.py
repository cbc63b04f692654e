"""The line about long work: drawn over on a terminal, whole lines now and then elsewhere."""

from __future__ import annotations

import io

import pytest

from polyrag_cli.commands.progress import telling
from polyrag_cli.commands.show_ingest import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [100.0]
    monkeypatch.setattr("time.monotonic", lambda: now[0])
    return now


def pipe(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """A standard error that is no terminal; to be put in place inside the test, since pytest replaces it before."""
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    return out


def terminal(monkeypatch: pytest.MonkeyPatch, columns: int = 60) -> Terminal:
    out = Terminal()
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setenv("COLUMNS", str(columns))
    return out


def last_line(out: Terminal) -> str:
    return out.getvalue().split("\r\x1b[K")[-1]


def test_quick_work_says_nothing_in_a_pipe(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = pipe(monkeypatch)
    with telling("bench") as tell:
        tell("a")
        clock[0] += 4.9
        tell("b")
    assert out.getvalue() == ""


def test_a_pipe_gets_whole_lines_now_and_then(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = pipe(monkeypatch)
    with telling("bench") as tell:
        for text in "abcdefg":
            clock[0] += 2.0
            tell(text)
    assert out.getvalue() == "bench: c\nbench: f\n"


def test_a_pipe_is_told_what_is_counted(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = pipe(monkeypatch)
    with telling("golden.yaml", "questions") as tell, progress() as on_progress:
        clock[0] += 5.0
        tell(done=1200, total=3000)
        on_progress(3, 12, "a\nb.md", 40)
    assert out.getvalue() == "golden.yaml: 1,200 of 3,000 questions\ningest: 3 of 12 files, 40 chunks, at a b.md\n"


def test_a_terminal_gets_one_line_that_is_cleared(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = terminal(monkeypatch)
    with pytest.raises(KeyboardInterrupt), telling("tune") as tell:
        tell("anchors\x1b[2J")
        raise KeyboardInterrupt
    assert out.getvalue() == "\r\x1b[Ktune: anchors[2J\r\x1b[K"


def test_a_terminal_gets_a_bar_for_what_is_counted(monkeypatch: pytest.MonkeyPatch, clock: list[float]) -> None:
    out = terminal(monkeypatch)
    with telling("replay", "decisions") as tell:
        clock[0] += 67.0
        tell("a\x1b[2J", 3, 12)
        assert last_line(out) == "replay  █████                 3/12  1:07  a[2J"
        tell("b" * 99, 12, 12)
        assert last_line(out) == "replay  " + "█" * 20 + "  12/12  1:07  " + "b" * 15 + "…"
        tell("", 5, 0)
        assert last_line(out) == "replay:"
    assert last_line(out) == ""


def test_no_line_is_wider_than_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    out = terminal(monkeypatch, 20)
    with telling("x" * 40) as tell:
        tell("text", 1, 2)
        assert len(last_line(out)) == 19
        tell("text")
        assert len(last_line(out)) == 19
