"""The dashboard in a browser: one process of it for each page, behind a server on the loopback interface.

A page of another site must reach neither the pages nor the dashboard: requests with a foreign Host (DNS rebinding) or
Origin (a WebSocket opened across sites) are refused, and the page itself may load nothing from elsewhere. Must never
import the engine.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import shlex
import signal
import socket
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import aiohttp_jinja2
from aiohttp import web
from textual_serve.server import Server, to_int

from polyrag_cli.errors import StoreError, UsageError

LOOPBACK = "127.0.0.1"
_TEMPLATES = Path(__file__).with_name("templates")
_MAX_FONT = 64
_GRACE_S = 3.0

_HOST = re.compile(r"(?:\[(?P<digits>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+))(?::\d{1,5})?", re.ASCII)

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class DashboardServer(Server):
    """Serves the dashboard that `command` starts; pages are answered only under the names in `names`.

    names: host names that a request may come for; None for any address written in digits, besides localhost.
    """

    def __init__(self, command: Sequence[str], host: str, names: frozenset[str] | None) -> None:
        # `exec`: the shell that starts it must not stand between the server and the dashboard.
        super().__init__(f"exec {shlex.join(command)}", host=host, title="PolyRAG", templates_path=_TEMPLATES)
        self._names = names
        self._sockets: set[asyncio.Task[object]] = set()

    async def application(self) -> web.Application:
        """The routes behind the checks."""
        app = await self._make_app()
        app.middlewares.append(self._guard)
        app.router.add_get("/focus.js", _script)
        return app

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if not allowed_host(host, self._names):
            raise web.HTTPForbidden(text="This host name isn't served here.\n")
        if origin is not None and origin != f"http://{host}":
            raise web.HTTPForbidden(text="Pages of other sites aren't served.\n")
        if request.path == "/ws":
            if origin is None:
                raise web.HTTPForbidden(text="A page's origin is missing.\n")
            return await self._tracked(request, handler)
        response = await handler(request)
        if not response.prepared:
            response.headers.update(_headers(host))
        return response

    async def _tracked(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        task = asyncio.current_task()
        assert task is not None
        self._sockets.add(task)
        try:
            return await handler(request)
        finally:
            self._sockets.discard(task)

    async def handle_index(self, request: web.Request) -> web.Response:
        """The page with the terminal."""
        size = min(_MAX_FONT, max(6, to_int(request.query.get("fontsize", "16"), 16)))
        context = {"title": self.title, "host": request.headers["Host"], "font_size": size}
        return aiohttp_jinja2.render_template("index.html", request, context)

    async def on_startup(self, app: web.Application) -> None:
        """Says nothing: whoever runs the server does."""

    async def on_shutdown(self, app: web.Application) -> None:
        """Ends every dashboard before the server does."""
        for task in self._sockets:
            task.cancel()
        if self._sockets:
            await asyncio.wait(self._sockets, timeout=_GRACE_S)


async def _script(request: web.Request) -> web.StreamResponse:
    return web.FileResponse(_TEMPLATES / "focus.js")


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
        say(f"polyrag tui: warning: listening on {shown}: anybody who reaches it can read the corpus and change it.")
    names = _names(address[0]) | frozenset({host.lower()}) if local else None
    return asyncio.run(_serve(DashboardServer(command, host, names), listening, f"http://{shown}:{address[1]}", say))


async def _serve(server: DashboardServer, listening: socket.socket, url: str, say: Callable[[str], None]) -> int:
    runner = web.AppRunner(await server.application(), handle_signals=False, shutdown_timeout=_GRACE_S)
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
        raise UsageError(
            f"--host {host}: {error.strerror or error}.", "Leave it out for this machine alone."
        ) from error
    listening = socket.socket(family, kind, protocol)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen()
    except OSError as error:
        listening.close()
        reason = (error.strerror or str(error)).lower()
        raise StoreError(f"{host}:{port}: {reason}.", "Give another port with --port; 0 takes any free one.") from error
    return listening


def _names(address: str) -> frozenset[str]:
    return frozenset({"localhost", address, LOOPBACK, "::1"})


def allowed_host(host: str, names: frozenset[str] | None) -> bool:
    """Whether a request's Host header names this server.

    names: the names that it has; None when it listens for other machines: then localhost and every address in
    digits, since only a name can be made to point somewhere else.
    """
    found = _HOST.fullmatch(host)
    if found is None:
        return False
    name = (found["digits"] or found["name"]).lower()
    if names is not None:
        return name in names
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return name == "localhost"
    return True


def _headers(host: str) -> dict[str, str]:
    """What the browser is told to refuse: anything from elsewhere, and being shown inside another page."""
    policy = (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self';"
        f" img-src 'self' data:; connect-src 'self' ws://{host}; frame-ancestors 'none';"
        " base-uri 'none'; form-action 'none'"
    )
    return {"Content-Security-Policy": policy, "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
