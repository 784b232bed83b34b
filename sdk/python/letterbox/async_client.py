"""The client for asyncio."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, AsyncIterator

from ._requests import Target, content_of, upload_of, upload_request
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

    async def upload_file(
        self,
        file: str | os.PathLike[str] | bytes | bytearray,
        *,
        filename: str | None = None,
        content_type: str | None = None,
    ) -> m.ReceivedUpload:
        """
        Sends a file that is to be attached, a path or its bytes, without base64. Its `upload_id` is for
        `attachments` of one message, within 24 hours.
        """
        about, content = upload_of(file, filename, content_type)
        upload = await self.uploads.create(**about)
        answer = await self._connection.answer(upload_request(upload["upload_url"], content))
        received: m.ReceivedUpload = content_of(answer)
        return received

    def __repr__(self) -> str:
        return f"AsyncLetterbox({self._base_url!r})"
