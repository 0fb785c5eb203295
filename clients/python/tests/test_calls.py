"""Calls: what is sent, what is sent again and when, what is raised."""

from __future__ import annotations

import builtins
import ssl
import unittest
from collections.abc import Coroutine
from typing import Any

from fake_service import BASE_URL, FakeService, refused, reply
from run_service import ApiError, AsyncClient, Client, ConnectionError, RunFailed, RunServiceError
from run_service._service import checked_key
from run_service._threads import blocking
from run_service.async_client import AsyncAudit, AsyncKeys, AsyncMonitors, AsyncSources

QUERY: Any = {"input_type": "query", "query": "companies"}
MONITOR: Any = {"name": "Berlin", "run": QUERY, "on": {"cron": "0 7 * * 1-5"}}
LOST = [ConnectionResetError("reset by peer")]


def raised(work: Coroutine[Any, Any, Any]) -> Any:
    try:
        blocking(work)
    except Exception as error:
        return error
    raise AssertionError("nothing was raised")


class Refusals(unittest.TestCase):
    def test_an_id_that_would_lead_to_another_path_is_refused_and_nothing_is_sent(self) -> None:
        for id in ("", ".", ".."):
            fake = FakeService([lambda _: reply(200, {})])
            artifacts, notes, entities, deliveries = fake.groups()
            runs, monitors, keys = fake.runs(), AsyncMonitors(fake.service()), AsyncKeys(fake.service())
            calls: list[Coroutine[Any, Any, Any]]
            calls = [runs.get(id), runs.cancel(id), runs.resume(id), runs.delete(id), runs.events(id), runs.wait(id)]
            calls += [artifacts.get(id), artifacts.csv(id), notes.get(id), entities.get(id)]
            calls += [deliveries.list(id), deliveries.redeliver(id, "evt"), deliveries.redeliver("1", id)]
            calls += [monitors.get(id), monitors.update(id, name="n"), monitors.delete(id), monitors.fire(id)]
            calls += [keys.rotate(id), keys.revoke(id)]
            for call in calls:
                self.assertIsInstance(raised(call), ValueError)
            self.assertEqual(fake.sent, [])

    def test_a_redirect_is_not_followed_and_not_asked_for_again(self) -> None:
        for status in (301, 302, 303, 307, 308):
            fake = FakeService([lambda _, status=status: reply(status, b"", Location="http://elsewhere.test/")])  # type: ignore[misc]
            error = raised(fake.runs().create(QUERY))
            self.assertIsInstance(error, ConnectionError)
            self.assertEqual(str(error), f"HTTP {status}: a redirect, which is not followed")
            self.assertEqual(len(fake.sent), 1)

    def test_a_client_without_a_key_is_refused(self) -> None:
        wrong: list[Any] = [None, "", " ", "\n", 42]
        for key in wrong:
            for client in (Client, AsyncClient):
                with self.subTest(key), self.assertRaises(ValueError):
                    client(key, BASE_URL)

    def test_a_key_is_trimmed_and_one_with_a_character_that_no_key_has_is_refused(self) -> None:
        for key in ("sk_1", " sk_1\n", "\ufeffsk_1"):
            self.assertEqual(checked_key(key), "sk_1")
        for key, name in (("sk\u200b_1", "U+200B"), ("Bearer sk_1", "U+0020"), ("sk_\u00e9", "U+00E9")):
            with (
                self.subTest(key),
                self.assertRaisesRegex(ValueError, f"a character that no key has: {name.replace('+', '.')}"),
            ):
                Client(key, BASE_URL)

    def test_an_error_of_a_lost_connection_says_the_address_and_the_cause(self) -> None:
        fake = FakeService([lambda _: LOST])
        error = raised(fake.service().send("GET", "/runs", query={"cursor": "secret"}, max_retries=0))
        self.assertEqual(str(error), f"GET {BASE_URL}/runs: reset by peer")


