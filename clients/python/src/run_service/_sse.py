"""The data of server-sent events."""

from __future__ import annotations

import re


class EventParser:
    """Takes the bytes of a stream in any pieces."""

    def __init__(self) -> None:
        self._line = b""
        self._data: list[str] = []

    def feed(self, piece: bytes) -> list[str]:
        """The data of each event that the piece completes."""
        text = self._line + piece
        # A carriage return may be the first half of a line end.
        kept = -1 if text.endswith(b"\r") else len(text)
        *lines, rest = re.split(rb"\r\n|\n|\r", text[:kept])
        self._line = rest + text[kept:]
        return [data for line in lines for data in self._take(line.decode("utf-8", "replace"))]

    def _take(self, line: str) -> list[str]:
        if line == "":
            data, self._data = self._data, []
            return ["\n".join(data)] if data else []
        name, _, value = line.partition(":")
        if name == "data":
            self._data.append(value[1:] if value.startswith(" ") else value)
        return []
