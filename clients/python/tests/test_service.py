"""Both clients over the running service, whose address and key are in RUNS_BASE_URL and RUNS_API_KEY."""

from __future__ import annotations

import asyncio
import csv
import os
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

from run_service import ApiError, AsyncClient, Client, RunFailed
from run_service.types import CreateMonitor, CreatePlanRun, CreateRun, EntityLine

BASE_URL = os.environ.get("RUNS_BASE_URL", "")
API_KEY = os.environ.get("RUNS_API_KEY", "")

NAMES = ["Acme", "Borealis", "Cobalt"]
#: Companies, then the answer as a table.
PLAN: CreatePlanRun = {
    "input_type": "plan",
    "plan": {
        "title": "Companies",
        "steps": [
            {"kind": "fetch", "title": "Get companies", "params": {"source": "companies"}},
            {"kind": "reconstitute", "title": "Write it up", "params": {"expected_artifacts": ["table"]}},
        ],
    },
}

#: The same, with the number of companies as data.
COUNTED: CreatePlanRun = {
    **PLAN,
    "output_schema": {"type": "object", "properties": {"count": {"type": "integer"}}, "required": ["count"]},
}


class Count(TypedDict):
    count: int


def one_step(instructions: str) -> CreateRun:
    step: Any = {"kind": "analyze", "title": "Find out", "instructions": instructions}
    return {"input_type": "plan", "plan": {"title": "One step", "steps": [step]}}


#: Runs longer than the tests that use it.
LONG = one_step("[[delay:3000]] what stands out")
FAILING = one_step("[[fail]] what stands out")


