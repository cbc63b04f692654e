"""Which requests are let in, judged one by one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest
from aiohttp import web
from aiohttp.test_utils import make_mocked_request

from polyrag_cli.tui.web.access import Access, allowed_host, cookie_name

OWN = {"Host": "127.0.0.1:8000"}


async def _open(request: web.Request) -> web.StreamResponse:
    return web.Response(text="open")


def asked(access: Access, path: str, headers: Mapping[str, str]) -> web.Response:
    response = asyncio.run(access.guard(make_mocked_request("GET", path, headers=headers), _open))
    assert isinstance(response, web.Response)
    return response


def admitted(access: Access, headers: Mapping[str, str] = OWN) -> dict[str, str]:
    """The headers of a browser that gave the token."""
    cookie = next(iter(asked(access, f"/?token={access.token}", headers).cookies.values()))
    return {**headers, "Cookie": f"{cookie.key}={cookie.value}"}


@pytest.fixture
def access() -> Access:
    return Access(frozenset({"127.0.0.1"}), say=pytest.fail)


def test_the_token_is_exchanged_for_a_cookie_that_opens_everything(access: Access) -> None:
    given = asked(access, f"/?fontsize=20&token={access.token}", OWN)
    assert (given.status, given.headers["Location"]) == (303, "/?fontsize=20")
    (cookie,) = given.cookies.values()
    assert cookie.key == "polyrag-8000" and access.token not in cookie.OutputString()
    assert cookie["httponly"] and cookie["samesite"] == "Strict" and cookie["path"] == "/"
    assert "max-age" not in cookie.OutputString().lower()
    for path in ("/", "/static/js/textual.js", "/page.js", "/download/1"):
        assert asked(access, path, admitted(access)).text == "open"
    assert asked(access, "/ws", {**admitted(access), "Origin": "http://127.0.0.1:8000"}).text == "open"


def test_whoever_lacks_the_token_is_told_what_to_do(access: Access) -> None:
    for path in ("/", "/static/js/textual.js", "/page.js", "/download/1", "/nowhere"):
        refused = asked(access, path, OWN)
        assert refused.status == 403 and "polyrag tui --web" in (refused.text or ""), path
    assert asked(access, "/ws", {**OWN, "Origin": "http://127.0.0.1:8000"}).status == 403


@pytest.mark.parametrize("token", ["", "x", "é", "%ff", "{}x", "%00{}"])
def test_a_wrong_token_opens_nothing(access: Access, token: str) -> None:
    for headers in (OWN, admitted(access)):
        assert asked(access, f"/?token={token.format(access.token)}", headers).status == 403


def test_the_right_token_is_of_use_for_the_page_alone(access: Access) -> None:
    socket = {**OWN, "Origin": "http://127.0.0.1:8000"}
    for path in ("/ws", "/page.js", "//evil.example/ws"):
        assert asked(access, f"{path}?token={access.token}", socket).status == 403
    assert asked(access, "/", {**OWN, "Cookie": f"polyrag-8000={access.token}"}).status == 403
    assert asked(access, f"//evil.example/?token={access.token}", OWN).headers["Location"] == "/"


def test_dashboards_at_two_ports_of_a_host_keep_their_cookies_apart(access: Access) -> None:
    other = Access(frozenset({"127.0.0.1"}), say=pytest.fail)
    assert other.token != access.token
    first, second = admitted(access), admitted(other, {"Host": "127.0.0.1:9000"})
    both = f"{first['Cookie']}; {second['Cookie']}"
    assert asked(access, "/", {**first, "Cookie": both}).text == "open"
    assert asked(other, "/", {**second, "Cookie": both}).text == "open"
    assert asked(other, "/", first).status == 403


@pytest.mark.parametrize(
    ("host", "name"), [("localhost:8123", "8123"), ("[::1]:9000", "9000"), ("::1", "80"), ("localhost", "80")]
)
def test_a_cookie_is_named_by_the_port_that_the_browser_sees(host: str, name: str) -> None:
    assert cookie_name(make_mocked_request("GET", "/", headers={"Host": host})) == f"polyrag-{name}"


def test_a_request_that_fails_is_told_in_one_line() -> None:
    said: list[str] = []
    access = Access(frozenset({"127.0.0.1"}), said.append)

    async def fails(request: web.Request) -> web.StreamResponse:
        raise OSError("no more processes")

    request = make_mocked_request("GET", "/", headers=admitted(access))
    with pytest.raises(OSError, match="no more processes"):
        asyncio.run(access.guard(request, fails))
    assert said == ["polyrag tui: unexpected OSError: no more processes"]


@pytest.mark.parametrize(
    ("host", "local", "anywhere"),
    [
        ("127.0.0.1:8000", True, True),
        ("localhost", True, True),
        ("LOCALHOST:9000", True, True),
        ("[::1]:8000", True, True),
        ("192.168.0.7:8000", False, True),
        ("polyrag.example:8000", False, False),
        ("localhost.example", False, False),
        ("127.0.0.1@x", False, False),
        ("127.0.0.1:x", False, False),
        ("", False, False),
    ],
)
def test_which_host_names_are_served(host: str, local: bool, anywhere: bool) -> None:
    assert allowed_host(host, frozenset({"127.0.0.1", "localhost", "::1"})) is local
    assert allowed_host(host, None) is anywhere
