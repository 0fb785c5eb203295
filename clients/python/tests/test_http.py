"""Answers as servers send them: whole, in chunks, to the end of the connection, broken."""

from __future__ import annotations

import unittest
from typing import Any

from fake_service import FakeService
from run_service import ConnectionError
from run_service._threads import blocking

BODY = b'{"id": "1"}'
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

WHOLE = {
    "with a length": b"HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\n" + BODY,
    "to the end": b"HTTP/1.0 200 OK\r\n\r\n" + BODY,
    "in one chunk": CHUNKED + b"b\r\n" + BODY + b"\r\n0\r\n\r\n",
    "in chunks with extensions and trailers": CHUNKED + b'3;a=b\r\n{"i\r\n8 \r\nd": "1"}\r\n0\r\nX: y\r\n\r\n',
    "after what informs": b"HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200\r\ncontent-length: 11\r\n\r\n"
    + BODY,
    "with bare line ends": b"HTTP/1.1 200 OK\nContent-Length: 11\n\n" + BODY,
}
BROKEN = {
    "nothing": b"",
    "another protocol": b"SSH-2.0-OpenSSH_9.6\r\n\r\n",
    "a cut head": b"HTTP/1.1 200 OK\r\nContent-Le",
    "a cut body": b"HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n" + BODY,
    "a cut chunk": CHUNKED + b"c\r\n" + BODY,
    "no last chunk": CHUNKED + b"b\r\n" + BODY + b"\r\n",
    "a chunk without a size": CHUNKED + b"x\r\n" + BODY,
    "a wrong length": b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n" + BODY,
    "endless headers": b"HTTP/1.1 200 OK\r\n" + b"A: b\r\n" * 200 + b"\r\n" + BODY,
    "an endless line": b"HTTP/1.1 200 OK\r\nA: " + b"b" * 200_000,
    "no JSON": b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n<h1",
}


def answered(pieces: list[bytes]) -> Any:
    return blocking(FakeService([lambda _: pieces]).runs(max_retries=0).get("1"))


class Answers(unittest.TestCase):
    def test_every_framing_of_a_body_is_read_from_pieces_of_any_size(self) -> None:
        for name, text in WHOLE.items():
            for size in (1, 2, 5, len(text)):
                with self.subTest(name, size=size):
                    pieces = [text[i : i + size] for i in range(0, len(text), size)]
                    self.assertEqual(answered(pieces), {"id": "1"})

    def test_what_is_broken_is_a_lost_answer(self) -> None:
        for name, text in BROKEN.items():
            with self.subTest(name), self.assertRaises(ConnectionError):
                answered([text])


if __name__ == "__main__":
    unittest.main()
