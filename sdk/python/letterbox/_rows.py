"""Lists that come in one answer."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Generator, Generic, Iterable, Iterator, TypedDict, TypeVar

if TYPE_CHECKING:
    from . import models as m

Row = TypeVar("Row")


class ImportState(TypedDict, total=False):
    """What the source says of a message besides its bytes; what is absent is read from the message."""

    received_at: str | datetime
    labels: Iterable[str]
    is_read: bool
    direction: str


class ExportedEmail(TypedDict):
    """A mail of an export."""

    email: m.Email
    #: The original message; None if the service has lost bytes of it.
    raw: bytes | None


class Rows(list[Row]):
    """A list that came in one answer; also an iterator, as the longer lists are."""

    _rows: Iterator[Row] | None = None

    def __init__(self, load: Callable[[], list[Row]]) -> None:
        super().__init__(load())

    def __next__(self) -> Row:
        if self._rows is None:
            self._rows = iter(self)
        return next(self._rows)


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
