"""Every action of the application, its views and their widgets, with its key: what help and palette show.

Made from the bindings themselves, so that it can't be out of date.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.widgets import TabPane

from polyrag_cli.tui.view import View

_OWN = __name__.partition(".")[0]


@dataclass(frozen=True, slots=True)
class Entry:
    """One action. where: the view's name, "Everywhere" for the application's; tab: the view's tab, "" for none.

    node: what the action runs on; keys: as people know them, joined by " / ".
    """

    where: str
    tab: str
    keys: str
    description: str
    action: str
    node: DOMNode


def entries(app: App[object]) -> list[Entry]:
    """The application's actions first, then each view's in the order of the tabs; each action of a place once."""
    found = _merged(_entries("Everywhere", "", app, app))
    screen = app.screen_stack[0]
    for view in screen.query(View):
        pane = next((node for node in view.ancestors if isinstance(node, TabPane)), None)
        where, tab = (str(pane._title), pane.id or "") if pane is not None else (type(view).__name__, "")
        inside = [view, *view.walk_children()]
        found += _merged(entry for node in inside for entry in _entries(where, tab, node, app))
    return found


def by_number(entries: Sequence[Entry]) -> list[Entry]:
    """The entries with one in place of those beside each other that differ only in the figure that is their key."""
    found: list[Entry] = []
    for _, group in groupby(entries, key=lambda entry: (entry.where, _unnumbered(entry))):
        first, *more = group
        if more and _unnumbered(first):
            keys = f"{first.keys} … {more[-1].keys}"
            found.append(replace(first, keys=keys, description=f"{_unnumbered(first)} {keys}"))
        else:
            found += [first, *more]
    return found


def _unnumbered(entry: Entry) -> str:
    """The description without the figure at its end, "" where that isn't the key."""
    text, _, figure = entry.description.rpartition(" ")
    return text if figure.isdecimal() and figure == entry.keys else ""


def _entries(where: str, tab: str, node: DOMNode, app: App[object]) -> Iterator[Entry]:
    for binding in own_bindings(type(node)):
        if binding.description and not binding.system:
            yield Entry(where, tab, app.get_key_display(binding), binding.description, binding.action, node)


def own_bindings(kind: type) -> list[Binding]:
    """The bindings that the classes of this package declare, base classes' included."""
    declared = [c.__dict__.get("BINDINGS", []) for c in kind.__mro__ if c.__module__.partition(".")[0] == _OWN]
    return [binding for bindings in declared for binding in Binding.make_bindings(bindings)]


def _merged(entries: Iterator[Entry]) -> list[Entry]:
    """One entry for each action, with all of its keys."""
    by_action: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        known = by_action.get((entry.action, entry.description))
        if known is None:
            by_action[entry.action, entry.description] = entry
        elif entry.keys not in known.keys.split(" / "):
            keys = f"{known.keys} / {entry.keys}"
            by_action[entry.action, entry.description] = Entry(
                known.where, known.tab, keys, known.description, known.action, known.node
            )
    return list(by_action.values())
