"""Watches: each event once, in order, over whatever transport works, to the end of the log."""

from __future__ import annotations

import json
import time
import unittest
from typing import Any

from fake_service import FakeService, Pieces, Sent, refused, reply
from run_service import ApiError, ConnectionError
from run_service._threads import blocking

EVENT_STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
BUFFERED = [EVENT_STREAM, 1000.0]


def event(sequence: int, event_type: str = "step.progress") -> dict[str, Any]:
    return {"id": f"e{sequence}", "event_id": f"e{sequence}", "sequence": sequence, "event_type": event_type}


def frame(one: dict[str, Any]) -> bytes:
    return f"id: {one['event_id']}\nevent: {one['event_type']}\ndata: {json.dumps(one)}\n\n".encode()


LOG = [event(1, "run.created"), event(2, "run.started"), event(5), event(9, "run.succeeded")]
IDS = [one["event_id"] for one in LOG]


class Log:
    """A service whose run has this log; `streams` are what its streams bring, one after the other."""

    def __init__(
        self, *streams: Any, log: list[dict[str, Any]] = LOG, statuses: tuple[str, ...] = ("succeeded",)
    ) -> None:
        self.fake = FakeService([self._answer])
        self._streams: list[Any] = list(streams)
        self._log = log
        self._statuses = list(statuses)

    def paths(self) -> list[str]:
        return [sent.path.removeprefix("/runs/1").lstrip("/") or "run" for sent in self.fake.sent]

    def asked(self, path: str) -> list[Sent]:
        return [sent for sent in self.fake.sent if sent.path == f"/runs/1/{path}"]

    def _answer(self, sent: Sent) -> Pieces:
        if sent.path == "/runs/1":
            status = self._statuses.pop(0) if len(self._statuses) > 1 else self._statuses[0]
            return reply(200, {"id": "1", "status": status})
        if sent.path.endswith("/token"):
            expires_at = (time.time() + 600) * 1000
            return reply(200, {"event_token": f"t{len(self.asked('events/token'))}", "expires_at": expires_at})
        if sent.path.endswith("/stream"):
            after = self._after(sent.query.get("last_event_id"))
            if not self._streams:
                return [b"HTTP/1.1 204 X\r\n\r\n"] if not after else [EVENT_STREAM + b"".join(map(frame, after))]
            stream: Pieces = self._streams.pop(0)
            return stream
        after = self._after(sent.query.get("cursor"))
        page = {"data": after, "next_cursor": after[-1]["event_id"] if after else sent.query.get("cursor", "")}
        return [*([] if after else [25.0]), *reply(200, page | {"has_more": False})]

    def _after(self, id: str | None) -> list[dict[str, Any]]:
        ids = [one["event_id"] for one in self._log]
        return self._log[ids.index(id) + 1 if id in ids else 0 :]


class Streams(unittest.TestCase):
    def test_a_stream_is_read_to_its_end_and_then_only_what_makes_it_sure(self) -> None:
        log = Log()
        self.assertEqual(log.fake.watched(), IDS)
        self.assertEqual(log.fake.final["status"], "succeeded")
        self.assertEqual(log.paths(), ["events/token", "events/stream", "run", "events/stream"])
        self.assertEqual(log.asked("events/stream")[0].headers["Authorization"], None)
        self.assertEqual(log.fake.open, 0)

    def test_a_stream_that_is_cut_at_any_byte_goes_on_after_its_last_event(self) -> None:
        whole = b"".join(map(frame, LOG))
        for at in range(0, len(whole), 7):
            log = Log([EVENT_STREAM, whole[:at]], [EVENT_STREAM, whole[:at], ConnectionResetError()])
            self.assertEqual(log.fake.watched(), IDS, at)

    def test_pieces_of_a_stream_may_end_anywhere_and_lines_in_any_way(self) -> None:
        whole = b": comment\n\n" + b"".join(map(frame, LOG))
        for ends in (b"\n", b"\r\n", b"\r"):
            text = whole.replace(b"\n", ends)
            for size in (1, 2, 3, 50):
                pieces = [text[i : i + size] for i in range(0, len(text), size)]
                self.assertEqual(Log([EVENT_STREAM, *pieces]).fake.watched(), IDS, (ends, size))

    def test_events_that_come_twice_are_given_once(self) -> None:
        log = Log([EVENT_STREAM + frame(LOG[0]) + frame(LOG[0]) + frame(LOG[1])])
        self.assertEqual(log.fake.watched(), IDS)

    def test_the_end_of_a_connection_after_a_minute_is_no_event(self) -> None:
        expired = frame({**event(2), "event_type": "connection.expired"})
        log = Log([EVENT_STREAM + frame(LOG[0]) + expired])
        self.assertEqual(log.fake.watched(), IDS)
        self.assertEqual(log.fake.pauses, [])
        asked = [(sent.query.get("last_event_id"), sent.query["max_ms"]) for sent in log.asked("events/stream")]
        self.assertEqual(asked[:2], [(None, "60000"), ("e1", "60000")])

    def test_a_token_that_is_refused_is_replaced(self) -> None:
        log = Log(refused(401, "auth_expired"))
        self.assertEqual(log.fake.watched(), IDS)
        tokens = [sent.query["event_token"] for sent in log.asked("events/stream")]
        self.assertEqual(tokens[:2], ["t1", "t2"])

    def test_what_no_retry_can_fix_is_raised(self) -> None:
        with self.assertRaises(ApiError) as caught:
            Log(refused(404, "run_not_found")).fake.watched()
        self.assertEqual(caught.exception.code, "run_not_found")

    def test_a_failure_before_a_resume_is_not_the_end(self) -> None:
        before = [event(1, "run.created"), event(2, "run.failed")]
        whole = [*before, event(3, "run.started"), event(4, "run.succeeded")]
        log = Log([EVENT_STREAM + b"".join(map(frame, before))], log=whole, statuses=("running", "succeeded"))
        self.assertEqual(log.fake.watched(), ["e1", "e2", "e3", "e4"])

    def test_a_watch_starts_after_an_event(self) -> None:
        self.assertEqual(Log().fake.watched(after="e2"), ["e5", "e9"])

    def test_an_error_ends_a_loop_and_a_new_one_continues(self) -> None:
        log = Log([EVENT_STREAM + frame(LOG[0])], refused(404, "run_not_found"))
        watch = log.fake.runs().watch("1")
        self.assertEqual(blocking(watch.__anext__())["event_id"], "e1")
        with self.assertRaises(ApiError):
            blocking(watch.__anext__())
        self.assertEqual(log.fake.open, 0)
        self.assertEqual(blocking(watch.__anext__())["event_id"], "e2")
        self.assertEqual(watch.last_event_id, "e2")
        self.assertEqual(blocking(watch.done())["status"], "succeeded")


