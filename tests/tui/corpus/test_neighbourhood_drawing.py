from __future__ import annotations

import pytest
from rich.cells import cell_len

from polyrag_cli.graph.base import Neighbour
from polyrag_cli.tui.corpus.neighbourhood_drawing import Drawing, at, draw, step

NEIGHBOURS = [
    Neighbour("exige", "Mestre", 2.0),
    Neighbour("proíbe", "combustível", 1.0),
    Neighbour("depende da", "Regra B2", 1.0, outward=False),
    Neighbour("", "Amieira", 12.0),
    Neighbour("", "渡し船", 6.0),
    Neighbour("", "Foz", 3.0),
]


def _names(drawing: Drawing) -> list[str]:
    return [drawing.lines[p.line][p.start : p.end] for p in drawing.places]


def test_a_wide_drawing_has_arrows_in_and_out_and_strokes_by_weight() -> None:
    assert draw("Regra B1", NEIGHBOURS, 72).lines == (
        "                              ╭──────────╮",
        " Regra B2 ─ depende da ──────▶┤          ├─ exige ×2 ─▶ Mestre",
        "                              │ Regra B1 ├─ proíbe ───▶ combustível",
        "                              ╰────┬─────╯",
        "                                   ┊ mentioned with",
        "           Amieira 12.0 ━━━━━━━━━━━┊━━━━━━        6.0 渡し船",
        "               Foz  3.0         ━━━┊",
    )


def test_a_narrow_drawing_hangs_all_on_one_stem() -> None:
    assert draw("Regra B1", NEIGHBOURS[1:4], 40).lines == (
        "╭──────────╮",
        "│ Regra B1 │",
        "╰─┬────────╯",
        "  ├─ proíbe ─▶ combustível",
        "  ├◀─ depende da ─ Regra B2",
        "  ┊ mentioned with",
        "  ┊━━━━━━━━ 12.0 Amieira",
    )


@pytest.mark.parametrize("width", [24, 40, 65, 66, 80, 120, 200])
def test_every_neighbour_has_its_place_and_no_line_is_too_long(width: int) -> None:
    many = [*NEIGHBOURS, *(Neighbour("é mantida por", f"Balsa número {i} da travessia", 1.0) for i in range(30))]
    drawing = draw("Uma associação de barqueiros de nome comprido", many, width)
    assert len(drawing.places) == len(many)
    assert max(map(cell_len, drawing.lines)) <= width
    for name, neighbour in zip(_names(drawing), many, strict=True):
        assert name and neighbour.name.startswith(name.rstrip("…"))
        place = drawing.places[many.index(neighbour)]
        assert place.start > 0 and drawing.lines[place.line][place.start - 1] == " "


def test_keys_go_to_what_lies_there() -> None:
    drawing = draw("Regra B1", NEIGHBOURS, 72)
    assert _names(drawing) == ["Mestre", "combustível", "Regra B2", "Amieira", "渡し船", "Foz"]
    assert [step(drawing, 0, way) for way in ("down", "left", "right", "up")] == [1, 2, 0, 0]
    assert step(drawing, 1, "down") == 4
    assert step(drawing, 4, "left") == 3
    assert step(drawing, 3, "down") == 5
    assert step(drawing, 2, "down") == 3


def test_the_mouse_finds_the_nearest_name_of_a_line() -> None:
    drawing = draw("Regra B1", NEIGHBOURS, 72)
    assert at(drawing, 1, 2) == 2
    assert at(drawing, 1, 60) == 0
    assert at(drawing, 0, 30) is None


def test_a_name_without_links_stands_alone() -> None:
    assert draw("Foz", [], 40) == Drawing(("╭─────╮", "│ Foz │", "╰─────╯"), ())
