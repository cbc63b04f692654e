"""The prompt of the SQL shell: several lines until a semicolon, history, completion of tables, columns and keywords."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from polyrag_cli.display.sql_words import completions, last_word, statements

PROMPT = "sql> "


def prompted(tables: Mapping[str, Sequence[str]], history: Path) -> Iterator[str]:
    """What a person enters, until Ctrl-D: whole statements with their semicolons, or backslash commands.

    tables: each table's name with the names of its columns. history: the file that keeps what was entered.
    """
    session: PromptSession[str] = PromptSession(
        history=_history(history),
        completer=SQLCompleter(tables),
        complete_while_typing=False,
        multiline=True,
        key_bindings=_keys(),
        prompt_continuation=lambda width, number, is_soft_wrap: "...> ".rjust(width),
    )
    while True:
        try:
            entered = session.prompt(PROMPT)
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        yield f"{entered}\n"


class SQLCompleter(Completer):
    """Completes the word before the cursor."""

    def __init__(self, tables: Mapping[str, Sequence[str]]) -> None:
        self._tables = tables

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """The words that fit, the likely kind first, each with its kind beside it."""
        before = document.text_before_cursor
        length = len(last_word(before))
        if before.lstrip().startswith("\\"):
            found = [(name, "table") for name in sorted(self._tables) if name.startswith(last_word(before))]
        else:
            found = [(word, str(kind)) for word, kind in completions(before, self._tables)]
        for word, kind in found:
            yield Completion(word, start_position=-length, display_meta=kind)


def is_complete(text: str) -> bool:
    """Whether what was entered is to be run: it is empty, a backslash command, or ends with a semicolon."""
    done, begun = statements(text)
    return not text.strip() or text.lstrip().startswith("\\") or (bool(done) and not begun.strip())


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=True)

    return keys


def _history(file: Path) -> History:
    """The history in a file, or in memory where that can't be written."""
    if os.access(file if file.exists() else file.parent, os.W_OK):
        return FileHistory(str(file))
    return InMemoryHistory()
