"""Owns the typing of tables whose rows are staged: by the same rules as of those in memory, over the different texts of
each column; columns of very many are told by what all of their cells match."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from polyrag_cli.stores.records import TypedTable
from polyrag_cli.stores.staged_rows import StagedRows
from polyrag_cli.stores.staged_values import StagedCells, StagedRawTable, StagedValue
from polyrag_cli.tables.audit import LEADING, Candidate, Numbers, called_totals, candidate_of, first_words, total_rows
from polyrag_cli.tables.columns import (
    Summary,
    TypedColumn,
    is_kept,
    most_values,
    number_column,
    shown,
    summary,
    typed_column,
)
from polyrag_cli.tables.dates import TRIED, likely_dates, whole_dates
from polyrag_cli.tables.description import addable, assembled, described_columns, marks, table_language, table_vote
from polyrag_cli.tables.lists import READ
from polyrag_cli.tables.markers import empty_cells, maybe_empty_cells
from polyrag_cli.tables.numeric import NUMBER_START
from polyrag_cli.tables.quantities import (
    NUMERIC_SHARE,
    PLAIN,
    PROVED_POINT,
    Quantities,
    numeric_cells,
    plain_quantities,
)
from polyrag_cli.tables.texts import Texts, clean
from polyrag_cli.types import ColumnType

# With more different texts than this in an eighth of its rows, not each text of a column is looked at.
MOST_LISTED = 15_000
TWO_DECIMALS = r"\.[0-9]{2}$"
_PLAIN, _PROVED, _CENTS = map(re.compile, (PLAIN, PROVED_POINT, TWO_DECIMALS))
# How far apart sums of figures in another order may be.
_LOOSE = 1e-3


class StagedTexts(Texts):
    """A column's cells, staged."""

    def __init__(self, rows: StagedRows, column: int) -> None:
        super().__init__(())
        self.rows = rows
        self.column = column

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """How many cells hold each different text, in order of first place."""
        return self.rows.counted(self.column)

    def spread(self, tried: int) -> Sequence[str]:
        """Cells at even distances over the whole column: all up to `tried`, fewer than twice as many of more."""
        return self.rows.spread(self.column, tried)

    def at(self, positions: Sequence[int]) -> list[str]:
        """The cells of some rows, whose positions are in order."""
        return [row[self.column] for row in self.rows.at(positions)] if positions else []

    def times(self, texts: Sequence[str]) -> list[int]:
        """How many cells hold each of some texts."""
        return self.rows.times(self.column, texts)


@dataclass(frozen=True, slots=True)
class _Column:
    """A column as it is typed, where its values come from, and which it has."""

    typed: TypedColumn
    value: StagedValue
    values: Summary


def staged_table(raw: StagedRawTable, name: str) -> TypedTable:
    """Return a staged table with its types: what the same cells give in memory, but for where the rows are."""
    rows = raw.staged
    header = [clean(cell) for cell in raw.labels or raw.rows[0]] if raw.has_header else [""] * rows.width
    named = _named_totals(rows)
    sample = [tuple(map(clean, row)) for row in raw.rows[int(raw.has_header) :][:50]]
    language = table_language(header, sample)
    kept = [i for i in range(rows.width) if header[i] or rows.shares(i, [], ("",))[0]]
    labels = [header[i] for i in kept]
    texts = [StagedTexts(rows, i) for i in kept]
    columns = _typed_columns(rows, texts, named, language)
    typed = [column.typed for column in columns]
    totals = _total_rows(rows, named, columns)
    shifted = [replace(candidate, column=kept.index(candidate.column)) for candidate in named]
    described = described_columns(
        labels, typed, [c.values for c in columns], marks(texts, typed, totals, shifted), totals, rows.rows, language
    )
    values = [column.value for column in columns]
    if len(described) > len(labels):
        values.append(StagedValue("rows", 0, "boolean", rows=totals))
    table = assembled(raw, name, described, {remark for column in typed for remark in column.remarks}, totals)
    header_cells = raw.rows[0] if raw.has_header else None
    return replace(table, staged=StagedCells(rows, tuple(values), raw.digest, header_cells))


