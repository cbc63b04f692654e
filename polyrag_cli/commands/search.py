"""polyrag search: fused passages without an answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from polyrag_cli.commands.options import (
    ConfigOption,
    DataOption,
    JsonOption,
    OverrideOption,
    open_engine,
    read_argument,
)

if TYPE_CHECKING:
    from polyrag_cli.types import Hit

# What stands beside a passage's place: its number, its score, the heads that found it.
_HEADS_CELLS = 42


def search(
    query: Annotated[list[str] | None, typer.Argument(help="What to look for; - reads it from standard input.")] = None,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=100, help="How many passages.")] = 10,
    route: Annotated[str | None, typer.Option("--route", help="Force a route.")] = None,
    strategy: Annotated[str | None, typer.Option("--strategy", help="Force a strategy.")] = None,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """List the passages that fit a query best."""
    text = read_argument(query or [], "query", 'polyrag search "refund policy"')
    with open_engine(data, config, override) as engine:
        result = engine.search(text, top_k=top_k, route=route, strategy=strategy)
    if as_json:
        from polyrag_cli.commands.output import emit_json

        emit_json(result)
    else:
        _show(result.hits)
    return 0 if result.hits else 1


def found_by(hit: Hit) -> str:
    """The heads that found a passage, each with its rank there: dense #1 lexical #3."""
    return " ".join(f"{head.head} #{head.rank}" for head in hit.heads) or hit.source


def _show(hits: tuple[Hit, ...]) -> None:
    from rich.text import Text

    from polyrag_cli.commands.output import console
    from polyrag_cli.display.answers import behind, place
    from polyrag_cli.display.text import clip

    out = console()
    if not hits:
        console(stderr=True).print("Nothing found.")
    places = [clip(place(hit), max(30, out.width - _HEADS_CELLS)) for hit in hits]
    width = max(map(len, places), default=0)
    for number, (hit, where) in enumerate(zip(hits, places, strict=True), 1):
        line = Text(f"{number:>3}  {where:<{width}}", style="bold")
        line.append(f"  {hit.score:.2f}  {found_by(hit)}", style="dim")
        out.print(line, soft_wrap=True)
        out.print(Text("     " + clip(hit.text, out.width - 6)), soft_wrap=True)
        if hit.same:
            out.print(Text("     " + clip(behind(hit), out.width - 6), style="dim"), soft_wrap=True)
