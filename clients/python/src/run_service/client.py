"""The blocking client: the calls of the client on asyncio, whose coroutines wait in blocking links."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, ClassVar

from ._link import Link
from ._threads import BlockingLink, blocking
from .async_client import (
    AsyncArtifacts,
    AsyncClient,
    AsyncDeliveries,
    AsyncEntities,
    AsyncNotes,
    AsyncRuns,
    AsyncWatch,
)

if TYPE_CHECKING:
    from . import types as t


class _BlockingClient(AsyncClient):
    _link: ClassVar[type[Link]] = BlockingLink


class Client:
    """The client of one workspace; safe in threads. Calls raise ApiError and ConnectionError."""

    def __init__(self, api_key: str, base_url: str, *, max_retries: int = 4, timeout_ms: float = 60_000) -> None:
        """`base_url` ends in `/api/v1`; `timeout_ms` limits one attempt. Raises ValueError for an invalid address."""
        self._client = _BlockingClient(api_key, base_url, max_retries=max_retries, timeout_ms=timeout_ms)
        self.runs = Runs(self._client.runs)
        self.artifacts = Artifacts(self._client.artifacts)
        self.notes = Notes(self._client.notes)
        self.entities = Entities(self._client.entities)
        self.deliveries = Deliveries(self._client.deliveries)

    def me(self) -> t.Me:
        """The key, its scopes and limits, and its workspace's usage."""
        return blocking(self._client.me())

    def close(self) -> None:
        """Close every connection; calls in other threads raise RuntimeError, watches end."""
        blocking(self._client.aclose())

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._client).replace("_BlockingClient", "Client")


class Runs:
    """Runs, their logs and their ends."""

    def __init__(self, runs: AsyncRuns) -> None:
        self._runs = runs

    def create(self, body: t.CreateRun, *, idempotency_key: str | None = None) -> t.Run:
        """Create a run, which has not started yet. Sending a key twice returns the same run; default: a new UUID."""
        return blocking(self._runs.create(body, idempotency_key=idempotency_key))

    def check(self, body: t.CreateRun) -> t.RunCheck:
        """Make the checks of `create`, and say what the run would cost; creates nothing."""
        return blocking(self._runs.check(body))

    def get(self, id: str, *, plan: bool = False) -> t.Run:
        """The envelope of a run; with `plan` also the plan that it follows, and a query in words."""
        return blocking(self._runs.get(id, plan=plan))

    def list(
        self,
        *,
        status: t.RunStatus | Sequence[t.RunStatus] | None = None,
        input_type: t.InputType | None = None,
        created_after: int | None = None,
        created_before: int | None = None,
        metadata: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.RunList:
        """A page of runs, newest first; `next_cursor` leads to the next page. `metadata` is `key:value`."""
        page = self._runs.list(
            status=status,
            input_type=input_type,
            created_after=created_after,
            created_before=created_before,
            metadata=metadata,
            limit=limit,
            cursor=cursor,
        )
        return blocking(page)

    def events(self, id: str, *, limit: int | None = None, cursor: str | None = None) -> t.EventPage:
        """A page of the log so far."""
        return blocking(self._runs.events(id, limit=limit, cursor=cursor))

    def cancel(self, id: str) -> t.Run:
        """Cancel a run; its running step still ends and is billed."""
        return blocking(self._runs.cancel(id))

    def resume(self, id: str, *, plan: t.Plan | None = None, config: t.ResumeConfig | None = None) -> t.Run:
        """Continue a failed run."""
        return blocking(self._runs.resume(id, plan=plan, config=config))

    def rerun(
        self, id: str, *, step_index: int, config: t.RunConfig | None = None, idempotency_key: str | None = None
    ) -> t.Run:
        """A new run that reuses this run's outputs of the steps before `step_index`."""
        again = self._runs.rerun(id, step_index=step_index, config=config, idempotency_key=idempotency_key)
        return blocking(again)

    def delete(self, id: str) -> None:
        """Delete a run that has ended, with everything that it made."""
        blocking(self._runs.delete(id))

    def watch(self, id: str, *, after: str | None = None) -> Watch:
        """The events of a run as they happen, each once, in order; with `after` those after that event's id."""
        return Watch(self._runs.watch(id, after=after))

    def wait(self, id: str, *, timeout_ms: float | None = None, raise_on_failure: bool = False) -> t.Run:
        """The final envelope, once the run has ended. Raises TimeoutError: the run goes on; RunFailed where wanted."""
        return blocking(self._runs.wait(id, timeout_ms=timeout_ms, raise_on_failure=raise_on_failure))


class Watch:
    """One reader of a run's log: loop over it, or just wait for its end. An error ends a loop; a new one continues."""

    def __init__(self, watch: AsyncWatch) -> None:
        self._watch = watch

    @property
    def last_event_id(self) -> str | None:
        """Id of the last event. Store it and pass it as `after` to continue in another process."""
        return self._watch.last_event_id

    def done(self) -> t.Run:
        """The final envelope; reads the rest of the log. Raises RuntimeError once the watch is closed."""
        return blocking(self._watch.done())

    def close(self) -> None:
        """Close the connection; a loop in another thread ends."""
        blocking(self._watch.aclose())

    def __iter__(self) -> Watch:
        return self

    def __next__(self) -> t.RunEvent:
        try:
            return blocking(self._watch.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Artifacts:
    """What runs make."""

    def __init__(self, artifacts: AsyncArtifacts) -> None:
        self._artifacts = artifacts

    def get(self, id: str, *, links: bool = False) -> t.Artifact:
        """An artifact with its content; with `links` also the records that it is about."""
        return blocking(self._artifacts.get(id, links=links))

    def rows(self, id: str) -> Iterator[t.Row]:
        """The rows of a table. Raises TypeError for other kinds of artifacts."""
        rows = self._artifacts.rows(id)
        try:
            while True:
                yield blocking(rows.__anext__())
        except StopAsyncIteration:
            return

    def csv(self, id: str) -> str:
        """A table as CSV (RFC 4180)."""
        return blocking(self._artifacts.csv(id))


class Notes:
    """Notes that runs write."""

    def __init__(self, notes: AsyncNotes) -> None:
        self._notes = notes

    def get(self, id: str) -> t.Note:
        """A note written by a run."""
        return blocking(self._notes.get(id))


class Entities:
    """The records of the workspace."""

    def __init__(self, entities: AsyncEntities) -> None:
        self._entities = entities

    def resolve(self, refs: t.EntityRef | Iterable[t.EntityRef]) -> list[t.ResolveResult]:
        """The records of references, in their order; an unknown one has `resolved` False."""
        return blocking(self._entities.resolve(refs))

    def search(
        self, *, query: str | None = None, type: str | None = None, limit: int | None = None
    ) -> list[t.FoundEntity]:
        """Records by the words of their names, best first."""
        return blocking(self._entities.search(query=query, type=type, limit=limit))

    def types(self) -> list[t.EntityType]:
        """The types of the workspace's records, with their fields."""
        return blocking(self._entities.types())

    def get(self, id: str) -> t.Entity:
        """A record with its newest relationships."""
        return blocking(self._entities.get(id))


class Deliveries:
    """Webhooks of runs."""

    def __init__(self, deliveries: AsyncDeliveries) -> None:
        self._deliveries = deliveries

    def list(self, run_id: str) -> builtins.list[t.Delivery]:
        """The webhooks of a run, with every attempt."""
        return blocking(self._deliveries.list(run_id))

    def redeliver(self, run_id: str, event_id: str) -> t.Delivery:
        """Send a webhook again."""
        return blocking(self._deliveries.redeliver(run_id, event_id))
