"""A worker of jobs on a stand-in of the service: what it takes, what it runs and what it reports."""

from __future__ import annotations

import json
import threading
import unittest
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from unittest import mock

from fake_service import FakeService, refused, reply
from run_service import ApiError, JobContext, RunServiceError, sign, worker
from run_service._threads import blocking
from run_service.async_client import AsyncJobs

SECRET = "src_secret"
ITEM = {"id": "1", "name": "Acme", "type": "company", "fields": {"city": "Berlin"}}


class Reports(ThreadingHTTPServer):
    """The service on loopback: what it is sent, and its answers, the last one for all further ones."""

    def __init__(self, answers: list[tuple[int, Any]]) -> None:
        super().__init__(("127.0.0.1", 0), ReportHandler)
        self.answers = answers
        self.seen: list[tuple[str, str | None, Any]] = []


class ReportHandler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, Reports)
        answers = self.server.answers
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append((self.path.rpartition("/")[2], self.headers["Authorization"], body))
        status, value = answers.pop(0) if len(answers) > 1 else answers[0]
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


TAKEN = (200, {"accepted": True})


def refusal(status: int, code: str) -> tuple[int, Any]:
    error = {"code": code, "type": "conflict", "message": f"It is {code}.", "doc_url": "http://d", "request_id": "r"}
    return status, {"error": error}


