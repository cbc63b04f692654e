"""The conversation's cards in their order, one a turn, two turns of a comparison side by side.

Draws from the state alone; only cards whose turn is another value than the one last drawn are drawn again.
"""

from __future__ import annotations

from collections.abc import Iterator

from textual.containers import VerticalScroll
from textual.content import Content
from textual.geometry import Size
from textual.layout import DockArrangeResult
from textual.scrollbar import ScrollBar
from textual.widget import Widget
from textual.widgets import Static

from polyrag_cli.tui.chat.compare_view import CompareView
from polyrag_cli.tui.chat.turn_card import TurnCard
from polyrag_cli.tui.state import State, Turn

_NOBODY = Turn(0, "")


class Conversation(VerticalScroll, can_focus=False):
    """The cards, scrolled so that the newest question stands at the top, or everything is seen."""

    # Nothing of its own is drawn: no border, no text.
    BLANK = True
    DEFAULT_CSS = """
    Conversation { height: 1fr; padding-top: 1; }
    Conversation > #welcome { padding: 0 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__(id="conversation")
        self._cards: dict[int, TurnCard] = {}
        # What holds each turn's card: the card itself, or its comparison.
        self._rows: dict[int, Widget] = {}
        self._followed: Widget | None = None
        self._spare: TurnCard | None = None
        self._welcome = Static(Content(""), id="welcome", markup=False)

    def show(self, state: State) -> None:
        """Draws what changed of the conversation."""
        newest = state.turns[-1].number if state.turns else None
        asked = newest is not None and newest not in self._cards
        for number in [n for n in self._cards if state.turn(n) is None]:
            self._forget(number)
        for turn in state.turns:
            card = self._cards.get(turn.number)
            if card is not None:
                card.show(turn)
        for before, turns in _missing(state, self._cards):
            self._add(turns, self._rows[before] if before is not None else None)
        if self._spare is None and all(turn.phase != "asking" for turn in state.turns):
            self.call_after_refresh(self._prepare)
        if asked and newest is not None:
            self.follow(newest)

    def mark(self, selected: int | None) -> None:
        """Marks the card of the turn whose decision is shown."""
        for number, card in self._cards.items():
            card.set_class(number == selected, "-selected")

    def welcome(self, text: str) -> None:
        """What stands there before the first question."""
        self._welcome.update(Content(text))

    @property
    def cards(self) -> list[TurnCard]:
        """The cards of all turns, from above to below."""
        return [card for card in self.query(TurnCard) if card is not self._spare]

    def neighbour(self, card: TurnCard, step: int) -> TurnCard | None:
        """The card above (-1) or below (1)."""
        cards = self.cards
        at = cards.index(card) + step
        return cards[at] if 0 <= at < len(cards) else None

    def follow(self, number: int) -> None:
        """Keeps a turn at the top as far as there is something below it, until somebody scrolls."""
        self._followed = self._rows.get(number)
        self.refresh(layout=True)

    def release_anchor(self) -> None:
        """Called when somebody scrolls: what is read stays in sight, whatever arrives below."""
        self._followed = None
        super().release_anchor()

    def arrange(self, size: Size, optimal: bool = False) -> DockArrangeResult:
        """Lays the cards out and scrolls to the followed one in the same pass, so that no frame shows them apart."""
        result = super().arrange(size, optimal)
        followed = next((p for p in result.placements if p.widget is self._followed), None)
        if followed is not None:
            y = max(0, min(followed.region.y - followed.margin.top, result.total_region.bottom - size.height))
            self.set_reactive(Widget.scroll_y, y)
            self.set_reactive(Widget.scroll_target_y, y)
            self.vertical_scrollbar.set_reactive(ScrollBar.position, y)
        return result

    def compose(self) -> Iterator[Widget]:
        yield self._welcome

    def _add(self, turns: tuple[Turn, ...], before: Widget | None) -> None:
        row: Widget
        if len(turns) == 2:
            row = CompareView(turns[0], turns[1])
            cards = list(row.cards)
        else:
            row = self._single(turns[0], before)
            cards = [row]
        for turn, card in zip(turns, cards, strict=True):
            self._cards[turn.number], self._rows[turn.number] = card, row
        if not row.is_attached:
            self.mount(row, before=before if before is not None else self._spare)
        self._welcome.display = False

    def _prepare(self) -> None:
        """Mounts the next question's card, hidden: mounting takes as long as answering."""
        if self._spare is None:
            self._spare = TurnCard(_NOBODY)
            self._spare.display = False
            self.mount(self._spare)

    def _single(self, turn: Turn, before: Widget | None) -> TurnCard:
        """The card of a turn that stands alone; the prepared one, where it goes to the end."""
        spare = self._spare
        if spare is None or before is not None or not spare.is_mounted:
            return TurnCard(turn)
        self._spare = None
        spare.show(turn)
        spare.display = True
        return spare

    def _forget(self, number: int) -> None:
        del self._cards[number]
        row = self._rows.pop(number)
        # A comparison goes with the first of its two turns.
        if row.parent is not None:
            row.remove()


def _missing(state: State, cards: dict[int, TurnCard]) -> Iterator[tuple[int | None, tuple[Turn, ...]]]:
    """The turns without a card, a comparison's together, each with the number of the next turn that has a card."""
    done: set[int] = set()
    for at, turn in enumerate(state.turns):
        if turn.number in cards or turn.number in done:
            continue
        pair = state.turn(turn.beside) if turn.beside is not None else None
        linked = pair is not None and pair.beside == turn.number and pair.number not in cards
        turns = (turn, pair) if linked and pair is not None else (turn,)
        done |= {t.number for t in turns}
        yield next((t.number for t in state.turns[at:] if t.number in cards), None), turns
