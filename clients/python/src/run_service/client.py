"""The blocking client: each call of the client on asyncio, whose coroutines wait in blocking links."""

from __future__ import annotations

import functools
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Concatenate, Generic, ParamSpec, TypeVar

from . import async_client as on_loop
from ._link import Link
from ._threads import BlockingLink, blocking

if TYPE_CHECKING:
    from . import types as t

G = TypeVar("G")
P = ParamSpec("P")
T = TypeVar("T")


class _Group(Generic[G]):
    def __init__(self, calls: G) -> None:
        self._calls = calls


def _blocking(call: Callable[Concatenate[G, P], Coroutine[Any, Any, T]]) -> Callable[Concatenate[_Group[G], P], T]:
    """The same call, with the same arguments, but not awaited."""

    @functools.wraps(call)
    def blocking_call(group: _Group[G], /, *args: P.args, **kwargs: P.kwargs) -> T:
        return blocking(call(group._calls, *args, **kwargs))

    return blocking_call


class Watch(_Group[on_loop.AsyncWatch], Iterator["t.RunEvent"], AbstractContextManager["Watch"]):
    """One reader of a run's log: loop over it, or just wait for its end. An error ends a loop; a new one continues."""

    done = _blocking(on_loop.AsyncWatch.done)
    close = _blocking(on_loop.AsyncWatch.aclose)

    @property
    def last_event_id(self) -> str | None:
        """Id of the last event. Store it and pass it as `after` to continue in another process."""
        return self._calls.last_event_id

    def __next__(self) -> t.RunEvent:
        try:
            return blocking(self._calls.__anext__())
        except StopAsyncIteration:
            raise StopIteration from None

    def __exit__(self, *_: object) -> None:
        self.close()


class Runs(_Group[on_loop.AsyncRuns]):
    """Runs, their logs and their ends."""

    create = _blocking(on_loop.AsyncRuns.create)
    check = _blocking(on_loop.AsyncRuns.check)
    get = _blocking(on_loop.AsyncRuns.get)
    list = _blocking(on_loop.AsyncRuns.list)
    events = _blocking(on_loop.AsyncRuns.events)
    items = _blocking(on_loop.AsyncRuns.items)
    trace = _blocking(on_loop.AsyncRuns.trace)
    calls = _blocking(on_loop.AsyncRuns.calls)
    cancel = _blocking(on_loop.AsyncRuns.cancel)
    resume = _blocking(on_loop.AsyncRuns.resume)
    rerun = _blocking(on_loop.AsyncRuns.rerun)
    delete = _blocking(on_loop.AsyncRuns.delete)
    wait = _blocking(on_loop.AsyncRuns.wait)

    def watch(self, id: str, *, after: str | None = None) -> Watch:
        """The events of a run as they happen, each once, in order; with `after` those after that event's id."""
        return Watch(self._calls.watch(id, after=after))


class Artifacts(_Group[on_loop.AsyncArtifacts]):
    """What runs make."""

    get = _blocking(on_loop.AsyncArtifacts.get)
    csv = _blocking(on_loop.AsyncArtifacts.csv)
    export = _blocking(on_loop.AsyncArtifacts.export)
    link = _blocking(on_loop.AsyncArtifacts.link)

    def rows(self, id: str, *, plain: bool = False) -> Iterator[t.Row]:
        """
        The rows of a table; with `plain` without links and escapes, the id of the record in `_record`. Raises
        TypeError, or with `plain` ApiError, for other kinds of artifacts.
        """
        rows = self._calls.rows(id, plain=plain)
        try:
            while True:
                yield blocking(rows.__anext__())
        except StopAsyncIteration:
            return


class Notes(_Group[on_loop.AsyncNotes]):
    """Notes that runs write."""

    get = _blocking(on_loop.AsyncNotes.get)