# ---------------------------------------------------------------- columns
def _typed_columns(
    rows: StagedRows, texts: Sequence[StagedTexts], named: Sequence[Candidate], language: str
) -> list[_Column]:
    skipped = [candidate.position for candidate in named]
    rough = rows.roughly_distinct()
    wide = [_wide_column(text, skipped) if rough[text.column] > MOST_LISTED else None for text in texts]
    plain = [None if column else plain_quantities(text.counts) for column, text in zip(wide, texts, strict=True)]
    numbers = [
        None if column or quick else numeric_cells(text.counts, Counter(text.at(skipped)), language)
        for column, quick, text in zip(wide, plain, texts, strict=True)
    ]
    vote = table_vote([*plain, *(_as_quantities(column) for column in wide if column)], numbers)
    found = []
    for column, quick, cells, text in zip(wide, plain, numbers, texts, strict=True):
        if column is not None:
            found.append(column)
            continue
        said = frozenset(word.lower() for word in text.at(skipped))
        typed = number_column(quick) if quick else typed_column(text, cells, vote, language, said)
        found.append(_Column(typed, _value(text.column, typed, quick is not None), summary(typed, text.counts)))
    return found


def _as_quantities(column: _Column) -> Quantities | None:
    typed = column.typed
    return Quantities(typed.type, {}, decimal=typed.decimal) if typed.type in ("integer", "number") else None


def _value(column: int, typed: TypedColumn, plain: bool) -> StagedValue:
    """Where the values of a column come from whose different texts were read."""
    nothing = frozenset(text.lower() for text, value in typed.read.items() if value is None)
    filled = [(text, value) for text, value in typed.read.items() if value is not None]
    if plain:
        return StagedValue("cast", column, typed.type, nothing)
    if typed.type == "text":
        return StagedValue("text", column, "text", nothing)
    if typed.type == "date" and all(text == str(value) for text, value in filled):
        return StagedValue("day", column, "date", nothing)
    return StagedValue("read", column, typed.type, read=typed.read)


def _wide_column(texts: StagedTexts, skipped: Sequence[int]) -> _Column | None:
    """Type a column of very many different texts by what its cells match; None where each has to be read."""
    return _figures(texts) or _texts_or_days(texts, skipped)


def _figures(texts: StagedTexts) -> _Column | None:
    """A column of figures as programs write them: what `plain_quantities` says of one."""
    rows, column, nulls = texts.rows, texts.column, maybe_empty_cells()
    tried = [text for text in texts.spread(TRIED) if text.lower() not in nulls]
    if not all(map(_PLAIN.fullmatch, tried)):
        return None
    others = rows.others(column, f"^(?:{PLAIN})$", len(nulls))
    if others is None or not nulls.issuperset(others):
        return None
    filled, (fractions,) = rows.shares(column, (r"\.",), others)
    if not filled or (fractions and not any(map(_PROVED.search, tried)) and not _holds(texts, PROVED_POINT, others)):
        return None
    cents = fractions == filled and all(map(_CENTS.search, tried)) and rows.others(column, TWO_DECIMALS, len(others))
    found = Quantities(
        "number" if fractions else "integer",
        {},
        decimal="." if fractions else "",
        decimals=rows.longest_behind(column, ".", others) if fractions else 0,
        cents=cents == others,
    )
    return _wide(rows, number_column(found), StagedValue("cast", column, found.type, frozenset(others)))


def _holds(texts: StagedTexts, pattern: str, nothing: Sequence[str]) -> bool:
    return texts.rows.shares(texts.column, (pattern,), nothing)[1] > (0,)


