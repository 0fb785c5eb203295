"""The client of the run service: typed calls, a watch that survives cuts, webhook verification."""

from . import types as types
from ._service import VERSION as __version__
from .async_client import AsyncClient, AsyncWatch
from .client import Client, Watch
from .errors import ApiError, ConnectionError, RunFailed, RunServiceError, WebhookError
from .webhooks import verify

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncWatch",
    "Client",
    "ConnectionError",
    "RunFailed",
    "RunServiceError",
    "Watch",
    "WebhookError",
    "__version__",
    "types",
    "verify",
]
