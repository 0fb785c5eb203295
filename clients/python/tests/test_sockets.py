"""Both clients over real sockets on loopback: silence, cancels, closes, threads, TLS."""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
import unittest
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

from run_service import AsyncClient, Client, ConnectionError

CERTIFICATE = Path(__file__).parent / "localhost.pem"
REPLY = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"


class Server:
    """Takes connections one after the other; each is silent or gets a reply, and is kept until its client closes it."""

    def __init__(self, reply: bytes, tls: bool) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        scheme = "https" if tls else "http"
        self.base_url = f"{scheme}://127.0.0.1:{self._listener.getsockname()[1]}/api/v1"
        self._reply = reply
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if tls else None
        if self._context:
            self._context.load_cert_chain(CERTIFICATE)
        self.accepted = threading.Semaphore(0)
        self.closed = threading.Semaphore(0)
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.thread.join()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            try:
                if self._context:
                    connection = self._context.wrap_socket(connection, server_side=True)
                connection.recv(65_536)
                self.accepted.release()
                connection.sendall(self._reply)
                while connection.recv(65_536):
                    pass
            except OSError:
                pass
            connection.close()
            self.closed.release()


@contextmanager
def server(reply: bytes = b"", tls: bool = False) -> Iterator[Server]:
    running = Server(reply, tls)
    try:
        yield running
    finally:
        running.stop()


class Blocking(unittest.TestCase):
    def test_a_silent_server_costs_the_time_limit_and_leaves_no_connection(self) -> None:
        with server() as silent, Client("k", silent.base_url, max_retries=0, timeout_ms=50) as client:
            with self.assertRaises(ConnectionError) as caught:
                client.me()
            self.assertIsInstance(caught.exception.__cause__, TimeoutError)
            self.assertTrue(silent.closed.acquire(timeout=10))

    def test_a_close_ends_a_call_in_another_thread(self) -> None:
        with server() as silent:
            client = Client("k", silent.base_url)
            errors: list[Exception] = []

            def call() -> None:
                try:
                    client.me()
                except Exception as error:
                    errors.append(error)

            caller = threading.Thread(target=call)
            caller.start()
            self.assertTrue(silent.accepted.acquire(timeout=10))
            client.close()
            caller.join(10)
            self.assertEqual([type(error).__mro__[1] for error in errors], [RuntimeError])

    def test_a_close_ends_a_pause_between_two_tries(self) -> None:
        unused = socket.create_server(("127.0.0.1", 0))
        client = Client("k", f"http://127.0.0.1:{unused.getsockname()[1]}", max_retries=1_000)
        unused.close()
        caller = threading.Thread(target=lambda: self.assertRaises(RuntimeError, client.me))
        caller.start()
        client.close()
        caller.join(10)
        self.assertFalse(caller.is_alive())

    def test_no_call_starts_a_thread(self) -> None:
        with server(REPLY) as answering, Client("k", answering.base_url) as client:
            before = threading.active_count()
            client.me()
            self.assertEqual(threading.active_count(), before)


class OnLoop(unittest.IsolatedAsyncioTestCase):
    async def test_a_cancel_closes_the_connection_and_the_loop_goes_on(self) -> None:
        with server() as silent, server(REPLY) as answering:
            async with AsyncClient("k", silent.base_url) as stuck, AsyncClient("k", answering.base_url) as client:
                call = asyncio.create_task(stuck.me())
                while not silent.accepted.acquire(blocking=False):
                    self.assertEqual(await client.me(), {})
                call.cancel()
                with self.assertRaises(asyncio.CancelledError):
                    await call
                self.assertTrue(await asyncio.to_thread(silent.closed.acquire, timeout=10))

    async def test_a_silent_server_costs_the_time_limit(self) -> None:
        with server() as silent:
            async with AsyncClient("k", silent.base_url, max_retries=0, timeout_ms=50) as client:
                with self.assertRaises(ConnectionError) as caught:
                    await client.me()
                self.assertIsInstance(caught.exception.__cause__, TimeoutError)
                self.assertTrue(await asyncio.to_thread(silent.closed.acquire, timeout=10))

    async def test_a_close_ends_a_call_of_another_task(self) -> None:
        with server() as silent:
            client = AsyncClient("k", silent.base_url)
            call = asyncio.create_task(client.me())
            await asyncio.to_thread(silent.accepted.acquire, timeout=10)
            await client.aclose()
            with self.assertRaises(RuntimeError):
                await call


class Tls(unittest.IsolatedAsyncioTestCase):
    async def test_a_certificate_that_nobody_vouches_for_is_refused_at_once(self) -> None:
        with server(REPLY, tls=True) as secure:
            with Client("k", secure.base_url) as client, self.assertRaises(ConnectionError) as caught:
                await asyncio.to_thread(client.me)
            self.assertIsInstance(caught.exception.__cause__, ssl.SSLCertVerificationError)
            async with AsyncClient("k", secure.base_url) as on_loop:
                with self.assertRaises(ConnectionError) as caught:
                    await on_loop.me()
            self.assertIsInstance(caught.exception.__cause__, ssl.SSLCertVerificationError)

    async def test_a_trusted_one_is_accepted_for_its_name_alone(self) -> None:
        trusting = ssl.create_default_context(cafile=CERTIFICATE)
        patches = [mock.patch(f"run_service.{shell}.tls_settings", lambda: trusting) for shell in ("_threads", "_loop")]
        with patches[0], patches[1], server(REPLY, tls=True) as secure:
            with Client("k", secure.base_url) as client:
                self.assertEqual(await asyncio.to_thread(client.me), {})
            async with AsyncClient("k", secure.base_url) as on_loop:
                self.assertEqual(await on_loop.me(), {})
            other = secure.base_url.replace("127.0.0.1", "127.0.0.2")
            with Client("k", other, max_retries=0) as client, self.assertRaises(ConnectionError):
                await asyncio.to_thread(client.me)


if __name__ == "__main__":
    unittest.main()
