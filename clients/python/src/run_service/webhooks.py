"""Verifies webhooks, by the signature over the exact body and its age, and signs them for tests."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import math
import re
import secrets as random
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from .errors import WebhookError

if TYPE_CHECKING:
    from .types import WebhookBody


class Headers(Protocol):
    """All headers of a request, as every web framework has them."""

    def items(self) -> Iterable[tuple[str, Any]]:
        """Names, in any case, with their values."""
        ...


class _Signature(NamedTuple):
    """A signature in either form of header."""

    #: The signed bytes before the body.
    prefix: bytes
    seconds: int
    #: One of these must match.
    macs: list[bytes]


def verify(
    body: str | bytes | bytearray | memoryview,
    header: str | Headers | None,
    *,
    api_key: str | Iterable[str] | None = None,
    secret: str | Iterable[str] | None = None,
    tolerance_seconds: float = 300,
) -> WebhookBody:
    """Verify a delivery and return its parsed body; raise WebhookError otherwise. ValueError: a key is not set.

    `body` is the exact body received. `header` is the value of `X-Service-Signature`, or all headers. `api_key` is the
    key that created the run, `secret` its lowercase hex SHA-256; of several one must match, as after a rotation.
    """
    # A mistake of the caller shows with every request, not only with one that was forged.
    secrets = _secrets_of(api_key, secret)
    if not _is_finite(tolerance_seconds):
        raise ValueError("tolerance_seconds must be a finite number.")
    signature = _signature_of(header)
    received = body.encode() if isinstance(body, str) else bytes(body)
    signed = signature.prefix + received
    matches = False
    for one in secrets:
        mac = hmac.new(one.encode(), signed, hashlib.sha256).digest()
        for claimed in signature.macs:
            # All are compared, each in constant time.
            matches = hmac.compare_digest(mac, claimed) or matches
    if not matches:
        raise WebhookError("mismatch", "No key matches the signature of this body.")
    if abs(time.time() - signature.seconds) > tolerance_seconds:
        message = f"The time of the signature is more than {tolerance_seconds} seconds off."
        raise WebhookError("too_old", message)
    parsed: WebhookBody = json.loads(received)
    return parsed


def sign(
    body: str | bytes | bytearray | memoryview,
    *,
    api_key: str | None = None,
    secret: str | None = None,
    now: float | None = None,
) -> dict[str, str]:
    """The headers of a delivery of this body, by name: for the tests of a receiver. ValueError: a key is not set.

    `body` is the exact body that is sent. `api_key` is the key that created the run, `secret` its lowercase hex
    SHA-256. `now` is when it is sent, in Unix seconds.
    """
    key = _secrets_of(api_key, secret)[0].encode()
    sent_at = time.time() if now is None else now
    if not _is_finite(sent_at):
        raise ValueError("now must be a finite number.")
    seconds = str(math.floor(sent_at))
    sent = body.encode() if isinstance(body, str) else bytes(body)
    names = _names_in(sent)
    event_id = names.get("event_id", "evt_test")
    own = hmac.new(key, f"{seconds}.".encode() + sent, hashlib.sha256)
    standard = hmac.new(key, f"{event_id}.{seconds}.".encode() + sent, hashlib.sha256)
    run = re.fullmatch(r"[0-9a-f]{32}", names.get("run_id", "").replace("-", ""))
    trace = run[0] if run else random.token_hex(16)
    return {
        "Content-Type": "application/json",
        "User-Agent": "service-webhook/1",
        "X-Service-Signature": f"t={seconds},v1={own.hexdigest()}",
        "X-Service-Event-Id": event_id,
        "X-Service-Api-Version": names.get("api_version", ""),
        "traceparent": f"00-{trace}-{random.token_hex(8)}-01",
        "webhook-id": event_id,
        "webhook-timestamp": seconds,
        "webhook-signature": f"v1,{base64.b64encode(standard.digest()).decode()}",
    }


def _names_in(body: bytes) -> dict[str, str]:
    """The texts of the body's first level. A receiver may be tested with a body that is no delivery."""
    try:
        parsed = json.loads(body)
    except ValueError:
        return {}
    return {key: value for key, value in parsed.items() if isinstance(value, str)} if isinstance(parsed, dict) else {}


def _secrets_of(api_key: str | Iterable[str] | None, secret: str | Iterable[str] | None) -> list[str]:
    """The secrets of keys. Raises ValueError for none, and where one is not set."""
    found = [*(_secret_of(one) for one in texts_of(api_key)), *texts_of(secret)]
    if not found:
        raise _unset()
    return found


def texts_of(keys: Any) -> list[str]:
    """Keys or secrets, of which none is blank. Raises ValueError."""
    if keys is None:
        return []
    given = [keys] if isinstance(keys, str) else [*keys] if isinstance(keys, Iterable) else []
    # An empty key would be one that everybody knows.
    if not given or not all(isinstance(key, str) and key.strip() for key in given):
        raise _unset()
    return given


def _unset() -> ValueError:
    return ValueError("A key or secret is not set: it must be a text that is not blank.")


def _is_finite(value: Any) -> bool:
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    # An int is finite, and may be too large to be asked.
    return is_number and (isinstance(value, int) or math.isfinite(value))


def _secret_of(api_key: str) -> str:
    return hashlib.sha256(api_key.encode()).hexdigest()


def _signature_of(header: str | Headers | None) -> _Signature:
    if header is None or isinstance(header, str):
        own, headers = header, {}
    else:
        headers = {str(name).lower(): _first(value) for name, value in header.items()}
        own = headers.get("x-service-signature")
    if own:
        return _own_form(own)
    signatures = headers.get("webhook-signature")
    if not signatures:
        raise WebhookError("no_header", "The request has no signature.")
    return _standard_form(headers.get("webhook-id", ""), headers.get("webhook-timestamp", ""), signatures)


def _first(value: Any) -> str:
    first = value[0] if isinstance(value, (list, tuple)) and value else value
    return first if isinstance(first, str) else ""


def _own_form(header: str) -> _Signature:
    """`t=<unix seconds>,v1=<64 lowercase hex>` over `<t>.<body>`."""
    match = re.fullmatch(r"t=([0-9]{1,12}),v1=([0-9a-f]{64})", header)
    if match is None:
        raise _malformed()
    return _Signature(f"{match[1]}.".encode(), int(match[1]), [bytes.fromhex(match[2])])


def _standard_form(id: str, seconds: str, signatures: str) -> _Signature:
    """Standard Webhooks: `v1,<base64>`, possibly several separated by spaces, over `<id>.<seconds>.<body>`."""
    claims = (re.fullmatch(r"v1,([A-Za-z0-9+/]{43}=)", one) for one in signatures.split(" "))
    macs = [base64.b64decode(claim[1]) for claim in claims if claim]
    if not id or not re.fullmatch(r"[0-9]{1,12}", seconds) or not macs:
        raise _malformed()
    return _Signature(f"{id}.{seconds}.".encode(), int(seconds), macs)


def _malformed() -> WebhookError:
    return WebhookError("malformed", "The signature is malformed.")
