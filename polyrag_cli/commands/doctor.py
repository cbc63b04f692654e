"""polyrag doctor: each setting with its origin, and each store's health."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine

if TYPE_CHECKING:
    from rich.console import Console

# Two columns that leave the origin room at 80 columns; what is longer has lines of its own.
KEY_WIDTH = 40
VALUE_WIDTH = 18
LONGEST = 2000


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Rebuild derived files and sweep what nothing refers to.")] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Check the configuration and the stores."""
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.config.sections import declaration
    from polyrag_cli.errors import StoreError

    with open_engine(data, config, override) as engine:
        if fix:
            engine.corpus.repair()
        health, changed = engine.corpus.health(), engine.settings.changed()
        report: dict[str, Any] = {
            "file": str(engine.settings.file) if engine.settings.file else None,
            "data": str(engine.paths.root),
            "settings": {
                k: {"value": v, "origin": o, "meaning": declaration(k).meaning} for k, v, o in engine.settings.listed()
            },
            **health,
        }
    if as_json:
        emit_json(report)
    else:
        _show(report, changed)
    return 0 if all(check.ok for check in health["checks"]) else StoreError.exit_code


def _show(report: dict[str, Any], changed: Collection[str]) -> None:
    from polyrag_cli.commands.output import console, print_wrapped, write
    from polyrag_cli.display.settings import LEGEND

    out = console()
    write(f"configuration  {report['file'] or 'defaults (no polyrag.toml found)'}")
    write(f"data           {report['data']}")
    write("")
    for line in setting_lines(report["settings"], report["file"], out, changed):
        write(line)
    write(LEGEND if changed else "  every setting has its default")
    write("")
    for check in report["checks"]:
        line = f"{'ok  ' if check.ok else 'FAIL'} {check.name:<12} {check.detail}"
        print_wrapped(out, line, hanging=" " * 20)
    if report.get("fingerprint"):
        write(f"  fingerprint {report['fingerprint']}")


def setting_lines(
    settings: Mapping[str, Mapping[str, Any]], file: str | None, out: Console, changed: Collection[str] = ()
) -> list[str]:
    """Each setting with its value and origin, below it what it means, before that a value too long for its column.

    settings: key → value, origin and meaning. file: the configuration file, which is named in full elsewhere.
    changed: the keys that are marked, as their values aren't the defaults.
    """
    from polyrag_cli.commands.output import wrapped
    from polyrag_cli.display.settings import mark, origin_text, value_text
    from polyrag_cli.display.text import clip

    rows = [
        (key, value_text(key, entry["value"]), origin_text(entry["origin"], file), entry["meaning"])
        for key, entry in settings.items()
    ]
    key_width = min(KEY_WIDTH, max((len(key) for key, *_ in rows), default=0))
    value_width = max((len(value) for _, value, *_ in rows if len(value) <= VALUE_WIDTH), default=0)
    lines = []
    for key, value, origin, meaning in rows:
        short = value if len(value) <= VALUE_WIDTH else ""
        line = f"{mark(key in changed)} {clip(key, 200):<{key_width}}  {short:<{value_width}}  {origin}"
        lines += wrapped(line, out, " " * 6)
        lines += [] if short == value else wrapped(" " * 6 + clip(value, LONGEST), out, " " * 6)
        lines += wrapped(" " * 6 + meaning, out, " " * 6)
    return lines
