"""The blocking client."""

from __future__ import annotations

from typing import TYPE_CHECKING, Iterator

from . import resources as r
from ._requests import Target
from ._sync import Connection

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import models as m


class Letterbox:
    """
    A client of one service and one API key.

    Failures are LetterboxError. 429, 500, 503 and a broken connection are tried again, at most
    `max_retries` times.
    """

    def __init__(self, base_url: str, api_key: str, *, max_retries: int = 3) -> None:
        self._base_url = base_url
        self._connection = connection = Connection(Target(base_url, api_key), max_retries)
        self.mailboxes = r.Mailboxes(connection)
        self.emails = r.Emails(connection)
        self.threads = r.Threads(connection)
        self.drafts = r.Drafts(connection)
        self.webhooks = r.Webhooks(connection)
        self.keys = r.Keys(connection)
        self.changes = r.Changes(connection)
        self.expectations = r.Expectations(connection)
        self.claims = r.Claims(connection)
        self.arrivals = r.Arrivals(connection)
        self.known_recipients = r.KnownRecipients(connection)
        self.suppressions = r.Suppressions(connection)
        self.audit = r.Audit(connection)

    def search(self, **fields: Unpack[m.SearchEmailsFields]) -> m.SearchEmailsResponse:
        """Finds mail by meaning and by exact words; returns the whole answer, with `total` and `pending`."""
        return self._connection.call("POST /search read", fields=fields)

    def health(self) -> m.Health:
        """Whether the service and its parts are well."""
        return self._connection.call("GET /health")

    def events(self, after: str | None = None) -> Iterator[m.Change]:
        """
        The changes of the account as they happen, without end. It connects again after a break and
        continues after the last change; store its `change_id` to continue after a restart.
        """
        return self._connection.events(after)

    def __repr__(self) -> str:
        return f"Letterbox({self._base_url!r})"
