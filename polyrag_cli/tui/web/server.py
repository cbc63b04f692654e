"""The dashboard in a browser: one process of it for each page, behind a server on the loopback interface.

A page of another site, and another user of this machine, must reach neither the pages nor the dashboard: every
request passes `access` first.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import signal
import socket
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

import aiohttp_jinja2
from aiohttp import web
from textual_serve.server import Server, to_int

from polyrag_cli.errors import UsageError, reason
from polyrag_cli.tui.web.access import TOKEN, Access, add_headers, local_names
from polyrag_cli.tui.web.process import PATIENCE_S, Dashboard, cells

_TEMPLATES = Path(__file__).with_name("templates")
_FILES = ("page.js", "page.css")
_MAX_FONT = 64
_GRACE_S = PATIENCE_S + 1.0
# A page that takes nothing for one and a half times as long is gone.
_HEARTBEAT_S = 15.0
# The longest message of a page: a paste that the page lets through, each character escaped.
_MOST_BYTES = 16 * 1024 * 1024


class DashboardServer(Server):
    """Serves the dashboard that `command` starts to those whom `access` lets in."""

    def __init__(self, command: Sequence[str], access: Access) -> None:
        super().__init__("", title="PolyRAG", templates_path=_TEMPLATES)
        self._command = command
        self._access = access
        self._sockets: set[asyncio.Task[object]] = set()

    async def application(self) -> web.Application:
        """The routes behind the checks."""
        app = await self._make_app()
        app.middlewares.append(self._access.guard)
        app.on_response_prepare.append(add_headers)
        for name in _FILES:
            app.router.add_get(f"/{name}", _file)
        return app

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page with the terminal."""
        size = min(_MAX_FONT, max(6, to_int(request.query.get("fontsize", "16"), 16)))
        context = {"title": self.title, "host": request.headers["Host"], "font_size": size}
        return aiohttp_jinja2.render_template("index.html", request, context)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Starts a dashboard; it ends with its page."""
        page = web.WebSocketResponse(heartbeat=_HEARTBEAT_S, max_msg_size=_MOST_BYTES)
        await page.prepare(request)
        task = asyncio.current_task()
        assert task is not None
        self._sockets.add(task)
        dashboard = Dashboard(self._command, page, self.download_manager)
        width, height = (cells(to_int(request.query.get(side, ""), 80)) for side in ("width", "height"))
        try:
            await dashboard.start(width, height)
            await dashboard.listen()
        finally:
            await dashboard.stop()
            self._sockets.discard(task)
            if request.transport is not None and not page.closed:
                # A farewell would wait for a page that takes nothing any more.
                request.transport.abort()
        return page

    async def handle_download(self, request: web.Request) -> web.StreamResponse:
        """What a dashboard hands over as a file; always saved, never shown as a page of this server."""
        key = request.match_info["key"]
        try:
            file = await self.download_manager.get_download_metadata(key)
        except KeyError:
            raise web.HTTPNotFound(text="There is no such download, or it is done.\n") from None
        response = web.StreamResponse()
        response.content_type = "application/octet-stream"
        response.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(file.file_name)}"
        await response.prepare(request)
        try:
            async for chunk in self.download_manager.download(key):
                await response.write(chunk)
        except ValueError:
            # So the manager ends when the dashboard doesn't answer; the browser must not take the part for the whole.
            raise ConnectionResetError from None
        await response.write_eof()
        return response

    async def on_startup(self, app: web.Application) -> None:
        """Says nothing: whoever runs the server does."""

    async def on_shutdown(self, app: web.Application) -> None:
        """Ends every dashboard before the server does."""
        for task in self._sockets:
            task.cancel()
        if self._sockets:
            await asyncio.wait(self._sockets, timeout=_GRACE_S)


async def _file(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(_TEMPLATES / request.path.lstrip("/"))


def serve(command: Sequence[str], host: str, port: int, say: Callable[[str], None]) -> int:
    """Serves the dashboard that `command` starts until it is interrupted; returns the exit code.

    port: 0 for any free one. say: told the address, in lines for people.

    Raises UsageError when the address can't be listened on.
    """
    listening = _listen(host, port)
    address = listening.getsockname()
    local = ipaddress.ip_address(address[0]).is_loopback
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    if not local:
        say(f"polyrag tui: warning: listening on {shown}: all that passes can be read on the way, the token as well.")
    names = local_names(address[0]) | frozenset({host.lower()}) if local else None
    access = Access(names, say)
    url = f"http://{shown}:{address[1]}/?{TOKEN}={access.token}"
    return asyncio.run(_serve(DashboardServer(command, access), listening, url, say))


async def _serve(server: DashboardServer, listening: socket.socket, url: str, say: Callable[[str], None]) -> int:
    # No log of requests, which would hold the token; what isn't even a request is nobody's concern here.
    silent = logging.Logger("polyrag.web", logging.CRITICAL + 1)
    runner = web.AppRunner(
        await server.application(), handle_signals=False, shutdown_timeout=_GRACE_S, access_log=None, logger=silent
    )
    await runner.setup()
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    try:
        await web.SockSite(runner, listening).start()
        say(f"polyrag tui: serving {url} (ctrl-c stops)")
        await stop.wait()
    finally:
        await runner.cleanup()
    return 0


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise UsageError(f"--host {host}: {reason(error)}.", "Leave it out for this machine alone.") from error
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        raise UsageError(
            f"{host}:{port}: {reason(error).lower()}.", "Give another port with --port; 0 takes any free one."
        ) from error
    return listening
