from __future__ import annotations

import pytest

from polyrag_cli.tui.corpus.boundary_track import boundary_track, boundary_words, home_words
from polyrag_cli.types import ChunkRoute


def _route(margin: float, also: tuple[str, ...] = ()) -> ChunkRoute:
    return ChunkRoute("graph", also, (("graph", 0.5), ("vectorial", 0.5 - margin)), margin)


def test_the_point_stands_on_its_side_of_the_band() -> None:
    assert boundary_track(_route(0.02, ("vectorial",)), 0.03, 33) == "vectorial ────────────┤┄┄┄┼┄┄●├──────────── graph"
    assert boundary_track(_route(0.09), 0.03, 33) == "vectorial ────────────┤┄┄┄┼┄┄┄├───────●──── graph"


@pytest.mark.parametrize("margin", [0.0, 0.0299, 0.03, 0.0301, 0.5, 1.0])
@pytest.mark.parametrize("band", [0.0, 0.03, 1.0])
def test_inside_and_outside_can_be_told_wherever_the_point_is(margin: float, band: float) -> None:
    line = boundary_track(_route(margin), band, 33).split()[1]
    assert len(line) == 33
    inside = "├" in line and line.index("●") < line.index("├")
    assert inside == (margin < band), line


def test_the_distance_is_said_in_words() -> None:
    assert boundary_words(_route(0.021), 0.03) == "0.021 from the boundary to vectorial, less than 0.03: in both"
    assert boundary_words(_route(0.31), 0.03) == "0.310 from the boundary to vectorial, 0.03 or more: in graph alone"
    assert "0.029999 from" in boundary_words(_route(0.029999), 0.03)


def test_without_a_second_route_there_is_no_boundary() -> None:
    rows = ChunkRoute("relational", ("vectorial",), (("relational", 0.95),), 0.95, "tabularity 0.95")
    assert boundary_track(rows, 0.03) == ""
    assert boundary_words(rows, 0.03) == "tabularity 0.95"
    assert home_words(rows) == "home relational, also in vectorial"
