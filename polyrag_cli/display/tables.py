"""A table's audit card in words."""

from __future__ import annotations

from collections.abc import Iterator

from polyrag_cli.display.text import clip, counted, printable
from polyrag_cli.types import ColumnCard, Relation, TableCard

_NAME_MAX = 28
_TEXT_MAX = 24
_LEAST_ROOM = 8


def card_lines(card: TableCard, width: int = 100) -> list[str]:
    """A table's card: where it is from, how it was read, its columns with what of them wasn't, its relations.

    width: characters that a column's line has for its values.
    """
    place = f" › {card.place}" if card.place else ""
    lines = [f"{card.name}  {counted(card.rows, 'row')} × {len(card.columns)}  from {card.document}{place}"]
    lines += [f"  {name:<8} {text}" for name, text in _facts(card) if text]
    return [_one_line(line) for line in [*lines, "", *_columns(card, width), *_relations(card)]]


def _facts(card: TableCard) -> Iterator[tuple[str, str]]:
    yield "read as", card.dialect
    yield "hidden", "its workbook doesn't show this sheet" if card.hidden else ""
    yield "keys", ", ".join(card.keys)
    if card.unread:
        columns = sum(column.unread > 0 for column in card.columns)
        yield "unread", f"{counted(card.unread, 'cell')} in {counted(columns, 'column')}; they count as empty"
    said = {note for column in card.columns for note in column.notes}
    # What concerns columns stands beside them.
    yield from (("note", note) for note in card.notes if not any(note.startswith(f"{one} (") for one in said))


def _columns(card: TableCard, width: int) -> list[str]:
    names = min(_NAME_MAX, max([6, *(len(column.name) for column in card.columns)]))
    units = max([4, *(len(column.unit) for column in card.columns)])
    lines = [f"  {'column':<{names}}  {'type':<7}  {'unit':<{units}}  empty  different  such as"]
    for column in card.columns:
        line = (
            f"  {clip(column.name, names):<{names}}  {column.type:<7}  {column.unit:<{units}}"
            f"  {_share(column.null_share):>5}  {column.distinct:>9,}  "
        )
        lines.append(f"{line}{_samples(column, width - len(line))}".rstrip())
        lines += [f"  {'':<{names}}  {remark}" for remark in _remarks(column)]
    return lines


def _samples(column: ColumnCard, room: int) -> str:
    """As many of a column's values as there is room for, the first one cut to it."""
    shown = [clip(sample, _TEXT_MAX) for sample in column.samples]
    while len(shown) > 1 and len(", ".join(shown)) > room:
        shown.pop()
    return clip(", ".join(shown), max(_LEAST_ROOM, room))


def _remarks(column: ColumnCard) -> Iterator[str]:
    if column.total:
        yield "says which rows state totals"
        return
    if "_".join(column.label.casefold().split()) != column.name:
        yield f"“{column.label}” in the source"
    yield from column.notes
    if column.unread:
        yield f"unread: {', '.join(f'“{clip(text, _TEXT_MAX)}”' for text in column.unread_samples)}"


def _share(share: float) -> str:
    """A share in percent; a small one isn't written as none, nor a large one as all."""
    if 0 < share < 0.01:
        return "< 1 %"
    return "> 99 %" if 0.99 < share < 1 else f"{share * 100:.0f} %"


def _relations(card: TableCard) -> list[str]:
    lines = [f"    {_relation(one, card.name)}" for one in card.relations]
    return ["", "  relations", *lines] if lines else []


def _relation(one: Relation, table: str) -> str:
    out = f"{one.column} → {one.other}.{one.other_column}"
    back = f"{one.other_column} ← {one.table}.{one.column}"
    declared = ", declared by the database" if one.declared else ""
    return f"{out if one.table == table else back}  {_share(one.containment)} of the values{declared}"


def _one_line(text: str) -> str:
    """A line without breaks, its spaces as they are."""
    return printable(text).replace("\n", " ").replace("\t", " ")
