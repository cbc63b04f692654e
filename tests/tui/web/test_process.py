"""A process behind a page: neither outlives the other, or waits for it."""

from __future__ import annotations

import asyncio
import sys
from typing import cast

import pytest
from aiohttp import web
from textual_serve.download_manager import DownloadManager

from polyrag_cli.tui.web import process
from polyrag_cli.tui.web.process import MOST_CELLS, Dashboard, cells

_OPENS = "import os, sys, time; os.write(1, b'__GANGLION__\\n'); "
_WRITES = "os.write(1, b'D' + (65536).to_bytes(4, 'big') + bytes(65536)); "
# Writes more than any pipe holds, and ends when it is told to.
_FLOODS = f"{_OPENS}\nfor _ in range(40): {_WRITES}\nwhile b'quit' not in os.read(0, 1000): pass"
_DEAF = f"{_OPENS} time.sleep(600)"


class FakeSocket:
    """A page that takes nothing when it is `stuck`."""

    def __init__(self, stuck: bool = False) -> None:
        self.closed = False
        self.taken = 0
        # Set once something was to be taken.
        self.offered = asyncio.Event()
        self._stuck = stuck

    async def send_bytes(self, data: bytes) -> None:
        self.offered.set()
        if self._stuck:
            await asyncio.Event().wait()
        self.taken += len(data)

    async def send_str(self, data: str) -> None:
        raise ConnectionResetError

    async def close(self) -> None:
        self.closed = True


class Watched(Dashboard):
    """A dashboard that keeps what was typed, and tells how its process ended."""

    def __init__(self, code: str, socket: FakeSocket) -> None:
        command = [sys.executable, "-c", code]
        super().__init__(command, cast("web.WebSocketResponse", socket), DownloadManager())
        self.packets: list[bytes] = []

    def _put(self, packet: bytes) -> bool:
        self.packets.append(packet)
        return super()._put(packet)

    @property
    def ended(self) -> int | None:
        """The exit code of its process."""
        assert self._process is not None
        return self._process.returncode

    async def obey(self, *messages: str) -> list[bytes]:
        """What a page's messages make it pass on."""
        self.packets.clear()
        for message in messages:
            await self._obey(message)
        return list(self.packets)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that ends as it is told may take long for it."""
    monkeypatch.setattr(process, "PATIENCE_S", 60.0)


def test_a_page_that_takes_nothing_does_not_keep_the_process() -> None:
    async def main() -> None:
        socket = FakeSocket(stuck=True)
        dashboard = Watched(_FLOODS, socket)
        await dashboard.start(80, 24)
        async with asyncio.timeout(60):
            await socket.offered.wait()
        assert dashboard.ended is None
        await dashboard.stop()
        assert dashboard.ended == 0

    asyncio.run(main())


def test_a_process_that_hears_nothing_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "PATIENCE_S", 0.3)

    async def main() -> None:
        dashboard = Watched(_DEAF, FakeSocket())
        await dashboard.start(80, 24)
        await dashboard.stop()
        assert dashboard.ended == -9

    asyncio.run(main())


@pytest.mark.parametrize("code", ["", "print('no terminal')", f"{_OPENS} os.write(1, b'D')", f"{_OPENS} {_WRITES}"])
def test_a_process_that_ends_closes_its_page(code: str) -> None:
    async def main() -> None:
        socket = FakeSocket()
        dashboard = Watched(code, socket)
        await dashboard.start(80, 24)
        async with asyncio.timeout(60):
            while not socket.closed:
                await asyncio.sleep(0.01)
        assert socket.taken == (65536 if "65536" in code else 0)
        await dashboard.stop()
        assert dashboard.ended == 0

    asyncio.run(main())


def test_what_a_page_says_is_passed_on_when_it_is_understood() -> None:
    async def main() -> None:
        dashboard = Watched(_FLOODS, FakeSocket())
        await dashboard.start(80, 24)
        told = await dashboard.obey('["stdin", "é\\ud800"]', '["resize", {"width": 1000000000000, "height": -4}]')
        assert told[0] == b"D\0\0\0\x03" + "é?".encode()
        assert told[1][5:] == b'{"type": "resize", "width": 1000, "height": 1}'
        nonsense = ["", "[", "[" * 100_000, "17", "null", "[]", "{}", '["stdin"]', '["stdin", 5]', '["resize", []]']
        assert await dashboard.obey(*nonsense, '["resize", {"width": "a", "height": 3}]', '["ping", "1"]') == []
        await dashboard.stop()
        assert dashboard.ended == 0

    asyncio.run(main())


def test_an_endless_paste_is_cut_and_still_ends() -> None:
    async def main() -> None:
        dashboard = Watched(_FLOODS, FakeSocket())
        await dashboard.start(80, 24)
        (packet,) = await dashboard.obey(f'["stdin", "\\u001b[200~{"á" * 1_000_000}\\u001b[201~"]')
        text = packet[5:].decode()
        # Longer than what the dashboard takes, so that it says what it cuts.
        assert 200_000 < len(text) < 300_000 and text.startswith("\x1b[200~á") and text.endswith("á\x1b[201~")
        await dashboard.stop()

    asyncio.run(main())


def test_input_that_is_not_read_never_waits_and_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "_MOST_WAITING", 1_000_000)
    monkeypatch.setattr(process, "PATIENCE_S", 0.3)

    async def main() -> None:
        dashboard = Watched(_DEAF, FakeSocket())
        await dashboard.start(80, 24)
        async with asyncio.timeout(60):
            assert [await dashboard.send_bytes(bytes(400_000)) for _ in range(4)] == [True, True, False, False]
        await dashboard.stop()

    asyncio.run(main())


def test_a_terminal_has_a_size_that_can_be_drawn() -> None:
    assert [cells(wanted) for wanted in (-1, 0, 80, MOST_CELLS + 1)] == [1, 1, 80, MOST_CELLS]
