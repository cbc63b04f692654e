"""A running `polyrag tui --web`, what it answers to raw requests, and which dashboards it started."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from tests.command_line import HASHING, PATIENCE_S, environment

T = TypeVar("T")


class Served:
    """The server, listening at any free port of an address of this machine."""

    def __init__(self, data: Path, folder: Path, host: str = "127.0.0.1") -> None:
        command = [sys.executable, "-m", "polyrag_cli", "--data", str(data), "tui", "--web", "--host", host]
        self.process = subprocess.Popen(
            [*command, "--port", "0"],
            cwd=folder,
            env=environment(**HASHING),
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr is not None
        self.said = self.process.stderr.readline()
        found = re.search(r"http://(\S+:(\d+))/\?token=([\w-]{43}) ", self.said)
        assert found, self.said
        self.host, self.port, self.token = found[1], int(found[2]), found[3]
        self.url = f"http://{self.host}/"
        self.address = f"{self.url}?token={self.token}"
        self._at = host

    @cached_property
    def cookie(self) -> str:
        """The cookie that a browser has once it gave the token."""
        found = re.search(r"(?mi)^set-cookie: ([^;\r]+)", self.request(f"/?token={self.token}", Host=self.host))
        assert found
        return found[1]

    def request(self, path: str, **headers: str) -> str:
        """The raw answer to a request, its first 4,000 bytes or all."""
        return self._answer(path, 4000, headers)

    def status(self, path: str, **headers: str) -> int:
        """The status of the answer to a request."""
        return int(self._answer(path, len("HTTP/1.1 200"), headers).split(" ", 2)[1])

    def _answer(self, path: str, least: int, headers: dict[str, str]) -> str:
        with self.connection(path, **{"Connection": "close", **headers}) as connection:
            answer = b""
            while len(answer) < least and (data := connection.recv(4000)):
                answer += data
        return answer.decode("utf-8", "replace")

    def connection(self, path: str, **headers: str) -> socket.socket:
        """A connection that a request was sent over."""
        lines = [f"GET {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in headers.items())]
        connection = socket.create_connection((self._at, self.port), timeout=PATIENCE_S)
        connection.sendall("\r\n".join([*lines, "", ""]).encode())
        return connection

    def page(self) -> socket.socket:
        """The socket of a page, its dashboard drawn."""
        wanted = upgrade(self.host, f"http://{self.host}")
        connection = self.connection("/ws?width=80&height=24", Connection="Upgrade", Cookie=self.cookie, **wanted)
        until(connection, rb"PolyRAG")
        return connection

    def children(self) -> list[int]:
        """The dashboards that it started."""
        found: list[int] = []
        for task in Path(f"/proc/{self.process.pid}/task").iterdir():
            # A thread of the server may end meanwhile.
            with suppress(OSError):
                found += [int(pid) for pid in (task / "children").read_text().split()]
        return found

    def stop(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Ends it and returns its exit code and what else it said."""
        self.process.send_signal(number)
        out, said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, out + said


def upgrade(host: str, origin: str | None) -> dict[str, str]:
    """The headers that ask for a socket."""
    headers = {
        "Host": host,
        "Upgrade": "websocket",
        "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec_WebSocket_Version": "13",
    }
    return headers if origin is None else {**headers, "Origin": origin}


def frame(message: object) -> bytes:
    """A message of a page as one frame of its socket; text is sent as it is."""
    payload = (message if isinstance(message, str) else json.dumps(message)).encode()
    # The mask of zeros leaves the payload as it is; the length takes eight bytes, however short.
    return b"\x81\xff" + len(payload).to_bytes(8, "big") + bytes(4) + payload


def until(connection: socket.socket, pattern: bytes) -> re.Match[bytes]:
    """Reads until what a pattern describes has arrived."""
    received = b""
    while not (found := re.search(pattern, received)):
        data = connection.recv(65536)
        assert data, received[-2000:]
        received += data
    return found


def wait_for(condition: Callable[[], T], seconds: float = PATIENCE_S) -> T:
    """What a function gives once that is true."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.05)
    return value


def alive(pid: int) -> bool:
    """Whether a process still runs."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
