"""Runs watched over streams that a proxy cuts: prints what each watch gave, a line of JSON a run.

Streams alone go through the proxy, with a header that says when to cut them. Half of the runs are watched in threads,
half on a loop. The environment has RUNS_BASE_URL, RUNS_API_KEY, and in WATCHES the plan, the proxy, the number of runs
and the seed.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from run_service import client as blocking_client
from run_service._link import Link, Origin
from run_service._loop import LoopLink
from run_service._threads import BlockingLink
from run_service.async_client import AsyncClient
from run_service.client import Client

ASKED = json.loads(os.environ["WATCHES"])
API_KEY, BASE_URL = os.environ["RUNS_API_KEY"], os.environ["RUNS_BASE_URL"]
AT_ONCE = 4
#: The first connections of a watch are cut, by bytes or by time.
CUTS_EACH = 6
MAX_BYTES = 3_000
MAX_MS = 400
NEVER = 1_000_000_000


def cut(chance: random.Random, connections: int, origin: Origin, request: bytes) -> tuple[Origin, bytes]:
    """Where a request goes, and how."""
    if b"/events/stream" not in request.split(b"\r\n")[0]:
        return origin, request
    if connections <= CUTS_EACH:
        by_bytes = chance.random() < 0.7
        ms, count = (NEVER, chance.randrange(MAX_BYTES)) if by_bytes else (chance.randrange(MAX_MS), NEVER)
        request = request.replace(b"\r\n", f"\r\nX-Cut: {ms},{count}\r\n".encode(), 1)
    return Origin(ASKED["proxy"]["host"], ASKED["proxy"]["port"], False), request


def cutting(shell: type[Any], chance: random.Random) -> type[Link]:
    """The links of a shell, whose streams are cut."""
    connections = 0

    class CutLink(shell):  # type: ignore[misc]
        async def connect(self, origin: Origin, request: bytes, timeout_s: float) -> None:
            nonlocal connections
            connections += b"/events/stream" in request.split(b"\r\n")[0]
            await super().connect(*cut(chance, connections, origin, request), timeout_s)

    return CutLink


def watch_in_thread(i: int) -> dict[str, Any]:
    links = cutting(BlockingLink, random.Random(ASKED["seed"] + i))
    core = type("Core", (blocking_client._BlockingClient,), {"_link": links})
    client = Client(API_KEY, BASE_URL)
    runs = blocking_client.Runs(core(API_KEY, BASE_URL).runs)
    id = client.runs.create(ASKED["body"])["id"]
    watch = runs.watch(id)
    seen = [event["event_id"] for event in watch]
    return {"id": id, "seen": seen, "status": watch.done()["status"]}


async def watch_on_loop(i: int, turn: asyncio.Semaphore) -> dict[str, Any]:
    links = cutting(LoopLink, random.Random(ASKED["seed"] + i))
    core = type("Core", (AsyncClient,), {"_link": links})
    async with turn, core(API_KEY, BASE_URL) as client:
        id = (await client.runs.create(ASKED["body"]))["id"]
        watch = client.runs.watch(id)
        seen = [event["event_id"] async for event in watch]
        return {"id": id, "seen": seen, "status": (await watch.done())["status"]}


async def main() -> None:
    half = ASKED["runs"] // 2
    turn = asyncio.Semaphore(AT_ONCE)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        in_threads = [asyncio.get_running_loop().run_in_executor(pool, watch_in_thread, i) for i in range(half)]
        watched = await asyncio.gather(*in_threads, *(watch_on_loop(i, turn) for i in range(half, ASKED["runs"])))
    for one in watched:
        print(json.dumps(one))


asyncio.run(main())
