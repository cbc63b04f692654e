"""What a second writer of SQL may know: the tables and columns that a question is linked to, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from polyrag_cli.text.fold import fold
from polyrag_cli.text.stem import all_stems
from polyrag_cli.text.utterance import Utterance
from polyrag_cli.types import Column, TableSchema

_VALUES = 12
_WORD = re.compile(r"\w+")


def linked(asked: Utterance, statement: str, schemas: Sequence[TableSchema]) -> tuple[TableSchema, ...]:
    """The tables with those of their columns that a question names, means by a value, or that a statement uses.

    statement: what was written for the question already. schemas: the tables that the question was linked to.
    """
    words = {stem for word in _WORD.findall(fold(asked.text)) for stem in all_stems(word)}
    used = set(_WORD.findall(statement))
    cut = []
    for schema in schemas:
        columns = tuple(c for c in schema.columns if c.name in used or _is_named(c, words) or _held(c, asked.text))
        if columns:
            cut.append(replace(schema, columns=columns))
    return tuple(cut)


def card(asked: Utterance, schemas: Sequence[TableSchema]) -> str:
    """A table a paragraph: its name and its columns with types, units, and values, those in the question first."""
    lines: list[str] = []
    for schema in schemas:
        lines.append(f"TABLE {schema.name} ({schema.rows} rows)")
        lines += (f"  {_column(column, asked.text)}" for column in schema.columns)
    return "\n".join(lines)


def _column(column: Column, question: str) -> str:
    described = f"{column.name} {column.type}"
    if fold(column.label) != column.name.replace("_", " "):
        described += f' "{column.label}"'
    if column.unit:
        described += f" in {column.unit}"
    if column.type != "text":
        return described
    held = list(_held(column, question))
    shown = [*held, *(value for value in column.values if value not in held)][:_VALUES]
    more = ", …" if column.distinct > len(shown) else ""
    return f"{described}: {', '.join(repr(value) for value in shown)}{more}"


def _is_named(column: Column, words: Collection[str]) -> bool:
    spelled = _WORD.findall(fold(f"{column.name.replace('_', ' ')} {column.label}"))
    return any(stem in words for word in spelled for stem in all_stems(word))


def _held(column: Column, question: str) -> tuple[str, ...]:
    """The values of a column that stand in the question, in their order."""
    return tuple(_held_in(column, f" {' '.join(_WORD.findall(fold(question)))} "))


def _held_in(column: Column, words: str) -> Iterator[str]:
    if column.type != "text":
        return
    for value in column.values:
        spelled = " ".join(_WORD.findall(fold(value)))
        if spelled and f" {spelled} " in words:
            yield value
