"""HTTP/1.1 without a socket: the bytes of a request, and an answer read from the bytes that arrive."""

from __future__ import annotations

import http.client
import io
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import SplitResult

from ._link import Link, Origin

if TYPE_CHECKING:
    from email.message import Message

MAX_LINE_BYTES = 65_536
MAX_HEADERS = 90


class BrokenAnswer(Exception):
    """The answer ended early, or it is not HTTP."""


def origin_of(url: SplitResult) -> Origin:
    """Where a request for an address goes. Raises ValueError for an address that has no host."""
    if url.scheme not in ("http", "https") or not url.hostname or url.username is not None:
        raise ValueError("The address must begin with http:// or https:// and a host, without a user.")
    tls = url.scheme == "https"
    return Origin(url.hostname, url.port or (443 if tls else 80), tls)


def request_bytes(method: str, url: SplitResult, headers: Mapping[str, str], body: bytes | None) -> bytes:
    """A request whose connection serves no other one. Raises ValueError for a header that would end early."""
    sent = {"Host": url.netloc, "Connection": "close", "Accept-Encoding": "identity", **headers}
    if body is not None or method == "POST":
        sent["Content-Length"] = str(len(body or b""))
    for name, value in sent.items():
        if re.search(r"[\x00-\x1f\x7f]", value):
            raise ValueError(f"{name} has a control character.")
    target = (url.path or "/") + (f"?{url.query}" if url.query else "")
    lines = [f"{method} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in sent.items()), "", ""]
    return "\r\n".join(lines).encode("utf-8", "replace") + (body or b"")


class Answer:
    """The answer to one request. Raises BrokenAnswer and what the shell raises."""

    status: int
    headers: Message

    def __init__(self, link: Link, patience_s: Callable[[], float]) -> None:
        self._link = link
        self._patience_s = patience_s
        self._buffer = b""
        self._chunked = False
        #: Bytes left of the body, or of its current chunk; None up to the end of the connection.
        self._left: int | None = 0

    async def begin(self, origin: Origin, request: bytes) -> None:
        """Send the request and read the head of the answer."""
        await self._link.connect(origin, request, self._patience())
        await self._head()
        while self.status < 200:
            # What informs precedes the answer.
            await self._head()
        length = self.headers.get("Content-Length", "")
        if self.status in (204, 304):
            return
        if "chunked" in self.headers.get("Transfer-Encoding", "").lower():
            self._chunked = True
        elif length == "":
            self._left = None
        elif re.fullmatch(r"[0-9]{1,15}", length):
            self._left = int(length)
        else:
            raise BrokenAnswer("the answer has no valid length")

    async def read(self) -> bytes:
        """The next bytes of the body; none at its end."""
        if self._chunked and self._left == 0:
            await self._next_chunk()
        if self._left == 0:
            return b""
        if not self._buffer and not (await self._more()):
            if self._left is None:
                return b""
            raise BrokenAnswer("the answer was cut")
        piece, self._buffer = self._buffer[: self._left], self._buffer[self._left or len(self._buffer) :]
        if self._left is not None:
            self._left -= len(piece)
        return piece

    async def body(self) -> bytes:
        """The whole body."""
        pieces = []
        while piece := (await self.read()):
            pieces.append(piece)
        return b"".join(pieces)

    async def _head(self) -> None:
        line = await self._line()
        match = re.fullmatch(rb"HTTP/1\.[01] ([1-9][0-9]{2})(?: .*)?", line)
        if match is None:
            raise BrokenAnswer("the answer is not HTTP")
        lines = []
        while line := (await self._line()):
            lines.append(line + b"\r\n")
            if len(lines) > MAX_HEADERS:
                raise BrokenAnswer("the answer has too many headers")
        self.status = int(match[1])
        self.headers = http.client.parse_headers(io.BytesIO(b"".join(lines) + b"\r\n"))

    async def _next_chunk(self) -> None:
        # An empty line ends the previous chunk.
        size = (await self._line()) or (await self._line())
        match = re.fullmatch(rb"([0-9a-fA-F]{1,12})[ \t]*(?:;.*)?", size)
        if match is None:
            raise BrokenAnswer("the answer has a chunk without a size")
        self._left = int(match[1], 16)
        if self._left == 0:
            self._chunked = False
            while await self._line():
                pass

    async def _line(self) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > MAX_LINE_BYTES:
                raise BrokenAnswer("the answer has a line without an end")
            if not (await self._more()):
                raise BrokenAnswer("the answer was cut")
        line, self._buffer = self._buffer.split(b"\n", 1)
        return line[:-1] if line.endswith(b"\r") else line

    async def _more(self) -> bytes:
        data = await self._link.receive(self._patience())
        self._buffer += data
        return data

    def _patience(self) -> float:
        left = self._patience_s()
        if left <= 0:
            raise TimeoutError("no answer in time")
        return left
