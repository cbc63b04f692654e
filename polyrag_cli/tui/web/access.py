"""Who may open the dashboard in a browser: the host names it answers to, the origins of its sockets, and the secret.

The secret is given once in the printed address, as a token, and exchanged for a cookie: other users of the same
machine reach the port, but know neither. What is refused is refused before anything else looks at the request.
"""

from __future__ import annotations

import ipaddress
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

from aiohttp import web

from polyrag_cli.errors import told

LOOPBACK = "127.0.0.1"
TOKEN = "token"
"""The parameter of the printed address that holds the token."""
_REFUSED = Path(__file__).with_name("templates") / "refused.html"
_SECRET_BYTES = 32
_HOST = re.compile(r"(?:\[(?P<digits>[0-9A-Fa-f:.]+)\]|(?P<name>[\w.-]+))(?::(?P<port>\d{1,5}))?", re.ASCII)
_HTTP_PORT = "80"

_NO_TOKEN = "This dashboard opens with the token of the address that its terminal shows."
_WRONG_TOKEN = "The token is wrong: a dashboard that is started anew has a new one."
# Inline styles are let in because the terminal's script needs them to draw where there is no WebGL.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:;"
    " connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none';"
    " require-trusted-types-for 'script'"
)
HEADERS: Mapping[str, str] = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""What the browser is told with every answer: to load nothing from elsewhere, to show the page in no other one, and
not to tell anybody the address that it came by."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class Access:
    """Decides about requests.

    names: host names that a request may come for; None for any address written in digits, besides localhost.
    say: told, in a line for people, what failed unexpectedly.
    """

    def __init__(self, names: frozenset[str] | None, say: Callable[[str], None]) -> None:
        self.token = secrets.token_urlsafe(_SECRET_BYTES)
        # Not the token itself: what a browser keeps opens this server alone, and isn't what stands in the terminal.
        self._pass = secrets.token_urlsafe(_SECRET_BYTES)
        self._names = names
        self._say = say

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Lets a request through to its handler, exchanges its token, or refuses it."""
        problem = self._problem(request)
        if problem:
            return _refusal(problem)
        if TOKEN in request.query:
            return self._exchange(request)
        if not _same(request.cookies.get(cookie_name(request), ""), self._pass):
            return _refusal(_NO_TOKEN)
        try:
            return await handler(request)
        except (web.HTTPException, ConnectionError):
            raise
        except Exception as error:
            # The server has no log that would tell of it.
            self._say(f"polyrag tui: {told(error)}")
            raise

    def _problem(self, request: web.Request) -> str:
        """What is wrong with where a request comes from; empty when nothing is."""
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if not allowed_host(host, self._names):
            return "This host name isn't served here."
        if origin is not None and origin != f"http://{host}":
            return "Pages of other sites aren't served."
        if request.path == "/ws" and origin is None:
            return "A page's origin is missing."
        return ""

    def _exchange(self, request: web.Request) -> web.StreamResponse:
        """The cookie for the token, and the way to the address without it."""
        if request.path != "/" or not _same(request.query[TOKEN], self.token):
            return _refusal(_WRONG_TOKEN)
        # Not the request's own path: it may begin with two slashes and a host.
        query = request.rel_url.without_query_params(TOKEN).raw_query_string
        response = web.Response(status=303, headers={"Location": f"/?{query}" if query else "/"})
        response.set_cookie(cookie_name(request), self._pass, path="/", httponly=True, samesite="Strict")
        return response


async def add_headers(_: web.Request, response: web.StreamResponse) -> None:
    """Adds what the browser is told to an answer that doesn't say so itself."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def cookie_name(request: web.Request) -> str:
    """The cookie's name for the port that the browser sees: browsers keep one set of cookies for all ports of a host,
    and through a tunnel the port may be another one than the server's."""
    found = _HOST.fullmatch(request.headers.get("Host", ""))
    return f"polyrag-{(found and found['port']) or _HTTP_PORT}"


def _same(given: str, expected: str) -> bool:
    """Takes equally long however much of it is right."""
    return secrets.compare_digest(given.encode("utf-8", "replace"), expected.encode())


def _refusal(reason: str) -> web.Response:
    page = _REFUSED.read_text(encoding="utf-8").replace("{{ reason }}", reason)
    return web.Response(status=403, text=page, content_type="text/html")


def local_names(address: str) -> frozenset[str]:
    """The names of a server that listens on an address of this machine alone."""
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
