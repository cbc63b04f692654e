"""The chat view: the conversation, the question box below it, one turn's decision and spans beside it.

Owns which turn is selected and what is forced for the next question.
"""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widget import Widget

from polyrag_cli.registry import names
from polyrag_cli.tui.chat.ask_line import AskLine
from polyrag_cli.tui.chat.choice_line import ChoiceLine
from polyrag_cli.tui.chat.conversation import Conversation
from polyrag_cli.tui.chat.details import Details
from polyrag_cli.tui.chat.picker import Choice, Picker
from polyrag_cli.tui.chat.question_box import QuestionBox
from polyrag_cli.tui.chat.turn_card import TurnCard
from polyrag_cli.tui.messages import ADD_FILES, AnswerShown, CorpusSummary
from polyrag_cli.tui.questions import Questions
from polyrag_cli.tui.state import State, Turn
from polyrag_cli.tui.view import View
from polyrag_cli.types import Answer

# The beat on which what has happened is drawn, as long as a question runs.
_TICK_S = 1 / 60


class ChatView(View):
    """Questions and answers. questions: the conversation that is shown."""

    SCOPED_CSS = False
    BLANK = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+r", "pick_route", "Route", priority=True),
        Binding("ctrl+t", "pick_strategy", "Strategy", priority=True),
        Binding("ctrl+d", "compare", "Compare", priority=True),
        Binding("ctrl+o", "fold", "Fold", priority=True),
        Binding("ctrl+up,alt+up", "select(-1)", "Turn before", show=False, priority=True),
        Binding("ctrl+down,alt+down", "select(1)", "Turn after", show=False, priority=True),
        Binding("ctrl+pageup,alt+pageup", "page_details(-1)", "Decision up", show=False, priority=True),
        Binding("ctrl+pagedown,alt+pagedown", "page_details(1)", "Decision down", show=False, priority=True),
        Binding("escape", "write", "Back to the question box", show=False),
    ]
    DEFAULT_CSS = """
    ChatView { layout: grid; grid-size: 2 2; grid-columns: 11fr 9fr; grid-rows: 1fr auto; }
    ChatView > Details { row-span: 2; }
    .-narrow ChatView { layout: vertical; }
    """

    def __init__(self, questions: Questions) -> None:
        super().__init__()
        self.route: str | None = None
        self.strategy: str | None = None
        self._questions = questions
        # What is told of, and what of it is drawn already.
        self._state = self._drawn = State()
        self._selected: int | None = None
        self._ticking: Timer | None = None
        self._conversation = Conversation()
        self._details = Details()
        self._ask_line = AskLine()
        self._box, self._choices = self._ask_line.box, self._ask_line.choices

    def compose(self) -> ComposeResult:
        yield self._conversation
        yield self._details
        yield self._ask_line

    def on_mount(self) -> None:
        self._draw()

    @property
    def first(self) -> Widget:
        return self._box

    # ------------------------------------------------------------ drawing
    @property
    def selected(self) -> Turn | None:
        """The turn whose decision is shown: the one chosen, else the newest."""
        chosen = self._state.turn(self._selected) if self._selected is not None else None
        return chosen or (self._state.turns[-1] if self._state.turns else None)

    def shown_answer(self) -> Answer | None:
        """The chosen turn's answer, the newest one where that has none."""
        selected = self.selected
        return selected.answer if selected is not None and selected.answer is not None else self._questions.last_answer

    def _tick_on(self) -> None:
        if self._ticking is None:
            self._ticking = self.set_interval(_TICK_S, self._tick)

    def _tick(self) -> None:
        """Draws what has happened since the last tick, and what still runs as long as it has lasted by now.

        One of the two sides a tick, so that no frame takes long: the decision, which needs no layout, before the turn.
        """
        self._state = self._questions.take()
        if not self._details.show(self.selected) and self._state is not self._drawn:
            self._draw_conversation()
        if self._ticking is not None and self._state is self._drawn and not self._questions.running:
            self._ticking.stop()
            self._ticking = None

    def _draw(self) -> None:
        """Draws what differs between the conversation and what is drawn of it."""
        self._state = self._questions.state
        self._details.show(self.selected)
        self._draw_conversation()

    def _draw_conversation(self) -> None:
        self._drawn = self._state
        self._conversation.show(self._state)
        selected = self.selected
        self._conversation.mark(selected.number if selected is not None else None)
        self.post_message(AnswerShown(self._questions.last_answer))

    def corpus_changed(self, summary: CorpusSummary) -> None:
        """Says what can be asked, or what to do first."""
        if summary.note:
            text = f"{summary.note} {summary.advice}"
        elif not summary.documents and not summary.tables:
            text = f"The corpus is empty. {ADD_FILES}"
        else:
            text = "Ask something. The decision, its arithmetic and every span are shown while the question runs."
        self._conversation.welcome(text)

    # ------------------------------------------------------------ asking
    def on_question_box_submitted(self, message: QuestionBox.Submitted) -> None:
        self.ask(message.text, self.route, self.strategy)

    def ask(self, question: str, route: str | None = None, strategy: str | None = None) -> int:
        """Puts a question and shows what becomes of it. route, strategy: force them. Returns its turn's number."""
        self._selected = None
        number = self._questions.ask(question, route, strategy)
        self._tick_on()
        return number

    def on_question_box_empty(self) -> None:
        self._choices.hint("Nothing to ask yet: type a question, then enter.")

    def on_question_box_paged(self, message: QuestionBox.Paged) -> None:
        self._conversation.scroll_relative(y=message.pages * self._conversation.size.height * 0.8, animate=False)

    def on_text_area_changed(self) -> None:
        self._choices.hint("")

    # ------------------------------------------------------------ choosing
    async def on_choice_line_wanted(self, message: ChoiceLine.Wanted) -> None:
        await self.run_action(message.action)

    def action_submit(self) -> None:
        """Asks what is in the box."""
        self._box.focus()
        self._box.action_submit()

    def action_pick_route(self) -> None:
        """Chooses the route of the next questions."""
        self.app.push_screen(Picker("Route of the next questions", self._routes(), self.route), self._force_route)

    def action_pick_strategy(self) -> None:
        """Chooses the strategy of the next questions."""
        choices: list[Choice] = [(None, "the route's own, or by the question's form")]
        choices += [(name, "") for name in names("strategy")]
        self.app.push_screen(Picker("Strategy of the next questions", choices, self.strategy), self._force_strategy)

    def action_compare(self) -> None:
        """Asks the draft, or else the selected question, down two routes."""
        draft, turn = self._box.text.strip(), self.selected
        question = draft or (turn.question if turn is not None else "")
        if not question:
            self._choices.hint("Nothing to compare yet: type a question first.")
            return
        first = self.route if draft or turn is None else turn.route
        title = f"Second route, beside {first or 'auto'}"
        choices = [choice for choice in self._routes() if choice[0] != first]
        self.app.push_screen(Picker(title, choices), partial(self._compare, question, bool(draft), first))

    def _routes(self) -> list[Choice]:
        engine = self.dashboard.engine
        choices: list[Choice] = [(None, "the router decides")]
        if engine.done() and engine.exception() is None:
            routes = engine.result().settings.routes
            choices += [(route.name, f"store {route.store}, strategy {route.strategy}") for route in routes]
        return choices

    def _force_route(self, choice: Choice | None) -> None:
        if choice is not None:
            self.route = choice[0]
            self._choices.forced(self.route, self.strategy)

    def _force_strategy(self, choice: Choice | None) -> None:
        if choice is not None:
            self.strategy = choice[0]
            self._choices.forced(self.route, self.strategy)

    def _compare(self, question: str, drafted: bool, first: str | None, choice: Choice | None) -> None:
        if choice is None:
            return
        if drafted:
            self._box.asked.add(question)
            self._box.clear()
        self._selected = None
        self._questions.compare(question, (first, choice[0]), self.strategy)
        self._tick_on()

    # ------------------------------------------------------------ moving about
    def on_turn_card_selected(self, message: TurnCard.Selected) -> None:
        self._select(message.number)

    def on_turn_card_left(self, message: TurnCard.Left) -> None:
        card = self._conversation.neighbour(message.card, message.step)
        if card is not None:
            card.enter_from(message.step)
        elif message.step > 0:
            self._box.focus()

    def action_select(self, step: int) -> None:
        """Shows the decision of the turn before or after, the focus staying where it is."""
        numbers = [turn.number for turn in self._state.turns]
        if not numbers or self.selected is None:
            return
        at = min(len(numbers) - 1, max(0, numbers.index(self.selected.number) + step))
        self._select(numbers[at])
        self._conversation.follow(numbers[at])

    def action_fold(self) -> None:
        """Folds the decision and the spans to a line, or unfolds them; where they stand beside, they stay."""
        self._details.folded = not self._details.folded

    def action_page_details(self, pages: int) -> None:
        """Scrolls the decision and the spans."""
        self._details.page(pages)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Folding is offered only where the details stand below the answer."""
        return self.screen.has_class("-narrow") if action == "fold" else True

    def on_resize(self) -> None:
        self.refresh_bindings()

    def action_write(self) -> None:
        """Back to the question box."""
        self._box.focus()

    def _select(self, number: int) -> None:
        newest = self._state.turns[-1].number if self._state.turns else None
        self._selected = None if number == newest else number
        self._draw()

    def on_click(self, event: events.Click) -> None:
        if event.widget is self._conversation:
            self._box.focus()

    # ------------------------------------------------------------ what survives a restart
    def saved(self) -> dict[str, object]:
        """The draft, the earlier questions, what is forced, and whether the details are folded."""
        return {
            "draft": self._box.text,
            "asked": self._box.asked.questions,
            "route": self.route,
            "strategy": self.strategy,
            "folded": self._details.folded,
        }

    def restore(self, saved: dict[str, object]) -> None:
        """Shows the kept conversation and takes over what `saved` gave; a draft that is being written stays."""
        self._draw()
        asked, draft = saved.get("asked"), saved.get("draft")
        if isinstance(asked, list):
            since = self._box.asked.questions
            self._box.asked = type(self._box.asked)([*(q for q in asked if isinstance(q, str)), *since])
        if isinstance(draft, str) and not self._box.text:
            self._box.load_text(draft)
            self._box.move_cursor(self._box.document.end)
        known = {value for value, _ in self._routes()}
        if saved.get("route") in known:
            self.route = saved["route"]  # type: ignore[assignment]
        if saved.get("strategy") in names("strategy"):
            self.strategy = saved["strategy"]  # type: ignore[assignment]
        self._details.folded = saved.get("folded") is True
        self._choices.forced(self.route, self.strategy)
