"""polyrag ask --chart and -o: the answer's rows drawn, or one line on why they aren't."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from polyrag_cli.commands import show_chart
from tests.command_line import Finished

Run = Callable[..., Finished]
SERIES = "Quantos passageiros por linha?"
FIGURE = "Quantos passageiros teve a linha Amieira?"


def test_a_series_is_drawn_below_the_answer(polyrag: Run, small_data: Path) -> None:
    plain = polyrag("--data", small_data, "ask", "--no-cache", SERIES)
    drawn = polyrag("--data", small_data, "ask", "--no-cache", "--chart", SERIES)
    assert drawn.code == 0
    assert drawn.out.startswith(plain.out)
    lines = drawn.out.removeprefix(plain.out).strip("\n").splitlines()
    assert lines[0].strip().endswith("· linha")
    assert [line.split()[-1] for line in lines[1:]] == ["215", "398", "156"]
    assert lines[2].count("█") > lines[1].count("█") > lines[3].count("█") > 0


def test_figures_are_in_the_question_s_number_format(polyrag: Run, small_data: Path) -> None:
    drawn = polyrag("--data", small_data, "ask", "--no-cache", "--chart", "Qual a receita total por linha?")
    assert [line.split()[-1] for line in drawn.out.splitlines()[-3:]] == ["2.290,5", "4.518", "1.342,5"]


def test_a_picture_goes_into_a_file(polyrag: Run, small_data: Path, tmp_path: Path) -> None:
    file = tmp_path / "chart.svg"
    plain = polyrag("--data", small_data, "ask", "--no-cache", SERIES)
    done = polyrag("--data", small_data, "ask", "--no-cache", "-o", file, SERIES)
    assert (done.code, done.out) == (0, plain.out)
    assert f"chart: {file}" in done.err
    root = ElementTree.fromstring(file.read_text(encoding="utf-8"))
    assert SERIES in [node.text for node in root.iter("{http://www.w3.org/2000/svg}title")]
    with_json = polyrag("--data", small_data, "ask", "--no-cache", "--json", "-o", file, SERIES)
    assert len(with_json.json["rows"]) == 3


def test_no_series_is_one_line_and_the_answer_is_there(polyrag: Run, small_data: Path, tmp_path: Path) -> None:
    for how in (["--chart"], ["-o", str(tmp_path / "chart.svg")], ["--stream", "--chart"]):
        done = polyrag("--data", small_data, "ask", "--no-cache", *how, FIGURE)
        assert done.code == 2
        assert "215" in done.out
        assert done.err.splitlines()[-1] == "polyrag ask: no chart: a series has two rows or more, the answer 1 row."
    assert not (tmp_path / "chart.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--chart", "--json"], "Name a file: -o chart.svg."),
        (["-o", "chart.png"], "ends in .svg"),
        (["-o", "no/chart.svg"], "no folder"),
    ],
)
def test_a_chart_without_a_place_is_refused_before_anything_is_asked(
    polyrag: Run, small_data: Path, arguments: list[str], said: str
) -> None:
    assert said in polyrag("--data", small_data, "ask", *arguments, SERIES).failed(2)


def test_where_nothing_is_found_there_is_nothing_to_draw(polyrag: Run, small_data: Path) -> None:
    done = polyrag("--data", small_data, "ask", "--no-cache", "--chart", "Who painted the moon green?")
    assert done.code == 1
    assert "no chart" not in done.err


def test_many_days_are_a_line_of_blocks(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from polyrag_cli.commands.output import console
    from polyrag_cli.display.series import series_of

    rows = [(f"2024-{month:02}-{day:02}", day) for month in range(1, 11) for day in range(1, 29)]
    series = series_of(("day", "n"), rows)
    assert not isinstance(series, str)
    show_chart._draw(series, console(), "{:g}".format)
    head, blocks, told = capsys.readouterr().out.splitlines()
    assert head.strip() == "n · day"
    assert set(blocks.strip()) <= set("▁▂▃▄▅▆▇█")
    assert len(blocks.strip()) == 94
    assert told.strip() == (
        "2024-01-01 … 2024-10-28   min 1 (2024-01-01)   max 28 (2024-01-28)   each block the mean of 3"
    )
