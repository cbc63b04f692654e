"""The SQL shell: statements read from a prompt or a pipe, each answered or told what is wrong with it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from rich.text import Text

from polyrag_cli.commands.output import console
from polyrag_cli.commands.show_sql import Output
from polyrag_cli.display.sql_words import statements
from polyrag_cli.display.text import counted, milliseconds, printable
from polyrag_cli.errors import PolyRAGError, UsageError
from polyrag_cli.types import TableSchema

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine

HELP = (
    ("\\d", "the tables"),
    ("\\d NAME", "a table's columns"),
    ("\\q", "leave, as Ctrl-D"),
    ("…;", "a statement, over as many lines as it needs; Tab completes"),
)


def run_shell(engine: Engine, output: Output, stdin: TextIO) -> int:
    """Answers statement after statement, of a person at a terminal or of a script in a pipe; the exit code is that of
    the first one that failed in a script, and 0 at a terminal."""
    tables = engine.corpus.tables()
    shell = Shell(engine, output, tables, stdin.isatty())
    if not stdin.isatty():
        return shell.run(stdin)
    from polyrag_cli.commands.sql_prompt import prompted

    names = {table.name: [column.name for column in table.columns] for table in tables}
    console(stderr=True).print(Text(f"{counted(len(tables), 'table')} · \\d lists them, \\q leaves", style="dim"))
    shell.run(prompted(names, _history(engine)))
    return 0


def _history(engine: Engine) -> Path:
    return engine.settings.paths.data / "sql_history"


class Shell:
    """Runs what is read, and remembers what failed."""

    def __init__(self, engine: Engine, output: Output, tables: Sequence[TableSchema], is_person: bool) -> None:
        self._is_person = is_person
        self._engine = engine
        self._output = output
        self._tables = tables
        self._err = console(stderr=True)
        self._commands: Mapping[str, Callable[[str], None]] = {"d": self._describe, "?": self._help, "h": self._help}

    def run(self, lines: Iterable[str]) -> int:
        """Runs every statement and every backslash command of some lines; returns the first failure's exit code."""
        code = 0
        for piece in _pieces(lines):
            if piece == "\\q":
                break
            try:
                self._answer(piece)
            except PolyRAGError as error:
                self._err.print(Text(printable(" ".join(str(error).splitlines())), style="red"), soft_wrap=True)
                code = code or error.exit_code
            except KeyboardInterrupt:
                if not self._is_person:
                    raise
                self._err.print(Text("interrupted", style="red"))
        return code

    def _answer(self, piece: str) -> None:
        if piece.startswith("\\"):
            name, _, argument = piece[1:].partition(" ")
            command = self._commands.get(name)
            if command is None:
                raise UsageError(f"{piece}: no such command.", "\\? lists them.")
            command(argument.strip())
            return
        started = time.perf_counter()
        rows = self._engine.sql(piece, self._output.max_rows)
        self._output.show(rows)
        took = milliseconds((time.perf_counter() - started) * 1000)
        self._err.print(Text(f"{counted(len(rows.rows), 'row')} · {took}", style="dim"))

    def _describe(self, name: str) -> None:
        from polyrag_cli.commands.show_rows import show_rows

        if not name:
            rows = [(table.name, table.rows, len(table.columns), table.document) for table in self._tables]
            show_rows(("table", "rows", "columns", "document"), rows, console())
            return
        table = self._table(name.rstrip(";").strip('"'))
        columns = [(column.name, column.type, column.distinct, column.label) for column in table.columns]
        show_rows(("column", "type", "distinct", "label"), columns, console())

    def _table(self, name: str) -> TableSchema:
        known = {table.name.casefold(): table for table in self._tables}
        if name.casefold() not in known:
            near = get_close_matches(name.casefold(), known, 1)
            hint = f"The nearest is {known[near[0]].name!r}." if near else "\\d lists the tables."
            raise UsageError(f"There is no table {name!r}.", hint)
        return known[name.casefold()]

    def _help(self, _: str) -> None:
        for command, meaning in HELP:
            console().print(Text(f"  {command:<9} {meaning}"))


def _pieces(lines: Iterable[str]) -> Iterator[str]:
    """The statements and the backslash commands that lines hold; a last statement needs no semicolon."""
    begun = ""
    for line in lines:
        if not begun.strip() and line.lstrip().startswith("\\"):
            yield line.strip().rstrip(";").strip()
            continue
        done, begun = statements(f"{begun}{line}")
        yield from done
        begun = begun if begun.strip() else ""
    if begun.strip():
        yield begun.strip()
