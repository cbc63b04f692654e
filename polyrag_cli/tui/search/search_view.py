"""The search view: fused passages with the heads that found each, without an answer.

Owns the query and its results; its threads post messages, only its handlers change it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Select, Static

from polyrag_cli.display.text import counted, milliseconds
from polyrag_cli.errors import PolyRAGError
from polyrag_cli.tui.messages import PassageOpened
from polyrag_cli.tui.search.hit_list import HitList
from polyrag_cli.tui.view import View
from polyrag_cli.tui.widgets.cells import one_line
from polyrag_cli.tui.widgets.virtual_list import VirtualList
from polyrag_cli.types import Hit, as_json

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.tui.messages import CorpusSummary

TOP_KS = (5, 10, 20, 50, 100)
_AUTO = "auto"
_HINT = "Type words and press enter: passages without an answer, with what each head says of them."


class Searched(Message):
    """A search is over. trouble: why it has no result, in one line."""

    def __init__(self, query: str, hits: tuple[Hit, ...], took_ms: float, trouble: str = "") -> None:
        super().__init__()
        self.query = query
        self.hits = hits
        self.took_ms = took_ms
        self.trouble = trouble


def search(query: str, top_k: int, route: str | None, strategy: str | None, engine: Engine) -> Searched:
    """Searches; what is refused becomes the message's trouble."""
    started = time.perf_counter()
    try:
        hits = engine.search(query, top_k=top_k, route=route, strategy=strategy).hits
    except PolyRAGError as error:
        return Searched(query, (), 0.0, str(error))
    return Searched(query, hits, (time.perf_counter() - started) * 1000)