class Retries(unittest.TestCase):
    def test_a_limit_is_waited_out_as_long_as_the_service_asks_and_each_retry_asks_for_the_same_run(self) -> None:
        limited = refused(429, "concurrent_runs_exceeded", Retry_After="2")
        fake = FakeService([lambda _: limited, lambda _: limited, lambda _: reply(202, {"id": "1"})])
        self.assertEqual(blocking(fake.runs().create(QUERY)), {"id": "1"})
        self.assertTrue(all(2 <= gap <= 3 for gap in fake.gaps()), fake.gaps())
        keys = [sent.headers["Idempotency-Key"] for sent in fake.sent]
        self.assertRegex(keys[0], r"^[0-9a-f-]{36}$")
        self.assertEqual(set(keys), {keys[0]})

    def test_what_a_model_refused_or_answered_of_no_use_is_not_asked_for_again(self) -> None:
        for code in ("model_refused", "model_answer_unusable"):
            fake = FakeService([lambda _, code=code: refused(500, code)])  # type: ignore[misc]
            error = raised(fake.runs().create(QUERY))
            self.assertEqual((error.code, error.attempts, len(fake.sent)), (code, 1, 1))

    def test_two_creates_have_two_keys_and_a_key_of_the_caller_is_used(self) -> None:
        fake = FakeService([lambda _: reply(202, {})])
        runs = fake.runs()
        for work in (runs.create(QUERY), runs.rerun("1", step_index=0), runs.create(QUERY, idempotency_key="mine")):
            blocking(work)
        first, second, third = (sent.headers["Idempotency-Key"] for sent in fake.sent)
        self.assertNotEqual(first, second)
        self.assertEqual(third, "mine")

    def test_a_wait_of_more_than_a_minute_is_raised_at_once_with_its_length(self) -> None:
        fake = FakeService([lambda _: refused(429, "workspace_cost_cap_exceeded", Retry_After="3600")])
        error = raised(fake.runs().create(QUERY))
        self.assertEqual((error.code, error.status, error.retry_after_ms), ("workspace_cost_cap_exceeded", 429, 3.6e6))
        self.assertEqual(len(fake.sent), 1)

    def test_500_503_and_504_are_sent_again_after_growing_delays_and_at_last_raised(self) -> None:
        for status in (500, 503, 504):
            fake = FakeService([lambda _, status=status: refused(status, "service_unavailable")])  # type: ignore[misc]
            error = raised(fake.runs().get("1"))
            self.assertEqual((error.status, error.attempts, error.request_id), (status, 5, "req"))
            for i, gap in enumerate(fake.gaps()):
                self.assertTrue(0.5 * 2**i <= gap <= 2**i, fake.gaps())
            self.assertEqual(len(fake.sent), 5)

    def test_other_errors_are_raised_at_once_with_everything_that_the_reply_says(self) -> None:
        for status in (400, 401, 403, 404, 409, 413, 422):
            fake = FakeService([lambda _, status=status: refused(status, "not_found", details={"a": 1})])  # type: ignore[misc]
            error = raised(fake.runs().get("1"))
            self.assertIsInstance(error, ApiError)
            self.assertIsInstance(error, RunServiceError)
            said = (error.code, error.type, error.status, error.message, error.doc_url, error.param, error.details)
            due = ("not_found", "conflict", status, "It is not_found.", "http://d#not_found", "p", {"a": 1})
            self.assertEqual(said, due)
            self.assertIsNone(error.retry_after_ms)
            self.assertEqual(len(fake.sent), 1)
        bare = raised(FakeService([lambda _: refused(404, "not_found")]).runs().get("1"))
        self.assertEqual(bare.details, {})

    def test_a_lost_connection_a_cut_reply_and_a_page_of_a_proxy_are_sent_again(self) -> None:
        cut = [b'HTTP/1.1 202 X\r\nContent-Length: 100\r\n\r\n{"id": "1']
        proxy = reply(502, b"<h1>Bad Gateway</h1>")
        fake = FakeService([lambda _: LOST, lambda _: cut, lambda _: proxy, lambda _: reply(202, {"id": "1"})])
        self.assertEqual(blocking(fake.runs().create(QUERY)), {"id": "1"})
        self.assertEqual(len({sent.headers["Idempotency-Key"] for sent in fake.sent}), 1)
        self.assertEqual(fake.open, 0)

    def test_what_never_answers_is_a_connection_error_also_the_builtin_one(self) -> None:
        away = raised(FakeService([lambda _: LOST]).runs(max_retries=1).get("1"))
        self.assertIsInstance(away, ConnectionError)
        self.assertIsInstance(away, builtins.ConnectionError)
        self.assertEqual((away.attempts, away.status), (2, None))
        self.assertIsInstance(away.__cause__, ConnectionResetError)
        proxied = raised(FakeService([lambda _: reply(502, b"<h1>")]).runs(max_retries=0).get("1"))
        self.assertEqual((type(proxied), proxied.status), (ConnectionError, 502))

    def test_a_try_that_takes_too_long_counts_as_lost_however_it_drips(self) -> None:
        fake = FakeService(
            [lambda _: [10.0], lambda _: [b"HTTP", 3.0, b"/1.1", 3.0], lambda _: reply(200, {"id": "1"})]
        )
        self.assertEqual(blocking(fake.runs(timeout_ms=5_000).get("1")), {"id": "1"})
        self.assertTrue(all(5.5 <= gap <= 7 for gap in fake.gaps()), fake.gaps())

    def test_a_certificate_that_is_not_trusted_is_not_tried_again(self) -> None:
        fake = FakeService([lambda _: [ssl.SSLCertVerificationError("self-signed")]])
        self.assertIsInstance(raised(fake.runs().get("1")), ConnectionError)
        self.assertEqual(len(fake.sent), 1)

    def test_a_redirect_is_not_followed(self) -> None:
        fake = FakeService([lambda _: reply(307, b"", Location="http://other.test/")])
        error = raised(fake.runs().get("1"))
        self.assertEqual((type(error), error.status, len(fake.sent)), (ConnectionError, 307, 1))

    def test_a_resume_whose_reply_was_lost_is_not_refused_as_in_progress(self) -> None:
        in_progress = refused(409, "run_not_resumable", details={"reason": "in_progress"})
        running = reply(200, {"status": "running"})
        fake = FakeService([lambda _: LOST, lambda _: in_progress, lambda _: running])
        self.assertEqual(blocking(fake.runs().resume("1")), {"status": "running"})
        self.assertEqual(raised(FakeService([lambda _: in_progress]).runs().resume("1")).code, "run_not_resumable")

    def test_a_delete_whose_reply_was_lost_has_deleted(self) -> None:
        gone = refused(404, "run_not_found")
        blocking(FakeService([lambda _: LOST, lambda _: gone]).runs().delete("1"))
        self.assertEqual(raised(FakeService([lambda _: gone]).runs().delete("1")).code, "run_not_found")
        deleted = FakeService([lambda _: [b"HTTP/1.1 204 No Content\r\n\r\n"]])
        blocking(deleted.runs().delete("1"))
        self.assertEqual(deleted.sent[0].method, "DELETE")

    def test_a_monitor_and_a_fire_are_asked_for_again_with_the_same_key(self) -> None:
        for options in ({}, {"idempotency_key": "mine"}):
            fake = FakeService([lambda _: LOST, lambda _: reply(201, {"id": "1"})])
            monitors = AsyncMonitors(fake.service())
            self.assertEqual(blocking(monitors.create(MONITOR, **options)), {"id": "1"})
            fake.answers.insert(0, lambda _: LOST)
            self.assertEqual(blocking(monitors.fire("1", **options)), {"id": "1"})
            made, again, fired, fired_again = (sent.headers["Idempotency-Key"] for sent in fake.sent)
            self.assertEqual((made, fired), (again, fired_again))
            self.assertEqual((made == fired, made == "mine"), (bool(options), bool(options)))

    def test_a_deleted_monitor_whose_reply_was_lost_is_deleted(self) -> None:
        gone = refused(404, "monitor_not_found")
        blocking(AsyncMonitors(FakeService([lambda _: LOST, lambda _: gone]).service()).delete("1"))
        error = raised(AsyncMonitors(FakeService([lambda _: gone]).service()).delete("1"))
        self.assertEqual(error.code, "monitor_not_found")

    def test_a_key_is_not_made_twice_for_a_lost_reply(self) -> None:
        for answer in (LOST, refused(500, "internal_error"), reply(502, b"<h1>")):
            fake = FakeService([lambda _, answer=answer: answer])  # type: ignore[misc]
            raised(AsyncKeys(fake.service()).create(name="CI", scopes=["runs:read"]))
            raised(AsyncKeys(fake.service()).rotate("k", grace_seconds=0))
            self.assertEqual([sent.body for sent in fake.sent][1:], [{"grace_seconds": 0}])


