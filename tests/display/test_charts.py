"""Charts: valid SVG, positions by hand, names that don't overlap."""

from __future__ import annotations

import re
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from polyrag_cli.display.charts import HEIGHT, WIDTH, log_chart

SVG = "{http://www.w3.org/2000/svg}"


def texts(picture: str) -> list[str]:
    return [node.text or "" for node in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def test_a_point_per_decade_lies_on_the_grid() -> None:
    picture = log_chart("Cost", "chunks", "ms", {"walk": [(1000.0, 1.0), (10_000.0, 10.0), (100_000.0, 100.0)]})
    root = ElementTree.fromstring(picture)
    assert root.get("viewBox") == f"0 0 {WIDTH} {HEIGHT}"
    (line,) = [node.get("d") for node in root.iter(f"{SVG}path") if node.get("stroke-width") == "2"]
    # Axes from 10³ to 10⁵ over 90–680 and from 10⁰ to 10² over 476–60.
    assert line == "M90.0 476.0L385.0 268.0L680.0 60.0"
    assert texts(picture) == ["Cost", "1,000", "10,000", "100,000", "1", "10", "100", "chunks", "ms", "walk"]
    assert len(list(root.iter(f"{SVG}circle"))) == 3


def test_names_keep_their_distance_and_stay_inside() -> None:
    series = {f"part {i}": [(1.0, 1.0), (10.0, 1.0 + i / 1000)] for i in range(12)}
    root = ElementTree.fromstring(log_chart("t", "x", "y", series))
    named = [float(n.get("y") or 0) for n in root.iter(f"{SVG}text") if (n.text or "").startswith("part ")]
    assert len(named) == 12 and max(named) <= HEIGHT and min(named) >= 0
    ordered = sorted(named)
    assert min(b - a for a, b in pairwise(ordered)) >= 16.9


def test_series_differ_without_colour() -> None:
    series = {f"part {i}": [(1.0, 1.0), (10.0, 2.0)] for i in range(12)}
    root = ElementTree.fromstring(log_chart("t", "x", "y", series))
    lines = [node for node in root.iter(f"{SVG}path") if node.get("stroke-width") == "2"]
    dashes = [node.get("stroke-dasharray") for node in lines]
    shapes = [re.sub(r"M[\d. -]+", "", n.get("d") or "") for n in root.iter(f"{SVG}path") if n.get("fill") != "none"]
    assert len(set(dashes)) == 3 and len({shape for shape in shapes if shape.endswith("z")}) == 3
    pairs = {(i % 4, dash) for i, dash in enumerate(dashes)}
    assert len(pairs) == 12


def test_names_are_escaped_and_small_numbers_are_labelled() -> None:
    picture = log_chart("a < b & c", "x", "y", {"<script>": [(0.5, 0.002)]})
    assert "<script>" not in picture
    assert {"a < b & c", "<script>", "0.001", "0.01", "0.1", "1"} <= set(texts(picture))


def test_a_series_without_points_is_left_out() -> None:
    assert "empty" not in texts(log_chart("t", "x", "y", {"empty": [], "one": [(1.0, 1.0)]}))


@pytest.mark.parametrize("points", [[], [(0.0, 1.0)], [(1.0, -1.0)], [(1.0, float("inf"))], [(float("nan"), 1.0)]])
def test_what_has_no_logarithm_is_refused(points: list[tuple[float, float]]) -> None:
    with pytest.raises(ValueError, match="positive"):
        log_chart("t", "x", "y", {"a": points})
