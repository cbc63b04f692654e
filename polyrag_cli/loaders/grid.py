"""Owns how rows of cell texts, whatever file they came from, become tables: what stands around them, their headers,
and where one ends and the next begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from polyrag_cli.loaders.cell_kinds import is_value
from polyrag_cli.loaders.headers import header_rows, joined, labels, names_columns, same_names
from polyrag_cli.loaders.ragged import content_width, evened

_PEEKED = 20
_LONGEST_ASIDE = 50
_MOST_NOTED = 6
_LONGEST_NOTE = 200

Rows = list[list[str]]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table cut out of rows: header first when `has_header`; rows are equally long.

    notes: what stood above and below. labels: what the columns are called where several header rows say it together,
    () when the header row does. caption: the line right above the table; title: the same, of one that isn't the first.
    start: the position of its first row, of what stands above included.
    """

    rows: tuple[tuple[str, ...], ...]
    has_header: bool
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    title: str = ""
    caption: str = ""
    start: int = 0


def split_tables(rows: Sequence[Sequence[str]], delimiter: str = " ", keep_empty: bool = False) -> list[Grid]:
    """All tables that rows hold, in order: lines around them off, headers found, ragged rows repaired.

    A new table begins where a row names other columns, behind empty rows, a title or with another number of cells;
    a header that is said once more is left out. A block of rows without a header goes on with the table above it.

    delimiter: joins the surplus cells of a row that is too long. keep_empty: columns at the right edge stay although
    none of their cells holds anything.
    """
    blocks = [_Block(start + offset, part) for start, whole in _filled_runs(rows) for offset, part in _parts(whole)]
    wide = any(not block.is_lines for block in blocks)
    if not wide:
        every = [row for block in blocks for row in block.rows]
        return [_grid(_Found(blocks[0].start, every), delimiter, keep_empty)] if every else []
    return [_grid(table, delimiter, keep_empty) for table in _tables(blocks)]


@dataclass(slots=True)
class _Block:
    """Rows without an empty one between."""

    start: int
    rows: Rows

    @property
    def is_lines(self) -> bool:
        """Whether each row holds one text at most: lines, not records."""
        return all(content_width(row) < 2 or len({cell.strip() for cell in row} - {""}) < 2 for row in self.rows)


class _Found:
    """A table as it is put together: its rows, what stood above and below, and how often its header came again."""

    def __init__(self, start: int, rows: Rows, above: Sequence[str] = ()) -> None:
        self.start = start
        self.rows = rows
        self.above = list(above)
        self.below: list[str] = []
        self.repeats = 0
        self.follows = False

    @property
    def width(self) -> int:
        return max(map(content_width, self.rows[:_PEEKED]))


def _filled_runs(rows: Sequence[Sequence[str]]) -> list[tuple[int, Rows]]:
    """Runs of rows that hold anything, with the position of the first."""
    runs: list[tuple[int, Rows]] = []
    following = -1
    for position, row in enumerate(rows):
        if not any(cell and not cell.isspace() for cell in row):
            continue
        if position != following:
            runs.append((position, []))
        runs[-1][1].append(list(row))
        following = position + 1
    return runs


def _parts(rows: Rows) -> list[tuple[int, Rows]]:
    """A run of rows, cut before each row that begins a table of other columns, with the position of each part."""
    cuts = [0]
    lead = _lead(rows, max(map(content_width, rows[:_PEEKED])))
    column = _first_value_column(rows[lead : lead + _PEEKED])
    if column is None:
        return [(0, rows)]
    for position in range(lead + 2, len(rows) - 1):
        row = rows[position]
        cell = row[column] if column < len(row) else ""
        if cell[:1].isdigit() or not cell or is_value(cell):
            continue
        if names_columns(row, rows[position + 1 : position + 1 + _PEEKED]) and _changes(rows, position):
            titled = content_width(rows[position - 1]) == 1
            cuts.append(position - titled)
    return [(start, rows[start:end]) for start, end in zip(cuts, [*cuts[1:], len(rows)], strict=True)]


def _lead(rows: Rows, width: int) -> int:
    """How many rows stand above the header: lines, in a table of at least two columns."""
    if width < 2:
        return 0
    comments = _comments(rows, width)
    for index, row in enumerate(rows[comments:], comments):
        contents = {cell.strip() for cell in row} - {""}
        if len(contents) > 1 and content_width(row) * 2 > width:
            return index
    return 0


