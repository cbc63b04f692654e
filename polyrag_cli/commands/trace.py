"""polyrag trace: stored traces."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, open_engine

if TYPE_CHECKING:
    from polyrag_cli.stores.activity import TraceRecord

app = typer.Typer(help="Look at stored traces.", no_args_is_help=True, rich_markup_mode=None)
TraceArgument = Annotated[str, typer.Argument(help="Trace id, or its first digits.")]


@app.command("list")
def list_traces(
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, newest first.")] = 20,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """List the newest traces."""
    from polyrag_cli.commands.output import console, emit_json, write
    from polyrag_cli.commands.show_trace import trace_lines

    with open_engine(data, config) as engine:
        traces = engine.traces.list(limit)
    if as_json:
        emit_json({"traces": [{k: v for k, v in _row(t).items() if k != "payload"} for t in traces]})
        return
    out = console()
    for line in trace_lines(traces, out.width if out.is_terminal else None):
        write(line)


@app.command("show")
def show(
    trace: TraceArgument, as_json: JsonOption = False, data: DataOption = None, config: ConfigOption = None
) -> None:
    """Show one trace: question, answer, whether it was cached, notes, decision and span tree."""
    from polyrag_cli.commands.output import console, emit_json, print_wrapped, write
    from polyrag_cli.commands.show_route import show_decision
    from polyrag_cli.commands.show_trace import cached_lines, show_spans
    from polyrag_cli.routing.replay import decision_from_json
    from polyrag_cli.tracing.stored import spans_of

    payload = _payload(trace, data, config)
    if as_json:
        emit_json(payload)
        return
    out = console()
    write(payload["question"])
    print_wrapped(out, payload["answer"] if payload["answer"] is not None else "nothing found")
    for line in cached_lines(payload):
        print_wrapped(out, line, style="dim")
    for warning in payload["warnings"]:
        print_wrapped(out, f"note: {warning}", style="yellow")
    out.print()
    show_decision(decision_from_json(payload["decision"]), out)
    out.print()
    show_spans(spans_of(payload), out)


@app.command("export")
def export(
    trace: TraceArgument,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file instead of stdout.")] = None,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Write one trace as OpenTelemetry JSON (OTLP)."""
    from polyrag_cli import __version__
    from polyrag_cli.answering.records import stored_fields
    from polyrag_cli.commands.output import json_escaped, write, write_file
    from polyrag_cli.tracing.stored import otlp

    with open_engine(data, config) as engine:
        record = engine.traces.record(trace)
    text = json.dumps(otlp(stored_fields(record.payload), record.created, __version__), ensure_ascii=False, indent=2)
    if output is None:
        write(json_escaped(text))
    else:
        write_file(output, text + "\n")


def _payload(trace: str, data: Path | None, config: Path | None) -> dict[str, Any]:
    with open_engine(data, config) as engine:
        return engine.traces.stored(trace)


def _row(trace: TraceRecord) -> dict[str, Any]:
    from polyrag_cli.types import as_json

    return {"route": trace.route, **as_json(trace)}
