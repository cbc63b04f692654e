"""The dashboard in a browser: what the server refuses, how it ends, and a question asked in a real Chromium."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.command_line import PATIENCE_S, process
from tests.tui.web.browser import CHROMIUM, browser, tab
from tests.tui.web.web_server import Served, alive, frame, until, upgrade, wait_for

Serve = Callable[..., Served]


@pytest.fixture
def serve(small_data: Path, tmp_path: Path) -> Iterator[Serve]:
    """Starts servers, which end with the test."""
    with ExitStack() as servers:

        def start(host: str = "127.0.0.1") -> Served:
            server = Served(small_data, tmp_path, host)
            servers.callback(lambda: server.stop() if server.process.poll() is None else None)
            return server

        yield start


@pytest.fixture
def served(serve: Serve) -> Served:
    return serve()


def test_pages_are_served_to_whom_the_address_was_printed(served: Served) -> None:
    own = {"Host": served.host, "Cookie": served.cookie}
    page = served.request("/", **own)
    assert page.startswith("HTTP/1.1 200 ")
    # The page loads from nowhere else, and the browser is told to hold it to that.
    body = page.partition("\r\n\r\n")[2]
    assert set(re.findall(r"\b(?:https?|wss?)://[^\s\"'/]+", body)) == {f"ws://{served.host}"}
    assert "//fonts" not in body and 'src="/static/js/textual.js"' in body and "style>" not in body
    assert served.status("/static/css/xterm.css", **own) == 200
    for path in ("/", "/page.js", "/static/js/textual.js", "/download/1", "/ws", "/nowhere"):
        assert served.status(path, Host=served.host, Origin=served.url[:-1]) == 403, path
        for cookie in (f"polyrag-{served.port}=x", served.cookie[:-1], served.cookie.replace("polyrag-", "polyrag-1")):
            assert served.status(path, Host=served.host, Origin=served.url[:-1], Cookie=cookie) == 403, path
    for host in (f"evil.example:{served.port}", "evil.example", "127.0.0.1.evil.example", "x@127.0.0.1", "[::2]", ""):
        assert served.status("/", **{**own, "Host": host}) in (403, 400), host
    assert served.status("/", **own, Origin="http://evil.example") == 403
    assert served.children() == []


def test_every_answer_keeps_the_address_to_itself(served: Served) -> None:
    own = {"Host": served.host, "Cookie": served.cookie}
    given = served.request(f"/?token={served.token}", Host=served.host)
    assert given.startswith("HTTP/1.1 303 ") and "\r\nLocation: /\r\n" in given
    answers = [given, served.request("/", Host=served.host)]
    answers += [served.request(path, **own) for path in ("/", "/page.js", "/static/js/textual.js", "/nowhere")]
    for answer in answers:
        head, _, body = answer.partition("\r\n\r\n")
        assert "\r\nReferrer-Policy: no-referrer\r\n" in head and "\r\nCache-Control: no-store\r\n" in head
        policy = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self';"
        assert policy in head and "require-trusted-types-for 'script'" in head
        assert served.token not in answer and served.cookie.partition("=")[2] not in body
    assert served.cookie.partition("=")[2] not in served.stop()[1]


def test_a_socket_is_opened_by_the_own_page_alone(served: Served) -> None:
    own = {"Cookie": served.cookie, "Connection": "Upgrade"}
    for origin in ("http://evil.example", f"https://{served.host}", "null", "http://127.0.0.1:1", None):
        assert served.status("/ws", **own, **upgrade(served.host, origin)) == 403, origin
    assert served.status("/ws", **own, **upgrade("evil.example", "http://evil.example")) == 403
    assert served.children() == []


@pytest.mark.long
def test_a_new_server_has_a_new_token(serve: Serve) -> None:
    first, second = serve(), serve()
    assert first.token != second.token
    assert second.status(f"/?token={first.token}", Host=second.host) == 403
    # Cookies of both, as a browser sends them: each server takes its own.
    for server in (first, second):
        assert server.status("/", Host=server.host, Cookie=f"{first.cookie}; {second.cookie}") == 200


@pytest.mark.parametrize("number", [pytest.param(signal.SIGINT, marks=pytest.mark.long), signal.SIGTERM])
def test_a_server_that_ends_takes_its_dashboards_along(served: Served, number: int) -> None:
    with served.page(), served.page():
        children = served.children()
        assert len(children) == 2
        for pid in (served.process.pid, *children):
            # Other users of the machine see how a process was started.
            for file in ("cmdline", "environ"):
                assert served.token.encode() not in Path(f"/proc/{pid}/{file}").read_bytes()
        assert served.stop(number) == (0, "")
        assert not any(alive(pid) for pid in children)


@pytest.mark.long
def test_a_killed_server_takes_its_dashboards_along(served: Served) -> None:
    with served.page():
        children = served.children()
        assert served.stop(signal.SIGKILL)[0] == -signal.SIGKILL
        assert wait_for(lambda: not any(alive(pid) for pid in children))


@pytest.mark.long
def test_every_dashboard_ends_with_its_page_and_the_others_stay(served: Served) -> None:
    with served.page() as left:
        (last,) = wait_for(served.children)
        with served.page() as closed, served.page() as broken_off:
            wait_for(lambda: len(served.children()) == 3)
            closed.close()
            wait_for(lambda: len(served.children()) == 2)
            broken_off.sendall(frame(["stdin", "half a word"])[:12])
        wait_for(lambda: served.children() == [last])
        os.kill(last, signal.SIGKILL)
        # The page is told, so that it says so: its socket is closed in order.
        until(left, rb"\x88\x02\x03\xe8$")
    assert wait_for(lambda: not served.children())


@pytest.mark.long
def test_a_picture_of_the_screen_is_downloaded_by_its_own_browser(served: Served) -> None:
    own = {"Host": served.host, "Cookie": served.cookie}
    with served.page() as page:
        until(page, rb"6 documents")
        page.sendall(frame(["stdin", "\x10"]))
        until(page, rb"Commands")
        # Pasted, so that it is looked for as a whole: what parts of it find may be listed, and go, before Enter comes.
        page.sendall(frame(["stdin", "\x1b[200~save a picture\x1b[201~"]))
        until(page, rb"(?s)save a picture.*\(SVG\)")
        page.sendall(frame(["stdin", "\r"]))
        key = until(page, rb'\["deliver_file_start", "(\w+)"\]')[1].decode()
        assert served.status(f"/download/{key}", Host=served.host) == 403
        answer = served.request(f"/download/{key}", **own)
        assert answer.startswith("HTTP/1.1 200 ") and "<svg" in answer
        assert re.search(r"Content-Disposition: attachment; filename\*=UTF-8''PolyRAG_[\w.-]+\.svg\r\n", answer)
        until(page, rb"Saved")
        assert served.status(f"/download/{key}", **own) == 404


def test_an_export_is_downloaded_by_the_browser(served: Served) -> None:
    with served.page() as page:
        until(page, rb"6 documents")
        page.sendall(frame(["stdin", "who runs the ferry?\r"]))
        until(page, rb"trace \w")
        page.sendall(frame(["stdin", "\x1b[18~"]))
        until(page, rb"has the browser save it")
        page.sendall(frame(["stdin", "\r"]))
        key = until(page, rb'\["deliver_file_start", "(\w+)"\]')[1].decode()
        answer = served.request(f"/download/{key}", Host=served.host, Cookie=served.cookie)
        assert "who runs the ferry?" in answer
        assert re.search(r"Content-Disposition: attachment; filename\*=UTF-8''polyrag-[\d-]+\.md\r\n", answer)


@pytest.mark.parametrize("count", [150, pytest.param(1500, marks=pytest.mark.long)])
def test_a_flood_of_sizes_leaves_a_dashboard_that_listens(served: Served, count: int) -> None:
    with served.page() as page:
        page.sendall(b"".join(frame(["resize", {"width": 20 + i % 100, "height": 8 + i % 40}]) for i in range(count)))
        page.sendall(frame("no message") + frame(["resize", {"width": 100, "height": 30}]) + frame(["stdin", "\x11"]))
        # It quits, as it was told to after all that.
        deadline = time.monotonic() + PATIENCE_S
        while page.recv(65536):
            assert time.monotonic() < deadline
            if not served.children():
                break
    assert served.stop() == (0, "")


def test_what_is_no_request_is_passed_over_in_silence(served: Served) -> None:
    for garbage in (b"\x16\x03\x01\x02\x00\x01\xfc", b"GET / HTTP/9\r\n\r\n", b"\r\n" * 100, b"GET / HTTP/1.1\r\nHost"):
        with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE_S) as connection:
            connection.sendall(garbage)
    assert served.status("/", Host=served.host, Cookie=served.cookie) == 200
    assert served.stop() == (0, "")


def test_a_port_in_use_is_one_line(small_data: Path, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = process("--data", small_data, "tui", "--web", "--port", str(port), cwd=tmp_path)
    assert f"127.0.0.1:{port}: address already in use" in done.failed(2)


def test_without_a_terminal_one_line_says_so(tmp_path: Path) -> None:
    assert "needs a terminal" in process("tui", cwd=tmp_path).failed(2)


def _ipv6() -> bool:
    try:
        with socket.socket(socket.AF_INET6) as probe:
            probe.bind(("::1", 0))
    except OSError:
        return False
    return True


@pytest.mark.skipif(not _ipv6(), reason="this machine has no IPv6")
def test_ipv6_is_served(serve: Serve) -> None:
    served = serve("::1")
    assert served.host == f"[::1]:{served.port}" and served.status("/", Host=served.host) == 403
    with served.page():
        assert len(served.children()) == 1
    assert served.status(f"/?token={served.token}", Host=f"localhost:{served.port}") == 303


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_a_question_asked_in_chromium(served: Served, tmp_path: Path) -> None:
    async def main() -> None:
        async with browser(tmp_path) as page:
            await page.call("Browser.grantPermissions", permissions=["clipboardReadWrite"])
            await page.call("Page.navigate", url=served.address)
            await page.until_drawn("PolyRAG ─")
            await page.until_drawn("6 documents")
            assert await page.value("location.href + document.cookie + document.referrer") == served.url
            await page.type("Which rule needs the Mestre de Cais?")
            await page.press_enter()
            await page.until_drawn("Regra B1 exige que o Mestre de Cais autorize")
            await page.until_drawn("no model · trace")
            await page.until_drawn("tau_high")
            # The terminal fills the window.
            assert await page.value("document.querySelector('.xterm-screen').clientHeight > innerHeight - 30")
            await page.press("F6", 117)
            await page.until_drawn("enter copy")
            await page.press_enter()
            await page.until_drawn("Sent to the browser's clipboard")
            own = "Object.getOwnPropertyDescriptor(Navigator.prototype, 'clipboard').get.call(navigator)"
            assert "autorize cada saída com vento forte" in await page.value(f"{own}.readText()")
            picture = await page.screenshot(tmp_path / "dashboard.png")
            assert picture.read_bytes().startswith(b"\x89PNG")
            hosts = {address.partition("//")[2].partition("/")[0] for address in page.requested if "//" in address}
            assert hosts == {served.host}
            (shown,) = served.children()
            os.kill(shown, signal.SIGKILL)
            while not await page.value("document.body.innerText.includes('session has ended')"):
                await asyncio.sleep(0.05)

    asyncio.run(asyncio.wait_for(main(), PATIENCE_S))


@pytest.mark.long
@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_reloading_and_tabs_in_chromium(served: Served, tmp_path: Path) -> None:
    async def main() -> None:
        async with browser(tmp_path) as page:
            await page.call("Page.navigate", url=served.url)
            refused = "document.body?.innerText.includes('polyrag tui --web')"
            while not await page.value(refused):
                await asyncio.sleep(0.05)
            await page.call("Page.navigate", url=f"{served.url}?token={'x' * 43}")
            while not await page.value(f"{refused} && document.body.innerText.includes('token is wrong')"):
                await asyncio.sleep(0.05)
            assert served.children() == []
            await page.call("Page.navigate", url=served.address)
            await page.until_drawn("6 documents")
            first = served.children()
            page.forget()
            await page.call("Page.reload")
            await page.until_drawn("6 documents")
            assert len(wait_for(lambda: [pid for pid in served.children() if pid not in first])) == 1
            async with tab(tmp_path) as second:
                await second.call("Page.navigate", url=served.url)
                await second.until_drawn("6 documents")
                assert len(served.children()) == 2
            wait_for(lambda: len(served.children()) == 1)
            (left,) = served.children()
            os.kill(left, signal.SIGKILL)
            while not await page.value("document.body.innerText.includes('session has ended')"):
                await asyncio.sleep(0.05)
        assert wait_for(lambda: not served.children())

    asyncio.run(asyncio.wait_for(main(), PATIENCE_S))