def _comments(rows: Rows, width: int) -> int:
    """How many of the first rows are comments; the last of them may be the header instead."""
    count = next((index for index, row in enumerate(rows) if not row[0].lstrip().startswith("#")), 0)
    return count - 1 if count and content_width(rows[count - 1]) == width > 2 else count


def _first_value_column(rows: Rows) -> int | None:
    for column in range(max(map(len, rows), default=0)):
        cells = [row[column] for row in rows[1:] if column < len(row) and row[column].strip()]
        if cells and sum(map(is_value, cells)) > 0.6 * len(cells):
            return column
    return None


def _changes(rows: Rows, position: int) -> bool:
    """Whether from here on rows have another number of cells than just above, or a title stands before."""
    if content_width(rows[position - 1]) == 1 and len(rows[position]) > 2:
        return True
    length = len(rows[position])
    after = rows[position + 1 : position + 1 + _PEEKED]
    before = rows[max(0, position - _PEEKED) : position]
    return all(len(row) == length for row in after) and not any(len(row) == length for row in before)


def _tables(blocks: Sequence[_Block]) -> list[_Found]:
    found: list[_Found] = []
    lines: list[tuple[int, list[str]]] = []
    for number, block in enumerate(blocks):
        if block.is_lines or (not found and _is_preface(block, blocks[number + 1 :])):
            lines += [(block.start + offset, row) for offset, row in enumerate(block.rows)]
            continue
        last = found[-1] if found else None
        if last is None:
            found.append(_Found(lines[0][0] if lines else block.start, block.rows, [_text(row) for _, row in lines]))
        elif not lines and same_names(block.rows[0], _header(last.rows)):
            last.rows += block.rows[1:]
            last.repeats += 1
        elif _is_aside(block, last):
            last.below += [_text(row) for _, row in lines] + [
                " ".join(filter(None, map(str.strip, row))) for row in block.rows
            ]
        elif _begins_table(block, last):
            table = _Found(lines[0][0] if lines else block.start, block.rows, [_text(row) for _, row in lines])
            table.follows = True
            found.append(table)
        else:
            last.rows += [row for _, row in lines] + block.rows
        lines = []
    found[-1].below += [_text(row) for _, row in lines]
    return found


def _header(rows: Rows) -> list[str]:
    return rows[_lead(rows, max(map(content_width, rows[:_PEEKED])))]


def _is_preface(block: _Block, following: Sequence[_Block]) -> bool:
    """Whether a block above the first table says something of it: names and their values, not columns."""
    if len(block.rows) > _PEEKED:
        return False
    filled = max(len({cell.strip() for cell in row} - {""}) for row in block.rows)
    width = max(map(content_width, block.rows))
    wider = any(
        max(map(content_width, other.rows[:_PEEKED])) > max(2, filled) and len(other.rows) >= len(block.rows)
        for other in following
        if not other.is_lines
    )
    rows = [_padded(row, width) for row in block.rows]
    header = _lead(rows, width)
    return filled <= 2 and wider and not names_columns(rows[header], rows[header + 1 :])


def _is_aside(block: _Block, table: _Found) -> bool:
    """Whether a block below a table is too narrow to be one or to belong to it: "Source:" and a name."""
    if len(block.rows) > _LONGEST_ASIDE:
        return False
    width = max(map(content_width, block.rows))
    narrow = 2 * width < table.width or (width == 2 and table.width > 2)
    return len(table.rows) > 2 and narrow and not any(is_value(cell) for row in block.rows for cell in row[1:])


def _begins_table(block: _Block, table: _Found) -> bool:
    """Whether a block has a header of its own rather than going on with the table above."""
    width = max(map(content_width, block.rows[:_PEEKED]))
    lead = _lead(block.rows, width)
    rows = block.rows[lead:]
    if len(rows) < 2:
        return False
    if names_columns(rows[0], rows[1 : 1 + _PEEKED]):
        return True
    return width != table.width and header_rows([_padded(row, width) for row in rows[:_PEEKED]]) > 0


def _padded(row: Sequence[str], width: int) -> list[str]:
    return [*row[:width], *[""] * (width - len(row))]


