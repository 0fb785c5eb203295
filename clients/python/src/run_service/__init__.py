"""The client of the run service: typed calls, a watch that survives cuts, webhook verification."""

from typing import TYPE_CHECKING, Any

from . import types as types
from ._fixtures import Fixtures
from ._fixtures import fixtures as _fixtures
from ._service import VERSION as __version__
from .async_client import AsyncClient, AsyncWatch
from .client import Client, Watch
from .errors import ApiError, ConnectionError, RunFailed, RunServiceError, WebhookError
from .types import JobRequested
from .webhooks import sign, verify
from .worker import JobContext, worker

if TYPE_CHECKING:
    fixtures: Fixtures

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncWatch",
    "Client",
    "ConnectionError",
    "Fixtures",
    "JobContext",
    "JobRequested",
    "RunFailed",
    "RunServiceError",
    "Watch",
    "WebhookError",
    "__version__",
    "fixtures",
    "sign",
    "types",
    "verify",
    "worker",
]


def __getattr__(name: str) -> Any:
    """Read the fixtures when they are asked for: a program that runs for its users needs none."""
    if name == "fixtures":
        return _fixtures()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
