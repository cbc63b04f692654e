"""Several clients in one engine, and ingesting elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from polyrag_cli.engine import Engine
from polyrag_cli.errors import LoadError, UsageError
from polyrag_cli.evaluation.bench.load import ingest_rate, parse_clients, throughput_row


@pytest.mark.parametrize(
    ("text", "clients"), [("1,4", (1, 4)), (" 4, 1,4 ", (1, 4)), ("0", ()), ("", ()), ("64", (64,))]
)
def test_clients(text: str, clients: tuple[int, ...]) -> None:
    assert parse_clients(text) == clients


@pytest.mark.parametrize("text", ["a", "-1", "1;2", "65", "1.5", "²"])
def test_no_clients(text: str) -> None:
    with pytest.raises(UsageError, match="--clients"):
        parse_clients(text)


def test_every_client_asks_everything_and_one_pass_does_not_count(engine: Engine, tmp_path: Path) -> None:
    engine.leave_no_trace(tmp_path)
    asked: list[str] = []
    ask = engine.ask

    class Listening(Engine):
        def ask(self, question: str, *rest: object, **more: object):  # type: ignore[no-untyped-def]
            asked.append(question)
            return ask(question, use_cache=False)

    listening = Listening(engine.settings)
    row = throughput_row(listening, ["Regra B1?", "A enchente?"], clients=3, passes=2)
    assert (row.clients, row.n, len(row.rates)) == (3, 12, 2)
    assert sorted(asked) == ["A enchente?"] * 9 + ["Regra B1?"] * 9
    assert 0 < row.p50_ms <= row.p95_ms
    assert min(row.rates) <= row.questions_per_s <= max(row.rates)


def test_ingesting_is_measured_in_a_directory_that_vanishes(
    engine: Engine, small_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    rate = ingest_rate(engine, [small_folder])
    assert (rate.files, rate.tables) == (5, 1)
    assert rate.windows >= rate.chunks >= 7
    assert rate.chunks_per_s == pytest.approx(rate.chunks / rate.seconds, rel=0.05)
    assert rate.peak_mb is not None and rate.peak_mb > 20
    assert list(tmp_path.iterdir()) == []
    with engine.catalog.snapshot() as snapshot:
        assert snapshot.generation == 1


def test_what_holds_nothing_is_not_measured(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "empty.txt").write_text("")
    with pytest.raises(LoadError, match="nothing in it"):
        ingest_rate(engine, [tmp_path / "empty.txt"])
    with pytest.raises(UsageError, match="none"):
        ingest_rate(engine, [tmp_path / "none"])
