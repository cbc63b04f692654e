"""polyrag ingest: files and folders into the stores, a line per file."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine
from polyrag_cli.errors import LoadError, UsageError


def ingest(
    paths: Annotated[
        list[str] | None, typer.Argument(help="Files or folders; - reads a text from standard input.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen, write nothing.")] = False,
    skip_graph: Annotated[bool, typer.Option("--skip-graph", help="Leave the knowledge graph out.")] = False,
    reembed: Annotated[
        bool, typer.Option("--reembed", help="Embed everything again with the configured embedder.")
    ] = False,
    name: Annotated[str, typer.Option("--name", help="Document name of a text from standard input.")] = "stdin.txt",
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Read files and folders into the stores. What didn't change is left alone."""
    from polyrag_cli.commands.show_ingest import (
        announce_impact,
        announce_nothing_read,
        nothing_to_do,
        progress,
        show_report,
    )

    if not paths and not reembed:
        raise UsageError("missing path.", "Try: polyrag ingest FOLDER")
    with open_engine(data, config, override) as engine:
        if paths == ["-"]:
            text = sys.stdin.buffer.read().decode("utf-8", "replace")
            report = engine.ingest_text(text, name)
            if report.impact is not None:
                announce_impact(report.impact, dry_run)
        else:
            with progress() as on_progress:
                report = engine.ingest(
                    paths or [],
                    dry_run=dry_run,
                    skip_graph=skip_graph,
                    reembed=reembed,
                    on_progress=on_progress,
                    on_impact=lambda impact: announce_impact(impact, dry_run),
                )
        corpus = engine.corpus.files() if nothing_to_do(report) and not as_json else ()
    if as_json:
        from polyrag_cli.commands.output import emit_json

        emit_json(report)
    else:
        show_report(report, dry_run, corpus)
    if paths:
        announce_nothing_read(report)
    if reembed and not any(f.status == "updated" for f in report.files):
        typer.echo("Every passage has this embedder's vectors already.", err=True)
    failed = [f for f in report.files if f.status == "failed"]
    return LoadError.exit_code if failed else 0