class Polls(unittest.TestCase):
    def test_streams_that_bring_nothing_twice_give_way_to_the_long_poll(self) -> None:
        log = Log(BUFFERED, BUFFERED)
        self.assertEqual(log.fake.watched(), IDS)
        streams, pages = log.asked("events/stream"), log.asked("events")
        self.assertEqual(len(streams), 2)
        self.assertEqual(streams[1].at - streams[0].at, 20)
        self.assertEqual(pages[0].query, {"limit": "1000", "keep-open": "1"})

    def test_an_answer_that_is_no_stream_gives_way_to_the_long_poll_at_once(self) -> None:
        for answer in (reply(200, b"<h1>"), reply(502, b"<h1>"), [EVENT_STREAM]):
            log = Log(answer)
            self.assertEqual(log.fake.watched(), IDS)
            self.assertEqual(len(log.asked("events/stream")), 1)

    def test_connections_that_are_refused_give_way_as_well(self) -> None:
        log = Log([ConnectionRefusedError()], [ConnectionRefusedError()])
        self.assertEqual(log.fake.watched(), IDS)
        self.assertEqual(len(log.asked("events/stream")), 2)

    def test_the_stream_is_tried_again_after_five_minutes(self) -> None:
        quiet = [400.0]
        log = Log(reply(200, b"<h1>"), statuses=("running", "succeeded"), log=[event(1, "run.failed")])
        log.fake.answers = [self._slow_envelope(log, quiet)]
        self.assertEqual(log.fake.watched(), ["e1"])
        self.assertEqual(log.paths()[-1], "events/stream")

    @staticmethod
    def _slow_envelope(log: Log, quiet: list[float]) -> Any:
        def answer(sent: Sent) -> Pieces:
            if sent.path == "/runs/1" and quiet:
                log.fake.now += quiet.pop()
            return log._answer(sent)

        return answer

    def test_a_poll_starts_after_the_event_that_is_asked_for(self) -> None:
        self.assertEqual(Log(reply(200, b"<h1>")).fake.watched(after="e2"), ["e5", "e9"])

    def test_an_event_that_the_log_does_not_have_is_an_error(self) -> None:
        with self.assertRaises(ValueError):
            Log(reply(200, b"<h1>")).fake.watched(after="e7")


class Waits(unittest.TestCase):
    def test_the_wait_ends_with_the_builtin_error_exactly_when_its_time_is_over(self) -> None:
        for transport in (BUFFERED, [ConnectionRefusedError()], [1000.0]):
            log = Log(*[transport] * 9, statuses=("running",), log=[event(1)])
            began = log.fake.now
            with self.assertRaises(TimeoutError) as caught:
                blocking(log.fake.runs().wait("1", timeout_ms=5_500))
            self.assertNotIsInstance(caught.exception, ConnectionError)
            self.assertAlmostEqual(log.fake.now - began, 5.5)
            self.assertEqual(log.fake.open, 0)

    def test_the_wait_gives_failed_runs_as_well(self) -> None:
        log = Log(log=[event(1, "run.failed")], statuses=("failed",))
        self.assertEqual(blocking(log.fake.runs().wait("1", timeout_ms=5_500))["status"], "failed")


if __name__ == "__main__":
    unittest.main()
