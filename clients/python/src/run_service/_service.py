"""One call of the service: key, retries of transient failures, and errors by code."""

from __future__ import annotations

import contextlib
import copy
import email.utils
import json
import random
import re
import ssl
import threading
import time
import weakref
from collections.abc import Callable, Mapping
from email.message import Message
from urllib.parse import SplitResult, urlencode, urlsplit

from ._http import Answer, BrokenAnswer, origin_of, request_bytes
from ._link import Closed, LimitedLink, Link, T
from .errors import ApiError, ConnectionError

VERSION = "0.1.0"
RETRIED = (429, 500, 503, 504)
#: Errors that a retry meets again, whatever their status.
FINAL = ("model_refused", "model_answer_unusable")
MAX_RETRY_DELAY_S = 60.0
FIRST_DELAY_S = 1.0
LONGEST_DELAY_S = 8.0


class Service:
    """What all calls of a client share. Safe in threads."""

    def __init__(
        self,
        api_key: str,
        base_url: str,
        max_retries: int,
        timeout_ms: float,
        new_link: Callable[[], Link],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.base_url = urlsplit(base_url.rstrip("/"))
        origin_of(self.base_url)
        self.clock = clock
        self._api_key = checked_key(api_key)
        self._max_retries = max_retries
        self._timeout_s = timeout_ms / 1000
        self._new_link = new_link
        #: The links of calls and watches in progress; None once the client is closed.
        self._links: weakref.WeakSet[Link] | None = weakref.WeakSet()
        self._lock = threading.Lock()

    def link(self) -> Link:
        """A link that ends when the client is closed."""
        link = self._new_link()
        with self._lock:
            if self._links is None:
                raise Closed
            self._links.add(link)
        return link

    def within(self, timeout_ms: float) -> Service:
        """The same service for calls that end by Overdue after a time."""
        deadline = self.clock() + timeout_ms / 1000
        limited = copy.copy(self)
        limited._new_link = lambda: LimitedLink(self.link(), deadline, self.clock)
        return limited

    def close(self) -> None:
        """End all calls and watches: they raise Closed."""
        with self._lock:
            links, self._links = list(self._links or ()), None
        for link in links:
            link.close()

    def url_of(self, path: str, query: Mapping[str, object] | None = None) -> SplitResult:
        """The address of a call; a parameter that is None is left out."""
        given = {name: value for name, value in (query or {}).items() if value is not None}
        return self.base_url._replace(path=self.base_url.path + path, query=urlencode(given))

    async def send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, object] | None = None,
        body: object = None,
        idempotency_key: str | None = None,
        timeout_s: float | None = None,
        max_retries: int | None = None,
        read: Callable[[bytes], T] = json.loads,
    ) -> T:
        """Send a call, again after what may be transient; return what `read` makes of its reply.

        Raises ValueError for an id that leads to another path.
        """
        if re.search(r"/\.{0,2}(?:/|$)", path):
            raise ValueError(f'An id must not be empty, "." or "..": {path}')
        headers = {
            "Authorization": f"Bearer {self._api_key}",
            "Accept": "application/json",
            "User-Agent": f"run-service-python/{VERSION}",
            **({} if body is None else {"Content-Type": "application/json"}),
            **({} if idempotency_key is None else {"Idempotency-Key": idempotency_key}),
        }
        url = self.url_of(path, query)
        content = None if body is None else json.dumps(body, allow_nan=False).encode()
        request = request_bytes(method, url, headers, content)
        most_retries = self._max_retries if max_retries is None else max_retries
        link = self.link()
        attempts = 1
        try:
            while True:
                try:
                    answer = Answer(link, self._patience(timeout_s))
                    await answer.begin(origin_of(url), request)
                    received = await answer.body()
                    if answer.status < 300:
                        return read(received)
                    error = error_of(answer.status, answer.headers, received, attempts)
                    if isinstance(error, ApiError):
                        passes = answer.status in RETRIED and error.code not in FINAL
                    else:
                        passes = answer.status in RETRIED or answer.status >= 500
                except (OSError, BrokenAnswer, ValueError) as cause:
                    address = url._replace(query="").geturl()
                    error = ConnectionError(f"{method} {address}: {cause or type(cause).__name__}", attempts=attempts)
                    error.__cause__ = cause
                    passes = not isinstance(cause, ssl.SSLCertVerificationError)
                asked_s = asked_delay_s(error)
                if not passes or (asked_s or 0) > MAX_RETRY_DELAY_S or attempts > most_retries:
                    raise error
                await link.pause(retry_delay_s(attempts, asked_s))
                attempts += 1
        finally:
            link.close()

    def _patience(self, timeout_s: float | None) -> Callable[[], float]:
        deadline = self.clock() + (timeout_s or self._timeout_s)
        return lambda: deadline - self.clock()


def checked_key(api_key: object) -> str:
    """A key without blanks around it. Raises ValueError for one that is not set, and for what is no key."""
    key = api_key.strip(" \t\r\n\ufeff") if isinstance(api_key, str) else ""
    if not key.strip():
        raise ValueError("api_key is not set.")
    odd = re.search(r"[^A-Za-z0-9_.~+/=-]", key)
    if odd is None:
        return key
    raise ValueError(f"The API key has a character that no key has: U+{ord(odd[0]):04X}.")


def retry_delay_s(failures: int, asked_s: float | None = None) -> float:
    """The wait before a retry: what the service asks for, else 1, 2, 4, 8 s; with jitter."""
    if asked_s is not None:
        return asked_s + random.random() * FIRST_DELAY_S
    delay_s = min(FIRST_DELAY_S * 2.0 ** (failures - 1), LONGEST_DELAY_S)
    return delay_s * (0.5 + random.random() / 2)


def asked_delay_s(error: Exception) -> float | None:
    """The wait that an error of the service asks for."""
    asked_ms = error.retry_after_ms if isinstance(error, ApiError) else None
    return None if asked_ms is None else asked_ms / 1000


def error_of(status: int, headers: Message, body: bytes, attempts: int = 1) -> ApiError | ConnectionError:
    """The error of a reply; a ConnectionError when it is not one of the service."""
    with contextlib.suppress(ValueError, TypeError, KeyError):
        error = json.loads(body)["error"]
        if isinstance(error["code"], str):
            retry_after_ms = _retry_after_ms(headers.get("Retry-After"))
            return ApiError(error, status=status, attempts=attempts, retry_after_ms=retry_after_ms)
    what = "a redirect, which is not followed" if 300 <= status < 400 else "not an answer of the service"
    return ConnectionError(f"HTTP {status}: {what}", attempts=attempts, status=status)


def _retry_after_ms(header: str | None) -> float | None:
    if header is None:
        return None
    with contextlib.suppress(ValueError):
        return max(0.0, float(header) * 1000)
    with contextlib.suppress(ValueError):
        return max(0.0, (email.utils.parsedate_to_datetime(header).timestamp() - time.time()) * 1000)
    return None
