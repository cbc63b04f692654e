"""The command line: mounts the commands, and is the one place where an exception becomes an exit code.

Exit codes: 0 ok · 1 nothing found · 2 usage, configuration, refused · 3 a file, a store or a provider failed · 4 a
gate failed or a replay differs · 130 interrupted.
"""

from __future__ import annotations

import copy
import gc
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import typer

from polyrag_cli import __version__
from polyrag_cli.commands import (
    ask,
    bench,
    corpus,
    doctor,
    evaluate,
    ingest,
    init,
    manual,
    replay,
    route,
    search,
    sql,
    trace,
    tui,
    tune,
)
from polyrag_cli.commands.options import ConfigOption, DataOption, set_global
from polyrag_cli.display.text import printable
from polyrag_cli.errors import PolyRAGError, StoreError, UsageError

INTERRUPTED = 130
MAX_UNEXPECTED = 200
# Objects made between two collections of cycles: most of what a command makes lives to its end.
YOUNG_OBJECTS = 20_000

app = typer.Typer(
    name="polyrag",
    help="Answers questions over a folder of mixed files; routes them with arithmetic, and shows it.",
    epilog="Start with: polyrag ingest FOLDER, then polyrag ask QUESTION",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"polyrag {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    data: DataOption = None,
    config: ConfigOption = None,
    version: bool = typer.Option(False, "--version", help="Print the version.", callback=_print_version, is_eager=True),
) -> None:
    set_global(data, config)


app.command("init")(init.init)
app.command("ingest")(ingest.ingest)
app.command("ask")(ask.ask)
app.command("search")(search.search)
app.command("route")(route.route)
app.command("replay")(replay.replay)
app.add_typer(trace.app, name="trace")
app.command("sql")(sql.sql)
app.add_typer(corpus.app, name="corpus")
app.command("eval")(evaluate.evaluate)
app.add_typer(tune.app, name="tune")
app.command("bench")(bench.bench)
app.command("doctor")(doctor.doctor)
app.command("tui")(tui.tui)
app.command("manual")(manual.manual)


def main(argv: list[str] | None = None) -> NoReturn:
    """Runs a command line and exits with its code."""
    _open_standard_streams()
    for stream in (sys.stdout, sys.stderr):
        # A terminal that lacks a character gets its escape instead of an exception.
        stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    gc.set_threshold(YOUNG_OBJECTS)
    code = run(sys.argv[1:] if argv is None else argv)
    # The interpreter would look through all objects twice before it gives their memory back.
    gc.freeze()
    sys.exit(code)


def _open_standard_streams() -> None:
    """Puts the null device where a standard stream is closed: a store's file would get its number, and its output."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            opened = os.open(os.devnull, os.O_RDWR)
            if opened != number:
                os.dup2(opened, number)
                os.close(opened)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


def run(argv: list[str]) -> int:
    """Runs a command line and returns its exit code; errors go to stderr, one line each."""
    command = typer.main.get_command(_part_for(argv))
    try:
        result: Any = command.main(args=argv, prog_name="polyrag", standalone_mode=False)
    except PolyRAGError as error:
        return _report(_context_name(argv), str(error), error.exit_code)
    except typer.TyperException as error:
        return _report_usage(error)
    except (KeyboardInterrupt, typer.Abort):
        result = INTERRUPTED
    except SystemExit as stop:
        # typer and rich both turn a closed pipe into exit code 1.
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        return _stop_writing()
    except BrokenPipeError:
        return _stop_writing()
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        return _report(_context_name(argv), f"{where}{error.strerror or error}.", StoreError.exit_code)
    except Exception as error:  # noqa: BLE001 - the boundary of the process
        return _report(_context_name(argv), _unexpected(error), StoreError.exit_code)
    if result == INTERRUPTED:
        return _report("polyrag", "interrupted; what was committed stays.", INTERRUPTED)
    return result if isinstance(result, int) else 0


def _part_for(argv: list[str]) -> typer.Typer:
    """The application with the one command that is named; whole where none is, as its help and its errors name all.

    Building all commands takes as long as routing a question.
    """
    words = iter(argv)
    name = next((word for word in words if not _global_option(word, words)), "")
    part = copy.copy(app)
    part.registered_commands = [command for command in app.registered_commands if command.name == name]
    part.registered_groups = [group for group in app.registered_groups if group.name == name]
    return part if part.registered_commands or part.registered_groups else app


def _global_option(word: str, rest: Iterator[str]) -> bool:
    """Whether a word is one of the options that stand before a command's name; its value is taken from `rest`."""
    if word in ("--data", "--config"):
        next(rest, None)
        return True
    return word.startswith(("--data=", "--config="))


def _unexpected(error: Exception) -> str:
    """The one line for what no part foresaw: 1, the interpreter's code for it, means that nothing was found."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    place = f"{Path(frame.filename).name}:{frame.lineno}"
    text = str(error)[:MAX_UNEXPECTED]
    return f"unexpected {type(error).__name__}: {text} (at {place}). Run `polyrag doctor`; if all is well, report it."


def _stop_writing() -> int:
    """The reader (head, a pager) has enough; without this the interpreter complains while it flushes."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _context_name(argv: list[str]) -> str:
    names = getattr(typer.main.get_command(app), "commands", {})
    return next((f"polyrag {word}" for word in argv if word in names), "polyrag")


def _report_usage(error: typer.TyperException) -> int:
    """A wrong command line: the help where nothing was asked for, else one line with the command to look at."""
    context = getattr(error, "ctx", None)
    name = context.command_path if context else "polyrag"
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    if context is not None and message == context.get_help():
        typer.echo(message, err=True)
        return UsageError.exit_code
    option = getattr(error, "option_name", None)
    if context is not None and context.parent is None and option in _options_of_commands():
        return _report(name, f"{option} belongs to a command: put {option} after the command.", UsageError.exit_code)
    return _report(name, f"{message} Try: {name} --help", UsageError.exit_code)


def _options_of_commands() -> set[str]:
    """Every option of any command."""
    commands = getattr(typer.main.get_command(app), "commands", {})
    return {word for command in commands.values() for parameter in command.params for word in parameter.opts}


def _report(name: str, message: str, code: int) -> int:
    typer.echo(printable(" ".join(f"{name}: {message}".splitlines())), err=True)
    return code
