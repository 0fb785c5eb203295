"""The client on asyncio: every call of the service, grouped by noun."""

from __future__ import annotations

import builtins
import json
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Literal
from urllib.parse import quote

from ._link import Closed, Link, Overdue
from ._loop import LoopLink
from ._service import Service
from ._watch import LogReader
from .errors import ApiError, RunFailed

if TYPE_CHECKING:
    # Type checkers bring this module; it is never imported.
    from typing_extensions import Unpack

    from . import types as t

#: A message has at most 1 MiB, with what stands around its items.
PAGE_MAX_BYTES = 1_000_000
#: By what runs are grouped in their usage.
UsageGroup = Literal["day", "key", "status", "input_type", "monitor", "model"]


class AsyncClient(AbstractAsyncContextManager["AsyncClient"]):
    """The client of one workspace on asyncio; it never blocks the loop. Calls raise ApiError and ConnectionError."""

    #: How the coroutines wait.
    _link: ClassVar[type[Link]] = LoopLink

    def __init__(self, api_key: str, base_url: str, *, max_retries: int = 4, timeout_ms: float = 60_000) -> None:
        """`base_url` ends in `/api/v1`, on a custom domain in `/v1`; `timeout_ms` limits one attempt.

        Raises ValueError for a wrong address or no key.
        """
        self._service = Service(api_key, base_url, max_retries, timeout_ms, self._link)
        self.runs = AsyncRuns(self._service)
        self.artifacts = AsyncArtifacts(self._service)
        self.notes = AsyncNotes(self._service)
        self.entities = AsyncEntities(self._service)
        self.monitors = AsyncMonitors(self._service)
        self.deliveries = AsyncDeliveries(self._service)
        self.jobs = AsyncJobs(self._service)
        self.sources = AsyncSources(self._service)
        self.keys = AsyncKeys(self._service)
        self.audit = AsyncAudit(self._service)

    async def me(self) -> t.Me:
        """The key, its scopes and limits, and its workspace's usage."""
        return await self._service.send("GET", "/me")

    async def usage(
        self,
        *,
        from_: str | None = None,
        to: str | None = None,
        by: UsageGroup | Sequence[UsageGroup] | None = None,
    ) -> builtins.list[t.UsageRow]:
        """What the runs of some days (`2026-11-20`) came to, by day unless `by` has one other group, or two."""
        groups = by if by is None or isinstance(by, str) else ",".join(by)
        query = {"from": from_, "to": to, "by": groups}
        reply: t.UsageList = await self._service.send("GET", "/usage", query=query)
        return reply["data"]

    async def aclose(self) -> None:
        """Close every connection; calls in other tasks raise RuntimeError, watches end."""
        self._service.close()

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"{type(self).__name__}(base_url={self._service.base_url.geturl()!r})"


class _Group:
    def __init__(self, service: Service) -> None:
        self._service = service


