"""What the core needs of a shell: a connection at a time, and waiting. The core's coroutines wait nowhere else."""

from __future__ import annotations

import functools
import ssl
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol, TypeVar

T = TypeVar("T")


class Origin(NamedTuple):
    """Where a connection leads."""

    host: str
    port: int
    tls: bool


class Link(Protocol):
    """Raises OSError, TimeoutError too, and Closed once it is closed."""

    async def connect(self, origin: Origin, request: bytes, timeout_s: float) -> None:
        """Replace the connection by a new one and send a request; the answer may come before all is sent."""
        ...

    async def receive(self, timeout_s: float) -> bytes:
        """The next bytes of the connection, none at its end."""
        ...

    async def pause(self, timeout_s: float) -> None:
        """Wait."""
        ...

    def close(self) -> None:
        """Close the connection for good, also while another thread or task waits for it."""
        ...


class Closed(RuntimeError):
    """The client, or the watch, is closed."""

    def __str__(self) -> str:
        return "The client or the watch is closed."


@functools.lru_cache(maxsize=1)
def tls_settings() -> ssl.SSLContext:
    """The settings of all TLS connections, which verify certificates and names."""
    return ssl.create_default_context()


class Overdue(Exception):
    """The time of a limited link is over."""


class LimitedLink:
    """A link that raises Overdue after a time."""

    def __init__(self, link: Link, deadline: float, clock: Callable[[], float]) -> None:
        self._link = link
        self._deadline = deadline
        self._clock = clock

    async def connect(self, origin: Origin, request: bytes, timeout_s: float) -> None:
        await self._within(timeout_s, lambda left: self._link.connect(origin, request, left))

    async def receive(self, timeout_s: float) -> bytes:
        return await self._within(timeout_s, self._link.receive)

    async def pause(self, timeout_s: float) -> None:
        await self._within(timeout_s, self._link.pause)

    def close(self) -> None:
        self._link.close()

    async def _within(self, timeout_s: float, wait: Callable[[float], Awaitable[T]]) -> T:
        left = self._deadline - self._clock()
        try:
            if left > 0:
                return await wait(min(timeout_s, left))
        except TimeoutError:
            if timeout_s < left:
                raise
        raise Overdue
