"""The blocking client."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Iterator

from ._requests import Target, content_of, upload_of, upload_request
from ._sync import Connection
from .resources import Resources

if TYPE_CHECKING:
    from . import models as m


class Letterbox(Resources):
    """
    A client of one service and one API key.

    Failures are LetterboxError. 429, 500, 503 and a broken connection are tried again, at most
    `max_retries` times.
    """

    def __init__(self, base_url: str, api_key: str, *, max_retries: int = 3) -> None:
        self._base_url = base_url
        super().__init__(Connection(Target(base_url, api_key), max_retries))

    def events(self, after: str | None = None) -> Iterator[m.Change]:
        """
        The changes of the account as they happen, without end. It connects again after a break and
        continues after the last change; store its `change_id` to continue after a restart.
        """
        return self._connection.events(after)

    def upload_file(
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
        upload = self.uploads.create(**about)
        answer = self._connection.answer(upload_request(upload["upload_url"], content))
        received: m.ReceivedUpload = content_of(answer)
        return received

    def __repr__(self) -> str:
        return f"Letterbox({self._base_url!r})"
