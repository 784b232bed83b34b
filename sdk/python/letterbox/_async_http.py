"""HTTP/1.1 over asyncio's streams: one request a connection, no threads."""

from __future__ import annotations

import asyncio
import ssl
from asyncio import sleep as sleep
from contextlib import asynccontextmanager
from typing import AsyncGenerator, AsyncIterator

from ._requests import ANSWER_SECONDS, SILENCE_SECONDS, Request, Target
from .errors import error_of

_HEAD_BYTES = 65_536


class HttpError(Exception):
    """The answer is not HTTP/1.1, or it ended too early."""


class Response:
    """An answer whose body has not been read."""

    def __init__(self, status: int, headers: dict[str, str], reader: asyncio.StreamReader) -> None:
        self.status = status
        #: Names in lower case.
        self.headers = headers
        self._reader = reader

    async def read(self) -> bytes:
        return b"".join([piece async for piece in self.pieces()])

    async def lines(self) -> AsyncIterator[bytes]:
        """The lines of the body with their ends."""
        rest: list[bytes] = []
        async for piece in self.pieces():
            first, *others = piece.split(b"\n")
            rest.append(first)
            for other in others:
                yield b"".join(rest) + b"\n"
                rest = [other]
        if any(rest):
            yield b"".join(rest)

    async def pieces(self) -> AsyncIterator[bytes]:
        if self.status in (204, 304):
            return
        if "chunked" in self.headers.get("transfer-encoding", "").lower():
            while size := await self._chunk_size():
                async for piece in self._exactly(size):
                    yield piece
                if await self._reader.readexactly(2) != b"\r\n":
                    raise HttpError("a chunk has another length than it says")
            while (await self._line()) != b"":
                pass
        elif "content-length" in self.headers:
            async for piece in self._exactly(int(self.headers["content-length"])):
                yield piece
        else:
            while piece := await self._reader.read(_HEAD_BYTES):
                yield piece

    async def _exactly(self, size: int) -> AsyncIterator[bytes]:
        while size > 0:
            piece = await self._reader.read(min(size, _HEAD_BYTES))
            if not piece:
                raise HttpError("the body ended too early")
            size -= len(piece)
            yield piece

    async def _chunk_size(self) -> int:
        return int((await self._line()).partition(b";")[0], 16)

    async def _line(self) -> bytes:
        return (await self._reader.readuntil(b"\n")).rstrip(b"\r\n")


#: The errors of a broken connection, in addition to those of this module.
FAILURES = (OSError, EOFError, HttpError, ValueError, asyncio.LimitOverrunError, asyncio.TimeoutError)


async def answered(target: Target, request: Request, context: ssl.SSLContext | None) -> tuple[int, bytes]:
    """Status and body of the answer."""

    async def once() -> tuple[int, bytes]:
        async with _send(target, request, context) as response:
            return response.status, await response.read()

    return await asyncio.wait_for(once(), ANSWER_SECONDS)


async def lines(target: Target, request: Request, context: ssl.SSLContext | None) -> AsyncGenerator[bytes, None]:
    """The lines of an answer as they come."""
    async with _send(target, request, context) as response:
        rest = response.lines()
        while True:
            try:
                line = await asyncio.wait_for(rest.__anext__(), SILENCE_SECONDS)
            except StopAsyncIteration:
                return
            yield line


@asynccontextmanager
async def _send(
    target: Target, request: Request, context: ssl.SSLContext | None
) -> AsyncIterator[Response]:
    """
    Sends a request; raises LetterboxError unless the answer is 2xx. It is read inside the block; the connection is
    closed at its end.
    """
    reader, writer = await asyncio.open_connection(
        target.host, target.port, ssl=context, limit=_HEAD_BYTES
    )
    try:
        lines = [f"{request.method} {target.prefix}{request.path} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in target.headers(request).items()]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + (request.body or b""))
        await writer.drain()
        status = 100
        while 100 <= status < 200:
            status, headers = _head(await reader.readuntil(b"\r\n\r\n"))
        response = Response(status, headers, reader)
        if not 200 <= status < 300:
            raise error_of(status, headers, await response.read())
        yield response
    finally:
        writer.close()


def _head(raw: bytes) -> tuple[int, dict[str, str]]:
    first, *lines = raw.decode("latin-1").split("\r\n")
    parts = first.split(" ", 2)
    if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not parts[1].isdigit():
        raise HttpError("the answer is not HTTP/1.1")
    headers: dict[str, str] = {}
    for line in lines:
        name, separator, value = line.partition(":")
        if separator:
            headers[name.strip().lower()] = value.strip()
    return int(parts[1]), headers
