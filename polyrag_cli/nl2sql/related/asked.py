"""Owns what may be asked of related tables: the kinds of it as data, and each kind's answer in words."""

from __future__ import annotations

from dataclasses import dataclass

from polyrag_cli.nl2sql.index import TableEntry
from polyrag_cli.nl2sql.related.database import Database
from polyrag_cli.nl2sql.related.things import Function, Reach, Tally, Things, Totalled, table_of
from polyrag_cli.nl2sql.stating import Speaker, capped, in_lines
from polyrag_cli.types import Rows as Result


@dataclass(frozen=True, slots=True)
class Listed:
    """What rows are called, or hold in a column; each once where `distinct`."""

    things: Things
    reach: Reach
    distinct: bool


@dataclass(frozen=True, slots=True)
class Counted:
    """How many rows there are, or different names of them where `name` isn't empty."""

    things: Things
    name: str = ""


@dataclass(frozen=True, slots=True)
class Spread:
    """Each row's name with a figure of it."""

    things: Things
    reach: Reach
    by: Tally


@dataclass(frozen=True, slots=True)
class Grouped:
    """Rows counted, or a figure over what they hold, for each of what a column holds.

    descending: only the groups of the highest figure, or of the lowest; None: all of them.
    """

    things: Things
    reach: Reach
    function: Function | None = None
    held: Reach | None = None
    descending: bool | None = None


@dataclass(frozen=True, slots=True)
class Whether:
    """Whether there are such rows."""

    things: Things


Asked = Listed | Counted | Totalled | Spread | Grouped | Whether


def state(asked: Asked, speaker: Speaker, result: Result) -> str:
    """Return the answer's first line, at most 60 words.

    speaker: of the table that holds what is shown. result: what the SELECT gave, at least one row.
    """
    value = result.rows[0][0]
    match asked:
        case Listed():
            stated = in_lines(speaker, result, [asked.reach.column])
            single = len(result.rows) == 1 and speaker.numeric(asked.reach.column)
            return capped(speaker, stated, speaker.label(asked.reach.column) if single else "")
        case Whether():
            return speaker.words["yes" if value else "no"]
        case Counted():
            return speaker.cell(value)
        case Spread() | Grouped():
            return capped(
                speaker, [f"{speaker.cell(row[0], asked.reach.column)}: {speaker.plain(row[1])}" for row in result.rows]
            )
        case Totalled():
            name = "average" if asked.function == "avg" else asked.function
            how = speaker.words[name].format(speaker.label(asked.reach.column))
            return f"{speaker.cell(value, asked.reach.column)} ({how})"


def shown_table(asked: Asked, database: Database) -> TableEntry:
    """Return the table that holds what is shown."""
    table = table_of(asked.things)
    if isinstance(asked, (Listed, Totalled, Grouped)) and asked.reach.path:
        table = asked.reach.path[-1].other
    return database.things[table].entry
