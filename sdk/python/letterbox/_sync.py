"""Blocking requests, by http.client."""

from __future__ import annotations

import builtins
import http.client
import json
import ssl
import time
from contextlib import contextmanager
from typing import Any, Callable, Generic, Iterator, TypeVar

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

#: A call waits for 60 s at most; a stream has a comment every 15 s.
_ANSWER_SECONDS = 120
_SILENCE_SECONDS = 45
_RECONNECT_SECONDS = 0.5


class Pages(Generic[Row]):
    """An iterator over all pages of a list. A page is requested when the loop reaches it."""

    def __init__(self, page: Callable[[str | None], dict[str, Any]]) -> None:
        #: Where the next page begins, once the pages before it have been read; None after the last.
        self.cursor: str | None = None
        self._rows = self._all(page)

    def __iter__(self) -> Iterator[Row]:
        return self

    def __next__(self) -> Row:
        return next(self._rows)

    def _all(self, page: Callable[[str | None], dict[str, Any]]) -> Iterator[Row]:
        cursor: str | None = None
        while True:
            answer = page(cursor)
            yield from answer["data"]
            meta = answer.get("meta") or {}
            self.cursor = cursor = meta.get("next_cursor")
            # The list of changes has a cursor at its end too.
            if cursor is None or meta.get("has_more") is False:
                return


class Rows(list[Row]):
    """A list that came in one answer; also an iterator, as the longer lists are."""

    _rows: Iterator[Row] | None = None

    def __next__(self) -> Row:
        if self._rows is None:
            self._rows = iter(self)
        return next(self._rows)


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
        content: list[Any] = self.call(route, fields=fields)
        return Rows(content)

    def pages(self, route: str, *ids: str, fields: Any = None, cursor: str = "cursor") -> Pages[Any]:
        def page(after: str | None) -> dict[str, Any]:
            more = {} if after is None else {cursor: after}
            return self.answer(prepare(route, ids, {**(fields or {}), **more}))

        return Pages(page)

    def answer(self, request: Request) -> dict[str, Any]:
        return self._try(request, lambda status, body: answer_of(status, body))

    def bytes(self, route: str, *ids: str, fields: Any = None) -> builtins.bytes:
        return self._try(prepare(route, ids, fields or {}), lambda _, body: body)

    def _try(self, request: Request, read: Callable[[int, builtins.bytes], Content]) -> Content:
        tries = 0
        while True:
            try:
                with self._open(request, _ANSWER_SECONDS) as response:
                    return read(response.status, response.read())
            except LetterboxError as caught:
                error = caught
            except (OSError, http.client.HTTPException) as cause:
                error = connection_failed(cause)
            pause = pause_after(error, request, tries, self._max_retries)
            if pause is None:
                raise error
            time.sleep(pause)
            request = request.again or request
            tries += 1

    @contextmanager
    def _open(self, request: Request, timeout: float) -> Iterator[http.client.HTTPResponse]:
        """The successful answer of one request; raises LetterboxError for another."""
        target = self._target
        connection = (
            http.client.HTTPSConnection(target.host, target.port, timeout=timeout, context=self._ssl)
            if target.is_secure
            else http.client.HTTPConnection(target.host, target.port, timeout=timeout)
        )
        try:
            path = target.prefix + request.path
            connection.request(request.method, path, body=request.body, headers=target.headers(request))
            response = connection.getresponse()
            if not 200 <= response.status < 300:
                headers = {name.lower(): value for name, value in response.getheaders()}
                raise error_of(response.status, headers, response.read())
            yield response
        finally:
            connection.close()

    def events(self, after: str | None) -> Iterator[Any]:
        last, tries = after, 0
        pause: float | None
        while True:
            request = event_request(last)
            try:
                with self._open(request, _SILENCE_SECONDS) as response:
                    blocks = EventBlocks()
                    while line := response.readline():
                        tries = 0
                        block = blocks.line(line)
                        if block is None:
                            continue
                        last = block[0] or last
                        if block[1] is not None:
                            yield json.loads(block[1])
                pause = _RECONNECT_SECONDS
            except (LetterboxError, OSError, http.client.HTTPException) as caught:
                error = caught if isinstance(caught, LetterboxError) else connection_failed(caught)
                pause = pause_after(error, request, tries, self._max_retries)
                if pause is None:
                    raise error from error.__cause__
                tries += 1
            time.sleep(pause)