def _grid(table: _Found, delimiter: str, keep_empty: bool) -> Grid:
    rows = table.rows
    width = _width(rows, keep_empty)
    lead = _lead(rows, width)
    above = [*table.above, *(_text(row) for row in rows[:lead])]
    body = rows[lead:]
    body, below = _without_footnotes(body, width)
    below += table.below
    body[0], width = _fitting_header(body, width)
    body, warnings = evened(body, width, delimiter)
    count = header_rows(body)
    header = [joined(body[:count])] if count else []
    records = _without_repeats(body[count:], body[count - 1]) if count else body
    repeats = table.repeats + len(body) - count - len(records)
    grid_rows = (*header, *map(tuple, records))
    notes = _notes(above, below)
    if count > 1:
        notes += (f"{count} header rows joined",)
    if repeats:
        notes += (f"{repeats} repeated header {'row' if repeats == 1 else 'rows'} left out",)
    named = labels(body[:count]) if count > 1 else ()
    if count:
        warnings += _header_warnings(named or header[0])
    return Grid(
        grid_rows,
        count > 0,
        notes,
        tuple(warnings),
        labels=named,
        title=above[-1] if above and table.follows else "",
        caption=above[-1] if above else "",
        start=table.start,
    )


def _text(row: Sequence[str]) -> str:
    return " ".join(dict.fromkeys(cell.strip() for cell in row if cell.strip()))


def _notes(above: Sequence[str], below: Sequence[str]) -> tuple[str, ...]:
    found = []
    for where, lines in (("above", above), ("below", below)):
        found += [f"{where} the table: {line[:_LONGEST_NOTE]}" for line in lines[:_MOST_NOTED]]
        if len(lines) > _MOST_NOTED:
            found.append(f"{where} the table: {len(lines) - _MOST_NOTED} more lines")
    return tuple(found)


def _width(rows: Rows, keep_empty: bool) -> int:
    """The commonest number of cells, the larger one on a tie; trailing cells that are always empty don't count."""
    counts = Counter(map(len, rows))
    width = max(counts, key=lambda size: (counts[size], size))
    if keep_empty:
        return max(1, width)
    fitting = [content_width(row) for row in rows if len(row) == width]
    return max(1, *fitting)


def _without_footnotes(rows: Rows, width: int) -> tuple[Rows, list[str]]:
    """The rows without the lines at their end that hold one text in the first cell, and these lines.

    Only in a table of three columns or more: in one of two, a row may well lack its other cell.
    """
    end = len(rows)
    while width > 2 and end > 2 and content_width(rows[end - 1]) == 1 and not is_value(rows[end - 1][0]):
        end -= 1
    alone = sum(content_width(row) == 1 for row in rows[1:end])
    if end == len(rows) or alone > 0:
        return list(rows), []
    return rows[:end], [_text(row) for row in rows[end:]]


def _fitting_header(rows: Rows, width: int) -> tuple[list[str], int]:
    """The first row and the width once both agree: a header may have a cell too many, or name more than rows hold, or
    lack a name for the rows' names."""
    first = rows[0]
    content = content_width(first)
    if len(first) == width - 1 and _names_rows(rows[1:], width):
        return ["", *first], width
    if content <= width:
        return first, width
    surplus = content - width
    empty = [index for index, cell in enumerate(first[:content]) if not cell.strip()]
    if len(empty) == surplus:
        return [cell for index, cell in enumerate(first[:content]) if index not in empty], width
    return first, content if not any(map(is_value, first)) and len(rows) > 1 else width


def _names_rows(rows: Rows, width: int) -> bool:
    """Whether the first column holds the rows' own names, above which some programs write no name."""
    full = [row for row in rows if len(row) == width]
    names = [row[0] for row in full]
    filled = sum(bool(row[-1].strip()) for row in full)
    return len(full) > 1 and 2 * filled > len(full) and len(set(names)) == len(names) and all(names)


def _without_repeats(rows: Rows, header: Sequence[str]) -> Rows:
    """The rows without those that say the header once more."""
    first = header[0]
    return [row for row in rows if row[0] != first or not same_names(row, header)]


def _header_warnings(header: Sequence[str]) -> list[str]:
    counts = Counter(cell.strip() for cell in header)
    empty = counts.pop("", 0)
    twice = [name for name, count in counts.items() if count > 1]
    warnings = []
    if twice:
        warnings.append(f"Duplicate column names: {', '.join(twice[:5])}.")
    if empty:
        warnings.append(f"{empty} column{'s'[: empty > 1]} without a name.")
    return warnings