class AsyncRuns(_Group):
    """Runs, their logs and their ends."""

    async def create(self, body: t.CreateRun, *, idempotency_key: str | None = None) -> t.Run:
        """Create a run, which has not started yet. Sending a key twice returns the same run; default: a new UUID."""
        return await self._service.send("POST", "/runs", body=body, idempotency_key=_key(idempotency_key))

    async def check(self, body: t.CreateRun) -> t.RunCheck:
        """Make the checks of `create`, and say what the run would cost; creates nothing."""
        return await self._service.send("POST", "/runs", query={"validate_only": 1}, body=body)

    async def get(self, id: str, *, plan: bool = False) -> t.Run:
        """The envelope of a run; with `plan` also the plan that it follows, and a query in words."""
        return await self._service.send("GET", _run(id), query={"include": "plan" if plan else None})

    async def list(
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
        statuses = status if status is None or isinstance(status, str) else ",".join(status)
        times = {"created_after": created_after, "created_before": created_before}
        filters = {"status": statuses, "input_type": input_type, **times, "metadata": metadata}
        return await self._service.send("GET", "/runs", query={**filters, "limit": limit, "cursor": cursor})

    async def events(self, id: str, *, limit: int | None = None, cursor: str | None = None) -> t.EventPage:
        """A page of the log so far."""
        return await self._service.send("GET", f"{_run(id)}/events", query={"limit": limit, "cursor": cursor})

    async def items(
        self,
        id: str,
        step_index: int,
        *,
        which: Literal["out", "dropped"] | None = None,
        offset: int | None = None,
        limit: int | None = None,
    ) -> t.StepItemList:
        """What a step passed on, from `offset`; with `which="dropped"`, what a filter did not."""
        query = {"which": which, "offset": offset, "limit": limit}
        return await self._service.send("GET", f"{_run(id)}/steps/{int(step_index)}/items", query=query)

    async def trace(self, id: str) -> t.Trace:
        """The trace of a run in OTLP/JSON, as far as it has come."""
        return await self._service.send("GET", f"{_run(id)}/trace")

    async def calls(
        self, id: str, *, step_index: int | None = None, limit: int | None = None, cursor: str | None = None
    ) -> t.SavedCallList:
        """A page of the model calls of a run with `config.keep_calls`, of one step where `step_index` names it."""
        query = {"step_index": step_index, "limit": limit, "cursor": cursor}
        return await self._service.send("GET", f"{_run(id)}/calls", query=query)

    async def cancel(self, id: str) -> t.Run:
        """Cancel a run; its running step still ends and is billed."""
        return await self._service.send("POST", f"{_run(id)}/cancel")

    async def resume(self, id: str, *, plan: t.Plan | None = None, config: t.ResumeConfig | None = None) -> t.Run:
        """Continue a failed run."""
        try:
            return await self._service.send("POST", f"{_run(id)}/resume", body=_given(plan=plan, config=config))
        except ApiError as error:
            # An earlier attempt resumed the run, but its reply was lost.
            if error.attempts == 1 or error.details.get("reason") != "in_progress":
                raise
        return await self.get(id)

    async def rerun(
        self, id: str, *, step_index: int, config: t.RunConfig | None = None, idempotency_key: str | None = None
    ) -> t.Run:
        """A new run that reuses this run's outputs of the steps before `step_index`."""
        body = _given(step_index=step_index, config=config)
        key = _key(idempotency_key)
        return await self._service.send("POST", f"{_run(id)}/rerun-from", body=body, idempotency_key=key)

    async def delete(self, id: str) -> None:
        """Delete a run that has ended, with everything that it made."""
        await _delete(self._service, _run(id), "run_not_found")

    def watch(self, id: str, *, after: str | None = None) -> AsyncWatch:
        """The events of a run as they happen, each once, in order; with `after` those after that event's id."""
        return AsyncWatch(self._service, LogReader(self._service, id, after))

    async def wait(self, id: str, *, timeout_ms: float | None = None, raise_on_failure: bool = False) -> t.Run:
        """The final envelope, once the run has ended. Raises TimeoutError: the run goes on; RunFailed where wanted."""
        service = self._service if timeout_ms is None else self._service.within(timeout_ms)
        try:
            run = await AsyncRuns(service).watch(id).done()
        except Overdue:
            raise TimeoutError(f"The run has not ended within {timeout_ms:g} ms; it goes on.") from None
        if raise_on_failure and run["status"] != "succeeded":
            raise RunFailed(run)
        return run


class AsyncWatch(AsyncIterator["t.RunEvent"], AbstractAsyncContextManager["AsyncWatch"]):
    """One reader of a run's log: loop over it, or just wait for its end. An error ends a loop; a new one continues."""

    def __init__(self, service: Service, reader: LogReader) -> None:
        self._service = service
        self._reader = reader
        self._link: Link | None = None
        #: What reads; None before the first event and after an error.
        self._events: AsyncGenerator[t.RunEvent, None] | None = None
        self._reading = False
        self._closed = False

    @property
    def last_event_id(self) -> str | None:
        """Id of the last event. Store it and pass it as `after` to continue in another process."""
        return self._reader.last_event_id

    async def done(self) -> t.Run:
        """The final envelope; reads the rest of the log. Raises RuntimeError once the watch is closed."""
        async for _ in self:
            pass
        if self._reader.final is None:
            raise Closed
        return self._reader.final

    async def aclose(self) -> None:
        """Close the connection; a loop in another task ends."""
        self._closed = True
        if self._link:
            self._link.close()

    async def __anext__(self) -> t.RunEvent:
        if self._reading:
            raise RuntimeError("This watch has a reader already.")
        if self._closed or self._reader.final:
            raise StopAsyncIteration
        self._reading = True
        try:
            if not self._events:
                self._link = self._service.link()
                self._events = self._reader.events(self._link)
            return await self._events.__anext__()
        except Closed:
            raise StopAsyncIteration from None
        except BaseException:
            self._events = None
            raise
        finally:
            self._reading = False

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class AsyncArtifacts(_Group):
    """What runs make."""

    async def get(self, id: str, *, links: bool = False) -> t.Artifact:
        """An artifact with its content; with `links` also the records that it is about."""
        query = {"include": "links" if links else None}
        return await self._service.send("GET", f"/artifacts/{_segment(id)}", query=query)

    async def rows(self, id: str, *, plain: bool = False) -> AsyncGenerator[t.Row, None]:
        """
        The rows of a table; with `plain` without links and escapes, the id of the record in `_record`. Raises
        TypeError, or with `plain` ApiError, for other kinds of artifacts.
        """
        if plain:
            path, query = f"/artifacts/{_segment(id)}", {"format": "jsonl"}
            lines = await self._service.send("GET", path, query=query, read=bytes.decode)
            # Only this sign ends a line: texts may contain others that Python takes for one.
            for line in lines.split("\n"):
                if line:
                    yield json.loads(line)
            return
        artifact = await self.get(id)
        if artifact["kind"] != "table":
            raise TypeError(f"The artifact {id} is not a table: {artifact['kind']}")
        for row in artifact["rows"]:
            yield row

    async def csv(self, id: str) -> str:
        """A table as CSV (RFC 4180), without the formulas of spreadsheets."""
        return await self.export(id, format="csv")

    async def export(
        self,
        id: str,
        *,
        format: t.ExportFormat,
        fields: Sequence[str] | None = None,
        offset: int | None = None,
        limit: int | None = None,
        formulas: Literal["keep"] | None = None,
        bom: bool = False,
    ) -> str:
        """An artifact, or a part of a table, as text in a format of its kind."""
        part = {"fields": None if fields is None else ",".join(fields), "offset": offset, "limit": limit}
        query = {"format": format, **part, "formulas": formulas, "bom": 1 if bom else None}
        return await self._service.send("GET", f"/artifacts/{_segment(id)}", query=query, read=bytes.decode)

    async def link(self, id: str, **how: Unpack[t.CreateArtifactLink]) -> t.ArtifactLink:
        """An address at which anyone can read the artifact for a while."""
        return await self._service.send("POST", f"/artifacts/{_segment(id)}/links", body=how)


class AsyncNotes(_Group):
    """Notes that runs write."""

    async def get(self, id: str) -> t.Note:
        """A note written by a run."""
        return await self._service.send("GET", f"/notes/{_segment(id)}")


class AsyncEntities(_Group):
    """The records of the workspace."""

    async def resolve(self, refs: t.EntityRef | Iterable[t.EntityRef]) -> list[t.ResolveResult]:
        """The records of references, in their order; an unknown one has `resolved` False."""
        wanted = json.dumps([refs] if isinstance(refs, Mapping) else [*refs])
        found: t.ResolveResults = await self._service.send("GET", "/entities/resolve", query={"refs": wanted})
        return found["results"]

    async def search(
        self, *, query: str | None = None, type: str | None = None, limit: int | None = None
    ) -> list[t.FoundEntity]:
        """Records by the words of their names, best first."""
        wanted = {"query": query, "type": type, "limit": limit}
        found: t.EntityList = await self._service.send("GET", "/entities", query=wanted)
        return found["data"]

    async def types(self) -> list[t.EntityType]:
        """The types of the workspace's records, with their fields."""
        found: t.EntityTypeList = await self._service.send("GET", "/entities/types")
        return found["data"]

    async def get(self, id: str) -> t.Entity:
        """A record with its newest relationships."""
        return await self._service.send("GET", f"/entities/{_segment(id)}")

    async def import_records(
        self, records: Iterable[t.EntityLine], *, update: bool | None = None, dry_run: bool | None = None
    ) -> t.ImportedEntities:
        """Save 1 to 1,000 lines as records; wrong ones are left out and named. The same lines again change nothing."""
        how = {name: value for name, value in (("update", update), ("dry_run", dry_run)) if value is not None}
        body = {"records": [*records], **how}
        return await self._service.send("POST", "/entities/import", body=body)

    async def update(self, id: str, **fields: Unpack[t.UpdateEntity]) -> t.Entity:
        """Change what is given; `fields` are merged, and None takes one away."""
        return await self._service.send("PATCH", f"/entities/{_segment(id)}", body=fields)

    async def delete(self, id: str) -> None:
        """Delete a record with its relationships."""
        await _delete(self._service, f"/entities/{_segment(id)}", "entity_not_found")

    async def delete_many(self, **wanted: Unpack[t.DeleteEntities]) -> t.DeletedEntities:
        """Delete up to 1,000 records for which all holds that is given; with `has_more`, call again."""
        return await self._service.send("POST", "/entities/delete", body=wanted)


class AsyncMonitors(_Group):
    """Runs that are made again, by the clock or on a change."""

    async def create(self, body: t.CreateMonitor, *, idempotency_key: str | None = None) -> t.Monitor:
        """Create a monitor; it is active. Sending a key twice returns the same monitor; default: a new UUID."""
        return await self._service.send("POST", "/monitors", body=body, idempotency_key=_key(idempotency_key))

    async def list(self, *, limit: int | None = None, cursor: str | None = None) -> t.MonitorList:
        """A page of monitors, newest first, without the bodies of their runs."""
        return await self._service.send("GET", "/monitors", query={"limit": limit, "cursor": cursor})

    async def get(self, id: str) -> t.Monitor:
        """A monitor with the body of its runs and its newest fire."""
        return await self._service.send("GET", f"/monitors/{_segment(id)}")

    async def update(self, id: str, **fields: Unpack[t.UpdateMonitor]) -> t.Monitor:
        """Change what is given; `status="paused"` pauses the monitor."""
        return await self._service.send("PATCH", f"/monitors/{_segment(id)}", body=fields)

    async def delete(self, id: str) -> None:
        """Delete a monitor; its runs stay."""
        await _delete(self._service, f"/monitors/{_segment(id)}", "monitor_not_found")

    async def fire(self, id: str, *, idempotency_key: str | None = None) -> t.Fire:
        """Fire a monitor now; its `outcome` may be that no run is made. A key sent twice returns the same fire."""
        return await self._service.send("POST", f"/monitors/{_segment(id)}/fire", idempotency_key=_key(idempotency_key))

    async def fires(self, id: str, *, limit: int | None = None, cursor: str | None = None) -> t.FireList:
        """A page of what became of due times, changes and requests, newest first."""
        query = {"limit": limit, "cursor": cursor}
        return await self._service.send("GET", f"/monitors/{_segment(id)}/fires", query=query)


class AsyncDeliveries(_Group):
    """Webhooks of runs."""

    async def list(self, run_id: str) -> builtins.list[t.Delivery]:
        """The webhooks of a run, with every attempt."""
        found: t.DeliveryList = await self._service.send("GET", f"{_run(run_id)}/webhook-deliveries")
        return found["data"]

    async def redeliver(self, run_id: str, event_id: str) -> t.Delivery:
        """Send a webhook again."""
        return await self._service.send("POST", f"{_run(run_id)}/webhook-deliveries/{_segment(event_id)}/redeliver")

    async def all(
        self,
        *,
        status: t.DeliveryStatus | None = None,
        created_after: int | None = None,
        created_before: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.WorkspaceDeliveryList:
        """A page of the webhooks of all runs, newest first."""
        times = {"created_after": created_after, "created_before": created_before}
        query = {"status": status, **times, "limit": limit, "cursor": cursor}
        return await self._service.send("GET", "/webhook-deliveries", query=query)

    async def redeliver_all(
        self, *, created_after: int | None = None, created_before: int | None = None
    ) -> t.Redelivered:
        """Send failed webhooks again, oldest first, at most 100."""
        body = _given(status="failed", created_after=created_after, created_before=created_before)
        return await self._service.send("POST", "/webhook-deliveries/redeliver", body=body)


class AsyncJobs(_Group):
    """Jobs: what a run waits for until a worker or a person has answered."""

    async def list(
        self,
        *,
        status: t.JobStatus | None = None,
        kind: t.JobKind | None = None,
        source: str | None = None,
        run_id: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> t.JobList:
        """A page of jobs, newest first."""
        which = {"status": status, "kind": kind, "source": source, "run_id": run_id}
        return await self._service.send("GET", "/jobs", query={**which, "limit": limit, "cursor": cursor})

    async def get(self, id: str) -> t.Job:
        """A job, and what was asked."""
        return await self._service.send("GET", f"/jobs/{_segment(id)}")

    async def progress(
        self, id: str, *, items_done: int | None = None, items_total: int | None = None, message: str | None = None
    ) -> t.JobOpen:
        """Say how far the work is, and that it goes on."""
        body = _given(items_done=items_done, items_total=items_total, message=message)
        return await self._service.send("POST", f"/jobs/{_segment(id)}/progress", body=body)

    async def items(self, id: str, *, page: int, items: Iterable[t.SourceItem]) -> Any:
        """Add a page of items, 0 to 19, before `complete`. A page sent again is the first one's."""
        body = {"page": page, "items": [*items]}
        return await self._service.send("POST", f"/jobs/{_segment(id)}/items", body=body)

    async def complete(
        self,
        id: str,
        *,
        items: Iterable[t.SourceItem] | None = None,
        answer: Mapping[str, Any] | None = None,
        usage: t.JobUsage | None = None,
    ) -> t.JobAccepted:
        """Answer a job: with items, or with the answer of a person.

        Items that are too many for one message go ahead in pages, from page 0 on.
        """
        *pages, last = [None] if items is None else _pages(items)
        for page, ahead in enumerate(pages):
            await self.items(id, page=page, items=ahead or [])
        body = _given(items=last, answer=answer, usage=usage)
        return await self._service.send("POST", f"/jobs/{_segment(id)}/complete", body=body)

    async def fail(self, id: str, *, message: str, retry: bool, usage: t.JobUsage | None = None) -> t.JobAccepted:
        """Say that the job cannot be done; with `retry` the next attempt is made, if there is one."""
        body = _given(message=message, retry=retry, usage=usage)
        return await self._service.send("POST", f"/jobs/{_segment(id)}/fail", body=body)


class AsyncSources(_Group):
    """Other systems that runs read while they go on."""

    async def list(self) -> builtins.list[t.Source]:
        """The live sources of the workspace, by name."""
        found: t.SourceList = await self._service.send("GET", "/sources")
        return found["data"]


class AsyncAudit(_Group):
    """Who did what in the workspace."""

    async def list(self, *, limit: int | None = None, cursor: str | None = None) -> t.AuditList:
        """A page of the entries, newest first."""
        return await self._service.send("GET", "/audit", query={"limit": limit, "cursor": cursor})


class AsyncKeys(_Group):
    """The API keys of the workspace. `create` and `rotate` are not retried: after a lost reply, revoke the new key."""

    async def list(self) -> builtins.list[t.Key]:
        """The keys, those that no longer work too."""
        found: t.KeyList = await self._service.send("GET", "/keys")
        return found["data"]

    async def create(
        self,
        *,
        name: str,
        scopes: Sequence[t.Scope],
        expires_at: int | None = None,
        daily_cost_limit_usd: float | None = None,
    ) -> t.NewKey:
        """Create a key; its `api_key` is shown this once."""
        body = _given(name=name, scopes=[*scopes], expires_at=expires_at, daily_cost_limit_usd=daily_cost_limit_usd)
        return await self._service.send("POST", "/keys", body=body, max_retries=0)

    async def rotate(self, id: str, *, grace_seconds: int | None = None) -> t.NewKey:
        """Replace a key by a new one with the same rights; the old one works until the grace is over."""
        body = _given(grace_seconds=grace_seconds)
        return await self._service.send("POST", f"/keys/{_segment(id)}/rotate", body=body, max_retries=0)

    async def revoke(self, id: str) -> None:
        """Revoke a key at once."""
        await self._service.send("DELETE", f"/keys/{_segment(id)}", read=bytes)


def _segment(id: str) -> str:
    return quote(id, safe="")


def _run(id: str) -> str:
    return f"/runs/{_segment(id)}"


def _key(given: str | None) -> str:
    return given or str(uuid.uuid4())


async def _delete(service: Service, path: str, absent: t.ErrorCode) -> None:
    try:
        await service.send("DELETE", path, read=bytes)
    except ApiError as error:
        # An earlier attempt deleted it, but its reply was lost.
        if error.attempts == 1 or error.code != absent:
            raise


def _pages(items: Iterable[Any]) -> builtins.list[builtins.list[Any]]:
    """The items in messages of a size that is taken; at least one."""
    pages: builtins.list[builtins.list[Any]] = [[]]
    size = 0
    for item in items:
        item_size = len(json.dumps(item, allow_nan=False)) + 2
        size += item_size
        if size > PAGE_MAX_BYTES:
            pages.append([])
            size = item_size
        pages[-1].append(item)
    return pages


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
