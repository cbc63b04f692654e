"""polyrag corpus: what is in the stores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polyrag_cli.commands import corpus_cache
from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, open_engine
from polyrag_cli.errors import UsageError

if TYPE_CHECKING:
    from polyrag_cli.graph.base import Neighbour
    from polyrag_cli.types import TableCard

app = typer.Typer(help="Look at what is in the stores.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(corpus_cache.app, name="cache")


@app.command("list")
def list_documents(as_json: JsonOption = False, data: DataOption = None, config: ConfigOption = None) -> None:
    """List files with their language, chunks and tables."""
    from polyrag_cli.commands.output import console, emit_json, print_wrapped
    from polyrag_cli.display.files import contents
    from polyrag_cli.display.text import clip
    from polyrag_cli.types import as_json as as_json_fields

    with open_engine(data, config) as engine:
        listed = [(one.file, None if one.language == "und" else one.language) for one in engine.corpus.overview()]
    if as_json:
        emit_json({"files": [{**as_json_fields(file), "language": language} for file, language in listed]})
        return
    out = console()
    # A long name leaves its state and content room beside it.
    width = min(48, max(12, out.width // 2 - 12), max((len(file.document) for file, _ in listed), default=0))
    for file, language in listed:
        line = f"{clip(file.document, width):<{width}}  {language or '–':<3}  {file.status:<8}  {contents(file)}"
        print_wrapped(out, line, indent="", hanging=" " * (width + 17))
    if not listed:
        typer.echo("Nothing ingested. Try: polyrag ingest FOLDER", err=True)


@app.command("show")
def show(
    document: Annotated[str, typer.Argument(help="A document's name.")],
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Show a document's versions in other languages, and its chunks, each with its home route and scores."""
    from polyrag_cli.commands.output import emit_json, write
    from polyrag_cli.display.text import clip

    with open_engine(data, config) as engine:
        chunks = engine.corpus.chunks(document)
        versions = engine.corpus.versions(document)
    if as_json:
        shown = [{"chunk": c.chunk, "route": c.route} for c in chunks]
        emit_json({"document": document, "versions": versions, "chunks": shown})
        return
    for version in versions:
        write(f"translation  {version.language}  {version.document}")
    if not chunks:
        typer.echo(f"{document}: no passages, only tables. Try: polyrag corpus tables", err=True)
    for stored in chunks:
        scores = ", ".join(f"{name} {score:.2f}" for name, score in stored.route.scores)
        also = f" +{'+'.join(stored.route.also)}" if stored.route.also else ""
        write(f"{stored.chunk.chunk_id}  {stored.route.home}{also}  margin {stored.route.margin:.2f}  ({scores})")
        write(f"    {stored.chunk.heading or '–'}  [{stored.chunk.start}:{stored.chunk.end}]")
        write(f"    {clip(stored.chunk.text, 92)}")


@app.command("remove")
def remove(
    document: Annotated[str, typer.Argument(help="A file's name in the corpus.")],
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Forget a file's content; the file itself stays."""
    with open_engine(data, config) as engine:
        engine.remove(document)
    typer.echo(f"{document}: removed from the corpus.", err=True)


@app.command("tables")
def tables(
    name: Annotated[str | None, typer.Argument(help="A table, to see its audit card.")] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """List tables with their columns and types, or show one: how it was read, what in it wasn't, its relations."""
    from polyrag_cli.commands.output import emit_json, write

    with open_engine(data, config) as engine:
        card = engine.corpus.card(name) if name is not None else None
        schemas = engine.corpus.tables() if name is None else ()
    if card is not None:
        _show_card(card, as_json)
        return
    if as_json:
        emit_json({"tables": schemas})
        return
    for schema in schemas:
        write(f"{schema.name}  {schema.rows} rows  from {schema.document}")
        for column in schema.columns:
            notes = f"  {'; '.join(column.notes)}" if column.notes else ""
            label = f"  “{column.label}”" if column.label != column.name else ""
            write(f"    {column.name:<24} {column.type:<8} {column.distinct} distinct{label}{notes}")


def _show_card(card: TableCard, as_json: bool) -> None:
    from polyrag_cli.commands.output import console, emit_json, print_wrapped
    from polyrag_cli.display.tables import card_lines

    if as_json:
        emit_json({"table": card})
        return
    out = console()
    for line in card_lines(card, out.width):
        print_wrapped(out, line, indent="", hanging=" " * 11)


@app.command("graph")
def graph(
    name: Annotated[str | None, typer.Argument(help="An entity's name.")] = None,
    graphml: Annotated[
        Path | None, typer.Option("--graphml", metavar="FILE", help="Write the whole graph as GraphML.")
    ] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
) -> int:
    """Show an entity's relations and the names it is mentioned with, or export the graph."""
    from polyrag_cli.commands.output import emit_json, write_file

    if (name is None) == (graphml is None):
        raise UsageError("name an entity or a file.", "Try: polyrag corpus graph NAME, or --graphml graph.graphml")
    with open_engine(data, config) as engine:
        if graphml is not None:
            write_file(graphml, engine.corpus.graphml())
            return 0
        neighbours = engine.corpus.neighbours(name or "")
    if as_json:
        emit_json({"entity": name, "neighbours": neighbours})
    else:
        _show_neighbours(name or "", neighbours)
    return 0 if neighbours else 1


def _show_neighbours(name: str, neighbours: Sequence[Neighbour]) -> None:
    from polyrag_cli.commands.output import write

    for other in neighbours:
        if not other.relation:
            write(f"{name} ┄ {other.name}  ({other.weight:.2f})")
        elif other.outward:
            write(f"{name} ─ {other.relation} → {other.name}")
        else:
            write(f"{other.name} ─ {other.relation} → {name}")
    if not neighbours:
        typer.echo(f"{name}: no such name in the graph.", err=True)