@unittest.skipUnless(BASE_URL, "RUNS_BASE_URL names no service")
class Blocking(unittest.TestCase):
    def setUp(self) -> None:
        self.client = Client(API_KEY, BASE_URL)
        self.addCleanup(self.client.close)

    def test_a_first_run_from_create_to_its_rows(self) -> None:
        client, threads = self.client, threading.active_count()
        run = client.runs.create(PLAN)
        self.assertEqual(run["status"], "pending")
        with client.runs.watch(run["id"]) as watch:
            seen = list(watch)
            final = watch.done()
        self.assertEqual(seen, client.runs.events(run["id"], limit=1000)["data"])
        self.assertEqual(watch.last_event_id, seen[-1]["event_id"])
        self.assertEqual({**final, "request_id": ""}, {**client.runs.get(run["id"]), "request_id": ""})
        (table,) = final["artifacts"]
        rows = list(client.artifacts.rows(table["id"]))
        self.assertEqual(sorted(row["city"] for row in rows), ["Berlin", "Berlin", "Oslo"])
        plain = list(client.artifacts.rows(table["id"], plain=True))
        self.assertEqual(sorted(str(row["name"]) for row in plain), NAMES)
        self.assertEqual([f"[{row['name']}](entity={row['_record']})" for row in plain], [row["name"] for row in rows])
        self.assertEqual(client.artifacts.get(table["id"], links=True)["id"], table["id"])
        head, *lines = csv.reader(client.artifacts.csv(table["id"]).splitlines())
        self.assertEqual(sorted(dict(zip(head, line, strict=True))["name"] for line in lines), NAMES)
        self.assertEqual(threading.active_count(), threads)

    def test_a_watch_goes_on_after_an_event_in_another_process(self) -> None:
        run = self.client.runs.wait(self.client.runs.create(PLAN)["id"])
        first, *others = self.client.runs.watch(run["id"])
        self.assertEqual(list(self.client.runs.watch(run["id"], after=first["event_id"])), others)

    def test_a_wait_that_is_over_leaves_the_run_and_a_cancel_ends_it(self) -> None:
        runs = self.client.runs
        id = runs.create(LONG)["id"]
        with self.assertRaises(TimeoutError):
            runs.wait(id, timeout_ms=100)
        self.assertIn(runs.get(id)["status"], ("pending", "running"))
        self.assertEqual(runs.cancel(id)["status"], "canceled")
        with self.assertRaises(RunFailed):
            runs.wait(id, raise_on_failure=True)

    def test_a_failed_run_is_given_or_raised_and_resumed_and_rerun(self) -> None:
        runs = self.client.runs
        id = runs.create(FAILING)["id"]
        self.assertEqual(runs.wait(id)["status"], "failed")
        with self.assertRaises(RunFailed) as caught:
            runs.wait(id, raise_on_failure=True)
        self.assertEqual(caught.exception.run["id"], id)
        self.assertEqual(runs.resume(id)["id"], id)
        self.assertEqual(runs.wait(id)["resume_count"], 1)
        again = runs.rerun(id, step_index=0, idempotency_key=f"again {id}")
        self.assertEqual(again.get("rerun_of"), {"run_id": id, "step_index": 0})
        self.assertEqual(runs.rerun(id, step_index=0, idempotency_key=f"again {id}")["id"], again["id"])

    def test_a_close_from_another_thread_ends_a_loop(self) -> None:
        id = self.client.runs.create(LONG)["id"]
        watch = self.client.runs.watch(id)
        with ThreadPoolExecutor(1) as pool:
            self.assertEqual(next(watch)["event_type"], "run.created")
            loop = pool.submit(lambda: [event["event_type"] for event in watch])
            watch.close()
            self.assertNotIn("run.succeeded", loop.result(10))
        with self.assertRaises(RuntimeError):
            watch.done()
        self.client.runs.cancel(id)

    def test_threads_share_a_client(self) -> None:
        runs = self.client.runs
        with ThreadPoolExecutor(4) as pool:
            ends = list(pool.map(lambda _: runs.wait(runs.create(PLAN)["id"]), range(4)))
        self.assertEqual({end["status"] for end in ends}, {"succeeded"})
        self.assertEqual(len({end["id"] for end in ends}), 4)

    def test_lists_pages_and_filters(self) -> None:
        runs = self.client.runs
        body = PLAN.copy()
        body["metadata"] = {"test": "python pages"}
        ids = [runs.wait(runs.create(body)["id"])["id"] for _ in range(2)]
        first = runs.list(metadata="test:python pages", limit=1, status=["succeeded", "failed"], input_type="plan")
        second = runs.list(metadata="test:python pages", limit=1, cursor=first["next_cursor"])
        self.assertEqual([one["id"] for one in (*first["data"], *second["data"])], ids[::-1])
        page = runs.events(ids[0], limit=1)
        self.assertEqual([page["has_more"], len(page["data"])], [True, 1])

    def test_records_and_the_key(self) -> None:
        entities = self.client.entities
        (acme,) = entities.resolve({"external_uri": "crm:acme"})
        assert acme["resolved"] is True
        self.assertEqual(entities.get(acme["entity_id"])["name"], "Acme")
        self.assertEqual(entities.search(query="Acm", type="company", limit=1)[0]["entity_id"], acme["entity_id"])
        self.assertIn("company", [one["type"] for one in entities.types()])
        self.assertIn("runs:create", self.client.me()["scopes"])

    def test_records_come_in_change_and_go(self) -> None:
        entities = self.client.entities
        uri = "python:1"
        line: EntityLine = {"type": "parcel", "name": "Parcel 1", "fields": {"kg": 2}, "external_uri": uri}
        self.assertEqual(entities.import_records([line], dry_run=True)["created"], 1)
        self.assertEqual(entities.import_records([line])["created"], 1)
        self.assertEqual(entities.import_records([line])["unchanged"], 1)
        found = entities.resolve({"external_uri": uri})[0]
        assert found["resolved"] is True
        changed = entities.update(found["entity_id"], fields={"kg": None, "sent": True})
        self.assertEqual(changed["fields"], {"sent": True})
        entities.delete(found["entity_id"])
        self.assertEqual(entities.delete_many(type="parcel"), {"deleted": 0, "has_more": False})

    def test_a_key_is_made_rotated_and_revoked(self) -> None:
        keys = self.client.keys
        made = keys.create(name="Python", scopes=["runs:read"], daily_cost_limit_usd=1)
        with Client(made["api_key"], BASE_URL) as other:
            self.assertEqual(other.me()["scopes"], ["runs:read"])
            rotated = keys.rotate(made["key_id"], grace_seconds=0)
            keys.revoke(rotated["key_id"])
            with self.assertRaises(ApiError) as caught:
                other.me()
            self.assertEqual(caught.exception.code, "auth_expired")
        listed = {key["key_id"]: key for key in keys.list()}
        self.assertEqual(listed[rotated["key_id"]]["successor_of"], made["key_id"])
        self.assertIsNotNone(listed[rotated["key_id"]]["revoked_at"])

    def test_a_monitor_makes_runs_whose_answers_are_data_until_it_is_deleted(self) -> None:
        monitors = self.client.monitors
        body: CreateMonitor = {"name": "Companies", "run": COUNTED, "on": {"cron": "0 0 1 1 *"}}
        id = monitors.create(body)["id"]
        self.assertIn(id, [one["id"] for one in monitors.list()["data"]])
        paused = monitors.update(id, status="paused", catch_up_seconds=0)
        self.assertEqual((paused["next_fire_at"], paused["catch_up_seconds"]), (None, 0))
        fire = monitors.fire(id, idempotency_key=f"now {id}")
        self.assertEqual(monitors.fire(id, idempotency_key=f"now {id}")["id"], fire["id"])
        assert "run_id" in fire
        output = self.client.runs.wait(fire["run_id"], raise_on_failure=True).get("output")
        assert output is not None
        answer: Count = output["data"]
        self.assertEqual(answer, {"count": 3})
        self.assertEqual([one["path"] for one in output["basis"]], ["/count"])
        self.assertEqual([one["id"] for one in monitors.fires(id)["data"]], [fire["id"]])
        monitors.delete(id)
        with self.assertRaises(ApiError) as caught:
            monitors.get(id)
        self.assertEqual(caught.exception.code, "monitor_not_found")

    def test_the_deliveries_of_the_workspace(self) -> None:
        deliveries = self.client.deliveries
        self.assertEqual(deliveries.all(status="failed", limit=1)["data"], [])
        self.assertEqual(deliveries.redeliver_all()["redelivered"], 0)

    def test_a_deleted_run_is_gone(self) -> None:
        runs = self.client.runs
        id = runs.create(PLAN)["id"]
        runs.wait(id)
        runs.delete(id)
        with self.assertRaises(ApiError) as caught:
            runs.get(id)
        self.assertEqual(caught.exception.code, "run_not_found")

    def test_a_check_creates_nothing_and_a_query_shows_its_plan(self) -> None:
        runs = self.client.runs
        self.assertTrue(runs.check(PLAN)["valid"])
        id = runs.create({"input_type": "query", "query": "Which companies are in Berlin?"})["id"]
        runs.wait(id)
        self.assertIsNotNone(runs.get(id, plan=True).get("plan"))

    def test_errors_say_what_is_wrong(self) -> None:
        with self.assertRaises(ApiError) as caught:
            self.client.runs.create(one_step("") | {"plan": {"title": "", "steps": []}})  # type: ignore[arg-type]
        error = caught.exception
        self.assertEqual((error.code, error.status, error.type), ("schema_validation_failed", 422, "invalid_request"))
        self.assertTrue(error.param and error.details["issues"] and error.request_id)
        self.assertIn("#schema_validation_failed", error.doc_url)
        with self.assertRaises(ApiError) as caught:
            Client(API_KEY + "x", BASE_URL).me()
        self.assertEqual((caught.exception.code, caught.exception.details), ("auth_invalid", {}))
        self.assertNotIn(API_KEY, str(caught.exception) + repr(caught.exception))


