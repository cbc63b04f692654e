"""Owns the ways from rows to other rows and to figures, each with what it costs where words don't say it."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.nl2sql.index import ColumnEntry
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.parts import Attribute
from polyrag_cli.nl2sql.related.things import Reach
from polyrag_cli.nl2sql.ties import Hop, Path

# The columns that an adjective of extent may speak of, the likeliest first, by notion.
EXTENTS = {
    "area": ("size", "area", "population", "capacity", "length", "height", "seat"),
    "height": ("height",),
    "length": ("length", "distance", "duration", "minute", "hours"),
    "duration": ("duration", "minute", "hours", "wait", "length"),
    "date": ("date", "year"),
}
# What it costs that a figure is one of another table, a step away.
REACHED = 0.08
# What it costs that a figure or rows are taken because they are the only ones there are.
GUESSED = 0.3
# What a way costs by each place where another would do as well, or where a word should say it.
_UNSAID_ONLY = 0.1
_UNSAID = 0.4
_SELF = 0.6
_HOP = 0.04
_SECOND_NOTION = 0.05
_STEP_UP = 0.02


class Ways:
    """The ways between the rows of one database, and from these to figures."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def between(self, table: str, other: str, roles: tuple[tuple[str, str], ...] = ()) -> Iterator[tuple[float, Path]]:
        """Yield the ways from rows of one table to another, each with its cost; roles are those that are said."""
        paths = self.database.paths(table, other)
        shortest = min((len(path) for path in paths), default=0)
        for path in paths:
            if roles and not all(self.database.plays(path, role) for role in roles):
                continue
            cost = _HOP * (len(path) - shortest)
            unsaid = self.database.unsaid(path)
            if unsaid and not roles:
                cost += _SELF if table == other else _UNSAID_ONLY if len(paths) == 1 else _UNSAID * unsaid
            elif table == other and not roles:
                cost += _SELF
            yield cost, path

    def reaches(self, table: str, attribute: Attribute) -> Iterator[tuple[float, Reach]]:
        """Yield the ways from a row to the one value of a column."""
        for path in self.database.reaches(table, attribute.column, attribute.table):
            far = sum(1 for hop in path if not hop.single)
            unsaid = sum(1 for hop in path if hop.role)
            yield REACHED * far + _STEP_UP * (len(path) - far) + _UNSAID * unsaid, Reach(path, attribute.column)

    def measured(self, table: str, notions: tuple[str, ...]) -> Iterator[tuple[float, Reach]]:
        """Yield the figures of a row that notions may mean; where none fits, the only one there is."""
        found = [(entry, path) for path, entry in self._figures_of(table)]
        wanted = tuple(n for notion in notions for n in EXTENTS.get(notion, (notion,)))
        for place, notion in enumerate(wanted):
            fitting = [(e, p) for e, p in found if notion in e.concepts]
            if fitting:
                for entry, path in fitting:
                    yield _SECOND_NOTION * bool(place) + REACHED * len(path), Reach(path, entry.column.name)
                return
        own = [(e, p) for e, p in found if not p and e.role == "measure"]
        if len(own) == 1 and "area" in notions:
            yield GUESSED, Reach((), own[0][0].column.name)

    def _figures_of(self, table: str) -> Iterator[tuple[Path, ColumnEntry]]:
        ways: list[tuple[Path, str]] = [((), table)]
        ways += [((hop,), hop.other) for hop in self.database.hops(table) if hop.single]
        for path, other in ways:
            for entry in self.database.things[other].entry.columns:
                refers = (other, entry.column.name) in self.database.references
                if entry.role in ("measure", "year", "date") and not refers:
                    yield path, entry

    # ------------------------------------------------------------ columns
    def entry(self, attribute: Attribute) -> ColumnEntry:
        """What is known of a column."""
        return self.database.column(attribute.table, attribute.column)

    def roles_of(self, attribute: Attribute) -> list[Hop]:
        """The step to what a column refers to in a role ("manager"), where it does."""
        hop = self.database.references.get((attribute.table, attribute.column))
        return [hop] if hop is not None and hop.role else []

    def records(self, attribute: Attribute) -> bool:
        """Whether a column is one of rows that refer to others, and have no name."""
        thing = self.database.things[attribute.table]
        own = thing.name is None or thing.name.role == "code"
        return own and any(hop.up and not hop.single for hop in self.database.hops(attribute.table))

    def ranking(self, attribute: Attribute) -> tuple[bool, str] | None:
        """Return which way and by which figure of its table a column names an extreme ("highest point"), if it does."""
        entry = self.entry(attribute)
        lexicon = self.database.things[attribute.table].entry.lexicon
        for word in entry.words:
            for phrase, operation in lexicon.operations.get(word, ()):
                if phrase == (word,) and operation[:3] in ("max", "min"):
                    if entry.role == "measure":
                        return operation.startswith("max"), attribute.column
                    columns = self.database.things[attribute.table].entry.columns
                    alike = [c for c in columns if word in c.words and c.role == "measure"]
                    return (operation.startswith("max"), alike[0].column.name) if len(alike) == 1 else None
        return None
