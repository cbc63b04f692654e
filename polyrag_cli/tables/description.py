"""Owns what a typed table says of itself, wherever its rows are: its language, its columns, its totals, its notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from polyrag_cli.stores.records import TypedTable
from polyrag_cli.tables.audit import Candidate
from polyrag_cli.tables.columns import Summary, TypedColumn, described
from polyrag_cli.tables.identifiers import unique_identifiers
from polyrag_cli.tables.numeric import Decimal, decimal_vote
from polyrag_cli.tables.quantities import Cells, Quantities, bodies
from polyrag_cli.tables.texts import Texts
from polyrag_cli.text.language import detect
from polyrag_cli.types import Column, RawTable

# How a column is marked whose value names a row of totals, where no other row has that value.
TOTAL_NOTE = "total row: "
# The name of the column that says so where no column's value does.
TOTAL_COLUMN = "summary_row"
_YEARS = range(1500, 2101)


def table_language(labels: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return the code of the language that a table's labels and first rows are in."""
    return detect(" ".join([*labels, *(cell for row in rows[:50] for cell in row if not cell[:1].isdigit())]))


def described_columns(
    labels: Sequence[str],
    typed: Sequence[TypedColumn],
    known: Sequence[Summary],
    marked: Mapping[int, Sequence[str]],
    totals: Sequence[int],
    rows: int,
    language: str,
) -> tuple[Column, ...]:
    """Return a table's columns, with one more that says which rows state totals where no values of a column do.

    Args:
        known: what values each column has.
        marked: as `marks` gives them.
        totals: positions of the rows that state totals.
        rows: how many rows there are.
        language: code of the table's language.
    """
    names = unique_identifiers([*labels, TOTAL_COLUMN] if totals and not marked else labels, "column")
    notes = [tuple(TOTAL_NOTE + mark for mark in marked.get(i, ())) for i in range(len(labels))]
    columns = [
        described(names[i], label or f"column {i + 1}", typed[i], known[i], notes[i], language)
        for i, label in enumerate(labels)
    ]
    return (*columns, _total_column(names[-1], totals, rows)) if len(names) > len(labels) else tuple(columns)


def assembled(
    raw: RawTable, name: str, columns: tuple[Column, ...], remarks: Collection[str], totals: tuple[int, ...]
) -> TypedTable:
    """Return a typed table without its cells. remarks: what only the columns' cards say."""
    return TypedTable(
        name=name,
        label=raw.heading or raw.name or name,
        columns=columns,
        cells=(),
        source=(),
        heading=raw.heading,
        notes=_table_notes(raw, columns, remarks, len(totals)),
        has_header=raw.has_header,
        total_rows=totals,
        place=raw.place,
        dialect=raw.dialect,
        hidden=raw.hidden,
        keys=raw.keys,
        references=raw.references,
    )


def table_vote(plain: Sequence[Quantities | None], numbers: Sequence[Cells | None]) -> Decimal | None:
    """Return the decimal mark that a table's columns of numbers prove, None when they don't or disagree."""
    votes = {vote for cells in numbers if cells and (vote := decimal_vote(bodies(cells))) in (",", ".")}
    votes |= {"." for column in plain if column is not None and column.decimal}
    return ("," if "," in votes else ".") if len(votes) == 1 else None


def addable(values: Collection[object]) -> bool:
    """Return whether the sum of a column of numbers with these values may mean something; it doesn't of years."""
    return not all(value is None or value in _YEARS for value in values)


def marks(
    texts: Sequence[Texts], typed: Sequence[TypedColumn], totals: Sequence[int], named: Sequence[Candidate]
) -> dict[int, list[str]]:
    """Return, by column, the values that total rows have and no other row; {} where these don't name all of them."""
    called = {candidate.position: candidate.column for candidate in named}
    places: dict[int, list[int]] = {}
    for position in totals:
        column = called.get(position)
        if column is None or typed[column].type != "text":
            return {}
        places.setdefault(column, []).append(position)
    found: dict[int, list[str]] = {}
    for column, positions in places.items():
        # A row that another column calls a total may have the value as well.
        values = sorted(set(texts[column].at(positions)))
        stated = Counter(texts[column].at(totals))
        if texts[column].times(values) != [stated[value] for value in values]:
            return {}
        found[column] = values
    return found


def _total_column(name: str, totals: Sequence[int], rows: int) -> Column:
    values = tuple(dict.fromkeys(("true" if 0 in totals else "false", "true", *["false"][: rows > len(totals)])))
    note = "true where a row states a total of others"
    return Column(name, name.replace("_", " "), "boolean", values, len(values), notes=(note,), total=True)


def _table_notes(raw: RawTable, columns: Sequence[Column], remarks: Collection[str], totals: int) -> tuple[str, ...]:
    """Return what an ingest line says: each kind of note once, with the columns that it concerns; no remarks."""
    grouped: dict[str, list[str]] = {}
    for column in columns:
        for note in column.notes:
            if not note.startswith(TOTAL_NOTE) and note not in remarks and not column.total:
                grouped.setdefault(note, []).append(column.name)
        if column.lists:
            grouped.setdefault("some cells list several values", []).append(column.name)
    notes = [f"{note} ({', '.join(names)})" for note, names in grouped.items()]
    if totals:
        notes.append(f"{totals} total {'row' if totals == 1 else 'rows'}, left out of sums")
    return (*raw.notes, *notes)
