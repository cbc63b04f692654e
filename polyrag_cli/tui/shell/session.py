"""What of the dashboard survives a restart, and the file in the data directory that keeps it.

The file is disposable: one that is damaged or can't be written costs a notice, never the dashboard.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import RLock
from typing import Any

from polyrag_cli.display.text import printable
from polyrag_cli.errors import StoreError, reason
from polyrag_cli.tui.state import MAX_TURNS, Turn
from polyrag_cli.types import as_json
from polyrag_cli.whole_file import write_whole

FILE = "tui-session.json"
MAX_BYTES = 4_000_000
"""Characters of JSON that the kept turns may take; the oldest ones are dropped first."""
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Saved:
    """What is kept: the active tab's id, the theme's name, the conversation, each view's own values.

    note: what went wrong with reading it; empty when nothing did.
    """

    tab: str = ""
    theme: str = ""
    turns: tuple[Turn, ...] = ()
    views: Mapping[str, dict[str, object]] = field(default_factory=dict)
    note: str = ""


class Session:
    """The session's file; `save` may be called from any thread.

    Nothing is written before `load` has named the data directory, nor where there is none. trouble: why the last `save`
    failed, in one line; "" when it didn't.
    """

    def __init__(self) -> None:
        self.trouble = ""
        self._folder: Path | None = None
        self._written = ""
        self._unchanged: str | None = None
        # Which file was written: another dashboard on the same data directory may have put its own in that place.
        self._file: tuple[int, int] | None = None
        self._texts: dict[int, tuple[Turn, str]] = {}
        # Reentrant: a signal may ask for it while it saves.
        self._lock = RLock()

    def load(self, folder: Path) -> Saved:
        """What the data directory's last dashboard kept; nothing, with a note, where its file can't be read."""
        self._folder = folder
        try:
            text = (folder / FILE).read_text(encoding="utf-8")
        except FileNotFoundError:
            return Saved()
        except (OSError, ValueError) as error:
            return Saved(note=f"{FILE} can't be read ({reason(error)}); the session starts empty.")
        try:
            return _read(json.loads(text))
        except (StoreError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return Saved(note=f"{FILE} is damaged; the session starts empty.")

    def set_unchanged(self, saved: Saved) -> None:
        """Says what the dashboard shows after `load`: as long as nobody changes it, nothing is written, so that an idle
        dashboard takes nothing from another one."""
        with suppress(TypeError, ValueError, RecursionError), self._lock:
            self._unchanged = self._text(saved)

    def save(self, saved: Saved, at_end: bool = False) -> str:
        """Writes what changed since the last time, in one step, so that no reader sees half a file.

        at_end: writes it also when another dashboard's has taken its place since; of several, the one that is left last
        is kept. Returns why it couldn't, once per reason; "" otherwise.
        """
        with self._lock:
            if self._folder is None or not self._folder.is_dir():
                return ""
            try:
                text = self._text(saved)
            except (TypeError, ValueError, RecursionError) as error:
                return self._noted(f"the session isn't kept: {error}")
            file = self._folder / FILE
            if text == self._unchanged or (text == self._written and not (at_end and _identity(file) != self._file)):
                self.trouble = ""
                return ""
            note = _write(file, text)
            # What couldn't be written is tried again, with the same content as well.
            if not note:
                self._written, self._unchanged, self._file = text, None, _identity(file)
            return self._noted(note)

    def _noted(self, note: str) -> str:
        """The note, unless it was given the last time."""
        told, self.trouble = self.trouble, note
        return note if note != told else ""

    def _text(self, saved: Saved) -> str:
        texts, left = [], MAX_BYTES
        for turn in reversed(saved.turns[-MAX_TURNS:]):
            text = self._turn_text(turn)
            left -= len(text)
            if left < 0:
                break
            texts.append(text)
        self._texts = {turn.number: self._texts[turn.number] for turn in saved.turns if turn.number in self._texts}
        head = json.dumps({"version": _VERSION, "tab": saved.tab, "theme": saved.theme, "views": saved.views})
        return f'{head[:-1]}, "turns": [{", ".join(reversed(texts))}]}}'

    def _turn_text(self, turn: Turn) -> str:
        """A turn as JSON, made once: of a long conversation only the last turn is new."""
        known = self._texts.get(turn.number)
        if known is not None and known[0] is turn:
            return known[1]
        text = json.dumps(_fields(turn))
        self._texts[turn.number] = (turn, text)
        return text


def _fields(turn: Turn) -> dict[str, Any]:
    decision = turn.decision if turn.answer is None else None
    return {
        "number": turn.number,
        "question": turn.question,
        "route": turn.route,
        "strategy": turn.strategy,
        "beside": turn.beside,
        "error": turn.error or ("" if turn.answer else "The dashboard was closed before the answer was there."),
        "lines": {str(number): line for number, line in turn.lines.items()},
        "answer": as_json(turn.answer),
        "decision": as_json(decision),
    }


def _read(values: Any) -> Saved:
    if values["version"] != _VERSION:
        return Saved(note=f"{FILE} is of another version; the session starts empty.")
    views = {str(name): _shown(dict(view)) for name, view in dict(values["views"]).items()}
    turns = tuple(_turn(fields) for fields in values["turns"][-MAX_TURNS:])
    return Saved(str(values["tab"]), str(values["theme"]), turns, views)


def _shown(value: Any) -> Any:
    """A JSON value whose texts can be drawn: what stands in boxes goes to the terminal as it is."""
    match value:
        case str():
            return printable(value).encode("utf-8", "replace").decode("utf-8")
        case list():
            return [_shown(item) for item in value]
        case dict():
            return {key: _shown(item) for key, item in value.items()}
    return value


def _turn(fields: Mapping[str, Any]) -> Turn:
    from polyrag_cli.answering.records import answer_from_fields
    from polyrag_cli.routing.replay import decision_from_json

    answer = None if fields["answer"] is None else answer_from_fields(fields["answer"])
    decision = None if fields["decision"] is None else decision_from_json(fields["decision"])
    return Turn(
        number=int(fields["number"]),
        question=str(fields["question"]),
        route=_name(fields["route"]),
        strategy=_name(fields["strategy"]),
        beside=None if fields["beside"] is None else int(fields["beside"]),
        phase="failed" if answer is None else "answered",
        decision=decision if answer is None else answer.decision,
        answer=answer,
        lines={int(number): str(line) for number, line in fields["lines"].items()},
        error=str(fields["error"]),
    )


def _name(value: object) -> str | None:
    return None if value is None else str(value)


def _identity(file: Path) -> tuple[int, int] | None:
    """What tells a file from one that was put in its place; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_ino, found.st_mtime_ns


def _write(file: Path, text: str) -> str:
    try:
        # Disposable, and written from the thread that draws: it doesn't wait for the disk.
        write_whole(file, text, durable=False)
    except StoreError as error:
        return f"the session isn't kept: {error.message}"
    return ""