class Requests(unittest.TestCase):
    def test_every_call_follows_the_document(self) -> None:
        fake = FakeService([lambda _: reply(200, {"results": [], "data": []})])
        runs = fake.runs()
        artifacts, notes, entities, deliveries = fake.groups()
        monitors = AsyncMonitors(fake.service())
        for work in (
            runs.check(QUERY),
            runs.get("a/b", plan=True),
            runs.list(status=["failed", "canceled"], metadata="team:growth", limit=5),
            runs.cancel("1"),
            runs.resume("1", config={"max_cost_usd": 2}),
            runs.rerun("1", step_index=2),
            runs.events("1", cursor="c", limit=5),
            artifacts.get("1", links=True),
            artifacts.csv("1"),
            notes.get("1"),
            entities.resolve({"external_uri": "crm:acme"}),
            entities.search(query="ac"),
            entities.types(),
            entities.get("1"),
            deliveries.list("1"),
            deliveries.redeliver("1", "e"),
            deliveries.all(status="failed", limit=1),
            deliveries.redeliver_all(created_after=5),
            AsyncKeys(fake.service()).list(),
            AsyncKeys(fake.service()).create(name="CI", scopes=["runs:read"], daily_cost_limit_usd=2),
            AsyncKeys(fake.service()).rotate("1"),
            AsyncKeys(fake.service()).revoke("1"),
            monitors.create(MONITOR),
            monitors.list(limit=5, cursor="c"),
            monitors.get("a/b"),
            monitors.update("1", status="paused", catch_up_seconds=0),
            monitors.delete("1"),
            monitors.fire("1"),
            monitors.fires("1", limit=5, cursor="c"),
            runs.trace("1"),
            runs.calls("1", limit=5),
            artifacts.export("1", format="csv", fields=["name", "city"], limit=5, bom=True),
            artifacts.link("1", format="csv", expires_in_seconds=60),
            AsyncSources(fake.service()).list(),
            AsyncAudit(fake.service()).list(limit=5),
        ):
            blocking(work)
        lines = [f"{sent.method} {sent.path} {sent.query or ''}".strip() for sent in fake.sent]
        self.assertEqual(
            lines,
            [
                "POST /runs {'validate_only': '1'}",
                "GET /runs/a%2Fb {'include': 'plan'}",
                "GET /runs {'status': 'failed,canceled', 'metadata': 'team:growth', 'limit': '5'}",
                "POST /runs/1/cancel",
                "POST /runs/1/resume",
                "POST /runs/1/rerun-from",
                "GET /runs/1/events {'limit': '5', 'cursor': 'c'}",
                "GET /artifacts/1 {'include': 'links'}",
                "GET /artifacts/1 {'format': 'csv'}",
                "GET /notes/1",
                """GET /entities/resolve {'refs': '[{"external_uri": "crm:acme"}]'}""",
                "GET /entities {'query': 'ac'}",
                "GET /entities/types",
                "GET /entities/1",
                "GET /runs/1/webhook-deliveries",
                "POST /runs/1/webhook-deliveries/e/redeliver",
                "GET /webhook-deliveries {'status': 'failed', 'limit': '1'}",
                "POST /webhook-deliveries/redeliver",
                "GET /keys",
                "POST /keys",
                "POST /keys/1/rotate",
                "DELETE /keys/1",
                "POST /monitors",
                "GET /monitors {'limit': '5', 'cursor': 'c'}",
                "GET /monitors/a%2Fb",
                "PATCH /monitors/1",
                "DELETE /monitors/1",
                "POST /monitors/1/fire",
                "GET /monitors/1/fires {'limit': '5', 'cursor': 'c'}",
                "GET /runs/1/trace",
                "GET /runs/1/calls {'limit': '5'}",
                "GET /artifacts/1 {'format': 'csv', 'fields': 'name,city', 'limit': '5', 'bom': '1'}",
                "POST /artifacts/1/links",
                "GET /sources",
                "GET /audit {'limit': '5'}",
            ],
        )
        self.assertEqual(fake.sent[4].body, {"config": {"max_cost_usd": 2}})
        self.assertEqual(fake.sent[5].body, {"step_index": 2})
        self.assertEqual(fake.sent[19].body, {"name": "CI", "scopes": ["runs:read"], "daily_cost_limit_usd": 2})
        self.assertEqual(fake.sent[22].body, MONITOR)
        self.assertEqual(fake.sent[25].body, {"status": "paused", "catch_up_seconds": 0})
        self.assertEqual(fake.sent[32].body, {"format": "csv", "expires_in_seconds": 60})
        self.assertEqual({sent.headers["Authorization"] for sent in fake.sent}, {"Bearer sk_secret"})

    def test_the_key_is_in_no_repr_and_in_no_error(self) -> None:
        clients = [Client("sk_secret", BASE_URL), AsyncClient("sk_secret", BASE_URL)]
        errors = [raised(FakeService([lambda _: LOST]).runs(max_retries=0).get("1"))]
        with self.assertRaises(ValueError) as caught:
            Client("sk_secret\r\nX: y", BASE_URL)
        errors.append(caught.exception)
        for shown in (*clients, *errors):
            self.assertNotIn("sk_secret", repr(shown) + str(shown) + repr(getattr(shown, "args", "")))
        self.assertEqual(repr(clients[0]), f"Client(base_url='{BASE_URL}')")

    def test_an_address_that_is_none_is_refused_when_the_client_is_made(self) -> None:
        for address in ("service", "ftp://host/api/v1", "http://", "https://user:pass@host/api/v1"):
            with self.assertRaises(ValueError) as caught:
                Client("k", address)
            self.assertNotIn("pass", str(caught.exception))

    def test_after_close_every_call_is_refused(self) -> None:
        client = Client("k", BASE_URL)
        with client:
            pass
        with self.assertRaises(RuntimeError):
            client.me()

    def test_rows_are_those_of_a_table_only(self) -> None:
        table = {"kind": "table", "rows": [{"name": "Acme"}]}
        artifacts, *_ = FakeService([lambda _: reply(200, table)]).groups()
        self.assertEqual(blocking(artifacts.rows("1").__anext__()), {"name": "Acme"})
        artifacts, *_ = FakeService([lambda _: reply(200, {"kind": "text"})]).groups()
        self.assertIsInstance(raised(artifacts.rows("1").__anext__()), TypeError)

    def test_a_failed_run_is_an_error_with_its_last_message(self) -> None:
        run: Any = {"id": "1", "status": "failed", "errors": [{"message": "first"}, {"message": "last"}]}
        self.assertEqual(str(RunFailed(run)), "last")
        self.assertEqual(RunFailed(run).run, run)


if __name__ == "__main__":
    unittest.main()
