"""Requests that wait without a thread."""

from __future__ import annotations

import asyncio
import builtins
import json
import ssl
from typing import Any, AsyncIterator, Awaitable, Callable, Generator, Generic, TypeVar

from ._http import FAILURES, Response, send
from ._requests import (
    EventBlocks,
    Request,
    Target,
    answer_of,
    connection_failed,
    content_of,
    event_request,
    pause_after,
    prepare,
)
from .errors import LetterboxError, error_of

Row = TypeVar("Row")
Content = TypeVar("Content")

_ANSWER_SECONDS = 120
#: A stream has a comment every 15 s.
_SILENCE_SECONDS = 45
_RECONNECT_SECONDS = 0.5


class AsyncPages(Generic[Row]):
    """An async iterator over all pages of a list. A page is requested when the loop reaches it."""

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


class AsyncRows(Generic[Row]):
    """A list that comes in one answer: `await` it, or loop over it with `async for`."""

    def __init__(self, load: Callable[[], Awaitable[list[Row]]]) -> None:
        self._load = load
        self._rows: AsyncIterator[Row] | None = None

    def __await__(self) -> Generator[Any, None, list[Row]]:
        return self._load().__await__()

    def __aiter__(self) -> AsyncIterator[Row]:
        return self._all()

    async def __anext__(self) -> Row:
        if self._rows is None:
            self._rows = self._all()
        return await self._rows.__anext__()

    async def _all(self) -> AsyncIterator[Row]:
        for row in await self._load():
            yield row


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
                return await asyncio.wait_for(self._once(request), _ANSWER_SECONDS)
            except LetterboxError as caught:
                error = caught
            except (*FAILURES, asyncio.TimeoutError) as cause:
                error = connection_failed(cause)
            pause = pause_after(error, request, tries, self._max_retries)
            if pause is None:
                raise error
            await asyncio.sleep(pause)
            request = request.again or request
            tries += 1

    async def _once(self, request: Request) -> tuple[int, builtins.bytes]:
        async with send(self._target, request, self._ssl) as response:
            await _check(response)
            return response.status, await response.read()

    async def events(self, after: str | None) -> AsyncIterator[Any]:
        last, tries = after, 0
        pause: float | None
        while True:
            request = event_request(last)
            try:
                async with send(self._target, request, self._ssl) as response:
                    await _check(response)
                    blocks, lines = EventBlocks(), response.lines()
                    while True:
                        try:
                            line = await asyncio.wait_for(lines.__anext__(), _SILENCE_SECONDS)
                        except StopAsyncIteration:
                            break
                        tries = 0
                        block = blocks.line(line)
                        if block is None:
                            continue
                        last = block[0] or last
                        if block[1] is not None:
                            yield json.loads(block[1])
                pause = _RECONNECT_SECONDS
            except (LetterboxError, *FAILURES, asyncio.TimeoutError) as caught:
                error = caught if isinstance(caught, LetterboxError) else connection_failed(caught)
                pause = pause_after(error, request, tries, self._max_retries)
                if pause is None:
                    raise error from None
                tries += 1
            await asyncio.sleep(pause)


async def _check(response: Response) -> None:
    """Raises LetterboxError unless the answer is 2xx."""
    if not 200 <= response.status < 300:
        raise error_of(response.status, response.headers, await response.read())
