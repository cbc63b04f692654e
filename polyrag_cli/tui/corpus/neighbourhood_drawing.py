"""An entity and what it is linked to, drawn with box characters. Pure: must never import textual or the engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from polyrag_cli.tui.widgets.cells import clipped, padded

if TYPE_CHECKING:
    from polyrag_cli.graph.base import Neighbour

# From this width on, relations stand on both sides of the name; below it under the name.
WIDE_CELLS = 66
_CENTRE_MAX = 24
_VERB_MIN = 8
# Cells of an arrow besides its verb, and the space in front of a name where the cursor's mark may stand.
_ARROW_CELLS = 7


@dataclass(frozen=True, slots=True)
class Place:
    """Where a neighbour's name stands. line: its number; start, end: characters of that line."""

    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Drawing:
    """The lines, and the places of the neighbours in their order."""

    lines: tuple[str, ...]
    places: tuple[Place, ...]


def draw(centre: str, neighbours: Sequence[Neighbour], width: int) -> Drawing:
    """The neighbourhood of a name in at most `width` cells (at least 24).

    Relations are arrows with their verb phrases, towards the name or away from it; co-mentions are strokes as long as
    their weight.
    """
    canvas = _Wide(centre, neighbours, width) if width >= WIDE_CELLS else _Narrow(centre, neighbours, max(24, width))
    return canvas.drawing()


def step(drawing: Drawing, current: int, direction: str) -> int:
    """The neighbour that lies next in a direction (up, down, left, right); the current one when there is none.

    Up and down stay in the current column as long as it goes on.
    """
    places = drawing.places
    if not 0 <= current < len(places):
        return 0
    here, middle = places[current], _middle(places[current])
    candidates = []
    for i, place in enumerate(places):
        down, right = place.line - here.line, _middle(place) - middle
        if direction in ("up", "down"):
            ahead, aside = (down if direction == "down" else -down), abs(right)
            cost = ahead + aside / 2
        else:
            ahead, aside = (right if direction == "right" else -right), abs(down)
            # What stands closer above or below than a dash is wide is in the same column.
            ahead = ahead if ahead > 8 else 0
            cost = aside + ahead / 100
        if ahead > 0:
            candidates.append((cost, i))
    return min(candidates)[1] if candidates else current


def at(drawing: Drawing, line: int, x: int) -> int | None:
    """The neighbour whose name, or whose line beside it, is at cell `x` of a line."""
    found = [i for i, place in enumerate(drawing.places) if place.line == line]
    if not found:
        return None
    text = drawing.lines[line]

    def distance(i: int) -> int:
        start = cell_len(text[: drawing.places[i].start])
        end = cell_len(text[: drawing.places[i].end])
        return max(start - x, x - end + 1, 0)

    return min(found, key=lambda i: (distance(i), i))


def _middle(place: Place) -> int:
    return (place.start + place.end) // 2


def _verb(neighbour: Neighbour) -> str:
    times = f" ×{neighbour.weight:.0f}" if neighbour.weight > 1 else ""
    return neighbour.relation + times


class _Canvas(ABC):
    """Lines as they are drawn, with the places of the neighbours by their index."""

    def __init__(self, centre: str, neighbours: Sequence[Neighbour], width: int) -> None:
        self.width = width
        self.centre = clipped(centre, min(_CENTRE_MAX, width - 6))
        self.neighbours = neighbours
        self.lines: list[str] = []
        self._places: dict[int, Place] = {}
        self.inward = [i for i, n in enumerate(neighbours) if n.relation and not n.outward]
        self.outward = [i for i, n in enumerate(neighbours) if n.relation and n.outward]
        self.beside = [i for i, n in enumerate(neighbours) if not n.relation]
        self.heaviest = max((neighbours[i].weight for i in self.beside), default=0.0) or 1.0

    def add(self, *parts: str | tuple[str, int]) -> None:
        """Adds a line; a part with a number is that neighbour's name, with spaces around it or none."""
        line = ""
        for part in parts:
            if isinstance(part, tuple):
                text, neighbour = part
                inside = text.strip()
                start = len(line) + len(text) - len(text.lstrip())
                self._places[neighbour] = Place(len(self.lines), start, start + len(inside))
                line += text
            else:
                line += part
        self.lines.append(line.rstrip())

    def stroke(self, neighbour: int, cells: int) -> str:
        """A stroke as long as the co-mention's weight."""
        return "━" * max(1, round(self.neighbours[neighbour].weight / self.heaviest * cells))

    def weight(self, neighbour: int, cells: int) -> str:
        """The co-mention's weight between spaces, in at least so many cells."""
        return f" {self.neighbours[neighbour].weight:>{cells}.1f} "

    def drawing(self) -> Drawing:
        """What was drawn."""
        self.paint()
        return Drawing(tuple(self.lines), tuple(self._places[i] for i in range(len(self.neighbours))))

    @abstractmethod
    def paint(self) -> None:
        """Draws all lines."""


