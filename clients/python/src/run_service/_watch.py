"""Watches a run: each event once, in order, over any transport that works, until the log and the run have ended."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, quote, urlencode, urlsplit

from ._http import Answer, BrokenAnswer, origin_of, request_bytes
from ._link import Link
from ._service import Service, asked_delay_s, error_of, retry_delay_s
from ._sse import EventParser
from .errors import ApiError, ConnectionError

if TYPE_CHECKING:
    from . import types as t

#: The service sends a comment every 15 s; longer silence means a broken stream.
SILENCE_S = 20.0
#: Consecutive streams without data before polling starts.
FRUITLESS_STREAMS = 2
POLL_FOR_S = 300.0
#: A stream whose reader has left runs on until its end, so a watch asks for short ones.
STREAM_MS = 60_000
PAGE_LIMIT = 1000
#: The service delays an empty page by 25 s.
PAGE_TIMEOUT_S = 40.0
TOKEN_SPARE_MS = 10_000

FINAL = ("run.succeeded", "run.failed", "run.canceled")
TERMINAL = ("succeeded", "failed", "canceled")


class StreamSilent(ConnectionError):
    """The stream sent nothing for 20 s, not even a comment: something in between buffers it."""


class LogReader:
    """The reader of one run's log, over one link at a time."""

    def __init__(self, service: Service, id: str, after: str | None) -> None:
        self._service = service
        self._path = f"/runs/{quote(id, safe='')}"
        #: Id of the last event given to the caller.
        self.last_event_id = after
        #: The final envelope, once there is no further event.
        self.final: t.Run | None = None
        self._last_sequence: int | None = None
        #: Where a poll without a sequence starts.
        self._skip_to = after
        #: Whether the last known event ends the log, unless a resume follows.
        self._at_end = False
        #: Whether the service said that no event follows.
        self._over = False
        self._cursor: str | None = None
        self._token: t.EventToken | None = None
        self._poll_until = float("-inf")
        self._fruitless = 0
        #: Whether the last stream sent anything, if only a comment, and any event.
        self._brought = False
        self._brought_events = False

    async def events(self, link: Link) -> AsyncGenerator[t.RunEvent, None]:
        """The events after the last one, to the end of the log; closes the link, however it ends."""
        try:
            async for event in self._events(link):
                yield event
        finally:
            link.close()

    async def _events(self, link: Link) -> AsyncGenerator[t.RunEvent, None]:
        ended: t.Run | None = None
        while True:
            before = self._last_sequence
            polls = self._service.clock() < self._poll_until
            async for event in self._page() if polls else self._stream(link):
                yield event
            # The envelope is final only if no event has arrived since it was read.
            if self._last_sequence != before:
                ended = None
            if self._over and ended:
                self.final = ended
                return
            if not self._over and not self._at_end:
                continue
            run: t.Run = await self._service.send("GET", self._path)
            ended = run if run["status"] in TERMINAL else None
            if ended is None:
                await link.pause(retry_delay_s(1))

    async def _stream(self, link: Link) -> AsyncGenerator[t.RunEvent, None]:
        """The new events of one connection."""
        url = await self._stream_url()
        self._brought, self._brought_events = False, False
        why: Exception = ConnectionError("The stream was interrupted.")
        try:
            async for event in self._read(link, url):
                yield event
        except TimeoutError:
            why = StreamSilent(f"The stream brought nothing for {SILENCE_S:g} s.")
        except (OSError, BrokenAnswer, ApiError, ValueError) as error:
            why = error
        if not self._over and not self._at_end:
            await self._reconnect(link, why)

    async def _read(self, link: Link, url: SplitResult) -> AsyncGenerator[t.RunEvent, None]:
        answer = Answer(link, lambda: SILENCE_S)
        # The stream may be at another host: the key stays here.
        await answer.begin(origin_of(url), request_bytes("GET", url, {"Accept": "text/event-stream"}, None))
        self._over = answer.status == 204
        if self._over:
            return
        if answer.status != 200 or answer.headers.get_content_type() != "text/event-stream":
            raise error_of(answer.status, answer.headers, await answer.body())
        parser = EventParser()
        while piece := await answer.read():
            self._brought = True
            for data in parser.feed(piece):
                event: t.Event = json.loads(data)
                self._brought_events = True
                self._skip_to = None
                if event["event_type"] == "connection.expired":
                    return
                if self._is_new(event):
                    yield event
                if self._at_end:
                    return

    async def _stream_url(self) -> SplitResult:
        """The stream's address after the last event, with a token that stays valid for a while."""
        if self._token is None or self._token["expires_at"] < time.time() * 1000 + TOKEN_SPARE_MS:
            token: t.EventToken = await self._service.send("POST", f"{self._path}/events/token")
            self._token = token
        given = self._token.get("stream_url")
        url = urlsplit(given) if given else self._service.url_of(f"{self._path}/events/stream")
        query = [*parse_qsl(url.query), ("event_token", self._token["event_token"])]
        query.append(("max_ms", str(STREAM_MS)))
        if self.last_event_id is not None:
            query.append(("last_event_id", self.last_event_id))
        return url._replace(query=urlencode(query))

    async def _reconnect(self, link: Link, why: Exception) -> None:
        """Decide how to continue after a connection, and wait if it was fruitless. Raises what no retry can fix."""
        silent = isinstance(why, StreamSilent)
        if isinstance(why, ApiError) and why.status < 500 and why.status not in (401, 429):
            raise why
        if isinstance(why, ApiError) and why.status == 401:
            self._token = None
        self._fruitless = 0 if self._brought and not silent else self._fruitless + 1
        no_stream = isinstance(why, ConnectionError) and not self._brought and not silent
        if no_stream or self._fruitless >= FRUITLESS_STREAMS:
            self._poll_until = self._service.clock() + POLL_FOR_S
            self._fruitless = 0
        elif not silent and not self._brought_events:
            await link.pause(retry_delay_s(max(1, self._fruitless), asked_delay_s(why)))

    async def _page(self) -> AsyncGenerator[t.RunEvent, None]:
        """The new events of one long poll."""
        query = {"cursor": self._cursor, "limit": PAGE_LIMIT, "keep-open": 1}
        page: t.EventPage
        page = await self._service.send("GET", f"{self._path}/events", query=query, timeout_s=PAGE_TIMEOUT_S)
        for event in page["data"]:
            if self._is_new(event):
                yield event
        self._cursor = page["next_cursor"]
        if not page["data"] and self._skip_to is not None and self._last_sequence is not None:
            raise ValueError(f"The log of the run has no event {self._skip_to}.")
        # A log without events is past its retention.
        self._over = not page["data"] and (self._at_end or self._last_sequence is None)

    def _is_new(self, event: t.RunEvent) -> bool:
        """Record an event; return whether it is new."""
        if self._last_sequence is not None and event["sequence"] <= self._last_sequence:
            return False
        self._last_sequence = event["sequence"]
        self._at_end = event["event_type"] in FINAL
        if self._skip_to is not None:
            if event["event_id"] == self._skip_to:
                self._skip_to = None
            return False
        self.last_event_id = event["event_id"]
        return True
