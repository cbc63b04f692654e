"""A headless Chromium that tests drive over its DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import itertools
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests.command_line import PATIENCE_S

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SIZE = (1200, 800)
_SEQUENCE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07]*\x07|[@-_])")


class Page:
    """One page of a browser."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._numbers = itertools.count(1)
        self.requested: list[str] = []
        self._drawn = b""

    @property
    def drawn(self) -> str:
        """The text that came over the page's WebSocket, without the terminal's control sequences."""
        return _SEQUENCE.sub("", self._drawn.decode("utf-8", "replace"))

    async def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the protocol and its result; what the page asks for and receives meanwhile is kept."""
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": parameters})
        while True:
            message = await self._socket.receive_json(timeout=PATIENCE_S)
            if message.get("method") == "Network.requestWillBeSent":
                self.requested.append(message["params"]["request"]["url"])
            elif message.get("method") == "Network.webSocketCreated":
                self.requested.append(message["params"]["url"])
            elif message.get("method") == "Network.webSocketFrameReceived":
                frame = message["params"]["response"]
                # Text frames are the protocol's own; the terminal's output is binary.
                self._drawn += base64.b64decode(frame["payloadData"]) if frame["opcode"] == 2 else b""
            elif message.get("id") == number:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result

    async def until_drawn(self, wanted: str, seconds: float = PATIENCE_S) -> None:
        """Waits until the terminal was sent a text; fails naming it."""
        deadline = time.monotonic() + seconds
        while wanted not in self.drawn:
            assert time.monotonic() < deadline, f"{wanted!r} was not drawn:\n{self.drawn[-3000:]}"
            await self.call("Runtime.evaluate", expression="0")
            await asyncio.sleep(0.05)

    async def type(self, text: str) -> None:
        """Types as a keyboard does."""
        for character in text:
            await self.call("Input.dispatchKeyEvent", type="char", text=character)

    async def press_enter(self) -> None:
        """Presses the enter key."""
        key = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": 13}
        await self.call("Input.dispatchKeyEvent", type="keyDown", text="\r", **key)
        await self.call("Input.dispatchKeyEvent", type="keyUp", **key)

    async def press(self, key: str, number: int) -> None:
        """Presses a key that writes nothing, by its name and its number on Windows."""
        for kind in ("keyDown", "keyUp"):
            named = {"key": key, "code": key, "windowsVirtualKeyCode": number}
            await self.call("Input.dispatchKeyEvent", type=kind, **named)

    async def value(self, expression: str) -> Any:
        """What an expression gives in the page, once it is settled."""
        asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
        return (await self.call("Runtime.evaluate", **asked))["result"].get("value")

    def forget(self) -> None:
        """Forgets what was drawn so far."""
        self._drawn = b""

    async def screenshot(self, file: Path) -> Path:
        """Writes what the page looks like as PNG."""
        file.write_bytes(base64.b64decode((await self.call("Page.captureScreenshot", format="png"))["data"]))
        return file


@asynccontextmanager
async def browser(folder: Path) -> AsyncIterator[Page]:
    """A blank page of a browser of its own, whose profile lies in `folder`."""
    assert CHROMIUM is not None
    profile = folder / "profile"
    flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-dev-shm-usage"]
    flags += ["--remote-debugging-port=0", f"--user-data-dir={profile}", f"--window-size={SIZE[0]},{SIZE[1]}"]
    with (folder / "chromium.log").open("wb") as log:
        process = subprocess.Popen(
            [CHROMIUM, *flags, "about:blank"], stdout=log, stderr=log, start_new_session=True, cwd=folder
        )
    try:
        port = await _port(profile / "DevToolsActivePort")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as response:
                pages = [page for page in await response.json() if page["type"] == "page"]
            async with session.ws_connect(pages[0]["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                page = Page(socket)
                await page.call("Network.enable")
                yield page
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@asynccontextmanager
async def tab(folder: Path) -> AsyncIterator[Page]:
    """One more blank page of the browser whose profile lies in `folder`; closed at the end."""
    port = await _port(folder / "profile" / "DevToolsActivePort")
    async with aiohttp.ClientSession() as session:
        async with session.put(f"http://127.0.0.1:{port}/json/new?about:blank") as response:
            opened = await response.json()
        async with session.ws_connect(opened["webSocketDebuggerUrl"], max_msg_size=0) as socket:
            page = Page(socket)
            await page.call("Network.enable")
            yield page
        async with session.get(f"http://127.0.0.1:{port}/json/close/{opened['id']}"):
            pass


async def _port(file: Path) -> int:
    deadline = time.monotonic() + PATIENCE_S
    while not (file.exists() and file.read_text()):
        assert time.monotonic() < deadline, "the browser didn't open"
        await asyncio.sleep(0.05)
    return int(file.read_text().splitlines()[0])
