"""polyrag replay: recomputes a stored decision; exit 4 and a diff when it differs."""

from __future__ import annotations

from typing import Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine


def replay(
    trace: Annotated[str, typer.Argument(help="Trace id, or its first digits.")],
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Recompute a stored decision and say what differs."""
    from polyrag_cli.commands.output import clip, emit_json, write
    from polyrag_cli.errors import GateFailed

    with open_engine(data, config, override) as engine:
        result = engine.replay(trace)
    if as_json:
        emit_json(result)
    else:
        verdict = "same decision" if result.same else "differs"
        write(f"{result.trace_id[:8]}  {verdict}  {clip(result.stored.question, 60)}")
        for difference in result.differences:
            write(f"  {difference}")
    return 0 if result.same else GateFailed.exit_code