class _Wide(_Canvas):
    """The name in a box in the middle, arrows into it from the left and out of it to the right, co-mentions below."""

    def paint(self) -> None:
        box = cell_len(self.centre) + 4
        side = (self.width - box) // 2
        rows = max(len(self.inward), len(self.outward), 1)
        middle = rows // 2 if rows <= 9 else 0
        self.add(" " * side, "╭", "─" * (box - 2), "╮")
        names_in = self._names(self.inward, side)
        names_out = self._names(self.outward, side)
        verbs_out = self._verbs(self.outward, side - names_out - _ARROW_CELLS)
        for row in range(rows):
            inward = self.inward[row] if row < len(self.inward) else None
            outward = self.outward[row] if row < len(self.outward) else None
            name = f" {self.centre} " if row == middle else " " * (box - 2)
            left = self._left(inward, names_in, side) if inward is not None else [" " * side]
            right = self._right(outward, names_out, verbs_out) if outward is not None else []
            self.add(*left, "│" if inward is None else "┤", name, "│" if outward is None else "├", *right)
        if not self.beside:
            self.add(" " * side, "╰", "─" * (box - 2), "╯")
            return
        stem = (box - 3) // 2
        self.add(" " * side, "╰", "─" * stem, "┬", "─" * (box - 3 - stem), "╯")
        self._mentions(side + 1 + stem)

    def _names(self, group: Sequence[int], side: int) -> int:
        """Cells that the names of a side get: all they need, as long as half of the side is left for the verbs."""
        names = max((cell_len(clipped(self.neighbours[i].name, 200)) for i in group), default=0)
        verbs = max((cell_len(_verb(self.neighbours[i])) for i in group), default=0)
        return min(names, side - _ARROW_CELLS - min(verbs, max(_VERB_MIN, side // 2 - _ARROW_CELLS)))

    def _verbs(self, group: Sequence[int], most: int) -> int:
        return min(most, max((cell_len(_verb(self.neighbours[i])) for i in group), default=0))

    def _left(self, i: int, names: int, side: int) -> list[str | tuple[str, int]]:
        line = side - names - _ARROW_CELLS
        verb = clipped(_verb(self.neighbours[i]), line)
        fill = "─" * (line - cell_len(verb))
        return [" ", (padded(self.neighbours[i].name, names, right=True), i), f" ─ {verb} {fill}─▶"]

    def _right(self, i: int, names: int, verbs: int) -> list[str | tuple[str, int]]:
        verb = clipped(_verb(self.neighbours[i]), verbs)
        fill = "─" * (verbs - cell_len(verb))
        return [f"─ {verb} {fill}─▶ ", (clipped(self.neighbours[i].name, names), i)]

    def _mentions(self, stem: int) -> None:
        self.add(" " * stem, "┊ mentioned with")
        right = self.width - stem - 1
        halves = (self.beside[0::2], self.beside[1::2])
        numbers = max(len(f"{self.neighbours[i].weight:.1f}") for i in self.beside)
        for row, i in enumerate(halves[0]):
            parts = self._half_left(i, stem, numbers)
            if row < len(halves[1]):
                parts += ["┊", *self._half_right(halves[1][row], right, numbers)]
            else:
                parts += ["┊"]
            self.add(*parts)

    def _half_left(self, i: int, cells: int, numbers: int) -> list[str | tuple[str, int]]:
        stroke = max(4, cells // 3)
        weight = self.weight(i, numbers)
        name = padded(self.neighbours[i].name, cells - stroke - len(weight) - 1, right=True)
        return [" ", (name, i), f"{weight}{self.stroke(i, stroke):>{stroke}}"]

    def _half_right(self, i: int, cells: int, numbers: int) -> list[str | tuple[str, int]]:
        stroke = max(4, cells // 3)
        weight = self.weight(i, numbers)
        name = clipped(self.neighbours[i].name, cells - stroke - len(weight))
        return [f"{self.stroke(i, stroke):<{stroke}}{weight}", (name, i)]


class _Narrow(_Canvas):
    """The name in a box at the top, all that it is linked to on a stem below it."""

    def paint(self) -> None:
        box = cell_len(self.centre)
        self.add("╭", "─" * (box + 2), "╮")
        self.add("│ ", self.centre, " │")
        self.add("╰─", "┬" if self.neighbours else "─", "─" * box, "╯")
        last = len(self.outward) + len(self.inward) - 1
        for row, i in enumerate([*self.outward, *self.inward]):
            corner = "└" if row == last and not self.beside else "├"
            self._relation(i, corner)
        if not self.beside:
            return
        self.add("  ┊ mentioned with")
        numbers = max(len(f"{self.neighbours[i].weight:.1f}") for i in self.beside)
        stroke = max(4, self.width // 5)
        for i in self.beside:
            left = f"  ┊{self.stroke(i, stroke):<{stroke}}{self.weight(i, numbers)}"
            self.add(left, (clipped(self.neighbours[i].name, self.width - cell_len(left)), i))

    def _relation(self, i: int, corner: str) -> None:
        other = self.neighbours[i]
        room = self.width - 10
        name = clipped(other.name, max(room - _VERB_MIN, room // 2))
        verb = clipped(_verb(other), room - cell_len(name))
        before = f"  {corner}─ {verb} ─▶ " if other.outward else f"  {corner}◀─ {verb} ─ "
        self.add(before, (name, i))