@unittest.skipUnless(BASE_URL, "RUNS_BASE_URL names no service")
class OnLoop(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        self.client = AsyncClient(API_KEY, BASE_URL)
        self.addAsyncCleanup(self.client.aclose)

    async def test_a_first_run_from_create_to_its_rows(self) -> None:
        client = self.client
        run = await client.runs.create(PLAN)
        async with client.runs.watch(run["id"]) as watch:
            seen = [event async for event in watch]
            final = await watch.done()
        self.assertEqual(seen, (await client.runs.events(run["id"], limit=1000))["data"])
        self.assertEqual(final["status"], "succeeded")
        rows = [row async for row in client.artifacts.rows(final["artifacts"][0]["id"])]
        self.assertEqual(len(rows), 3)
        self.assertIn("Borealis", await client.artifacts.csv(final["artifacts"][0]["id"]))

    async def test_a_canceled_read_can_go_on(self) -> None:
        id = (await self.client.runs.create(LONG))["id"]
        watch = self.client.runs.watch(id)
        async for event in watch:
            if event["event_type"] == "step.started":
                break
        reading = asyncio.ensure_future(watch.__anext__())
        await asyncio.sleep(0)
        reading.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await reading
        await self.client.runs.cancel(id)
        self.assertEqual([event["event_type"] async for event in watch][-1], "run.canceled")
        self.assertEqual((await watch.done())["status"], "canceled")

    async def test_one_loop_at_a_time(self) -> None:
        id = (await self.client.runs.create(LONG))["id"]
        watch = self.client.runs.watch(id)
        reading = asyncio.ensure_future(watch.done())
        await asyncio.sleep(0)
        with self.assertRaises(RuntimeError):
            await watch.done()
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
        await self.client.runs.cancel(id)

    async def test_many_runs_at_once(self) -> None:
        runs = self.client.runs
        created = await asyncio.gather(*(runs.create(PLAN) for _ in range(4)))
        ends = await asyncio.gather(*(runs.wait(one["id"]) for one in created))
        self.assertEqual({end["status"] for end in ends}, {"succeeded"})

    async def test_the_other_calls(self) -> None:
        client = self.client
        self.assertTrue((await client.runs.check(PLAN))["valid"])
        self.assertEqual((await client.me())["object"], "key")
        (acme,) = await client.entities.resolve([{"external_uri": "crm:acme"}])
        self.assertTrue(acme["resolved"])
        id = (await client.runs.create(FAILING))["id"]
        with self.assertRaises(RunFailed):
            await client.runs.wait(id, timeout_ms=60_000, raise_on_failure=True)
        self.assertEqual(await client.deliveries.list(id), [])
        self.assertEqual((await client.runs.list(limit=1))["object"], "list")
        self.assertEqual((await client.monitors.list(limit=1))["object"], "list")
        with self.assertRaises(ApiError):
            await client.notes.get("none")


if __name__ == "__main__":
    unittest.main()
