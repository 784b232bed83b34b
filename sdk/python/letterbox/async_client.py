"""The client for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING, AsyncIterator

from ._requests import Target
from ._async import AsyncConnection
from .async_resources import AsyncResources

if TYPE_CHECKING:
    from . import models as m


class AsyncLetterbox(AsyncResources):
    """
    A client of one service and one API key, for asyncio: no thread is held while a call waits.

    Cancelling the task cancels the call, also in the pause before another try.
    """

    def __init__(self, base_url: str, api_key: str, *, max_retries: int = 3) -> None:
        self._base_url = base_url
        super().__init__(AsyncConnection(Target(base_url, api_key), max_retries))

    def events(self, after: str | None = None) -> AsyncIterator[m.Change]:
        """
        The changes of the account as they happen, without end. It connects again after a break and
        continues after the last change; store its `change_id` to continue after a restart.
        """
        return self._connection.events(after)

    def __repr__(self) -> str:
        return f"AsyncLetterbox({self._base_url!r})"
