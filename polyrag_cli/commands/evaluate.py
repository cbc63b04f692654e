"""polyrag eval: quality on labelled sets, and the gate that compares it with a baseline."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyrag_cli.commands.options import (
    ConfigOption,
    DataOption,
    JsonOption,
    OverrideOption,
    SetsOption,
    open_engine,
    question_sets,
)
from polyrag_cli.errors import GateFailed, StoreError, UsageError

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.evaluation.quality.gate import Verdict
    from polyrag_cli.evaluation.quality.runner import EvalReport
    from polyrag_cli.types import EvalItem

# A measurement leaves no trace among the user's.
_UNTRACED = {"tracing.enabled": False}


def evaluate(
    sets: SetsOption = None,
    failures: Annotated[bool, typer.Option("--failures", help="List the questions that went wrong.")] = False,
    by: Annotated[str, typer.Option("--by", help="Groups to show: route, lang or tags.")] = "route",
    gate: Annotated[
        Path | None, typer.Option("--gate", metavar="BASELINE", help="Compare; exit 4 when questions were lost.")
    ] = None,
    update_baseline: Annotated[
        Path | None,
        typer.Option("--update-baseline", metavar="FILE", help="Write this run as a baseline, unless --gate fails."),
    ] = None,
    reset: Annotated[
        bool, typer.Option("--reset", help="Ingest the corpus anew first, into a temporary folder.")
    ] = False,
    corpus: Annotated[
        list[Path] | None, typer.Option("--corpus", metavar="PATH", help="What --reset ingests; may be repeated.")
    ] = None,
    junit: Annotated[Path | None, typer.Option("--junit", metavar="FILE", help="Also write JUnit XML.")] = None,
    markdown: Annotated[Path | None, typer.Option("--markdown", metavar="FILE", help="Also write Markdown.")] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> None:
    """Measure quality on labelled questions: routing, retrieval, answers, and whether the cache mixes them up."""
    from polyrag_cli.commands.stopping import ended_in_order
    from polyrag_cli.datasets import check_routes, load_set
    from polyrag_cli.evaluation.quality.runs import Against, keep_as_baseline, measured

    _check(by, reset, corpus or [])
    files = question_sets(sets, data, config, override)
    _check_outputs([junit, markdown], update_baseline, files, gate)
    # A set that is named twice would count twice.
    named: dict[Path, Path] = {}
    for path in files:
        named.setdefault(path.resolve(), path)
    loaded = {str(path): load_set(path) for path in named.values()}
    against = Against.read(gate, loaded) if gate is not None else None
    with (
        ended_in_order(),
        open_engine(data, config, override, _UNTRACED) as opened,
        _corpus(opened, reset, corpus or []) as engine,
    ):
        for name, items in loaded.items():
            check_routes(Path(name), items, [route.name for route in engine.settings.routes])
        run = measured(engine, loaded, _asked, against is not None or update_baseline is not None)
    verdict = against.verdict(run) if against is not None else None
    unwritten = None
    try:
        _write_reports(run.reports, verdict, junit, markdown)
        if update_baseline is not None:
            keep_as_baseline(run, verdict, update_baseline)
    except (StoreError, UsageError) as error:
        # What took minutes to measure is shown also where it can't be kept.
        unwritten = error
    _show(run.reports, verdict, as_json, by, failures)
    if unwritten is not None:
        raise unwritten
    if verdict is not None and not verdict.passed:
        raise GateFailed(f"the gate failed: {'; '.join(verdict.reasons)}.")


# ---------------------------------------------------------------- before the run
def _check(by: str, reset: bool, corpus: list[Path]) -> None:
    """Raises UsageError for what would only be found out after minutes of asking."""
    from polyrag_cli.commands.show_eval import GROUPINGS

    if by not in GROUPINGS:
        raise UsageError(f"--by {by}: unknown.", f"One of {', '.join(GROUPINGS)}.")
    if corpus and not reset:
        raise UsageError("--corpus says what --reset ingests.", "Add --reset, or leave --corpus out.")
    for path in corpus:
        if not path.exists():
            raise UsageError(f"--corpus {path}: no such file or folder.")


def _check_outputs(reports: list[Path | None], baseline: Path | None, sets: list[Path], gate: Path | None) -> None:
    """Raises UsageError for a file that can't be written, or that would replace what is read or written besides.

    baseline: the new one, which alone may replace the one that the gate compares with.
    """
    from polyrag_cli.commands.output import check_writable

    taken = {path.resolve() for path in sets}
    if gate is not None and (baseline is None or gate.resolve() != baseline.resolve()):
        taken.add(gate.resolve())
    for file in (*reports, baseline):
        if file is not None and file.resolve() in taken:
            raise UsageError(f"{file} is named twice: it would be overwritten.", "Name a file of its own.")
        if file is not None and (file.is_file() or not file.exists()):
            taken.add(file.resolve())
        if file is not None:
            check_writable(file)


# ---------------------------------------------------------------- the run
@contextmanager
def _corpus(engine: Engine, reset: bool, corpus: list[Path]) -> Iterator[Engine]:
    """The engine to ask: the one over the user's data, or one over a corpus that was ingested just now."""
    if not reset:
        yield engine
        return
    from polyrag_cli.commands.show_ingest import progress
    from polyrag_cli.evaluation.quality.fresh import fresh_engine

    with fresh_engine(engine, corpus, progress) as fresh:
        yield fresh


def _asked(engine: Engine, name: str, items: Sequence[EvalItem]) -> EvalReport:
    from polyrag_cli.commands.progress import telling
    from polyrag_cli.display.text import clip
    from polyrag_cli.evaluation.quality.runner import run_set

    with telling(clip(name, 40), "questions") as tell:
        return run_set(engine, items, lambda done, total: tell(done=done, total=total))


# ---------------------------------------------------------------- after it
def _write_reports(
    reports: Mapping[str, EvalReport], verdict: Verdict | None, junit: Path | None, markdown: Path | None
) -> None:
    from polyrag_cli.commands.output import write_file
    from polyrag_cli.evaluation.quality import reports as written

    if junit is not None:
        write_file(junit, written.junit(reports, verdict))
    if markdown is not None:
        write_file(markdown, written.markdown(reports, verdict))


def _show(reports: Mapping[str, EvalReport], verdict: Verdict | None, as_json: bool, by: str, failures: bool) -> None:
    if as_json:
        from polyrag_cli.commands.output import emit_json

        emit_json({"sets": reports} | ({"gate": verdict} if verdict is not None else {}))
        return
    from polyrag_cli.commands.show_eval import show_set, show_verdict

    for name, report in reports.items():
        show_set(name, report, by, failures)
    if verdict is not None:
        show_verdict(verdict)
