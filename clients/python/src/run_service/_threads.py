"""The blocking shell: sockets, in the caller's thread."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Coroutine
from typing import Any

from ._link import Closed, Origin, T, tls_settings


def blocking(work: Coroutine[Any, Any, T]) -> T:
    """Run work whose links block: it never suspends, so it needs no loop."""
    try:
        work.send(None)
    except StopIteration as stop:
        result: T = stop.value
        return result
    raise RuntimeError("The work waits for a loop.")


class BlockingLink:
    """A socket. The coroutines never suspend."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None
        self._closing = threading.Lock()
        self._closed = threading.Event()

    async def connect(self, origin: Origin, request: bytes, timeout_s: float) -> None:
        self._check()
        connected = socket.create_connection((origin.host, origin.port), timeout_s)
        if origin.tls:
            connected = tls_settings().wrap_socket(connected, server_hostname=origin.host)
        with self._closing:
            self._disconnect()
            self._socket = connected
            if self._closed.is_set():
                self._disconnect()
        self._check()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            connected.sendall(request)

    async def receive(self, timeout_s: float) -> bytes:
        connected = self._socket
        try:
            if connected is None:
                raise OSError("no connection")
            connected.settimeout(timeout_s)
            return connected.recv(65_536)
        finally:
            self._check()

    async def pause(self, timeout_s: float) -> None:
        self._closed.wait(timeout_s)
        self._check()

    def close(self) -> None:
        self._closed.set()
        with self._closing:
            self._disconnect()

    def _check(self) -> None:
        if self._closed.is_set():
            raise Closed

    def _disconnect(self) -> None:
        connected, self._socket = self._socket, None
        if connected:
            # Wakes a thread that reads. The method of TLS sockets would first take the reader's buffers away.
            with contextlib.suppress(OSError):
                socket.socket.shutdown(connected, socket.SHUT_RDWR)
            connected.close()