class Worker(unittest.TestCase):
    def working(self, handler: Callable[..., Any], *answers: tuple[int, Any], **options: Any) -> Reports:
        """A worker with this handler, and what it reports."""
        reports = Reports([*answers] or [TAKEN])
        thread = threading.Thread(target=reports.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        for clean in (reports.server_close, thread.join, reports.shutdown):
            self.addCleanup(clean)
        self.errors: list[Exception] = []
        self.answer = worker(SECRET, handler, **{"on_error": self.errors.append, **options})
        self.job = {
            "event": "job.requested",
            "job_id": "r-0-0-1",
            "job_url": f"http://127.0.0.1:{reports.server_port}/api/v1/jobs/r-0-0-1",
            "token": "token.mac",
            "items": [ITEM],
        }
        return reports

    def tell(self, body: Any = None, secret: str = SECRET) -> int:
        text = json.dumps(self.job if body is None else body).encode()
        return self.answer(text, sign(text, secret=secret))[0]

    def test_it_reports_what_the_handler_returns_with_the_token_of_the_job(self) -> None:
        usage = {"input_tokens": 10, "cost_usd": 0.01}
        reports = self.working(lambda job, _: {"items": [{"name": job["items"][0]["name"]}], "usage": usage})
        self.assertEqual(self.tell(), 202)
        body = {"items": [{"name": "Acme"}], "usage": usage}
        self.assertEqual(reports.seen, [("complete", "Bearer token.mac", body)])
        listed = self.working(lambda *_: iter([{"name": "Ada"}]))
        self.tell()
        self.assertEqual(listed.seen[0][2], {"items": [{"name": "Ada"}]})

    def test_a_handler_that_returns_nothing_completes_without_items(self) -> None:
        results: tuple[Any, ...] = (None, {})
        for nothing in results:
            reports = self.working(mock.Mock(return_value=nothing))
            self.assertEqual(self.tell(), 202)
            self.assertEqual([(name, body) for name, _, body in reports.seen], [("complete", {"items": []})])

    def test_what_is_no_result_fails_the_attempt_and_says_so(self) -> None:
        for wrong in ("text", 5, {"name": "Ada"}, {"items": "Ada"}):
            reports = self.working(lambda *_, wrong=wrong: wrong)
            self.assertEqual(self.tell(), 202)
            self.assertEqual([name for name, *_ in reports.seen], ["fail"])
            self.assertRegex(reports.seen[0][2]["message"], "^The handler returned neither a list")

    def test_a_handler_that_ends_its_program_fails_the_attempt(self) -> None:
        reports = self.working(mock.Mock(side_effect=SystemExit("no city")))
        self.assertEqual(self.tell(), 202)
        self.assertEqual(reports.seen[0][2], {"message": "no city", "retry": True})

    def test_more_than_a_megabyte_goes_ahead_in_pages(self) -> None:
        items = [{"name": f"é{i}", "fields": {"text": "é" * 15_000}} for i in range(30)]
        reports = self.working(lambda *_: items)
        self.assertEqual(self.tell(), 202)
        self.assertEqual([name for name, *_ in reports.seen], ["items", "items", "complete"])
        self.assertEqual([body.get("page") for *_, body in reports.seen], [0, 1, None])
        self.assertEqual([item for *_, body in reports.seen for item in body["items"]], items)
        for *_, body in reports.seen:
            self.assertLessEqual(len(json.dumps(body)), 1024 * 1024)

    def test_what_a_handler_raises_fails_the_attempt_with_its_message(self) -> None:
        messages = {"😀" * 300: "😀" * 250, "": "The worker failed."}
        for message, said in messages.items():
            reports = self.working(mock.Mock(side_effect=Exception(message)))
            self.assertEqual(self.tell(), 202)
            told = [(name, body) for name, _, body in reports.seen]
            self.assertEqual(told, [("fail", {"message": said, "retry": True})])
            self.assertEqual(len(self.errors), 1)

    def test_items_that_are_refused_or_no_json_fail_the_attempt(self) -> None:
        refused_items = self.working(lambda *_: [{"name": ""}], refusal(422, "schema_validation_failed"), TAKEN)
        self.assertEqual(self.tell(), 202)
        self.assertEqual([name for name, *_ in refused_items.seen], ["complete", "fail"])
        no_json = self.working(lambda *_: [{"name": "n", "fields": {"x": float("nan")}}])
        self.assertEqual(self.tell(), 202)
        self.assertEqual([name for name, *_ in no_json.seen], ["fail"])

    def test_a_job_that_comes_twice_runs_once_and_is_answered_before_its_end(self) -> None:
        going_on, calls = threading.Event(), []

        def handler(job: Any, _: JobContext) -> list[Any]:
            calls.append(job)
            going_on.wait()
            return []

        reports = self.working(handler, answer_after_s=0.01)
        self.assertEqual([self.tell(), self.tell()], [202, 202])
        self.assertEqual(reports.seen, [])
        going_on.set()
        while not reports.seen:
            self.assertEqual(self.tell({"event": "job.canceled", "job_id": "another"}), 200)
        self.assertEqual((len(calls), len(reports.seen)), (1, 1))

    def test_a_report_that_is_lost_makes_the_service_send_the_job_again(self) -> None:
        self.working(lambda *_: [], (401, {}), answer_after_s=None)
        self.assertEqual(self.tell(), 503)
        self.assertEqual(len(self.errors), 2)

    def test_a_cancel_sets_the_signal_and_nothing_is_reported(self) -> None:
        at_work, ended = threading.Event(), threading.Event()

        def handler(_: Any, context: JobContext) -> list[Any]:
            at_work.set()
            context.signal.wait()
            ended.set()
            return []

        reports = self.working(handler, answer_after_s=0.01)
        self.tell()
        at_work.wait()
        self.assertEqual(self.tell({"event": "job.canceled", "job_id": "r-0-0-1"}), 200)
        ended.wait()
        self.assertEqual((reports.seen, self.errors), ([], []))

    def test_progress_is_reported_and_says_when_the_job_is_over(self) -> None:
        raised: list[Exception] = []

        def handler(_: Any, context: JobContext) -> list[Any]:
            context.progress(items_done=1, items_total=2)
            for _again in range(2):
                try:
                    context.progress(message="half")
                except RunServiceError as error:
                    raised.append(error)
            return []

        reports = self.working(handler, (200, {"status": "open"}), refusal(409, "job_over"))
        self.assertEqual(self.tell(), 202)
        told = [body for *_, body in reports.seen]
        self.assertEqual(told, [{"items_done": 1, "items_total": 2}, {"message": "half"}])
        self.assertEqual([str(error) for error in raised], ["The job is over."] * 2)

    def test_a_heartbeat_that_is_lost_does_not_end_the_work_and_one_that_is_wrong_does(self) -> None:
        def handler(_: Any, context: JobContext) -> list[Any]:
            context.progress(items_done=-1)
            return []

        for status, ends_as in ((404, "complete"), (422, "fail")):
            first = (404, {}) if status == 404 else refusal(422, "schema_validation_failed")
            reports = self.working(handler, first, TAKEN)
            self.assertEqual(self.tell(), 202)
            self.assertEqual([name for name, *_ in reports.seen], ["progress", ends_as])

    def test_what_is_not_signed_is_401_and_what_is_no_job_400(self) -> None:
        handler = mock.Mock()
        self.working(handler)
        self.assertEqual(self.tell(secret="another"), 401)
        self.assertEqual(self.answer(b"", {})[0], 401)
        without_token = {name: value for name, value in self.job.items() if name != "token"}
        for body in (without_token, {**self.job, "job_url": "nowhere"}, {"event_type": "run.succeeded"}, [1], "x", 0):
            self.assertEqual(self.tell(body), 400)
        self.assertEqual(self.answer(b"{", sign(b"{", secret=SECRET))[0], 400)
        self.assertEqual(self.tell({"event": "job.canceled", "job_id": []}), 200)
        handler.assert_not_called()

    def test_one_of_several_secrets_signs_and_none_is_blank(self) -> None:
        self.working(lambda *_: [])
        self.answer = worker(["src_new", SECRET], lambda *_: [])
        self.assertEqual([self.tell(secret=one) for one in (SECRET, "src_new", "src_other")], [202, 202, 401])
        wrong: list[Any] = [None, "", " ", [], ["a", ""], 42]
        for secret in wrong:
            with self.subTest(secret), self.assertRaises(ValueError):
                worker(secret, lambda *_: [])


class Calls(unittest.TestCase):
    def test_each_call_is_a_message_of_its_own(self) -> None:
        fake = FakeService([lambda _: reply(200, {})])
        jobs = AsyncJobs(fake.service())
        blocking(jobs.list(status="open", kind="person", source="s"))
        blocking(jobs.get("j/1"))
        blocking(jobs.progress("j", items_done=1))
        blocking(jobs.items("j", page=0, items=[{"name": "n"}]))
        blocking(jobs.complete("j", answer={"ok": True}))
        blocking(jobs.fail("j", message="m", retry=False))
        self.assertEqual(fake.sent[0].query, {"status": "open", "kind": "person", "source": "s"})
        self.assertEqual(
            [(one.method, one.path, one.body) for one in fake.sent],
            [
                ("GET", "/jobs", None),
                ("GET", "/jobs/j%2F1", None),
                ("POST", "/jobs/j/progress", {"items_done": 1}),
                ("POST", "/jobs/j/items", {"page": 0, "items": [{"name": "n"}]}),
                ("POST", "/jobs/j/complete", {"answer": {"ok": True}}),
                ("POST", "/jobs/j/fail", {"message": "m", "retry": False}),
            ],
        )

    def test_a_job_that_is_over_says_how(self) -> None:
        fake = FakeService([lambda _: refused(409, "job_over", details={"status": "canceled"})])
        with self.assertRaises(ApiError) as raised:
            blocking(AsyncJobs(fake.service()).complete("j"))
        self.assertEqual(raised.exception.details, {"status": "canceled"})
