"""A service in memory with its own clock: the core's requests get scripted answers, and no test waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from email.message import Message
from email.parser import Parser
from typing import Any
from urllib.parse import parse_qs, urlsplit

from run_service._link import Origin
from run_service._service import Service
from run_service._threads import blocking
from run_service.async_client import AsyncArtifacts, AsyncDeliveries, AsyncEntities, AsyncNotes, AsyncRuns

BASE_URL = "http://service.test/api/v1"


@dataclass
class Sent:
    """A request as it was on the wire."""

    method: str
    path: str
    query: dict[str, str]
    headers: Message
    body: Any
    at: float
    origin: Origin


#: What a connection brings: bytes, seconds of silence, an error.
Pieces = Iterable["bytes | float | Exception"]


def reply(status: int = 200, body: object = None, **headers: str) -> Pieces:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(content)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return ["\r\n".join([*lines, "", ""]).encode() + content]


def refused(status: int, code: str, *, details: object = None, **headers: str) -> Pieces:
    error = {"code": code, "type": "conflict", "message": f"It is {code}.", "doc_url": f"http://d#{code}"}
    error |= {"request_id": "req", "param": "p"}
    return reply(status, {"error": error | ({} if details is None else {"details": details})}, **headers)


@dataclass
class FakeService:
    """Each request gets the next answer, further ones get the last."""

    answers: list[Callable[[Sent], Pieces]]
    now: float = 1000.0
    sent: list[Sent] = field(default_factory=list)
    pauses: list[float] = field(default_factory=list)
    #: Links that were not closed.
    open: int = 0

    def clock(self) -> float:
        return self.now

    def service(self, max_retries: int = 4, timeout_ms: float = 60_000, api_key: str = "sk_secret") -> Service:
        return Service(api_key, BASE_URL, max_retries, timeout_ms, lambda: FakeLink(self), self.clock)

    def runs(self, **options: Any) -> AsyncRuns:
        return AsyncRuns(self.service(**options))

    def groups(self) -> tuple[AsyncArtifacts, AsyncNotes, AsyncEntities, AsyncDeliveries]:
        service = self.service()
        return AsyncArtifacts(service), AsyncNotes(service), AsyncEntities(service), AsyncDeliveries(service)

    def gaps(self) -> list[float]:
        times = [one.at for one in self.sent]
        return [after - before for before, after in zip(times, times[1:], strict=False)]

    def watched(self, **options: Any) -> list[str]:
        """The ids of the events that a watch gives, to its end."""
        watch = self.runs().watch("1", **options)
        seen = []
        try:
            while True:
                seen.append(blocking(watch.__anext__())["event_id"])
        except StopAsyncIteration:
            self.final = blocking(watch.done())
            return seen


class FakeLink:
    """A link to the fake service."""

    def __init__(self, service: FakeService) -> None:
        self._service = service
        self._pieces: Any = iter(())
        self._service.open += 1
        self._closed = False

    async def connect(self, origin: Origin, request: bytes, timeout_s: float) -> None:
        head, _, body = request.decode().partition("\r\n\r\n")
        line, _, headers = head.partition("\r\n")
        method, target, _ = line.split(" ")
        url = urlsplit(target)
        sent = Sent(
            method,
            url.path.removeprefix("/api/v1"),
            {name: values[0] for name, values in parse_qs(url.query).items()},
            Parser().parsestr(headers),
            json.loads(body) if body else None,
            self._service.now,
            origin,
        )
        self._service.sent.append(sent)
        answers = self._service.answers
        self._pieces = iter((answers.pop(0) if len(answers) > 1 else answers[0])(sent))

    async def receive(self, timeout_s: float) -> bytes:
        for piece in self._pieces:
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, bytes):
                return piece
            self._service.now += min(piece, timeout_s)
            if piece >= timeout_s:
                raise TimeoutError("timed out")
        return b""

    async def pause(self, timeout_s: float) -> None:
        self._service.pauses.append(timeout_s)
        self._service.now += timeout_s

    def close(self) -> None:
        self._service.open -= 0 if self._closed else 1
        self._closed = True
