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


def _show(hits: tuple[Hit, ...]) -> None:
    from rich.text import Text

    from polyrag_cli.commands.output import clip, console
    from polyrag_cli.commands.show_answer import place

    out = console()
    if not hits:
        console(stderr=True).print("Nothing found.")
    places = [clip(place(hit), max(30, out.width - 30)) for hit in hits]
    width = max(map(len, places), default=0)
    for number, (hit, where) in enumerate(zip(hits, places, strict=True), 1):
        line = Text(f"{number:>3}  {where:<{width}}", style="bold")
        line.append(f"  {hit.score:.2f}  {hit.source}", style="dim")
        out.print(line, soft_wrap=True)
        out.print(Text("     " + clip(hit.text, out.width - 6)), soft_wrap=True)