class Entities(_Group[on_loop.AsyncEntities]):
    """The records of the workspace."""

    resolve = _blocking(on_loop.AsyncEntities.resolve)
    search = _blocking(on_loop.AsyncEntities.search)
    types = _blocking(on_loop.AsyncEntities.types)
    get = _blocking(on_loop.AsyncEntities.get)
    import_records = _blocking(on_loop.AsyncEntities.import_records)
    update = _blocking(on_loop.AsyncEntities.update)
    delete = _blocking(on_loop.AsyncEntities.delete)
    delete_many = _blocking(on_loop.AsyncEntities.delete_many)


class Monitors(_Group[on_loop.AsyncMonitors]):
    """Runs that are made again, by the clock or on a change."""

    create = _blocking(on_loop.AsyncMonitors.create)
    list = _blocking(on_loop.AsyncMonitors.list)
    get = _blocking(on_loop.AsyncMonitors.get)
    update = _blocking(on_loop.AsyncMonitors.update)
    delete = _blocking(on_loop.AsyncMonitors.delete)
    fire = _blocking(on_loop.AsyncMonitors.fire)
    fires = _blocking(on_loop.AsyncMonitors.fires)


class Deliveries(_Group[on_loop.AsyncDeliveries]):
    """Webhooks of runs."""

    list = _blocking(on_loop.AsyncDeliveries.list)
    redeliver = _blocking(on_loop.AsyncDeliveries.redeliver)
    all = _blocking(on_loop.AsyncDeliveries.all)
    redeliver_all = _blocking(on_loop.AsyncDeliveries.redeliver_all)


class Jobs(_Group[on_loop.AsyncJobs]):
    """Jobs: what a run waits for until a worker or a person has answered."""

    list = _blocking(on_loop.AsyncJobs.list)
    get = _blocking(on_loop.AsyncJobs.get)
    progress = _blocking(on_loop.AsyncJobs.progress)
    items = _blocking(on_loop.AsyncJobs.items)
    complete = _blocking(on_loop.AsyncJobs.complete)
    fail = _blocking(on_loop.AsyncJobs.fail)


class Sources(_Group[on_loop.AsyncSources]):
    """Other systems that runs read while they go on."""

    list = _blocking(on_loop.AsyncSources.list)


class Audit(_Group[on_loop.AsyncAudit]):
    """Who did what in the workspace."""

    list = _blocking(on_loop.AsyncAudit.list)


class Keys(_Group[on_loop.AsyncKeys]):
    """The API keys of the workspace. `create` and `rotate` are not retried: after a lost reply, revoke the new key."""

    list = _blocking(on_loop.AsyncKeys.list)
    create = _blocking(on_loop.AsyncKeys.create)
    rotate = _blocking(on_loop.AsyncKeys.rotate)
    revoke = _blocking(on_loop.AsyncKeys.revoke)


class _BlockingClient(on_loop.AsyncClient):
    _link: ClassVar[type[Link]] = BlockingLink


class Client(_Group[on_loop.AsyncClient], AbstractContextManager["Client"]):
    """The client of one workspace; safe in threads. Calls raise ApiError and ConnectionError."""

    me = _blocking(on_loop.AsyncClient.me)
    usage = _blocking(on_loop.AsyncClient.usage)
    close = _blocking(on_loop.AsyncClient.aclose)

    def __init__(self, api_key: str, base_url: str, *, max_retries: int = 4, timeout_ms: float = 60_000) -> None:
        """`base_url` ends in `/api/v1`, on a custom domain in `/v1`; `timeout_ms` limits one attempt.

        Raises ValueError for a wrong address or no key.
        """
        super().__init__(_BlockingClient(api_key, base_url, max_retries=max_retries, timeout_ms=timeout_ms))
        self.runs = Runs(self._calls.runs)
        self.artifacts = Artifacts(self._calls.artifacts)
        self.notes = Notes(self._calls.notes)
        self.entities = Entities(self._calls.entities)
        self.monitors = Monitors(self._calls.monitors)
        self.deliveries = Deliveries(self._calls.deliveries)
        self.jobs = Jobs(self._calls.jobs)
        self.sources = Sources(self._calls.sources)
        self.keys = Keys(self._calls.keys)
        self.audit = Audit(self._calls.audit)

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return repr(self._calls).replace("_BlockingClient", "Client")
