# made by `deno task sdk:types` from sdk/typescript/src/routes.ts and the OpenAPI document; do not edit
"""The operations by resource. Ids come first, then the other fields by name (`from_` for `from`)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Iterator, List

from ._sync import Connection, Pages
from ._rows import Rows, ExportedEmail, ImportState

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from . import models as m


class _Resource:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection


class Mailboxes(_Resource):
    def list(self) -> Rows[m.Mailbox]:
        """The mailboxes of the account."""
        return self._connection.rows("GET /mailboxes")

    def create(self, **fields: Unpack[m.CreateMailboxFields]) -> m.Mailbox:
        """Makes a mailbox; `generate=True` chooses its name."""
        return self._connection.call("POST /mailboxes", fields=fields)

    def delete(self, mailbox_id: str, **fields: Unpack[m.DeleteMailboxFields]) -> m.DeleteMailboxResponseData:
        """Deletes a mailbox and its mail; `confirm_email_address` is its address."""
        return self._connection.call("DELETE /mailboxes/{id}", mailbox_id, fields=fields)

    def get(self, mailbox_id: str) -> m.MailboxDetail:
        """A mailbox with its name, signature and metadata; `id` may be its address."""
        return self._connection.call("GET /mailboxes/{id}", mailbox_id)

    def update(self, mailbox_id: str, **fields: Unpack[m.UpdateMailboxFields]) -> m.MailboxDetail:
        """Sets the name, signature, metadata or catch-all of a mailbox."""
        return self._connection.call("PATCH /mailboxes/{id}", mailbox_id, fields=fields)

    def check(self, **fields: Unpack[m.CheckEmailFields]) -> m.CheckEmailResponse:
        """Whether an address can be taken."""
        return self._connection.call("GET /mailboxes/check-email", fields=fields)

    def policy(self, mailbox_id: str) -> m.MailboxPolicy:
        """Whom the mailbox may write to, and whose mail it takes."""
        return self._connection.call("GET /mailboxes/{id}/policy", mailbox_id)

    def set_policy(self, mailbox_id: str, **fields: Unpack[m.SetMailboxPolicyFields]) -> m.MailboxPolicy:
        """Changes the fields that are given; None sets one back."""
        return self._connection.call("PUT /mailboxes/{id}/policy", mailbox_id, fields=fields)

    def import_(
        self, mailbox_id: str, message: str | os.PathLike[str] | bytes | bytearray, **state: Unpack[ImportState]
    ) -> m.InboundResult:
        """Stores a message of an archive as its source had it."""
        return self._connection.message("POST /mailboxes/{id}/import", mailbox_id, message, state)

    def export(self, mailbox_id: str, **fields: Unpack[m.ExportMailboxFields]) -> Iterator[ExportedEmail]:
        """Every mail with its original bytes, `{email, raw}`, in the order in which it came."""
        return self._connection.mails("GET /mailboxes/{id}/export", mailbox_id, fields=fields)


class Emails(_Resource):
    def list(self, **fields: Unpack[m.ListEmailsFields]) -> Pages[m.Email]:
        """Mail, newest first."""
        return self._connection.pages("GET /emails", fields=fields)

    def get(self, email_id: str, **fields: Unpack[m.GetEmailFields]) -> m.EmailDetail:
        """One email with its text."""
        return self._connection.call("GET /emails/{id}", email_id, fields=fields)

    def wait(self, **fields: Unpack[m.WaitForEmailFields]) -> m.WaitForEmailResponseData:
        """Waits for the next matching email, at most 60 seconds."""
        return self._connection.call("GET /emails/wait wait", fields=fields)

    def update(self, email_id: str, **fields: Unpack[m.UpdateEmailFields]) -> m.Email:
        """Marks as read or unread, adds and removes labels."""
        return self._connection.call("PATCH /emails/{id}", email_id, fields=fields)

    def batch(self, **fields: Unpack[m.UpdateEmailsFields]) -> List[m.BatchResult]:
        """Marks, labels or deletes up to 100 emails at once."""
        return self._connection.call("POST /emails/batch", fields=fields)

    def delete(self, email_id: str) -> m.DeleteEmailResponseData:
        """Deletes an email."""
        return self._connection.call("DELETE /emails/{id}", email_id)

    def send(self, **fields: Unpack[m.SendEmailFields]) -> m.SentEmail:
        """Sends an email once, even if the request is retried."""
        return self._connection.call("POST /emails/send send", fields=fields)

    def reply(self, email_id: str, **fields: Unpack[m.ReplyEmailFields]) -> m.SentEmail:
        """Answers an email, in its thread."""
        return self._connection.call("POST /emails/{id}/reply send", email_id, fields=fields)

    def forward(self, email_id: str, **fields: Unpack[m.ForwardEmailFields]) -> m.SentEmail:
        """Forwards an email."""
        return self._connection.call("POST /emails/{id}/forward send", email_id, fields=fields)

    def verification(self, email_id: str, **fields: Unpack[m.GetVerificationFields]) -> m.Verification:
        """The codes and links to sign up with."""
        return self._connection.call("GET /emails/{id}/verification", email_id, fields=fields)

    def links(self, email_id: str, **fields: Unpack[m.GetLinksFields]) -> m.EmailLinks:
        """Every link of an email."""
        return self._connection.call("GET /emails/{id}/links", email_id, fields=fields)

    def raw(self, email_id: str) -> bytes:
        """The message as it arrived."""
        return self._connection.bytes("GET /emails/{id}/raw", email_id)

    def attachment(self, email_id: str, attachment_id: str) -> bytes:
        """The bytes of an attachment."""
        return self._connection.bytes("GET /emails/{id}/attachments/{id}", email_id, attachment_id)

    def attachment_link(self, email_id: str, attachment_id: str) -> m.AttachmentLink:
        """A URL that answers the bytes of an attachment without a key, for 15 minutes."""
        return self._connection.call("GET /emails/{id}/attachments/{id}/link", email_id, attachment_id)

    def attachment_text(self, email_id: str, attachment_id: str, **fields: Unpack[m.DownloadAttachmentFields]) -> m.AttachmentText:
        """The text of an attachment; pass `next_offset` as `offset` for the rest."""
        return self._connection.call("GET /emails/{id}/attachments/{id}", email_id, attachment_id, fields={"format": "text", **fields})


class Threads(_Resource):
    def list(self, **fields: Unpack[m.ListThreadsFields]) -> Pages[m.Conversation]:
        """Conversations, by their newest message."""
        return self._connection.pages("GET /threads", fields=fields)

    def get(self, thread_id: str, **fields: Unpack[m.GetEmailThreadFields]) -> m.Thread:
        """A conversation."""
        return self._connection.call("GET /threads/{id}", thread_id, fields=fields)


class Drafts(_Resource):
    def list(self, **fields: Unpack[m.ListDraftsFields]) -> Pages[m.Draft]:
        """Drafts, newest first."""
        return self._connection.pages("GET /drafts", fields=fields)

    def get(self, draft_id: str, **fields: Unpack[m.GetDraftFields]) -> m.Draft:
        """One draft."""
        return self._connection.call("GET /drafts/{id}", draft_id, fields=fields)

    def create(self, **fields: Unpack[m.CreateDraftFields]) -> m.Draft:
        """Makes a draft of a message or of a reply."""
        return self._connection.call("POST /drafts send", fields=fields)

    def update(self, draft_id: str, **fields: Unpack[m.UpdateDraftFields]) -> m.Draft:
        """Changes a draft."""
        return self._connection.call("PATCH /drafts/{id}", draft_id, fields=fields)

    def delete(self, draft_id: str) -> m.Draft:
        """Cancels a draft."""
        return self._connection.call("DELETE /drafts/{id}", draft_id)

    def send(self, draft_id: str, **fields: Unpack[m.SendDraftFields]) -> m.SentEmail:
        """Sends a draft, once."""
        return self._connection.call("POST /drafts/{id}/send send", draft_id, fields=fields)

    def approve(self, draft_id: str, **fields: Unpack[m.ApproveDraftFields]) -> m.SentEmail:
        """Sends a draft that waits for approval."""
        return self._connection.call("POST /drafts/{id}/approve send", draft_id, fields=fields)

    def reject(self, draft_id: str, **fields: Unpack[m.RejectDraftFields]) -> m.Draft:
        """Refuses a draft that waits for approval."""
        return self._connection.call("POST /drafts/{id}/reject", draft_id, fields=fields)


class Uploads(_Resource):
    def create(self, **fields: Unpack[m.CreateUploadFields]) -> m.Upload:
        """Makes a URL for the bytes of a file; `uploadFile` makes it and sends them."""
        return self._connection.call("POST /uploads", fields=fields)


class Webhooks(_Resource):
    def list(self) -> Rows[m.WebhookListItem]:
        """The webhooks of the account."""
        return self._connection.rows("GET /webhooks")

    def get(self, webhook_id: str) -> m.Webhook:
        """One webhook."""
        return self._connection.call("GET /webhooks/{id}", webhook_id)

    def create(self, **fields: Unpack[m.CreateWebhookFields]) -> m.CreatedWebhook:
        """Makes a webhook; only this answer shows its `secret`."""
        return self._connection.call("POST /webhooks", fields=fields)

    def update(self, webhook_id: str, **fields: Unpack[m.UpdateWebhookFields]) -> m.UpdatedWebhook:
        """Changes a webhook."""
        return self._connection.call("PATCH /webhooks/{id}", webhook_id, fields=fields)

    def delete(self, webhook_id: str) -> m.DeleteWebhookResponseData:
        """Deletes a webhook."""
        return self._connection.call("DELETE /webhooks/{id}", webhook_id)

    def test(self, webhook_id: str, **fields: Unpack[m.TestWebhookFields]) -> m.Delivery:
        """Sends a test event."""
        return self._connection.call("POST /webhooks/{id}/test query", webhook_id, fields=fields)

    def deliveries(self, webhook_id: str, **fields: Unpack[m.ListWebhookDeliveriesFields]) -> Pages[m.Delivery]:
        """The log of a webhook, newest first."""
        return self._connection.pages("GET /webhooks/{id}/deliveries", webhook_id, fields=fields)

    def delivery(self, webhook_id: str, delivery_id: str) -> m.FullDelivery:
        """One delivery."""
        return self._connection.call("GET /webhooks/{id}/deliveries/{id}", webhook_id, delivery_id)

    def replay(self, webhook_id: str, delivery_id: str) -> m.Delivery:
        """Sends a delivery again."""
        return self._connection.call("POST /webhooks/{id}/deliveries/{id}/replay query", webhook_id, delivery_id)


class Keys(_Resource):
    def list(self, **fields: Unpack[m.ListApiKeysFields]) -> Rows[m.ApiKey]:
        """The API keys of the account."""
        return self._connection.rows("GET /keys", fields=fields)

    def create(self, **fields: Unpack[m.CreateApiKeyFields]) -> m.CreatedApiKey:
        """Makes a key; only this answer shows it."""
        return self._connection.call("POST /keys", fields=fields)

    def revoke(self, key_id: str) -> m.RevokedApiKey:
        """Ends a key, and every key that it made."""
        return self._connection.call("DELETE /keys/{id}", key_id)

    def delete(self, key_id: str) -> m.RevokedApiKey:
        """The same as `revoke`."""
        return self._connection.call("DELETE /keys/{id}", key_id)


class Changes(_Resource):
    def list(self, **fields: Unpack[m.ListChangesFields]) -> Pages[m.Change]:
        """What changed, in order; the next call begins at `cursor` of the list."""
        return self._connection.pages("GET /changes", fields=fields, cursor="after")


class Expectations(_Resource):
    def create(self, **fields: Unpack[m.ExpectCodeFields]) -> m.Expectation:
        """Announces a mail with a code or link."""
        return self._connection.call("POST /expectations", fields=fields)

    def get(self, expectation_id: str, **fields: Unpack[m.GetExpectedCodeFields]) -> m.Expectation:
        """The expectation, with the code once it came; `timeout_seconds` waits."""
        return self._connection.call("GET /expectations/{id}", expectation_id, fields=fields)

    def delete(self, expectation_id: str) -> m.DeleteExpectationResponseData:
        """Ends an expectation."""
        return self._connection.call("DELETE /expectations/{id}", expectation_id)


class Claims(_Resource):
    def create(self, mailbox_id: str, **fields: Unpack[m.ClaimEmailsFields]) -> List[m.Claim]:
        """Takes emails that nobody else works on."""
        return self._connection.call("POST /mailboxes/{id}/claims", mailbox_id, fields=fields)

    def ack(self, claim_id: str) -> m.EndedClaim:
        """The email is done."""
        return self._connection.call("POST /claims/{id}/ack", claim_id)

    def nack(self, claim_id: str, **fields: Unpack[m.NackEmailFields]) -> m.EndedClaim:
        """Gives the email back."""
        return self._connection.call("POST /claims/{id}/nack", claim_id, fields=fields)

    def extend(self, claim_id: str, **fields: Unpack[m.ExtendClaimFields]) -> m.ClaimLease:
        """Keeps the email for longer."""
        return self._connection.call("POST /claims/{id}/extend", claim_id, fields=fields)


class Arrivals(_Resource):
    def list(self, **fields: Unpack[m.ListArrivalsFields]) -> Pages[m.Arrival]:
        """Every delivery, also refused ones."""
        return self._connection.pages("GET /arrivals", fields=fields)


class KnownRecipients(_Resource):
    def list(self, **fields: Unpack[m.ListKnownRecipientsFields]) -> Pages[m.KnownRecipient]:
        """Addresses that got mail which a person approved."""
        return self._connection.pages("GET /known-recipients", fields=fields)

    def delete(self, address: str) -> m.DeleteKnownRecipientResponseData:
        """Makes an address new again."""
        return self._connection.call("DELETE /known-recipients/{id}", address)


class Suppressions(_Resource):
    def list(self, **fields: Unpack[m.ListSuppressionsFields]) -> Pages[m.Suppression]:
        """Addresses that bounced."""
        return self._connection.pages("GET /suppressions", fields=fields)

    def delete(self, address: str) -> m.DeleteSuppressionResponseData:
        """Lets mail go to an address again."""
        return self._connection.call("DELETE /suppressions/{id}", address)


class Audit(_Resource):
    def list(self, **fields: Unpack[m.ListAuditFields]) -> Pages[m.AuditRow]:
        """Who did what, newest first."""
        return self._connection.pages("GET /audit", fields=fields)


class Resources(_Resource):
    """All resources, and the methods of the client itself."""

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self.mailboxes = Mailboxes(connection)
        self.emails = Emails(connection)
        self.threads = Threads(connection)
        self.drafts = Drafts(connection)
        self.uploads = Uploads(connection)
        self.webhooks = Webhooks(connection)
        self.keys = Keys(connection)
        self.changes = Changes(connection)
        self.expectations = Expectations(connection)
        self.claims = Claims(connection)
        self.arrivals = Arrivals(connection)
        self.known_recipients = KnownRecipients(connection)
        self.suppressions = Suppressions(connection)
        self.audit = Audit(connection)

    def search(self, **fields: Unpack[m.SearchEmailsFields]) -> m.SearchEmailsResponse:
        """Finds mail by meaning and by exact words; returns the whole answer, with `total` and `pending`."""
        return self._connection.call("POST /search read", fields=fields)

    def health(self) -> m.Health:
        """Whether the service and its parts are well."""
        return self._connection.call("GET /health")
