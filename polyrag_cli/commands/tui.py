"""polyrag tui: the dashboard, in the terminal or in a browser."""

from __future__ import annotations

import gc
import sys
from pathlib import Path
from typing import Annotated

import typer

from polyrag_cli.commands.options import ConfigOption, DataOption, OverrideOption, given_flags, open_engine


def tui(
    web: Annotated[bool, typer.Option("--web", help="Serve the dashboard to a browser.")] = False,
    host: Annotated[str, typer.Option(metavar="HOST", help="With --web: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", min=0, max=65535, help="With --web; 0: any free one.")] = 8000,
    served: Annotated[bool, typer.Option("--served", hidden=True)] = False,
    data: DataOption = None,
    config: ConfigOption = None,
    override: OverrideOption = None,
) -> int:
    """Open the dashboard: chat with the decision beside it, corpus, search, telemetry."""
    if web:
        return _serve(host, port, data, config, override)
    from polyrag_cli.errors import UsageError

    if not served and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("the dashboard needs a terminal.", "Without one: polyrag ask QUESTION, or polyrag tui --web.")
    # Nothing made while it opens is garbage: looking for some would cost a tenth of the time. It is enabled again with
    # the first frame.
    gc.disable()
    from polyrag_cli.tui.app import PolyRAGApp
    from polyrag_cli.tui.shell.lifetime import run

    app = PolyRAGApp(lambda: open_engine(data, config, override))
    app.remembers, app.served = True, served
    return run(app)


def _serve(host: str, port: int, data: Path | None, config: Path | None, override: list[str] | None) -> int:
    from polyrag_cli.tui.web.server import serve

    # What is wrong with the settings is said here, once, instead of in every browser.
    open_engine(data, config, override).close()
    command = [sys.executable, "-m", "polyrag_cli", "tui", "--served", *given_flags(data, config, override)]
    return serve(command, host, port, say=lambda line: typer.echo(line, err=True))
