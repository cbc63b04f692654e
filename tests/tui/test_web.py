"""The dashboard in a browser: what the server refuses, how it ends, and a question asked in a real Chromium."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from polyrag_cli.tui.web import allowed_host
from tests.command_line import HASHING, environment, process
from tests.tui.browser import CHROMIUM, browser


class Served:
    """A running `polyrag tui --web`."""

    def __init__(self, data: Path, folder: Path) -> None:
        command = [sys.executable, "-m", "polyrag_cli", "--data", str(data), "tui", "--web", "--port", "0"]
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment(**HASHING), stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.said)
        assert found, self.said
        self.url, self.port = found[0], int(found[1])

    def request(self, path: str, **headers: str) -> str:
        """The raw answer to a request, its first 4,000 bytes."""
        lines = [f"GET {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
        with socket.create_connection(("127.0.0.1", self.port), timeout=10) as connection:
            connection.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode())
            answer = b""
            while len(answer) < 4000 and (data := connection.recv(4000)):
                answer += data
        return answer.decode("utf-8", "replace")

    def children(self) -> list[int]:
        """The dashboards that it started."""
        tasks = Path(f"/proc/{self.process.pid}/task")
        return [int(pid) for task in tasks.iterdir() for pid in (task / "children").read_text().split()]

    def stop(self, number: int = signal.SIGINT) -> int:
        """Ends it and returns its exit code."""
        self.process.send_signal(number)
        code = self.process.wait(timeout=20)
        for stream in (self.process.stdout, self.process.stderr):
            if stream is not None:
                stream.close()
        return code


@pytest.fixture
def served(small_data: Path, tmp_path: Path) -> Iterator[Served]:
    server = Served(small_data, tmp_path)
    yield server
    if server.process.poll() is None:
        server.stop()


def status(answer: str) -> str:
    return answer.split(" ", 2)[1]


def upgrade(host: str, origin: str | None) -> dict[str, str]:
    headers = {
        "Host": host,
        "Upgrade": "websocket",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec_WebSocket_Version": "13",
    }
    return headers if origin is None else {**headers, "Origin": origin}


def test_pages_are_served_to_this_machine_alone(served: Served) -> None:
    own = f"127.0.0.1:{served.port}"
    page = served.request("/", Host=own)
    assert status(page) == "200"
    # The page loads from nowhere else, and the browser is told to hold it to that.
    body = page.partition("\r\n\r\n")[2]
    assert set(re.findall(r"\b(?:https?|wss?)://[^\s\"'/]+", body)) == {f"ws://{own}"}
    assert "//fonts" not in body and 'src="/static/js/textual.js"' in body
    assert f"connect-src 'self' ws://{own};" in page and "default-src 'none'" in page
    assert status(served.request("/static/css/xterm.css", Host=f"localhost:{served.port}")) == "200"
    for host in (f"evil.example:{served.port}", "evil.example", "127.0.0.1.evil.example", "x@127.0.0.1", "[::2]", ""):
        assert status(served.request("/", Host=host)) in ("403", "400"), host
    assert status(served.request("/", Host=own, Origin="http://evil.example")) == "403"


def test_a_socket_is_opened_by_the_own_page_alone(served: Served) -> None:
    own = f"127.0.0.1:{served.port}"
    for origin in (
        "http://evil.example",
        f"https://{own}",
        "null",
        "http://127.0.0.1:1",
        f"http://{own}.x.example",
        None,
    ):
        assert status(served.request("/ws", **upgrade(own, origin))) == "403", origin
    assert status(served.request("/ws", **upgrade("evil.example", "http://evil.example"))) == "403"
    assert served.children() == []
    asked = f"GET /ws?width=80&height=24 HTTP/1.1\r\nConnection: Upgrade\r\nOrigin: http://{own}\r\n"
    asked += "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in upgrade(own, None).items())
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        connection.sendall(f"{asked}\r\n".encode())
        assert connection.recv(12) == b"HTTP/1.1 101"
        children = wait_for(served.children)
        # Ended in the middle of a session: no process stays behind.
        assert served.stop() == 0
    assert wait_for(lambda: not any(alive(pid) for pid in children))


def test_a_killed_server_takes_its_dashboards_along(served: Served) -> None:
    own = f"127.0.0.1:{served.port}"
    head = f"GET /ws HTTP/1.1\r\nConnection: Upgrade\r\nOrigin: http://{own}\r\n"
    head += "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in upgrade(own, None).items())
    with socket.create_connection(("127.0.0.1", served.port), timeout=20) as connection:
        connection.sendall(f"{head}\r\n".encode())
        # Its terminal is drawn: it listens to what becomes of the server.
        received = b""
        while b"PolyRAG" not in received:
            received += connection.recv(65536)
        children = served.children()
        assert len(children) == 1
        served.stop(signal.SIGKILL)
    assert wait_for(lambda: not any(alive(pid) for pid in children))


def wait_for(condition: object, seconds: float = 20.0) -> object:
    """What a function gives once that is true."""
    assert callable(condition)
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
    return value


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_port_in_use_is_one_line(small_data: Path, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = process("--data", small_data, "tui", "--web", "--port", str(port), cwd=tmp_path)
    assert f"127.0.0.1:{port}: address already in use" in done.failed(3)


def test_without_a_terminal_one_line_says_so(tmp_path: Path) -> None:
    assert "needs a terminal" in process("tui", cwd=tmp_path).failed(2)


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


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_a_question_asked_in_chromium(served: Served, tmp_path: Path) -> None:
    async def main() -> None:
        async with browser(tmp_path) as page:
            await page.call("Page.navigate", url=served.url)
            await page.until_drawn("PolyRAG ─")
            await page.until_drawn("6 documents")
            await page.type("Which rule needs the Mestre de Cais?")
            await page.press_enter()
            await page.until_drawn("Regra B1 exige que o Mestre de Cais autorize")
            await page.until_drawn("no model · trace")
            await page.until_drawn("tau_high")
            picture = await page.screenshot(tmp_path / "dashboard.png")
            assert picture.read_bytes().startswith(b"\x89PNG")
            hosts = {address.partition("//")[2].partition("/")[0] for address in page.requested if "//" in address}
            assert hosts == {f"127.0.0.1:{served.port}"}

    asyncio.run(main())
