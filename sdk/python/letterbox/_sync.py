# made by `deno task sdk:types` from _async.py; do not edit
"""Requests, lists and events of the blocking client."""

from __future__ import annotations

import base64
import builtins
import json
import ssl
from contextlib import closing
from typing import Any, Iterator, Callable, Generic, TypeVar

from ._sync_http import FAILURES, answered, lines, sleep
from ._requests import (
    EventBlocks,
    Request,
    Target,
    answer_of,
    connection_failed,
    content_of,
    event_request,
    import_request,
    pause_after,
    prepare,
)
from ._rows import Rows, ExportedEmail
from .errors import LetterboxError

Row = TypeVar("Row")
Content = TypeVar("Content")

_RECONNECT_SECONDS = 0.5


class Pages(Generic[Row]):
    """Goes over all pages of a list, by `for`. A page is requested when the loop reaches it."""

    def __init__(self, page: Callable[[str | None], dict[str, Any]]) -> None:
        #: Where the next page begins, once the pages before it have been read; None after the last.
        self.cursor: str | None = None
        self._rows = self._all(page)

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        return self._rows.__next__()

    def _all(self, page: Callable[[str | None], dict[str, Any]]) -> Iterator[Row]:
        cursor: str | None = None
        while True:
            answer = page(cursor)
            for row in answer["data"]:
                yield row
            meta = answer.get("meta") or {}
            self.cursor = cursor = meta.get("next_cursor")
            # The list of changes has a cursor at its end too.
            if cursor is None or meta.get("has_more") is False:
                return


class Connection:
    """Sends requests, each over a new connection, and repeats them after temporary failures."""

    def __init__(self, target: Target, max_retries: int) -> None:
        self._target = target
        self._max_retries = max_retries
        self._ssl = ssl.create_default_context() if target.is_secure else None

    def call(self, route: str, *ids: str, fields: Any = None, _shape: type[Content] | None = None) -> Content:
        """The content of the answer. Its type is the return type of the caller, which is not checked at run time."""
        content: Content = content_of(self.answer(prepare(route, ids, fields or {})))
        return content

    def rows(self, route: str, fields: Any = None) -> Rows[Any]:
        return Rows(lambda: self.call(route, fields=fields))

    def pages(self, route: str, *ids: str, fields: Any = None, cursor: str = "cursor") -> Pages[Any]:
        def page(after: str | None) -> dict[str, Any]:
            more = {} if after is None else {cursor: after}
            return self.answer(prepare(route, ids, {**(fields or {}), **more}))

        return Pages(page)

    def answer(self, request: Request) -> dict[str, Any]:
        return answer_of(*self._try(request))

    def bytes(self, route: str, *ids: str, fields: Any = None) -> builtins.bytes:
        return (self._try(prepare(route, ids, fields or {})))[1]

    def _try(self, request: Request) -> tuple[int, builtins.bytes]:
        tries = 0
        while True:
            try:
                return answered(self._target, request, self._ssl)
            except LetterboxError as caught:
                error = caught
            except FAILURES as cause:
                error = connection_failed(cause)
            pause = pause_after(error, request, tries, self._max_retries)
            if pause is None:
                raise error
            sleep(pause)
            request = request.again or request
            tries += 1

    def message(self, route: str, mailbox_id: str, message: Any, state: Any) -> Any:
        """The result of an import."""
        return content_of(self.answer(import_request(route, mailbox_id, message, state)))["results"][0]

    def mails(self, route: str, *ids: str, fields: Any = None) -> Iterator[ExportedEmail]:
        """Each mail of an export once; a stream that breaks off is asked for again."""
        after: dict[str, Any] = {}
        given: set[str] = set()
        breaks = 0
        while True:
            request = prepare(route, ids, {**(fields or {}), **after})
            is_complete = False
            try:
                with closing(lines(self._target, request, self._ssl)) as stream:
                    for text in stream:
                        # A line without its end was cut.
                        line = json.loads(text) if text.endswith(b"\n") else {}
                        if "next_cursor" in line:
                            is_complete, after = True, {"after": line["next_cursor"]}
                        elif "email" in line and line["email"]["email_id"] not in given:
                            given.add(line["email"]["email_id"])
                            breaks = 0
                            raw = line["raw_base64"]
                            yield {"email": line["email"], "raw": None if raw is None else base64.b64decode(raw)}
                error = None
            except (LetterboxError, *FAILURES) as caught:
                error = caught if isinstance(caught, LetterboxError) else connection_failed(caught)
            if is_complete:
                if after["after"] is None:
                    return
                given = set()
                continue
            error = error or LetterboxError("CONNECTION_FAILED", "The export breaks off.")
            pause = pause_after(error, request, breaks, self._max_retries)
            if pause is None:
                raise error from error.__cause__
            breaks += 1
            sleep(pause)

    def events(self, after: str | None) -> Iterator[Any]:
        last, tries = after, 0
        pause: float | None
        while True:
            request = event_request(last)
            try:
                blocks = EventBlocks()
                with closing(lines(self._target, request, self._ssl)) as stream:
                    for line in stream:
                        tries = 0
                        block = blocks.line(line)
                        if block is None:
                            continue
                        last = block[0] or last
                        if block[1] is not None:
                            yield json.loads(block[1])
                pause = _RECONNECT_SECONDS
            except (LetterboxError, *FAILURES) as caught:
                error = caught if isinstance(caught, LetterboxError) else connection_failed(caught)
                pause = pause_after(error, request, tries, self._max_retries)
                if pause is None:
                    raise error from error.__cause__
                tries += 1
            sleep(pause)
