"""The blocking client."""

from __future__ import annotations

import os
from datetime import datetime
from typing import TYPE_CHECKING, Any, Iterable, Iterator

from ._requests import Target, content_of, import_request, upload_of, upload_request
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

    def import_email(
        self,
        mailbox_id: str,
        file: str | os.PathLike[str] | bytes | bytearray,
        *,
        received_at: str | datetime | None = None,
        labels: Iterable[str] = (),
        is_read: bool | None = None,
        direction: str | None = None,
    ) -> m.InboundResult:
        """
        Stores a message of an archive in a mailbox, as its source had it: a path or its bytes. It is no
        new mail: nobody is told that it came. The same bytes again are a duplicate.
        """
        request = import_request(mailbox_id, file, received_at, labels, is_read, direction)
        result: m.InboundResult = content_of(self._connection.answer(request))["results"][0]
        return result

    def __repr__(self) -> str:
        return f"Letterbox({self._base_url!r})"
