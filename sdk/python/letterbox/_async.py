"""Requests, lists and events of the client for asyncio; `deno task sdk:types` makes _sync.py of this file."""

from __future__ import annotations

import base64
import builtins
import json
import ssl
from contextlib import aclosing
from typing import Any, AsyncIterator, Awaitable, Callable, Generic, TypeVar

from ._async_http import FAILURES, answered, lines, sleep
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
from ._rows import AsyncRows, ExportedEmail
from .errors import LetterboxError

Row = TypeVar("Row")
Content = TypeVar("Content")

_RECONNECT_SECONDS = 0.5


class AsyncPages(Generic[Row]):
    """Goes over all pages of a list, by `async for`. A page is requested when the loop reaches it."""

    def __init__(self, page: Callable[[str | None], Awaitable[dict[str, Any]]]) -> None:
        #: Where the next page begins, once the pages before it have been read; None after the last.
        self.cursor: str | None = None
        self._rows = self._all(page)

    def __aiter__(self) -> AsyncIterator[Row]:
        return self

    async def __anext__(self) -> Row:
        return await self._rows.__anext__()

    async def _all(self, page: Callable[[str | None], Awaitable[dict[str, Any]]]) -> AsyncIterator[Row]:
        cursor: str | None = None
        while True:
            answer = await page(cursor)
            for row in answer["data"]:
                yield row
            meta = answer.get("meta") or {}
            self.cursor = cursor = meta.get("next_cursor")
            # The list of changes has a cursor at its end too.
            if cursor is None or meta.get("has_more") is False:
                return


class AsyncConnection:
    """Sends requests, each over a new connection, and repeats them after temporary failures."""

    def __init__(self, target: Target, max_retries: int) -> None:
        self._target = target
        self._max_retries = max_retries
        self._ssl = ssl.create_default_context() if target.is_secure else None

    async def call(self, route: str, *ids: str, fields: Any = None, _shape: type[Content] | None = None) -> Content:
        """The content of the answer. Its type is the return type of the caller, which is not checked at run time."""
        content: Content = content_of(await self.answer(prepare(route, ids, fields or {})))
        return content

    def rows(self, route: str, fields: Any = None) -> AsyncRows[Any]:
        return AsyncRows(lambda: self.call(route, fields=fields))

    def pages(self, route: str, *ids: str, fields: Any = None, cursor: str = "cursor") -> AsyncPages[Any]:
        async def page(after: str | None) -> dict[str, Any]:
            more = {} if after is None else {cursor: after}
            return await self.answer(prepare(route, ids, {**(fields or {}), **more}))

        return AsyncPages(page)

    async def answer(self, request: Request) -> dict[str, Any]:
        return answer_of(*await self._try(request))

    async def bytes(self, route: str, *ids: str, fields: Any = None) -> builtins.bytes:
        return (await self._try(prepare(route, ids, fields or {})))[1]

    async def _try(self, request: Request) -> tuple[int, builtins.bytes]:
        tries = 0
        while True:
            try:
                return await answered(self._target, request, self._ssl)
            except LetterboxError as caught:
                error = caught
            except FAILURES as cause:
                error = connection_failed(cause)
            pause = pause_after(error, request, tries, self._max_retries)
            if pause is None:
                raise error
            await sleep(pause)
            request = request.again or request
            tries += 1

    async def message(self, route: str, mailbox_id: str, message: Any, state: Any) -> Any:
        """The result of an import."""
        return content_of(await self.answer(import_request(route, mailbox_id, message, state)))["results"][0]

    async def mails(self, route: str, *ids: str, fields: Any = None) -> AsyncIterator[ExportedEmail]:
        """Each mail of an export once; a stream that breaks off is asked for again."""
        after: dict[str, Any] = {}
        given: set[str] = set()
        breaks = 0
        while True:
            request = prepare(route, ids, {**(fields or {}), **after})
            is_complete = False
            try:
                async with aclosing(lines(self._target, request, self._ssl)) as stream:
                    async for text in stream:
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
            await sleep(pause)

    async def events(self, after: str | None) -> AsyncIterator[Any]:
        last, tries = after, 0
        pause: float | None
        while True:
            request = event_request(last)
            try:
                blocks = EventBlocks()
                async with aclosing(lines(self._target, request, self._ssl)) as stream:
                    async for line in stream:
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
            await sleep(pause)
