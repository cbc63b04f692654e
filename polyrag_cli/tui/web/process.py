"""One dashboard behind one WebSocket: its process, what passes between both, and an end for both together.

Neither may outlive the other, or wait for it: a browser that takes nothing any more, a process that was killed, or
one that hears nothing.
"""

from __future__ import annotations

import asyncio
import json
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress

from aiohttp import WSMsgType, web
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

PATIENCE_S = 4.0
"""What a dashboard may take for an orderly end before it is killed."""
MOST_CELLS = 1000
"""The widest and the highest terminal; what a page asks for beyond is cut."""
# What is kept for a dashboard that doesn't read, before more input is dropped.
_MOST_WAITING = 32 * 1024 * 1024
_BLOCK = 65536
# More than the longest question, so that the dashboard itself says that it cuts; reading a million characters would
# keep it busy for ten seconds.
_MOST_PASTED = 250_000
_PASTE, _PASTED = "\x1b[200~", "\x1b[201~"
_READY = b"__GANGLION__\n"


class Dashboard(AppService):
    """A running dashboard.

    command: starts it. socket: what the page listens to.
    """

    def __init__(self, command: Sequence[str], socket: web.WebSocketResponse, downloads: DownloadManager) -> None:
        super().__init__(
            "",
            write_bytes=socket.send_bytes,
            write_str=socket.send_str,
            close=self._close,
            download_manager=downloads,
        )
        self._command = command
        self._socket = socket

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        # In a session of its own: ctrl-c in the terminal reaches the server, which ends it in order. What it says on
        # stderr stands in the server's terminal.
        self._process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=PIPE,
            stdout=PIPE,
            env=self._build_environment(width, height),
            start_new_session=True,
        )
        self._stdin = self._process.stdin
        return self._process

    # ------------------------------------------------------------ from the page to the process
    async def listen(self) -> None:
        """Passes on what the page sends until its socket is closed; what isn't understood is left out."""
        async for message in self._socket:
            if message.type is WSMsgType.TEXT:
                await self._obey(message.data)

    async def _obey(self, text: str) -> None:
        try:
            envelope = json.loads(text)
        except (ValueError, RecursionError):
            return
        match envelope:
            case ["stdin", str(keys)]:
                if len(keys) > _MOST_PASTED and keys.startswith(_PASTE):
                    keys = keys[:_MOST_PASTED] + _PASTED
                # Half a surrogate pair would end the input of the process.
                await self.send_bytes(keys.encode("utf-8", "replace"))
            case ["resize", {"width": int(width), "height": int(height)}]:
                await self.set_terminal_size(cells(width), cells(height))
            case ["ping", str(sent)]:
                await self._send(json.dumps(["pong", sent]))
            case ["blur"]:
                await self.blur()
            case ["focus"]:
                await self.focus()

    async def send_bytes(self, data: bytes) -> bool:
        """Passes on what was typed; false when it was dropped."""
        return self._put(self.encode_packet(b"D", data))

    async def send_meta(self, data: dict[str, str | int | bool | None]) -> bool:
        """Passes on what isn't typed; false when it was dropped."""
        return self._put(self.encode_packet(b"M", json.dumps(data).encode()))

    def _put(self, packet: bytes) -> bool:
        """Never waits: a process that is busy would keep the socket from being read, and so from being closed."""
        transport = self.stdin.transport
        if transport.is_closing() or transport.get_write_buffer_size() + len(packet) > _MOST_WAITING:
            return False
        self.stdin.write(packet)
        return True

    # ------------------------------------------------------------ from the process to the page
    async def run(self) -> None:
        """Passes on what the process writes until it ends, then closes the page's socket."""
        # A process that ends, or writes no packets, has no more to say.
        with suppress(asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            await self._stdout.readuntil(_READY)
            while True:
                kind, size = await self._stdout.readexactly(1), await self._stdout.readexactly(4)
                await self._pass_on(kind, await self._stdout.readexactly(int.from_bytes(size, "big")))
        await self._close()

    @property
    def _stdout(self) -> asyncio.StreamReader:
        assert self._process is not None and self._process.stdout is not None
        return self._process.stdout

    async def _pass_on(self, kind: bytes, payload: bytes) -> None:
        """Passes over a page that is gone."""
        if kind == b"P":
            await self.on_packed(payload)
        elif not self._socket.closed:
            with suppress(ConnectionError):
                await (self.on_data(payload) if kind == b"D" else self.on_meta(payload))

    async def _send(self, text: str) -> None:
        with suppress(ConnectionError):
            await self._socket.send_str(text)

    async def _close(self) -> None:
        with suppress(ConnectionError):
            await self._socket.close()

    # ------------------------------------------------------------ the end
    async def stop(self) -> None:
        """Ends the process, by force when it doesn't end by itself, and waits until it has."""
        if self._process is None or self._task is None:
            return
        try:
            await self._download_manager.cancel_app_downloads(self.app_service_id)
            await self._end(self._process, self._task)
        finally:
            if self._process.returncode is None:
                self._process.kill()

    async def _end(self, process: Process, passing_on: asyncio.Task[None]) -> None:
        # What passes on may wait for a page that takes nothing any more.
        passing_on.cancel()
        await asyncio.wait([passing_on])
        reading = asyncio.create_task(self._read_up())
        await self.send_meta({"type": "quit"})
        try:
            await asyncio.wait_for(process.wait(), PATIENCE_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        finally:
            reading.cancel()

    async def _read_up(self) -> None:
        """Reads what nobody wants any more: a process that can't write can't end either."""
        while await self._stdout.read(_BLOCK):
            pass


def cells(wanted: int) -> int:
    """A terminal's width or height within what can be drawn."""
    return max(1, min(MOST_CELLS, wanted))
