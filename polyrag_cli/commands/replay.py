"""polyrag replay: stored decisions made again; exit 4 and what differs when one does.

Another configuration or corpus generation is told, and is no difference while all that is decided stays the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine

if TYPE_CHECKING:
    from polyrag_cli.engine import Engine
    from polyrag_cli.routing.replay_report import ReplayReport


def replay(
    traces: Annotated[list[str] | None, typer.Argument(help="Trace ids, or their first digits.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every stored trace.")] = False,
    last: Annotated[int | None, typer.Option("--last", min=1, metavar="N", help="The newest N traces.")] = None,
    route: Annotated[str | None, typer.Option("--route", help="Traces answered by this route.")] = None,
    changed: Annotated[bool, typer.Option("--changed", help="List only what differs.")] = False,
    routes_only: Annotated[
        bool, typer.Option("--routes-only", help="Exit code 4 only when a route differs, not for other numbers.")
    ] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Recompute stored decisions and say what differs, and why."""
    from polyrag_cli.errors import UsageError

    chosen = every or last is not None or route is not None or changed or routes_only
    if traces and (every or last is not None or route is not None):
        raise UsageError("traces are named and chosen.", "Give trace ids, or --all, --last or --route.")
    if not traces and not chosen:
        raise UsageError("missing trace.", "Try: polyrag replay --last 20")
    with open_engine(data, config, override) as engine:
        if traces and len(traces) == 1 and not changed and not routes_only:
            return _one(engine, traces[0], as_json)
        report = _many(engine, traces, last, route)
    return _shown(report, changed, routes_only, as_json)


def _one(engine: Engine, trace: str, as_json: bool) -> int:
    from polyrag_cli.commands.output import emit_json, write
    from polyrag_cli.display.text import clip
    from polyrag_cli.errors import GateFailed
    from polyrag_cli.routing.replay import stamps

    result = engine.traces.replay_one(trace)
    if as_json:
        emit_json(result)
    else:
        made_under = stamps(result.stored, result.recomputed)
        verdict = "; ".join(("same decision", *made_under)) if result.same else "differs"
        write(f"{result.trace_id[:8]}  {verdict}  {clip(result.stored.question, 60)}")
        for difference in () if result.same else (*made_under, *result.differences):
            write(f"  {difference}")
    return 0 if result.same else GateFailed.exit_code


def _many(engine: Engine, traces: list[str] | None, last: int | None, route: str | None) -> ReplayReport:
    from polyrag_cli.commands.progress import telling

    chosen = engine.traces
    ids = chosen.named(traces) if traces else [record.trace_id for record in chosen.list(last, route)]
    with telling("replay", "decisions") as tell:
        return chosen.replay_all(ids, lambda done, total: tell(done=done, total=total))


def _shown(report: ReplayReport, changed: bool, routes_only: bool, as_json: bool) -> int:
    """Prints a report; the exit code: 4 when a decision differs, 3 when one can't be read, 1 without any trace."""
    from polyrag_cli.commands.output import console, emit_json
    from polyrag_cli.errors import GateFailed, StoreError
    from polyrag_cli.routing.replay_report import SAME

    if as_json:
        kept = [one for one in report.replayed if not changed or one.change not in SAME]
        emit_json(
            {"replayed": kept, "unreadable": report.unreadable, "changes": report.changes, "causes": report.causes}
        )
    elif report.replayed or report.unreadable:
        from polyrag_cli.commands.show_replays import show_replays

        show_replays(report, console(), changed)
    else:
        typer.echo("No trace is stored that matches.", err=True)
    if report.rerouted if routes_only else report.different:
        return GateFailed.exit_code
    if report.unreadable:
        return StoreError.exit_code
    return 0 if report.replayed else 1