def _texts_or_days(texts: StagedTexts, skipped: Sequence[int]) -> _Column | None:
    """A column of texts of which too few can be numbers or dates, or one of ISO dates alone."""
    rows, column = texts.rows, texts.column
    nulls = maybe_empty_cells().union(text.lower() for text in texts.at(skipped))
    if not likely_dates([text for text in texts.spread(TRIED) if text.lower() not in nulls]):
        filled, (numeric,) = rows.shares(column, [NUMBER_START], maybe_empty_cells())
        # The bound holds whether rows of totals count or not.
        if numeric >= NUMERIC_SHARE * (filled - len(skipped)):
            return None
        nothing = frozenset(rows.among(column, empty_cells()))
        return _wide(rows, TypedColumn("text", {}), StagedValue("text", column, "text", nothing))
    days = whole_dates(lambda patterns: rows.shares(column, patterns, nulls))
    if days is None:
        return None
    return _wide(rows, TypedColumn("date", {}, notes=days), StagedValue("day", column, "date", nulls))


def _wide(rows: StagedRows, typed: TypedColumn, value: StagedValue) -> _Column:
    return _Column(typed, value, _summary(rows, value))


def _summary(rows: StagedRows, value: StagedValue) -> Summary:
    distinct, nulls = rows.summary(value)
    return Summary(_first_different(rows.values(value), value.type), distinct, nulls)


def _first_different(values: Iterator[Any], kind: ColumnType) -> list[str]:
    """The first different values as schemas list them: as many as are kept and looked at."""
    most, kept = most_values(kind), 0
    found: dict[str, None] = {}
    for value in values:
        if value is None:
            continue
        text = shown(value)
        if text not in found:
            found[text] = None
            kept += is_kept(text)
            if kept >= most and (kind != "text" or len(found) >= READ):
                break
    return list(found)


# ---------------------------------------------------------------- rows of totals
def _named_totals(rows: StagedRows) -> list[Candidate]:
    """What `named_totals` says of the rows."""
    found: dict[int, Candidate] = {}
    for column in range(min(LEADING, rows.width)):
        places = rows.matching(column, f"(?i){'|'.join(map(re.escape, first_words()))}")
        called = called_totals(dict.fromkeys(cell for _, cell in places))
        positions = [position for position, cell in places if cell in called and position not in found]
        for position, row in zip(positions, rows.at(positions) if positions else (), strict=True):
            candidate = candidate_of(position, row, column, called[row[column]])
            if candidate is not None:
                found[position] = candidate
    return [found[position] for position in sorted(found)]


class _Lines(Sequence[Sequence[str]]):
    """The staged rows with clean cells, fetched as they are asked for."""

    def __init__(self, rows: StagedRows) -> None:
        self._rows = rows

    def __len__(self) -> int:
        return self._rows.rows

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return self._rows.at(range(*place.indices(len(self))))
        return self._rows.at([place])[0]


def _total_rows(rows: StagedRows, named: Sequence[Candidate], columns: Sequence[_Column]) -> tuple[int, ...]:
    """What `total_rows` says of the rows; their figures are only fetched where any row may state a total."""
    figures = [c for c in columns if c.typed.type in ("integer", "number") and _is_addable(c)]
    gapped = rows.gapped([c.value.column for c in figures]) if figures else []
    if not named and not gapped and not any(_may_sum_up(rows, figures, end) for end in (0, rows.rows - 1)):
        return ()
    numbers: list[Numbers] = [list(rows.values(column.value)) for column in figures]
    lines = _Lines(rows)
    return total_rows(lines, named, numbers, zip(gapped, rows.at(gapped) if gapped else (), strict=True))


def _is_addable(column: _Column) -> bool:
    # A column whose texts weren't listed has more different ones than there are years.
    return not column.typed.read or addable(column.typed.read.values())


def _may_sum_up(rows: StagedRows, figures: Sequence[_Column], position: int) -> bool:
    """Whether a row's figures may each be the sum of all others; generous, since sums depend on their order."""
    for column in figures:
        found = rows.value_at(column.value, position)
        if found is None:
            return False
        # Integers of more than 63 bits are read as decimals.
        own = float(found)
        others = float(rows.total(column.value)) - own
        if abs(own - others) > _LOOSE * max(1.0, abs(own)):
            return False
    return bool(figures)
