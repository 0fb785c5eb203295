"""What the client raises: service errors by code, lost connections, runs without success, false webhooks."""

from __future__ import annotations

import builtins
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from .types import ErrorBody, ErrorCode, ErrorType, Run


class RunServiceError(Exception):
    """The base of every error of this package."""


class ApiError(RunServiceError):
    """An error reply of the service; `doc_url` explains it.

    `body` is the reply itself: comparing `error.body["code"]` tells a type checker the details of that code.
    """

    def __init__(self, body: ErrorBody, *, status: int, attempts: int, retry_after_ms: float | None) -> None:
        fields: Mapping[str, Any] = {**body}
        super().__init__(fields.get("message", ""))
        self.body = body
        self.code: ErrorCode = body["code"]
        self.type: ErrorType = fields.get("type", "internal")
        self.status = status
        self.message: str = fields.get("message", "")
        self.request_id: str = fields.get("request_id", "")
        self.doc_url: str = fields.get("doc_url", "")
        #: The invalid field, as a dotted path.
        self.param: str | None = fields.get("param")
        #: What belongs to the code; empty for a code without details.
        self.details: Mapping[str, Any] = fields.get("details", {})
        #: How long the service asks to wait before a retry.
        self.retry_after_ms = retry_after_ms
        #: How often the request was sent.
        self.attempts = attempts

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


class ConnectionError(RunServiceError, builtins.ConnectionError):  # noqa: A001
    """The service never answered: the connection was lost, timed out, or something else answered."""

    def __init__(self, message: str, *, attempts: int = 1, status: int | None = None) -> None:
        super().__init__(message)
        #: How often the request was sent.
        self.attempts = attempts
        #: HTTP status of what answered instead of the service; None when nothing did.
        self.status = status


class RunFailed(RunServiceError):
    """The run has ended without success: it failed or was canceled."""

    def __init__(self, run: Run) -> None:
        errors = run["errors"]
        super().__init__(errors[-1]["message"] if errors else f"The run {run['id']} has ended as {run['status']}.")
        self.run = run


class WebhookError(RunServiceError):
    """A webhook that failed verification."""

    def __init__(self, reason: Literal["no_header", "malformed", "mismatch", "too_old"], message: str) -> None:
        super().__init__(message)
        self.reason = reason
