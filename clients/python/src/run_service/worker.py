"""A worker of jobs: takes them as the service sends them, runs a handler and reports what it returns."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Coroutine, Iterable
from typing import TYPE_CHECKING, Any, TypeGuard
from urllib.parse import urlsplit

from ._service import Service
from ._threads import BlockingLink, blocking
from .async_client import AsyncJobs
from .errors import ApiError, RunServiceError, WebhookError
from .types import JobRequested
from .webhooks import Headers, texts_of, verify

if TYPE_CHECKING:
    from . import types as t

    Items = Iterable[t.SourceItem]
    Handler = Callable[[JobRequested, "JobContext"], Items | t.CompleteJob]

#: The service waits 10 s for an answer.
ANSWER_AFTER_S = 8.0
#: Work that is done is worth a minute of retries.
REPORT_RETRIES = 10
PROGRESS_RETRIES = 1
TIMEOUT_MS = 60_000
MESSAGE_MAX_CHARACTERS = 500


class JobContext:
    """What a handler has besides its job."""

    def __init__(self, job: JobRequested) -> None:
        self._id = job["job_id"]
        self._token = job["token"]
        self._base_url = job["job_url"].rpartition("/jobs/")[0]
        #: Set when the job is over: nothing that is returned then counts.
        self.signal = threading.Event()

    def progress(
        self, *, items_done: int | None = None, items_total: int | None = None, message: str | None = None
    ) -> None:
        """Say how far the work is, and that it goes on.

        Raises RunServiceError when the job is over, and ApiError for what is no progress.
        """
        self._check()
        jobs = self._connect(PROGRESS_RETRIES)
        try:
            self._report(jobs.progress(self._id, items_done=items_done, items_total=items_total, message=message))
        except RunServiceError as error:
            # The work is worth more than one heartbeat; what is refused is a mistake of the handler.
            if isinstance(error, ApiError) and error.status < 429:
                raise
        self._check()

    def complete(self, result: Any) -> None:
        """Complete the job with what a handler returns."""
        items, usage = _result_in(result)
        self._report(self._connect(REPORT_RETRIES).complete(self._id, items=items, usage=usage))

    def fail(self, error: BaseException) -> None:
        """Say that this attempt has failed, with the words of an error."""
        # Characters beyond the first plane count twice.
        units = str(error).encode("utf-16-le", "surrogatepass")[: 2 * MESSAGE_MAX_CHARACTERS]
        message = units.decode("utf-16-le", "ignore") or "The worker failed."
        jobs = self._connect(REPORT_RETRIES)
        self._report(jobs.fail(self._id, message=message, retry=True))

    def _connect(self, retries: int) -> AsyncJobs:
        return AsyncJobs(Service(self._token, self._base_url, retries, TIMEOUT_MS, BlockingLink))

    def _report(self, message: Coroutine[Any, Any, object]) -> None:
        if self.signal.is_set():
            message.close()
            return
        try:
            blocking(message)
        except ApiError as error:
            if error.code != "job_over":
                raise
            self.signal.set()

    def _check(self) -> None:
        if self.signal.is_set():
            raise RunServiceError("The job is over.")


class _Running:
    """A job at work."""

    def __init__(self, job: JobRequested) -> None:
        self.context = JobContext(job)
        self.done = threading.Event()
        #: Whether the service has the report, or wants none.
        self.reported = False


def worker(
    secret: str | Iterable[str],
    handler: Handler,
    *,
    answer_after_s: float | None = ANSWER_AFTER_S,
    on_error: Callable[[BaseException], None] = traceback.print_exception,
) -> Callable[[bytes, str | Headers | None], tuple[int, str]]:
    """A function of the body and the headers of a request that does the jobs of one source; gives status and body.

    `secret` is the source's; of several, one must have signed. `handler(job, context)` returns items, or `items` and
    `usage`; what it raises fails the attempt. The request is answered at the end of the work, or after `answer_after_s`
    while it goes on in a thread; None waits for its end. The same job sent twice runs once while the first is at work.
    ValueError: a secret is not set.
    """
    secrets = texts_of(secret)
    if not secrets:
        raise ValueError("A secret is not set: it must be a text that is not blank.")
    running: dict[str, _Running] = {}
    lock = threading.Lock()

    def work(job: JobRequested, one: _Running) -> None:
        try:
            one.reported = _worked(handler, job, one.context, on_error)
        finally:
            with lock:
                del running[job["job_id"]]
            one.done.set()

    def answer(body: bytes, headers: str | Headers | None) -> tuple[int, str]:
        try:
            job: Any = verify(body, headers, secret=secrets)
        except WebhookError as error:
            return 401, str(error)
        except ValueError:
            return 400, "Not JSON"
        if isinstance(job, dict) and job.get("event") == "job.canceled":
            with lock:
                canceled = running.get(str(job.get("job_id")))
            if canceled:
                canceled.context.signal.set()
            return 200, ""
        if not _is_job(job):
            return 400, "No job of a worker"
        id = job["job_id"]
        with lock:
            one = running.get(id)
            if one is None:
                one = running[id] = _Running(job)
                threading.Thread(target=work, args=(job, one), name=f"job {id}").start()
        # A job whose report is lost is sent again.
        return (503, "Not reported") if one.done.wait(answer_after_s) and not one.reported else (202, "")

    return answer


def _is_job(sent: Any) -> TypeGuard[JobRequested]:
    if not isinstance(sent, dict) or sent.get("event") != "job.requested":
        return False
    names = ("job_id", "job_url", "token")
    return all(isinstance(sent.get(name), str) for name in names) and urlsplit(sent["job_url"]).netloc != ""


def _result_in(returned: Any) -> tuple[Items, Any]:
    """The items and usage that a handler has returned; nothing is no items. TypeError: it is no result."""
    whole: dict[str, Any] = returned if isinstance(returned, dict) else {"items": returned}
    items = whole.get("items")
    known = not whole or not {"items", "usage"}.isdisjoint(whole)
    if not known or isinstance(items, (str, bytes, dict)) or not isinstance(items, Iterable | None):
        raise TypeError("The handler returned neither a list of items nor an object with items or usage.")
    return items or [], whole.get("usage")


def _worked(
    handler: Handler, job: JobRequested, context: JobContext, on_error: Callable[[BaseException], None]
) -> bool:
    """Do the work of a job and report it; False when the report is lost."""
    try:
        try:
            context.complete(handler(job, context))
        # A handler may end with sys.exit, as a program does.
        except (Exception, SystemExit) as error:
            if not context.signal.is_set():
                on_error(error)
                context.fail(error)
    except Exception as error:
        on_error(error)
        return False
    return True
