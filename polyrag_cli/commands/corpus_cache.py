"""polyrag corpus cache: the answers that are kept, and why two questions would or wouldn't share one."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, open_engine

if TYPE_CHECKING:
    from polyrag_cli.answering.cache import CacheMatch

app = typer.Typer(help="Look at the cached answers.", no_args_is_help=True, rich_markup_mode=None)

_ROOM_FOR_TIMES = 34


@app.command("list")
def list_answers(
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many, last used first.")] = 20,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """List cached answers, those used last first; one that is stale was made under other settings or is too old."""
    from polyrag_cli.commands.output import console, emit_json, write
    from polyrag_cli.display.text import clip
    from polyrag_cli.types import as_json as as_json_fields

    with open_engine(data, config) as engine:
        kept = engine.activity.kept(limit)
        oldest = engine.cache.oldest()
        stale = [entry.config_hash != engine.answer_hash or entry.created < oldest for entry in kept]
    if as_json:
        emit_json({"entries": [{**as_json_fields(e), "stale": old} for e, old in zip(kept, stale, strict=True)]})
        return
    room = max(20, console().width - _ROOM_FOR_TIMES)
    for entry, old in zip(kept, stale, strict=True):
        when = datetime.fromtimestamp(entry.created).strftime("%Y-%m-%d %H:%M")
        write(f"{when}  {entry.hits:>4} ×  {clip(entry.question, room)}{'  (stale)' if old else ''}")
    if not kept:
        typer.echo("No cached answers.", err=True)


@app.command("clear")
def clear(as_json: JsonOption = False, data: DataOption = None, config: ConfigOption = None) -> None:
    """Forget all cached answers; traces stay."""
    from polyrag_cli.commands.output import emit_json

    with open_engine(data, config) as engine:
        forgotten = engine.activity.clear()
    if as_json:
        emit_json({"cleared": forgotten})
    else:
        typer.echo(f"{forgotten} cached {'answer' if forgotten == 1 else 'answers'} forgotten.", err=True)


@app.command("explain")
def explain(
    question: Annotated[str, typer.Argument(help="A question.")],
    cached: Annotated[str, typer.Argument(help="One whose answer may be cached.")],
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
) -> None:
    """Show slot by slot why two questions would share an answer, or wouldn't."""
    from polyrag_cli.commands.output import emit_json

    with open_engine(data, config) as engine:
        match = engine.cache_match(question, cached)
    if as_json:
        emit_json({"question": question, "cached_question": cached, **_fields(match)})
        return
    _show(match)


def _fields(match: CacheMatch) -> dict[str, object]:
    from polyrag_cli.types import as_json as as_json_fields

    fields: dict[str, object] = as_json_fields(match)
    return fields


def _show(match: CacheMatch) -> None:
    from polyrag_cli.commands.output import console, print_wrapped, write

    out = console()
    write(f"{'one answer' if match.hit else 'two answers'}: {match.reason}  (cosine {match.cosine:.3f})")
    width = max((len(check.slot) for check in match.checks), default=0)
    for check in match.checks:
        if not (check.question or check.cached or check.reason):
            continue
        said = check.question if check.question == check.cached else f"{check.question or '–'} | {check.cached or '–'}"
        mark, why = ("✗", f"  ← {check.reason}") if check.reason else ("✓", "")
        print_wrapped(out, f"{mark} {check.slot:<{width}}  {said}{why}", indent="  ", hanging=" " * (width + 6))
