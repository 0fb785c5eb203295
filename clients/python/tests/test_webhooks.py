"""Webhooks: the deliveries that the tests of the TypeScript client recorded, and what Python adds."""

from __future__ import annotations

import json
import unittest
from email.message import Message
from pathlib import Path
from typing import Any
from unittest import mock

from run_service import RunServiceError, WebhookError, fixtures, sign, verify

RECORDED = json.loads((Path(__file__).parents[3] / "test/sdk/deliveries.json").read_text())
BODY: str = RECORDED["cases"][0]["body"]


def verdict(body: Any, header: Any, seconds_later: float = 0, **keys: Any) -> str:
    with mock.patch("time.time", return_value=RECORDED["timestamp_seconds"] + seconds_later):
        try:
            parsed: Any = verify(body, header, **keys)
        except WebhookError as error:
            return error.reason
    return "accepted" if parsed == json.loads(BODY) else "another body"


class Sign(unittest.TestCase):
    def test_a_signed_body_has_the_headers_of_a_recorded_delivery_and_is_believed(self) -> None:
        recorded = dict(RECORDED["headers"])
        for key in ({"api_key": RECORDED["api_key"]}, {"secret": RECORDED["secret"]}):
            signed = sign(BODY, now=RECORDED["timestamp_seconds"], **key)
            self.assertEqual(verdict(BODY, signed, api_key=RECORDED["api_key"]), "accepted")
            self.assertEqual(verdict(BODY + " ", signed, api_key=RECORDED["api_key"]), "mismatch")
            self.assertEqual(list(signed), list(recorded))
            for name in ("X-Service-Signature", "X-Service-Event-Id", "webhook-id", "webhook-signature"):
                self.assertEqual(signed[name], recorded[name])

    def test_the_fixtures_are_those_of_the_typescript_client(self) -> None:
        folder = Path(__file__).parents[2] / "sdk/fixtures"
        for kind in ("events", "webhooks", "jobs"):
            own: dict[str, Any] = dict(fixtures)[kind]  # type: ignore[assignment]
            theirs = {file.stem: json.loads(file.read_text()) for file in (folder / kind).iterdir()}
            self.assertEqual(own, theirs)
        body = json.dumps(fixtures["webhooks"]["run.failed"])
        self.assertEqual(verify(body, sign(body, api_key="k"), api_key="k")["event_type"], "run.failed")

    def test_a_key_that_is_not_set_and_a_time_that_is_none_are_mistakes_of_the_caller(self) -> None:
        wrong: list[dict[str, Any]] = [{}, {"api_key": ""}, {"api_key": "k", "now": float("nan")}]
        for given in wrong:
            with self.subTest(given), self.assertRaises(ValueError):
                sign(BODY, **given)


class Verify(unittest.TestCase):
    def test_each_recorded_delivery_gets_the_verdict_of_the_typescript_client(self) -> None:
        for case in RECORDED["cases"]:
            with self.subTest(case["what"]):
                found = verdict(case["body"], case["header"], case["seconds_later"], api_key=case["api_keys"])
                self.assertEqual(found, case["expected"])

    def test_bodies_may_be_text_or_bytes_and_keys_one_or_many_keys_or_secrets(self) -> None:
        header = RECORDED["headers"]["X-Service-Signature"]
        for body in (BODY, BODY.encode(), bytearray(BODY.encode()), memoryview(BODY.encode())):
            self.assertEqual(verdict(body, header, api_key=RECORDED["api_key"]), "accepted")
        self.assertEqual(verdict(BODY, header, secret=RECORDED["secret"]), "accepted")
        self.assertEqual(verdict(BODY, header, secret=["00", RECORDED["secret"]], api_key="other"), "accepted")

    def test_headers_may_be_those_of_a_server_and_lists(self) -> None:
        message = Message()
        for name, value in RECORDED["headers"].items():
            message[name] = value
        self.assertEqual(verdict(BODY, message, api_key=RECORDED["api_key"]), "accepted")
        lists = {name.lower(): [value] for name, value in RECORDED["headers"].items()}
        self.assertEqual(verdict(BODY, lists, api_key=RECORDED["api_key"]), "accepted")
        self.assertEqual(verdict(BODY, {"X-Service-Signature": None}, api_key="k"), "no_header")

    def test_a_key_that_is_not_set_is_a_mistake_of_the_caller_whatever_the_header(self) -> None:
        right = RECORDED["api_key"]
        unset: list[dict[str, Any]] = [{}, {"api_key": None}, {"api_key": []}, {"secret": []}, {"api_key": 42}]
        unset += [{"api_key": right, "secret": []}, {"api_key": b"bytes"}]
        for one in (None, "", " ", "\t\n", "\u00a0", 42):
            unset += [{"api_key": [one]}, {"api_key": [right, one]}, {"secret": [one, RECORDED["secret"]]}]
        for one in ("", " ", "\n"):
            unset += [{"api_key": one}, {"secret": one}, {"api_key": right, "secret": one}]
        for keys in unset:
            for header in (None, "malformed", RECORDED["headers"]["X-Service-Signature"]):
                with self.subTest(keys), self.assertRaises(ValueError):
                    verdict(BODY, header, **keys)

    def test_a_tolerance_that_is_no_finite_number_is_refused_whatever_the_header(self) -> None:
        wrong: list[Any] = [float("nan"), float("inf"), float("-inf"), None, "", "300", [], True]
        for tolerance in wrong:
            for header in (None, RECORDED["headers"]["X-Service-Signature"]):
                with self.subTest(tolerance), self.assertRaises(ValueError):
                    verdict(BODY, header, api_key=RECORDED["api_key"], tolerance_seconds=tolerance)

    def test_the_tolerance_can_be_chosen(self) -> None:
        header = RECORDED["headers"]["X-Service-Signature"]
        keys = {"api_key": RECORDED["api_key"], "tolerance_seconds": 900}
        self.assertEqual(verdict(BODY, header, 900, **keys), "accepted")
        self.assertEqual(verdict(BODY, header, 901, **keys), "too_old")

    def test_one_flipped_bit_is_refused(self) -> None:
        header = RECORDED["headers"]["X-Service-Signature"]
        content = BODY.encode()
        for bit in range(len(content) * 8):
            flipped = bytearray(content)
            flipped[bit // 8] ^= 1 << bit % 8
            self.assertEqual(verdict(bytes(flipped), header, api_key=RECORDED["api_key"]), "mismatch")

    def test_its_error_is_one_of_the_package(self) -> None:
        self.assertTrue(issubclass(WebhookError, RunServiceError))


if __name__ == "__main__":
    unittest.main()
