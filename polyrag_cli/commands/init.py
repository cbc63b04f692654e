"""polyrag init: writes a commented polyrag.toml."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def init(
    folder: Annotated[Path, typer.Argument(help="Where to write it.")] = Path(),
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file.")] = False,
) -> None:
    """Write a commented polyrag.toml with every default."""
    from polyrag_cli.config import FILE_NAME
    from polyrag_cli.config.template import polyrag_toml
    from polyrag_cli.errors import UsageError
    from polyrag_cli.whole_file import write_whole

    target = folder / FILE_NAME
    if target.exists() and not force:
        raise UsageError(f"{target}: already there.", "Use --force to replace it.")
    if not folder.is_dir():
        raise UsageError(f"{folder}: no such folder.", "Create it first.")
    write_whole(target, polyrag_toml())
    typer.echo(f"{target} written. Next: polyrag ingest FOLDER", err=True)
