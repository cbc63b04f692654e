"""What `polyrag tune answers` and `polyrag tune tables` have in common: labelled folders, and their engines."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from polyrag_cli.errors import UsageError

if TYPE_CHECKING:
    from polyrag_cli.config import Settings
    from polyrag_cli.engine import Engine
    from polyrag_cli.types import EvalItem

Case = TypeVar("Case")


@dataclass(frozen=True, slots=True)
class LabelledFolder:
    """A folder or data directory with the questions about it; name: as it was given."""

    name: str
    path: Path
    items: tuple[EvalItem, ...]


def labelled_folders(named: Sequence[str], routes: Sequence[str]) -> list[LabelledFolder]:
    """The folders of `FOLDER=QUESTIONS` words, in their order.

    routes: those that labels may name. Raises UsageError for what is no such pair, or isn't there.
    """
    from polyrag_cli.datasets import check_routes, load_set

    found: dict[str, LabelledFolder] = {}
    for word in named:
        folder, equals, questions = word.rpartition("=")
        if not equals or not folder or not questions:
            raise UsageError(f"{word}: no pair.", "Write FOLDER=QUESTIONS, such as notes=notes.yaml.")
        if not Path(folder).exists():
            raise UsageError(f"{folder}: no such folder.")
        items = load_set(Path(questions))
        check_routes(Path(questions), items, routes)
        before = found[folder].items if folder in found else ()
        found[folder] = LabelledFolder(folder, Path(folder), (*before, *items))
    return list(found.values())


@contextmanager
def lenient_engine(settings: Settings, folder: LabelledFolder) -> Iterator[Engine]:
    """An engine over a folder that declines nothing for lack of probability or confidence.

    A data directory is read as it is; any other folder is ingested into a temporary one.
    """
    from polyrag_cli.commands.show_ingest import progress
    from polyrag_cli.engine import Engine
    from polyrag_cli.evaluation.quality.fresh import fresh_engine

    answer = replace(settings.answer, min_probability=0.0, min_confidence=0.0)
    # An answer that was given is told, not served.
    lenient = replace(settings, answer=answer, cache=replace(settings.cache, enabled=False))
    with Engine(lenient.with_data(folder.path)) as kept:
        if kept.has_corpus:
            yield kept
            return
    with Engine(lenient) as engine, fresh_engine(engine, [folder.path], progress) as fresh:
        yield fresh


def asked_of_all(
    settings: Settings,
    named: Sequence[str],
    ask: Callable[
        [Engine, str, Sequence[EvalItem], Callable[[int, int], None]], tuple[Sequence[Case], Mapping[str, int]]
    ],
) -> tuple[list[Case], dict[str, int]]:
    """What each folder's questions come to, and how many say nothing, by the reason.

    named: words FOLDER=QUESTIONS. ask: asks one folder's questions, by its name, and tells how far it is.

    Raises UsageError for a pair that can't be read, what ingesting does for a folder that can't.
    """
    from polyrag_cli.commands.progress import telling
    from polyrag_cli.display.text import clip

    cases: list[Case] = []
    left_out: dict[str, int] = {}
    for folder in labelled_folders(named, [route.name for route in settings.routes]):
        with lenient_engine(settings, folder) as engine, telling(clip(folder.name, 40), "questions") as tell:
            found, out = ask(engine, folder.name, folder.items, partial(tell, ""))
        cases += found
        for reason, count in out.items():
            left_out[reason] = left_out.get(reason, 0) + count
    return cases, left_out
