"""The conversation: puts questions to the engine, each in a thread, and keeps what becomes of them as one state."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import suppress
from typing import TYPE_CHECKING

from polyrag_cli.errors import PolyRAGError, told
from polyrag_cli.tui.events import Asked, Event, Heard, Located, Refused
from polyrag_cli.tui.state import State, Turn, reduce, restored

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.types import Answer, LinedText


class Questions:
    """The turns of one conversation, for the thread that draws; what happens in others is heard and waits for `take`.

    engine: there once it is open; a question that is put earlier waits for it. pool: runs the questions.
    """

    def __init__(self, engine: Future[Engine], pool: Executor) -> None:
        self.state = State()
        self._engine = engine
        self._pool = pool
        # Appending and taking are one step each, in whatever thread.
        self._heard: deque[Event] = deque()
        self._put = 0

    @property
    def running(self) -> bool:
        """Whether a question has no end yet."""
        return any(turn.phase == "asking" for turn in self.state.turns)

    @property
    def last_answer(self) -> Answer | None:
        """The newest answer."""
        return next((turn.answer for turn in reversed(self.state.turns) if turn.answer is not None), None)

    def ask(self, question: str, route: str | None = None, strategy: str | None = None) -> int:
        """Puts a question and returns its turn's number. route, strategy: force them."""
        return self._begin(Asked(self._put + 1, question, route, strategy))

    def compare(self, question: str, routes: tuple[str | None, str | None], strategy: str | None = None) -> int:
        """Puts a question twice, down two routes, one after the other so that neither slows the other down."""
        first, second = self._put + 1, self._put + 2
        return self._begin(
            Asked(first, question, routes[0], strategy, second), Asked(second, question, routes[1], strategy, first)
        )

    def hear(self, event: Event) -> None:
        """Takes an event, from any thread, for the next `take`."""
        self._heard.append(event)

    def take(self) -> State:
        """Brings the state up to date with what was heard; the same object when nothing was."""
        heard = [self._heard.popleft() for _ in range(len(self._heard))]
        self.state = reduce(self.state, heard) if heard else self.state
        return self.state

    def restore(self, turns: tuple[Turn, ...]) -> None:
        """Puts an earlier conversation before this one."""
        self.state = State(restored(turns, self.state.turns))

    def _begin(self, *questions: Asked) -> int:
        self._put += len(questions)
        self.state = reduce(self.state, questions)
        self._pool.submit(self._run, *questions)
        return self._put

    def _run(self, *questions: Asked) -> None:
        """Runs in a thread."""
        for asked in questions:
            for event in followed(self._engine.result, asked):
                self.hear(event)


def followed(open_engine: Callable[[], Engine], asked: Asked) -> Iterator[Event]:
    """Asks and yields what happens to the question, its end last; an error is its end as well.

    open_engine: gives the engine, waiting until it is open.
    """
    from polyrag_cli.types import AnswerReady

    turn = asked.turn
    try:
        engine = open_engine()
        # Of two routes beside each other, neither is to be served what an earlier question found.
        use_cache = asked.beside is None
        for event in engine.ask_events(asked.question, route=asked.route, strategy=asked.strategy, use_cache=use_cache):
            if isinstance(event, AnswerReady):
                yield Located(turn, _lines(engine, event.answer))
            yield Heard(turn, event)
    except Exception as error:  # noqa: BLE001 - the boundary of the thread: the dashboard stays open
        yield Refused(turn, told(error))


def _lines(engine: Engine, answer: Answer) -> dict[int, str]:
    """Where the cited passages stand in their documents."""
    from polyrag_cli.display.answers import cited, lines_of

    hits = cited(answer)
    texts: dict[str, LinedText] = {}
    for document in dict.fromkeys(hit.document for _, hit in hits):
        # A document may be gone by now.
        with suppress(PolyRAGError):
            texts[document] = engine.lined_text(document)
    return {n: lines_of(hit, texts[hit.document]) for n, hit in hits if hit.document in texts}
