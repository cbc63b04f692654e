"""polyrag doctor: each setting with its origin, and each store's health."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, JsonOption, OverrideOption, open_engine


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Rebuild derived files and sweep what nothing refers to.")] = False,
    as_json: JsonOption = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Check the configuration and the stores."""
    from polyrag_cli.commands.output import emit_json
    from polyrag_cli.errors import StoreError

    with open_engine(data, config, override) as engine:
        if fix:
            engine.repair()
        health = engine.health()
        report: dict[str, Any] = {
            "file": str(engine.settings.file) if engine.settings.file else None,
            "data": str(engine.paths.root),
            "settings": {k: {"value": v, "origin": o} for k, v, o in engine.settings.listed()},
            **health,
        }
    if as_json:
        emit_json(report)
    else:
        _show(report)
    return 0 if all(check.ok for check in health["checks"]) else StoreError.exit_code


def _show(report: dict[str, Any]) -> None:
    from polyrag_cli.commands.output import write
    from polyrag_cli.display.text import clip

    write(f"configuration  {report['file'] or 'defaults (no polyrag.toml found)'}")
    write(f"data           {report['data']}")
    write("")
    settings = report["settings"]
    width = max(map(len, settings))
    for key, entry in settings.items():
        value = f"{len(entry['value'])} sentences" if isinstance(entry["value"], list) else str(entry["value"])
        write(f"  {key:<{width}}  {clip(value, 24):<24}  {entry['origin']}")
    write("")
    for check in report["checks"]:
        write(f"  {'ok  ' if check.ok else 'FAIL'} {check.name:<12} {check.detail}")
    if report.get("fingerprint"):
        write(f"  fingerprint {report['fingerprint']}")
