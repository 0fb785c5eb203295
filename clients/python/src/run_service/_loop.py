"""The asyncio shell: streams of the running loop, which is never blocked."""

from __future__ import annotations

import asyncio
import contextlib

from ._link import Closed, Origin, tls_settings

Connection = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class LoopLink:
    """A pair of streams."""

    def __init__(self) -> None:
        self._connection: Connection | None = None
        self._closed = asyncio.Event()

    async def connect(self, origin: Origin, request: bytes, timeout_s: float) -> None:
        self._disconnect()
        self._check()
        tls = tls_settings() if origin.tls else None
        opening = asyncio.ensure_future(asyncio.open_connection(origin.host, origin.port, ssl=tls))
        try:
            done, _ = await asyncio.wait({opening}, timeout=timeout_s)
            self._check()
            if not done:
                raise TimeoutError("no connection in time")
        except BaseException:
            # It may open nevertheless.
            opening.cancel()
            opening.add_done_callback(_discard)
            raise
        self._connection = opening.result()
        # The loop sends while the answer is awaited.
        self._connection[1].write(request)

    async def receive(self, timeout_s: float) -> bytes:
        if not self._connection:
            raise OSError("no connection")
        reader, writer = self._connection
        loop = asyncio.get_running_loop()
        # `wait_for` would lose a cancel that comes together with the bytes.
        timer = loop.call_later(timeout_s, writer.transport.abort)
        try:
            data = await reader.read(65_536)
        finally:
            timer.cancel()
            if self._closed.is_set():
                raise Closed
        if not data and timer.when() <= loop.time():
            raise TimeoutError("no answer in time")
        return data

    async def pause(self, timeout_s: float) -> None:
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(self._closed.wait(), timeout_s)
        self._check()

    def close(self) -> None:
        self._closed.set()
        self._disconnect()

    def _check(self) -> None:
        if self._closed.is_set():
            raise Closed

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection[1].transport.abort()


def _discard(opening: asyncio.Future[Connection]) -> None:
    if not opening.cancelled() and not opening.exception():
        opening.result()[1].transport.abort()
