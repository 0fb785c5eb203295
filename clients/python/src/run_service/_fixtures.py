"""The recorded events, webhooks and messages about jobs."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, TypedDict


class Fixtures(TypedDict):
    """An event, a webhook and a message about a job, of each type, as the service sends them."""

    events: dict[str, Any]
    webhooks: dict[str, Any]
    jobs: dict[str, Any]


@cache
def fixtures() -> Fixtures:
    """Read them from the files of the package, once."""
    return {"events": _read("events"), "webhooks": _read("webhooks"), "jobs": _read("jobs")}


def _read(kind: str) -> dict[str, Any]:
    folder = files("run_service") / "fixture_files" / kind
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".json"))
    return {name.removesuffix(".json"): json.loads((folder / name).read_text("utf-8")) for name in names}
