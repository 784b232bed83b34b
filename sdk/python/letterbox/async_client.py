"""The client for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING, AsyncIterator

from . import async_resources as r
from ._requests import Target
from ._async import AsyncConnection

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import models as m


class AsyncLetterbox:
    """
    A client of one service and one API key, for asyncio: no thread is held while a call waits.

    Cancelling the task cancels the call, also in the pause before another try.
    """

    def __init__(self, base_url: str, api_key: str, *, max_retries: int = 3) -> None:
        self._base_url = base_url
        self._connection = connection = AsyncConnection(Target(base_url, api_key), max_retries)
        self.mailboxes = r.AsyncMailboxes(connection)
        self.emails = r.AsyncEmails(connection)
        self.threads = r.AsyncThreads(connection)
        self.drafts = r.AsyncDrafts(connection)
        self.webhooks = r.AsyncWebhooks(connection)
        self.keys = r.AsyncKeys(connection)
        self.changes = r.AsyncChanges(connection)
        self.expectations = r.AsyncExpectations(connection)
        self.claims = r.AsyncClaims(connection)
        self.arrivals = r.AsyncArrivals(connection)
        self.known_recipients = r.AsyncKnownRecipients(connection)
        self.suppressions = r.AsyncSuppressions(connection)
        self.audit = r.AsyncAudit(connection)

    async def search(self, **fields: Unpack[m.SearchEmailsFields]) -> m.SearchEmailsResponse:
        """Finds mail by meaning and by exact words; returns the whole answer, with `total` and `pending`."""
        return await self._connection.call("POST /search read", fields=fields)

    async def health(self) -> m.Health:
        """Whether the service and its parts are well."""
        return await self._connection.call("GET /health")

    def events(self, after: str | None = None) -> AsyncIterator[m.Change]:
        """
        The changes of the account as they happen, without end. It connects again after a break and
        continues after the last change; store its `change_id` to continue after a restart.
        """
        return self._connection.events(after)

    def __repr__(self) -> str:
        return f"AsyncLetterbox({self._base_url!r})"