class SearchView(View):
    """A box, choices that are made for the router where they aren't left to it, and the passages found."""

    DEFAULT_CSS = """
    SearchView {
        & > #search-query { height: 1; border: none; padding: 0 1; background: $surface; }
        & > #search-query:focus { border: none; background: $boost; }
        & > #search-choices { height: 1; }
        & > #search-choices > Static { width: auto; padding: 0 1; color: $text-muted; }
        & > #search-choices > Select { width: 20; }
        & > #search-choices > #search-top-k { width: 10; }
        & > #search-note { height: auto; max-height: 3; padding: 0 1; color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "query", "New search", key_display="/"),
        Binding("escape", "query", "Back to the box", show=False),
        Binding("plus", "more(1)", "More passages", key_display="+"),
        Binding("minus", "more(-1)", "Fewer", key_display="-"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._searched = ""
        self._generation = -1
        self._offered = False
        self._same_list = False
        self._asked: tuple[int, str | None, str | None] = (0, None, None)
        self._wanted: dict[str, object] = {}

    def compose(self) -> ComposeResult:
        yield Input(placeholder="search", id="search-query")
        with Horizontal(id="search-choices"):
            yield Static("route", markup=False)
            yield Select([(_AUTO, _AUTO)], value=_AUTO, allow_blank=False, compact=True, id="search-route")
            yield Static("strategy", markup=False)
            yield Select([(_AUTO, _AUTO)], value=_AUTO, allow_blank=False, compact=True, id="search-strategy")
            yield Static("top", markup=False)
            options = [(str(k), k) for k in TOP_KS]
            yield Select(options, value=10, allow_blank=False, compact=True, id="search-top-k")
        yield Static(_HINT, id="search-note", markup=False)
        yield HitList(id="search-hits")

    # ------------------------------------------------------------ the corpus
    def corpus_changed(self, summary: CorpusSummary) -> None:
        self._offer_choices()
        if self._searched and summary.generation != self._generation >= 0:
            self._say("The corpus has changed since: enter in the box searches again.")
        self._generation = summary.generation

    def _offer_choices(self) -> None:
        """The routes and strategies there are, known once the engine is open."""
        from polyrag_cli.registry import names

        opened = self.dashboard.engine
        if self._offered or not self.is_mounted or not opened.done() or opened.exception() is not None:
            return
        self._offered = True
        settings = opened.result().settings
        offered = {
            "search-route": [route.name for route in settings.routes],
            "search-strategy": [name for name in names("strategy") if name not in ("text_to_sql", "direct")],
        }
        for select_id, values in offered.items():
            select: Select[str] = self.query_one(f"#{select_id}", Select)
            with select.prevent(Select.Changed):
                select.set_options([(Text(value), value) for value in (_AUTO, *values)])
                wanted = self._wanted.get(select_id)
                select.value = wanted if isinstance(wanted, str) and wanted in values else _AUTO
        self._asked = self._choices

    def on_show(self) -> None:
        self._offer_choices()

    @property
    def first(self) -> Widget:
        return self.query_one("#search-query")

    # ------------------------------------------------------------ searching
    @on(Input.Submitted, "#search-query")
    def _search(self) -> None:
        query = self.query_one("#search-query", Input).value.strip()
        if query:
            self._say("searching …")
            # Another number of passages leaves the cursor where it is; another route or strategy is another list.
            self._same_list = query == self._searched and self._choices[1:] == self._asked[1:]
            self._asked = self._choices
            self.ask_engine(partial(search, query, *self._asked), "search")

    @on(Select.Changed)
    def _choice_changed(self) -> None:
        """Searches again when something else was chosen; a list that is only filled changes nothing."""
        if self._searched and self._choices != self._asked:
            self._search()

    @property
    def _choices(self) -> tuple[int, str | None, str | None]:
        return self._top_k, self._choice("search-route"), self._choice("search-strategy")

    def _choice(self, select_id: str) -> str | None:
        value = self.query_one(f"#{select_id}", Select).value
        return value if isinstance(value, str) and value != _AUTO else None

    @property
    def _top_k(self) -> int:
        value = self.query_one("#search-top-k", Select).value
        return value if isinstance(value, int) else 10

    def on_searched(self, message: Searched) -> None:
        hits, box = self.query_one(HitList), self.query_one("#search-query", Input)
        if message.trouble:
            self._say(message.trouble)
            return
        hits.set_items(message.hits, follow=self._same_list)
        self._searched = message.query
        found = counted(len(message.hits), "passage") if message.hits else "nothing found"
        told = " · bars: what each head adds to the score" if message.hits else ""
        self._say(f"{found} for “{one_line(message.query)}” · {milliseconds(message.took_ms)}{told}")
        if message.hits and box.has_focus:
            hits.focus()

    def _say(self, text: str) -> None:
        self.query_one("#search-note", Static).update(one_line(text))

    # ------------------------------------------------------------ keys
    @on(VirtualList.Chosen, "#search-hits")
    def _hit_chosen(self) -> None:
        hit = self.query_one(HitList).current
        if hit is not None:
            self.app.post_message(PassageOpened(hit.document, hit.start, hit.end, hit.quotes))

    def action_query(self) -> None:
        """Goes to the box."""
        self.query_one("#search-query").focus()

    def action_more(self, by: int) -> None:
        """Asks for more or fewer passages."""
        select: Select[int] = self.query_one("#search-top-k", Select)
        at = TOP_KS.index(self._top_k) + by
        select.value = TOP_KS[min(max(at, 0), len(TOP_KS) - 1)]

    # ------------------------------------------------------------ what survives a restart
    def saved(self) -> dict[str, object]:
        hits = self.query_one(HitList)
        return {
            "query": self.query_one("#search-query", Input).value,
            "searched": self._searched,
            "top_k": self._top_k,
            "search-route": self._choice("search-route"),
            "search-strategy": self._choice("search-strategy"),
            "hits": as_json(tuple(hits.items)),
            "cursor": hits.cursor,
        }

    def restore(self, saved: dict[str, object]) -> None:
        from polyrag_cli.answering.records import hit_from_json

        self._wanted = {name: saved.get(name) for name in ("search-route", "search-strategy")}
        query, searched, top_k, stored = (saved.get(name) for name in ("query", "searched", "top_k", "hits"))
        with self.prevent(Select.Changed, Input.Changed):
            if isinstance(query, str):
                self.query_one("#search-query", Input).value = query
            if isinstance(top_k, int) and top_k in TOP_KS:
                self.query_one("#search-top-k", Select).value = top_k
        try:
            fields = [hit for hit in stored if isinstance(hit, Mapping)] if isinstance(stored, list) else []
            hits = tuple(hit_from_json(hit) for hit in fields)
        except (KeyError, TypeError, ValueError):
            return
        if isinstance(searched, str) and searched:
            self._searched = searched
            self.query_one(HitList).set_items(hits, follow=False)
            cursor = saved.get("cursor")
            self.query_one(HitList).go_to(cursor if isinstance(cursor, int) else 0)
            self._say(f"{counted(len(hits), 'passage')} for “{searched}”, as found earlier")
