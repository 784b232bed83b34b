# made by `deno task sdk:types` from the OpenAPI document; do not edit
"""Records of the API, and the arguments of its operations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired, TypeAlias

AckEmailResponse = TypedDict(
    "AckEmailResponse",
    {
        "data": "EndedClaim",
    },
)

# A key as lists show it, without its secret
ApiKey = TypedDict(
    "ApiKey",
    {
        "keyId": "str",
        "name": "str",
        "keyPrefix": "str",
        "plan": "Plan",
        "rateLimit": "Union[int, None]",
        "requestsPerMinute": "NotRequired[int]",
        "lastUsed": "Union[str, None]",
        "createdAt": "str",
        "expirationTs": "Union[str, None]",
        "scopes": "NotRequired[list[Scope]]",
        "mailboxIds": "NotRequired[list[str]]",
    },
)

ApiKeyCreatedData = TypedDict(
    "ApiKeyCreatedData",
    {
        "keyId": "str",
        "name": "str",
        "createdAt": "str",
        "test": "NotRequired[Literal[True]]",
    },
)

ApiKeyCreatedEvent = TypedDict(
    "ApiKeyCreatedEvent",
    {
        "event": "Literal[\"api_key.created\"]",
        "timestamp": "str",
        "data": "ApiKeyCreatedData",
    },
)

ApproveDraftRequest = TypedDict(
    "ApproveDraftRequest",
    {
        "content_hash": "str",
    },
)

ApproveDraftResponse = TypedDict(
    "ApproveDraftResponse",
    {
        "data": "Union[SentEmail, HeldEmail]",
    },
)

# One attempt to deliver to one recipient
Arrival = TypedDict(
    "Arrival",
    {
        "arrival_id": "str",
        "received_at": "str",
        "source": "Literal[\"raw\", \"mailgun\", \"sendgrid\", \"postmark\", \"ses\", \"smtp\", \"import\"]",
        "recipient": "str",
        "sender": "str",
        "size": "int",
        "disposition": "Literal[\"accepted\", \"duplicate\", \"rejected\"]",
        "code": "Union[Literal[\"EMAIL_TOO_LARGE\", \"OVER_QUOTA\", \"BLOCKED\", \"UNKNOWN_RECIPIENT\"], None]",
        "email_id": "Union[EmailId, None]",
        "mailbox_id": "Union[str, None]",
        "count": "int",
    },
)

Attachment = TypedDict(
    "Attachment",
    {
        "attachment_id": "str",
        "filename": "Union[str, None]",
        "content_type": "str",
        "size": "int",
        "content_disposition": "Union[str, None]",
        "content_id": "Union[str, None]",
        "sha256": "str",
    },
)

# A URL that needs no key, for one attachment
AttachmentLink = TypedDict(
    "AttachmentLink",
    {
        "download_url": "str",
        "expires_at": "str",
    },
)

# An attachment in a list
AttachmentNote = TypedDict(
    "AttachmentNote",
    {
        "attachment_id": "str",
        "filename": "Union[str, None]",
        "content_type": "str",
        "size": "int",
    },
)

# The text of an attachment
AttachmentText = TypedDict(
    "AttachmentText",
    {
        "attachment_id": "str",
        "filename": "Union[str, None]",
        "text": "str",
        "truncated": "bool",
        "next_offset": "Union[int, None]",
        "download_url": "str",
        "email_id": "EmailId",
    },
)

# One call that read, sent or changed something
AuditRow = TypedDict(
    "AuditRow",
    {
        "audit_id": "str",
        "at": "str",
        "actor": "Union[AuditRowActor1, AuditRowActor2, AuditRowActor3]",
        "surface": "Literal[\"rest\", \"mcp\", \"smtp\"]",
        "action": "str",
        "mailbox_id": "Union[str, None]",
        "email_id": "Union[EmailId, None]",
        "count": "Union[int, None]",
    },
)

AuditRowActor1 = TypedDict(
    "AuditRowActor1",
    {
        "key_id": "str",
    },
)

AuditRowActor2 = TypedDict(
    "AuditRowActor2",
    {
        "grant_id": "str",
    },
)

AuditRowActor3 = TypedDict(
    "AuditRowActor3",
    {
        "session": "str",
        "member_id": "str",
    },
)

# The result for one email of a batch
BatchResult = TypedDict(
    "BatchResult",
    {
        "email_id": "str",
        "ok": "bool",
        "code": "NotRequired[Literal[\"NOT_FOUND\", \"VALIDATION_ERROR\"]]",
    },
)

# One change in the account; ids that do not apply are null
Change = TypedDict(
    "Change",
    {
        "change_id": "str",
        "event": "Literal[\"email.received\", \"email.imported\", \"email.processed\", \"email.sent\", \"email.failed\", \"email.updated\", \"email.deleted\", \"draft.created\", \"draft.updated\", \"draft.pending_approval\", \"draft.approved\", \"draft.rejected\", \"draft.sent\", \"draft.canceled\", \"mailbox.created\", \"mailbox.renamed\", \"mailbox.deleted\"]",
        "timestamp": "str",
        "mailbox_id": "Union[str, None]",
        "email_id": "Union[EmailId, None]",
        "thread_id": "Union[str, None]",
        "draft_id": "Union[str, None]",
    },
)

CheckEmailResponse1 = TypedDict(
    "CheckEmailResponse1",
    {
        "valid": "Literal[True]",
        "email_address": "str",
    },
)

CheckEmailResponse2 = TypedDict(
    "CheckEmailResponse2",
    {
        "valid": "Literal[False]",
        "code": "str",
        "message": "str",
        "details": "dict[str, Any]",
    },
)

CheckEmailResponse: TypeAlias = "Union[CheckEmailResponse1, CheckEmailResponse2]"

# An email that is yours until the end of the lease
Claim = TypedDict(
    "Claim",
    {
        "claim_id": "str",
        "lease_until": "str",
        "attempts": "int",
        "email": "EmailDetail",
    },
)

ClaimEmailsRequest = TypedDict(
    "ClaimEmailsRequest",
    {
        "limit": "NotRequired[int]",
        "lease_seconds": "NotRequired[int]",
        "wait_seconds": "NotRequired[int]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "envelope_to": "NotRequired[str]",
        "subject": "NotRequired[str]",
        "date_from": "NotRequired[str]",
        "date_to": "NotRequired[str]",
        "label": "NotRequired[str]",
        "is_read": "NotRequired[bool]",
        "auth_verdict": "NotRequired[Literal[\"pass\", \"fail\", \"none\", \"error\"]]",
        "thread_id": "NotRequired[str]",
        "has_attachments": "NotRequired[bool]",
        "max_chars": "NotRequired[int]",
    },
)

ClaimEmailsResponse = TypedDict(
    "ClaimEmailsResponse",
    {
        "data": "list[Claim]",
    },
)

# A claim and the end of its lease
ClaimLease = TypedDict(
    "ClaimLease",
    {
        "claim_id": "str",
        "lease_until": "str",
        "attempts": "int",
    },
)

# A conversation in a list
Conversation = TypedDict(
    "Conversation",
    {
        "thread_id": "str",
        "subject": "str",
        "participants": "list[ConversationParticipantsItem]",
        "email_count": "int",
        "last_email_id": "EmailId",
        "last_email": "str",
        "last_direction": "Literal[\"inbound\", \"outbound\"]",
        "snippet": "str",
        "is_read": "bool",
        "labels": "list[str]",
        "waiting_for": "Union[Literal[\"us\", \"them\"], None]",
        "draft_ids": "list[str]",
        "truncated": "NotRequired[bool]",
    },
)

ConversationParticipantsItem = TypedDict(
    "ConversationParticipantsItem",
    {
        "address": "str",
        "name": "str",
    },
)

CreateApiKeyRequest = TypedDict(
    "CreateApiKeyRequest",
    {
        "name": "str",
        "expirationDays": "NotRequired[int]",
        "scopes": "NotRequired[list[Scope]]",
        "mailboxIds": "NotRequired[list[str]]",
        "requestsPerMinute": "NotRequired[int]",
    },
)

CreateApiKeyResponse = TypedDict(
    "CreateApiKeyResponse",
    {
        "data": "CreatedApiKey",
        "meta": "CreateApiKeyResponseMeta",
    },
)

CreateApiKeyResponseMeta = TypedDict(
    "CreateApiKeyResponseMeta",
    {
        "warning": "str",
    },
)

CreateDraftRequest = TypedDict(
    "CreateDraftRequest",
    {
        "reply_to_email_id": "NotRequired[EmailId]",
        "reply_all": "NotRequired[bool]",
        "quote": "NotRequired[bool]",
        "mailbox_id": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[Union[str, list[str]]]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "reply_to": "NotRequired[Union[str, list[str]]]",
        "subject": "NotRequired[str]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "attachments": "NotRequired[list[NewAttachment]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

CreateDraftResponse = TypedDict(
    "CreateDraftResponse",
    {
        "data": "Draft",
    },
)

CreateMailboxRequest = TypedDict(
    "CreateMailboxRequest",
    {
        "local_part": "NotRequired[Union[str, None]]",
        "email_address": "NotRequired[Union[str, None]]",
        "domain": "NotRequired[Union[str, None]]",
        "generate": "NotRequired[Union[bool, None]]",
    },
)

CreateMailboxResponse = TypedDict(
    "CreateMailboxResponse",
    {
        "mailbox": "Mailbox",
    },
)

CreateUploadRequest = TypedDict(
    "CreateUploadRequest",
    {
        "filename": "NotRequired[str]",
        "content_type": "NotRequired[str]",
    },
)

CreateUploadResponse = TypedDict(
    "CreateUploadResponse",
    {
        "data": "Upload",
    },
)

CreateWebhookRequest = TypedDict(
    "CreateWebhookRequest",
    {
        "url": "str",
        "events": "list[EventName]",
        "active": "NotRequired[bool]",
        "secret": "NotRequired[str]",
        "mailbox_ids": "NotRequired[Union[list[str], None]]",
        "retry": "NotRequired[Literal[\"standard\", \"extended\"]]",
        "format": "NotRequired[Literal[\"json\", \"slack\"]]",
    },
)

CreateWebhookResponse = TypedDict(
    "CreateWebhookResponse",
    {
        "data": "CreatedWebhook",
    },
)

# A new key, with its secret
CreatedApiKey = TypedDict(
    "CreatedApiKey",
    {
        "keyId": "str",
        "name": "str",
        "keyPrefix": "str",
        "plan": "Plan",
        "rateLimit": "Union[int, None]",
        "requestsPerMinute": "NotRequired[int]",
        "createdAt": "str",
        "expirationTs": "Union[str, None]",
        "scopes": "NotRequired[list[Scope]]",
        "mailboxIds": "NotRequired[list[str]]",
        "apiKey": "str",
    },
)

# A webhook with its whole secret
CreatedWebhook = TypedDict(
    "CreatedWebhook",
    {
        "webhook_id": "str",
        "url": "str",
        "events": "list[EventName]",
        "secret_masked": "str",
        "active": "bool",
        "mailbox_ids": "Union[list[str], None]",
        "retry": "Literal[\"standard\", \"extended\"]",
        "format": "Literal[\"json\", \"slack\"]",
        "created_at": "str",
        "secret": "str",
    },
)

DeleteDraftResponse = TypedDict(
    "DeleteDraftResponse",
    {
        "data": "Draft",
    },
)

DeleteEmailResponse = TypedDict(
    "DeleteEmailResponse",
    {
        "data": "DeleteEmailResponseData",
    },
)

DeleteEmailResponseData = TypedDict(
    "DeleteEmailResponseData",
    {
        "deleted": "Literal[True]",
    },
)

DeleteExpectationResponse = TypedDict(
    "DeleteExpectationResponse",
    {
        "data": "DeleteExpectationResponseData",
    },
)

DeleteExpectationResponseData = TypedDict(
    "DeleteExpectationResponseData",
    {
        "deleted": "Literal[True]",
    },
)

DeleteKnownRecipientResponse = TypedDict(
    "DeleteKnownRecipientResponse",
    {
        "data": "DeleteKnownRecipientResponseData",
    },
)

DeleteKnownRecipientResponseData = TypedDict(
    "DeleteKnownRecipientResponseData",
    {
        "deleted": "Literal[True]",
    },
)

DeleteMailboxRequest = TypedDict(
    "DeleteMailboxRequest",
    {
        "confirm_email_address": "str",
    },
)

DeleteMailboxResponse = TypedDict(
    "DeleteMailboxResponse",
    {
        "data": "DeleteMailboxResponseData",
    },
)

DeleteMailboxResponseData = TypedDict(
    "DeleteMailboxResponseData",
    {
        "deleted": "Literal[True]",
    },
)

DeleteSuppressionResponse = TypedDict(
    "DeleteSuppressionResponse",
    {
        "data": "DeleteSuppressionResponseData",
    },
)

DeleteSuppressionResponseData = TypedDict(
    "DeleteSuppressionResponseData",
    {
        "deleted": "Literal[True]",
    },
)

DeleteWebhookResponse = TypedDict(
    "DeleteWebhookResponse",
    {
        "data": "DeleteWebhookResponseData",
    },
)

DeleteWebhookResponseData = TypedDict(
    "DeleteWebhookResponseData",
    {
        "message": "str",
    },
)

# One event on its way to one webhook
Delivery = TypedDict(
    "Delivery",
    {
        "delivery_id": "str",
        "event": "EventName",
        "event_id": "str",
        "email_id": "Union[EmailId, None]",
        "created_at": "str",
        "url": "str",
        "status": "Literal[\"pending\", \"delivered\", \"failed\"]",
        "attempts": "list[DeliveryAttempt]",
    },
)

DeliveryAttempt = TypedDict(
    "DeliveryAttempt",
    {
        "at": "str",
        "http_status": "Union[int, None]",
        "error": "Union[str, None]",
        "duration_ms": "int",
    },
)

# A message that is not sent yet, or was
Draft = TypedDict(
    "Draft",
    {
        "draft_id": "str",
        "mailbox_id": "str",
        "status": "Literal[\"draft\", \"scheduled\", \"pending_approval\", \"sent\", \"canceled\", \"rejected\"]",
        "from": "str",
        "to": "list[str]",
        "cc": "list[str]",
        "bcc": "list[str]",
        "reply_to": "list[str]",
        "subject": "str",
        "body_text": "Union[str, None]",
        "body_html": "Union[str, None]",
        "attachments": "list[DraftAttachment]",
        "headers": "Union[dict[str, Any], None]",
        "metadata": "Union[dict[str, Any], None]",
        "automatic": "bool",
        "as_it_came": "NotRequired[Literal[True]]",
        "reply_to_email_id": "Union[EmailId, None]",
        "send_at": "Union[str, None]",
        "content_hash": "str",
        "reasons": "list[SendReason]",
        "approval_url": "NotRequired[str]",
        "reject_reason": "Union[str, None]",
        "decided_by": "Union[DraftDecidedBy1, None]",
        "email_id": "Union[EmailId, None]",
        "created_at": "str",
        "updated_at": "str",
        "truncated": "NotRequired[bool]",
    },
)

DraftDecidedBy1 = TypedDict(
    "DraftDecidedBy1",
    {
        "member_id": "str",
        "name": "str",
    },
)

DraftApprovedEvent = TypedDict(
    "DraftApprovedEvent",
    {
        "event": "Literal[\"draft.approved\"]",
        "timestamp": "str",
        "data": "DraftEventData",
    },
)

DraftAttachment = TypedDict(
    "DraftAttachment",
    {
        "filename": "str",
        "content_type": "str",
        "size": "int",
        "sha256": "str",
        "content_id": "NotRequired[str]",
    },
)

DraftCanceledEvent = TypedDict(
    "DraftCanceledEvent",
    {
        "event": "Literal[\"draft.canceled\"]",
        "timestamp": "str",
        "data": "DraftEventData",
    },
)

DraftCreatedEvent = TypedDict(
    "DraftCreatedEvent",
    {
        "event": "Literal[\"draft.created\"]",
        "timestamp": "str",
        "data": "DraftEventData",
    },
)

DraftEventData = TypedDict(
    "DraftEventData",
    {
        "change_id": "Union[str, None]",
        "event": "Literal[\"draft.created\", \"draft.updated\", \"draft.pending_approval\", \"draft.approved\", \"draft.rejected\", \"draft.sent\", \"draft.canceled\"]",
        "timestamp": "str",
        "mailbox_id": "str",
        "email_id": "Union[EmailId, None]",
        "thread_id": "Union[str, None]",
        "draft_id": "str",
        "status": "Literal[\"draft\", \"scheduled\", \"pending_approval\", \"sent\", \"canceled\", \"rejected\"]",
        "content_hash": "str",
        "reasons": "list[DraftEventDataReasonsItem]",
        "test": "NotRequired[Literal[True]]",
    },
)

DraftEventDataReasonsItem = TypedDict(
    "DraftEventDataReasonsItem",
    {
        "recipient": "str",
        "provenance": "Literal[\"own\", \"known\", \"listed\", \"new\"]",
        "code": "NotRequired[str]",
    },
)

DraftPendingApprovalEvent = TypedDict(
    "DraftPendingApprovalEvent",
    {
        "event": "Literal[\"draft.pending_approval\"]",
        "timestamp": "str",
        "data": "DraftEventData",
    },
)

DraftRejectedEvent = TypedDict(
    "DraftRejectedEvent",
    {
        "event": "Literal[\"draft.rejected\"]",
        "timestamp": "str",
        "data": "DraftEventData",
    },
)

DraftSentEvent = TypedDict(
    "DraftSentEvent",
    {
        "event": "Literal[\"draft.sent\"]",
        "timestamp": "str",
        "data": "DraftEventData",
    },
)

DraftUpdatedEvent = TypedDict(
    "DraftUpdatedEvent",
    {
        "event": "Literal[\"draft.updated\"]",
        "timestamp": "str",
        "data": "DraftEventData",
    },
)

# What a send would do; nothing was sent or written
DryRun = TypedDict(
    "DryRun",
    {
        "dry_run": "Literal[True]",
        "would": "Literal[\"send\", \"schedule\", \"pending_approval\", \"refuse\"]",
        "content_hash": "str",
        "from": "str",
        "to": "list[str]",
        "cc": "list[str]",
        "bcc": "list[str]",
        "subject": "str",
        "size": "int",
        "recipients": "list[DryRunRecipientsItem]",
        "reasons": "list[SendReason]",
        "truncated": "NotRequired[bool]",
    },
)

DryRunRecipientsItem = TypedDict(
    "DryRunRecipientsItem",
    {
        "address": "str",
        "provenance": "Literal[\"own\", \"known\", \"listed\", \"new\"]",
    },
)

DryRunResponse = TypedDict(
    "DryRunResponse",
    {
        "data": "DryRun",
    },
)

# An email in a list, without its body
Email = TypedDict(
    "Email",
    {
        "email_id": "EmailId",
        "message_id": "str",
        "thread_id": "str",
        "mailbox_id": "str",
        "direction": "Literal[\"inbound\", \"outbound\"]",
        "from": "str",
        "from_name": "str",
        "to": "list[str]",
        "cc": "list[str]",
        "envelope_to": "NotRequired[list[str]]",
        "is_read": "bool",
        "labels": "list[str]",
        "auth_verdict": "Union[Literal[\"pass\", \"fail\", \"none\", \"error\"], None]",
        "automated": "bool",
        "subject": "str",
        "date": "str",
        "received_at": "str",
        "snippet": "str",
        "has_attachments": "bool",
        "attachment_ids": "list[str]",
        "attachments": "list[AttachmentNote]",
        "size": "int",
        "metadata": "NotRequired[dict[str, Any]]",
        "processed": "bool",
        "truncated": "NotRequired[bool]",
    },
)

# An email with its text, HTML and attachment records
EmailDetail = TypedDict(
    "EmailDetail",
    {
        "email_id": "EmailId",
        "subject": "str",
        "from": "str",
        "to": "list[str]",
        "cc": "list[str]",
        "envelope_to": "NotRequired[list[str]]",
        "date": "str",
        "body_text": "str",
        "has_attachments": "bool",
        "attachment_ids": "list[str]",
        "attachments": "list[Attachment]",
        "is_read": "bool",
        "labels": "list[str]",
        "auth_verdict": "Union[Literal[\"pass\", \"fail\", \"none\", \"error\"], None]",
        "automated": "bool",
        "auth": "Union[SenderAuth, None]",
        "thread_id": "str",
        "mailbox_id": "str",
        "truncated": "NotRequired[bool]",
        "next_offset": "NotRequired[int]",
        "segments": "NotRequired[list[EmailSegment]]",
        "headers": "NotRequired[list[EmailDetailHeadersItem]]",
        "headers_truncated": "NotRequired[Literal[True]]",
        "problem": "Union[str, None]",
        "message_id": "str",
        "direction": "Literal[\"inbound\", \"outbound\"]",
        "from_name": "str",
        "in_reply_to": "Union[str, None]",
        "references": "list[str]",
        "reply_to": "list[str]",
        "bcc": "list[str]",
        "body_html": "Union[str, None]",
        "body_new_text": "str",
        "received_at": "str",
        "size": "int",
        "metadata": "NotRequired[dict[str, Any]]",
        "status": "NotRequired[SendStatus]",
        "delivery": "NotRequired[list[RecipientDelivery]]",
    },
)

EmailDetailHeadersItem = TypedDict(
    "EmailDetailHeadersItem",
    {
        "name": "str",
        "value": "str",
    },
)

EmailFailedData = TypedDict(
    "EmailFailedData",
    {
        "email_id": "EmailId",
        "message_id": "str",
        "subject": "str",
        "from": "str",
        "to": "list[str]",
        "date": "str",
        "mailbox_id": "str",
        "domain": "str",
        "has_attachments": "bool",
        "thread_id": "str",
        "metadata": "NotRequired[dict[str, Any]]",
        "truncated": "NotRequired[Literal[True]]",
        "test": "NotRequired[Literal[True]]",
        "status": "Literal[\"partial\", \"failed\"]",
        "failed_at": "str",
        "failure": "SendFailure",
        "recipients": "list[EmailFailedDataRecipientsItem]",
    },
)

EmailFailedDataRecipientsItem = TypedDict(
    "EmailFailedDataRecipientsItem",
    {
        "address": "str",
        "status": "Literal[\"queued\", \"sent\", \"failed\", \"stored\"]",
    },
)

EmailFailedEvent = TypedDict(
    "EmailFailedEvent",
    {
        "event": "Literal[\"email.failed\"]",
        "timestamp": "str",
        "data": "EmailFailedData",
    },
)

EmailId: TypeAlias = "str"

EmailImportedEvent = TypedDict(
    "EmailImportedEvent",
    {
        "event": "Literal[\"email.imported\"]",
        "timestamp": "str",
        "data": "EmailReceivedData",
    },
)

# A link of an email
EmailLink = TypedDict(
    "EmailLink",
    {
        "n": "int",
        "url": "str",
        "text": "Union[str, None]",
        "host": "str",
        "kind": "Literal[\"verify\", \"sign_in\", \"reset\", \"unsubscribe\", \"other\"]",
        "hidden": "NotRequired[bool]",
        "truncated": "NotRequired[bool]",
    },
)

# The links of an email
EmailLinks = TypedDict(
    "EmailLinks",
    {
        "email_id": "EmailId",
        "links": "list[EmailLink]",
        "truncated": "NotRequired[bool]",
        "next_offset": "NotRequired[int]",
    },
)

EmailProcessedData = TypedDict(
    "EmailProcessedData",
    {
        "email_id": "EmailId",
        "message_id": "str",
        "subject": "str",
        "from": "str",
        "to": "list[str]",
        "date": "str",
        "mailbox_id": "str",
        "domain": "str",
        "has_attachments": "bool",
        "thread_id": "str",
        "metadata": "NotRequired[dict[str, Any]]",
        "truncated": "NotRequired[Literal[True]]",
        "test": "NotRequired[Literal[True]]",
        "status": "Literal[\"indexed\", \"failed\"]",
        "indexed_at": "str",
        "envelope_to": "list[str]",
        "automated": "bool",
        "auth_verdict": "Literal[\"pass\", \"fail\", \"none\", \"error\"]",
    },
)

EmailProcessedEvent = TypedDict(
    "EmailProcessedEvent",
    {
        "event": "Literal[\"email.processed\"]",
        "timestamp": "str",
        "data": "EmailProcessedData",
    },
)

EmailReceivedData = TypedDict(
    "EmailReceivedData",
    {
        "email_id": "EmailId",
        "message_id": "str",
        "subject": "str",
        "from": "str",
        "to": "list[str]",
        "date": "str",
        "mailbox_id": "str",
        "domain": "str",
        "has_attachments": "bool",
        "thread_id": "str",
        "metadata": "NotRequired[dict[str, Any]]",
        "truncated": "NotRequired[Literal[True]]",
        "test": "NotRequired[Literal[True]]",
        "from_name": "str",
        "envelope_to": "list[str]",
        "automated": "bool",
        "snippet": "str",
    },
)

EmailReceivedEvent = TypedDict(
    "EmailReceivedEvent",
    {
        "event": "Literal[\"email.received\"]",
        "timestamp": "str",
        "data": "EmailReceivedData",
    },
)

# A part of an email's text, by its origin
EmailSegment = TypedDict(
    "EmailSegment",
    {
        "origin": "Literal[\"new\", \"quoted\", \"forwarded\", \"signature\", \"disclaimer\", \"hidden\"]",
        "text": "str",
    },
)

EmailSentData = TypedDict(
    "EmailSentData",
    {
        "email_id": "EmailId",
        "message_id": "str",
        "subject": "str",
        "from": "str",
        "to": "list[str]",
        "date": "str",
        "mailbox_id": "str",
        "domain": "str",
        "has_attachments": "bool",
        "thread_id": "str",
        "metadata": "NotRequired[dict[str, Any]]",
        "truncated": "NotRequired[Literal[True]]",
        "test": "NotRequired[Literal[True]]",
        "status": "Literal[\"sent\"]",
        "sent_at": "str",
    },
)

EmailSentEvent = TypedDict(
    "EmailSentEvent",
    {
        "event": "Literal[\"email.sent\"]",
        "timestamp": "str",
        "data": "EmailSentData",
    },
)

# A claim that its holder ended
EndedClaim = TypedDict(
    "EndedClaim",
    {
        "claim_id": "str",
        "email_id": "EmailId",
        "status": "Literal[\"acked\", \"released\"]",
    },
)

ErrorCode: TypeAlias = "Literal[\"BAD_REQUEST\", \"MISSING_FIELDS\", \"VALIDATION_ERROR\", \"VERIFICATION_FAILED\", \"UNAUTHORIZED\", \"FORBIDDEN\", \"EMAIL_NOT_VERIFIED\", \"MAILBOX_QUOTA\", \"NOT_FOUND\", \"METHOD_NOT_ALLOWED\", \"CONFLICT\", \"EMAIL_TAKEN\", \"DOMAIN_HAS_MAILBOXES\", \"CLAIM_LOST\", \"CURSOR_EXPIRED\", \"REQUEST_TIMEOUT\", \"PAYLOAD_TOO_LARGE\", \"EMAIL_TOO_LARGE\", \"UNSUPPORTED_MEDIA_TYPE\", \"LOCAL_TOO_SHORT\", \"INVALID_LOCAL\", \"DISALLOWED_LOCAL\", \"DOMAIN_MISMATCH\", \"DOMAIN_NOT_ALLOWED\", \"NO_TEXT\", \"RECIPIENT_BLOCKED\", \"RECIPIENT_REJECTED\", \"RECIPIENT_SUPPRESSED\", \"RATE_LIMIT_EXCEEDED\", \"INTERNAL_ERROR\", \"SERVICE_UNAVAILABLE\"]"

EventName: TypeAlias = "Literal[\"email.received\", \"email.imported\", \"email.processed\", \"email.sent\", \"email.failed\", \"draft.created\", \"draft.updated\", \"draft.pending_approval\", \"draft.approved\", \"draft.rejected\", \"draft.sent\", \"draft.canceled\", \"api_key.created\"]"

ExpectCodeRequest = TypedDict(
    "ExpectCodeRequest",
    {
        "mailbox_id": "str",
        "from_domain": "str",
        "subject": "NotRequired[str]",
        "kind": "NotRequired[Literal[\"code\", \"link\", \"any\"]]",
        "expires_in_seconds": "NotRequired[int]",
    },
)

ExpectCodeResponse = TypedDict(
    "ExpectCodeResponse",
    {
        "data": "Expectation",
    },
)

# Mail that was announced; email_id, code, link and auth are null until it came, and again once it is deleted
Expectation = TypedDict(
    "Expectation",
    {
        "expectation_id": "str",
        "mailbox_id": "str",
        "from_domain": "str",
        "subject": "Union[str, None]",
        "kind": "Literal[\"code\", \"link\", \"any\"]",
        "status": "Literal[\"waiting\", \"matched\", \"expired\"]",
        "created_at": "str",
        "expires_at": "str",
        "email_id": "Union[EmailId, None]",
        "code": "Union[str, None]",
        "link": "Union[str, None]",
        "auth": "Union[SenderAuth, None]",
        "truncated": "NotRequired[bool]",
    },
)

ExportLine1 = TypedDict(
    "ExportLine1",
    {
        "email": "Email",
        "raw_base64": "Union[str, None]",
    },
)

ExportLine2 = TypedDict(
    "ExportLine2",
    {
        "next_cursor": "Union[str, None]",
    },
)

ExportLine: TypeAlias = "Union[ExportLine1, ExportLine2]"

ExtendClaimRequest = TypedDict(
    "ExtendClaimRequest",
    {
        "lease_seconds": "NotRequired[int]",
    },
)

ExtendClaimResponse = TypedDict(
    "ExtendClaimResponse",
    {
        "data": "ClaimLease",
    },
)

ForwardEmailRequest = TypedDict(
    "ForwardEmailRequest",
    {
        "to": "Union[str, list[str]]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "as": "NotRequired[Literal[\"inline\", \"attachment\"]]",
        "include_attachments": "NotRequired[bool]",
        "attachments": "NotRequired[list[NewAttachment]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "dry_run": "NotRequired[bool]",
        "content_hash": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

ForwardEmailResponse = TypedDict(
    "ForwardEmailResponse",
    {
        "data": "Union[SentEmail, HeldEmail, DryRun]",
    },
)

# A delivery, with what was sent and what came back
FullDelivery = TypedDict(
    "FullDelivery",
    {
        "delivery_id": "str",
        "event": "EventName",
        "event_id": "str",
        "email_id": "Union[EmailId, None]",
        "created_at": "str",
        "url": "str",
        "status": "Literal[\"pending\", \"delivered\", \"failed\"]",
        "attempts": "list[FullDeliveryAttempt]",
        "payload": "Union[str, None]",
    },
)

FullDeliveryAttempt = TypedDict(
    "FullDeliveryAttempt",
    {
        "at": "str",
        "http_status": "Union[int, None]",
        "error": "Union[str, None]",
        "duration_ms": "int",
        "answer": "Union[str, None]",
    },
)

GetAttachmentLinkResponse = TypedDict(
    "GetAttachmentLinkResponse",
    {
        "data": "AttachmentLink",
    },
)

GetDraftResponse = TypedDict(
    "GetDraftResponse",
    {
        "data": "Draft",
    },
)

GetEmailResponse = TypedDict(
    "GetEmailResponse",
    {
        "data": "EmailDetail",
    },
)

GetEmailThreadResponse = TypedDict(
    "GetEmailThreadResponse",
    {
        "data": "Thread",
    },
)

GetExpectedCodeResponse = TypedDict(
    "GetExpectedCodeResponse",
    {
        "data": "Expectation",
    },
)

GetLinksResponse = TypedDict(
    "GetLinksResponse",
    {
        "data": "EmailLinks",
    },
)

GetMailboxPolicyResponse = TypedDict(
    "GetMailboxPolicyResponse",
    {
        "data": "MailboxPolicy",
    },
)

GetMailboxResponse = TypedDict(
    "GetMailboxResponse",
    {
        "mailbox": "MailboxDetail",
    },
)

GetVerificationResponse = TypedDict(
    "GetVerificationResponse",
    {
        "data": "Verification",
    },
)

GetWebhookDeliveryResponse = TypedDict(
    "GetWebhookDeliveryResponse",
    {
        "data": "FullDelivery",
    },
)

GetWebhookResponse = TypedDict(
    "GetWebhookResponse",
    {
        "data": "Webhook",
    },
)

Health = TypedDict(
    "Health",
    {
        "status": "Literal[\"ok\", \"degraded\"]",
        "version": "str",
        "timestamp": "str",
        "uptime_seconds": "int",
        "dead_jobs": "Union[int, None]",
        "checks": "HealthChecks",
    },
)

HealthChecks = TypedDict(
    "HealthChecks",
    {
        "kv": "Literal[\"ok\", \"down\"]",
        "queue": "Literal[\"ok\", \"down\"]",
        "search": "Literal[\"ok\", \"down\"]",
    },
)

HealthResponse = TypedDict(
    "HealthResponse",
    {
        "data": "Health",
    },
)

# An email that waits for its time or for a person
HeldEmail = TypedDict(
    "HeldEmail",
    {
        "draft_id": "str",
        "mailbox_id": "str",
        "status": "Literal[\"scheduled\", \"pending_approval\"]",
        "send_at": "Union[str, None]",
        "content_hash": "str",
        "reasons": "list[SendReason]",
        "approval_url": "NotRequired[str]",
        "from": "str",
        "to": "list[str]",
        "cc": "list[str]",
        "subject": "str",
        "created_at": "str",
        "truncated": "NotRequired[bool]",
    },
)

# The result of a delivery for one recipient
InboundResult = TypedDict(
    "InboundResult",
    {
        "recipient": "str",
        "disposition": "Literal[\"accepted\", \"duplicate\", \"rejected\"]",
        "email_id": "NotRequired[EmailId]",
        "code": "NotRequired[str]",
    },
)

InboundResults = TypedDict(
    "InboundResults",
    {
        "results": "list[InboundResult]",
    },
)

# An address that got mail which a person approved; mail there needs no approval
KnownRecipient = TypedDict(
    "KnownRecipient",
    {
        "address": "str",
        "known_since": "str",
    },
)

ListApiKeysResponse = TypedDict(
    "ListApiKeysResponse",
    {
        "data": "list[ApiKey]",
        "meta": "ListApiKeysResponseMeta",
    },
)

ListApiKeysResponseMeta = TypedDict(
    "ListApiKeysResponseMeta",
    {
        "total": "int",
        "limit": "NotRequired[int]",
        "has_more": "NotRequired[bool]",
        "next_cursor": "NotRequired[Union[str, None]]",
    },
)

ListArrivalsResponse = TypedDict(
    "ListArrivalsResponse",
    {
        "data": "list[Arrival]",
        "meta": "PageMeta",
    },
)

ListAuditResponse = TypedDict(
    "ListAuditResponse",
    {
        "data": "list[AuditRow]",
        "meta": "PageMeta",
    },
)

ListChangesResponse = TypedDict(
    "ListChangesResponse",
    {
        "data": "list[Change]",
        "meta": "PageMeta",
    },
)

ListDraftsResponse = TypedDict(
    "ListDraftsResponse",
    {
        "data": "list[Draft]",
        "meta": "PageMeta",
    },
)

ListEmailsResponse = TypedDict(
    "ListEmailsResponse",
    {
        "data": "list[Email]",
        "meta": "PageMeta",
    },
)

ListKnownRecipientsResponse = TypedDict(
    "ListKnownRecipientsResponse",
    {
        "data": "list[KnownRecipient]",
        "meta": "PageMeta",
    },
)

ListMailboxesResponse = TypedDict(
    "ListMailboxesResponse",
    {
        "mailboxes": "list[Mailbox]",
    },
)

ListSuppressionsResponse = TypedDict(
    "ListSuppressionsResponse",
    {
        "data": "list[Suppression]",
        "meta": "PageMeta",
    },
)

ListThreadsResponse = TypedDict(
    "ListThreadsResponse",
    {
        "data": "list[Conversation]",
        "meta": "PageMeta",
    },
)

ListWebhookDeliveriesResponse = TypedDict(
    "ListWebhookDeliveriesResponse",
    {
        "data": "list[Delivery]",
        "meta": "PageMeta",
    },
)

ListWebhooksResponse = TypedDict(
    "ListWebhooksResponse",
    {
        "data": "list[WebhookListItem]",
    },
)

Mailbox = TypedDict(
    "Mailbox",
    {
        "mailbox_id": "str",
        "email_address": "str",
        "domain": "str",
        "status": "Literal[\"active\"]",
        "namespace": "str",
        "created_at": "str",
    },
)

# A mailbox, with its name, signature and metadata
MailboxDetail = TypedDict(
    "MailboxDetail",
    {
        "mailbox_id": "str",
        "email_address": "str",
        "domain": "str",
        "status": "Literal[\"active\"]",
        "namespace": "str",
        "created_at": "str",
        "display_name": "Union[str, None]",
        "signature": "Union[str, None]",
        "metadata": "Union[dict[str, Any], None]",
        "catch_all": "bool",
    },
)

# The rules that the owner sets for a mailbox
MailboxPolicy = TypedDict(
    "MailboxPolicy",
    {
        "approval": "Literal[\"never\", \"new_recipients\", \"always\"]",
        "allow_recipients": "list[str]",
        "block_recipients": "list[str]",
        "allow_senders": "list[str]",
        "block_senders": "list[str]",
        "retention_days": "Union[int, None]",
    },
)

NackEmailRequest = TypedDict(
    "NackEmailRequest",
    {
        "delay_seconds": "NotRequired[int]",
    },
)

NackEmailResponse = TypedDict(
    "NackEmailResponse",
    {
        "data": "EndedClaim",
    },
)

# A file to attach: content, upload_id, or email_id and attachment_id
NewAttachment = TypedDict(
    "NewAttachment",
    {
        "filename": "NotRequired[str]",
        "content_type": "NotRequired[str]",
        "content": "NotRequired[str]",
        "upload_id": "NotRequired[str]",
        "email_id": "NotRequired[EmailId]",
        "attachment_id": "NotRequired[str]",
        "content_id": "NotRequired[str]",
    },
)

PageMeta = TypedDict(
    "PageMeta",
    {
        "limit": "int",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
    },
)

Plan: TypeAlias = "Literal[\"free\", \"pro\", \"enterprise\"]"

# An upload whose bytes are stored
ReceivedUpload = TypedDict(
    "ReceivedUpload",
    {
        "upload_id": "str",
        "size": "int",
    },
)

# The state of a sent email for one recipient
RecipientDelivery = TypedDict(
    "RecipientDelivery",
    {
        "recipient": "str",
        "status": "RecipientStatus",
        "response": "str",
    },
)

RecipientStatus: TypeAlias = "Literal[\"queued\", \"sent\", \"failed\", \"stored\"]"

RejectDraftRequest = TypedDict(
    "RejectDraftRequest",
    {
        "reason": "NotRequired[str]",
    },
)

RejectDraftResponse = TypedDict(
    "RejectDraftResponse",
    {
        "data": "Draft",
    },
)

ReplayWebhookDeliveryResponse = TypedDict(
    "ReplayWebhookDeliveryResponse",
    {
        "data": "Delivery",
    },
)

ReplyEmailRequest = TypedDict(
    "ReplyEmailRequest",
    {
        "reply_all": "NotRequired[bool]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "quote": "NotRequired[bool]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "attachments": "NotRequired[list[NewAttachment]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "dry_run": "NotRequired[bool]",
        "content_hash": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

ReplyEmailResponse = TypedDict(
    "ReplyEmailResponse",
    {
        "data": "Union[SentEmail, HeldEmail, DryRun]",
    },
)

RevokeApiKeyResponse = TypedDict(
    "RevokeApiKeyResponse",
    {
        "data": "RevokedApiKey",
    },
)

RevokedApiKey = TypedDict(
    "RevokedApiKey",
    {
        "keyId": "str",
        "revoked": "bool",
    },
)

Scope: TypeAlias = "Literal[\"emails:read\", \"emails:send\", \"emails:write\", \"mailboxes:read\", \"mailboxes:write\", \"webhooks:write\", \"keys:write\", \"search\", \"emails:approve\", \"policy:write\", \"audit:read\"]"

SearchEmailsRequest = TypedDict(
    "SearchEmailsRequest",
    {
        "query": "str",
        "mailbox_id": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "NotRequired[str]",
        "envelope_to": "NotRequired[str]",
        "subject": "NotRequired[str]",
        "date_from": "NotRequired[str]",
        "date_to": "NotRequired[str]",
        "label": "NotRequired[str]",
        "is_read": "NotRequired[bool]",
        "auth_verdict": "NotRequired[Literal[\"pass\", \"fail\", \"none\", \"error\"]]",
        "direction": "NotRequired[Literal[\"inbound\", \"outbound\"]]",
        "limit": "NotRequired[int]",
        "offset": "NotRequired[int]",
        "max_chars": "NotRequired[int]",
    },
)

SearchEmailsResponse = TypedDict(
    "SearchEmailsResponse",
    {
        "results": "list[SearchResult]",
        "total": "int",
        "pending": "int",
        "pending_vectors": "NotRequired[int]",
        "degraded": "NotRequired[bool]",
        "has_more": "NotRequired[bool]",
        "next_offset": "NotRequired[int]",
    },
)

SearchResult = TypedDict(
    "SearchResult",
    {
        "email_id": "EmailId",
        "thread_id": "str",
        "mailbox_id": "str",
        "subject": "str",
        "from": "str",
        "date": "str",
        "is_read": "bool",
        "labels": "list[str]",
        "auth_verdict": "Union[Literal[\"pass\", \"fail\", \"none\", \"error\"], None]",
        "automated": "bool",
        "snippet": "str",
        "score": "float",
        "found_by": "list[Literal[\"identifier\", \"words\", \"meaning\"]]",
        "truncated": "NotRequired[bool]",
    },
)

SendDraftRequest = TypedDict(
    "SendDraftRequest",
    {
        "content_hash": "NotRequired[str]",
    },
)

SendDraftResponse = TypedDict(
    "SendDraftResponse",
    {
        "data": "Union[SentEmail, HeldEmail]",
    },
)

SendEmailRequest = TypedDict(
    "SendEmailRequest",
    {
        "mailbox_id": "NotRequired[str]",
        "from": "NotRequired[str]",
        "to": "Union[str, list[str]]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "reply_to": "NotRequired[Union[str, list[str]]]",
        "subject": "NotRequired[str]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "attachments": "NotRequired[list[NewAttachment]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "dry_run": "NotRequired[bool]",
        "content_hash": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

SendEmailResponse = TypedDict(
    "SendEmailResponse",
    {
        "data": "Union[SentEmail, HeldEmail, DryRun]",
    },
)

SendFailure = TypedDict(
    "SendFailure",
    {
        "reason": "Literal[\"rejected\", \"expired\", \"bounced\"]",
        "recipients": "list[str]",
        "smtp_status": "Union[str, None]",
        "message": "str",
    },
)

# A recipient, or an address of reply_to, because of which a mail is not sent
SendReason = TypedDict(
    "SendReason",
    {
        "recipient": "str",
        "provenance": "Literal[\"own\", \"known\", \"listed\", \"new\"]",
        "code": "NotRequired[str]",
    },
)

SendStatus: TypeAlias = "Literal[\"queued\", \"sent\", \"partial\", \"failed\", \"stored\"]"

# What the checks of the sender found
SenderAuth = TypedDict(
    "SenderAuth",
    {
        "verdict": "Literal[\"pass\", \"fail\", \"none\", \"error\"]",
        "spf": "str",
        "dkim": "str",
        "dmarc": "str",
        "domain": "Union[str, None]",
        "source": "Literal[\"checked\", \"provider\", \"none\"]",
    },
)

# An email that was sent or waits to be sent
SentEmail = TypedDict(
    "SentEmail",
    {
        "email_id": "EmailId",
        "message_id": "str",
        "thread_id": "str",
        "mailbox_id": "str",
        "status": "SendStatus",
        "from": "str",
        "to": "list[str]",
        "cc": "list[str]",
        "subject": "str",
        "created_at": "str",
        "draft_id": "NotRequired[str]",
        "truncated": "NotRequired[bool]",
    },
)

SetMailboxPolicyRequest = TypedDict(
    "SetMailboxPolicyRequest",
    {
        "approval": "NotRequired[Union[Literal[\"never\", \"new_recipients\", \"always\"], None]]",
        "allow_recipients": "NotRequired[Union[list[str], None]]",
        "block_recipients": "NotRequired[Union[list[str], None]]",
        "allow_senders": "NotRequired[Union[list[str], None]]",
        "block_senders": "NotRequired[Union[list[str], None]]",
        "retention_days": "NotRequired[Union[int, None]]",
    },
)

SetMailboxPolicyResponse = TypedDict(
    "SetMailboxPolicyResponse",
    {
        "data": "MailboxPolicy",
    },
)

# A recipient whose mail bounced permanently
Suppression = TypedDict(
    "Suppression",
    {
        "address": "str",
        "reason": "str",
        "email_id": "EmailId",
        "created_at": "str",
    },
)

TestWebhookResponse = TypedDict(
    "TestWebhookResponse",
    {
        "data": "Delivery",
    },
)

# A conversation, or a page of it
Thread = TypedDict(
    "Thread",
    {
        "thread_id": "str",
        "thread": "list[ThreadItem]",
        "has_more": "bool",
        "next_cursor": "Union[str, None]",
        "waiting_for": "Union[Literal[\"us\", \"them\"], None]",
        "drafts": "list[Draft]",
        "more_drafts": "NotRequired[Literal[True]]",
    },
)

# An email of a conversation
ThreadItem = TypedDict(
    "ThreadItem",
    {
        "email_id": "EmailId",
        "subject": "str",
        "direction": "Literal[\"inbound\", \"outbound\"]",
        "from": "str",
        "from_name": "str",
        "to": "list[str]",
        "date": "str",
        "is_read": "bool",
        "labels": "list[str]",
        "auth_verdict": "Union[Literal[\"pass\", \"fail\", \"none\", \"error\"], None]",
        "automated": "bool",
        "has_attachments": "bool",
        "status": "Union[SendStatus, None]",
        "body_text_snippet": "str",
        "delivered_to": "NotRequired[list[ThreadItemDeliveredToItem]]",
        "truncated": "NotRequired[bool]",
    },
)

ThreadItemDeliveredToItem = TypedDict(
    "ThreadItemDeliveredToItem",
    {
        "mailbox_id": "str",
        "email_id": "EmailId",
    },
)

UpdateDraftRequest = TypedDict(
    "UpdateDraftRequest",
    {
        "to": "NotRequired[Union[str, list[str]]]",
        "cc": "NotRequired[Union[Union[str, list[str]], None]]",
        "bcc": "NotRequired[Union[Union[str, list[str]], None]]",
        "reply_to": "NotRequired[Union[Union[str, list[str]], None]]",
        "subject": "NotRequired[str]",
        "body_text": "NotRequired[Union[str, None]]",
        "body_html": "NotRequired[Union[str, None]]",
        "attachments": "NotRequired[Union[list[NewAttachment], None]]",
        "headers": "NotRequired[Union[dict[str, Any], None]]",
        "metadata": "NotRequired[Union[dict[str, Any], None]]",
        "send_at": "NotRequired[Union[str, None]]",
        "automatic": "NotRequired[bool]",
    },
)

UpdateDraftResponse = TypedDict(
    "UpdateDraftResponse",
    {
        "data": "Draft",
    },
)

UpdateEmailRequest = TypedDict(
    "UpdateEmailRequest",
    {
        "is_read": "NotRequired[bool]",
        "add_labels": "NotRequired[list[str]]",
        "remove_labels": "NotRequired[list[str]]",
    },
)

UpdateEmailResponse = TypedDict(
    "UpdateEmailResponse",
    {
        "data": "Email",
    },
)

UpdateEmailsRequest = TypedDict(
    "UpdateEmailsRequest",
    {
        "email_ids": "list[EmailId]",
        "is_read": "NotRequired[bool]",
        "add_labels": "NotRequired[list[str]]",
        "remove_labels": "NotRequired[list[str]]",
        "delete": "NotRequired[Literal[True]]",
    },
)

UpdateEmailsResponse = TypedDict(
    "UpdateEmailsResponse",
    {
        "data": "list[BatchResult]",
    },
)

UpdateMailboxRequest = TypedDict(
    "UpdateMailboxRequest",
    {
        "display_name": "NotRequired[Union[str, None]]",
        "signature": "NotRequired[Union[str, None]]",
        "metadata": "NotRequired[Union[dict[str, Any], None]]",
        "catch_all": "NotRequired[bool]",
    },
)

UpdateMailboxResponse = TypedDict(
    "UpdateMailboxResponse",
    {
        "mailbox": "MailboxDetail",
    },
)

UpdateWebhookRequest = TypedDict(
    "UpdateWebhookRequest",
    {
        "url": "NotRequired[str]",
        "events": "NotRequired[list[EventName]]",
        "active": "NotRequired[bool]",
        "secret": "NotRequired[str]",
        "mailbox_ids": "NotRequired[Union[list[str], None]]",
        "retry": "NotRequired[Literal[\"standard\", \"extended\"]]",
        "format": "NotRequired[Literal[\"json\", \"slack\"]]",
    },
)

UpdateWebhookResponse = TypedDict(
    "UpdateWebhookResponse",
    {
        "data": "UpdatedWebhook",
    },
)

# A webhook, with the whole secret if this call changed it
UpdatedWebhook = TypedDict(
    "UpdatedWebhook",
    {
        "webhook_id": "str",
        "url": "str",
        "events": "list[EventName]",
        "secret_masked": "str",
        "active": "bool",
        "mailbox_ids": "Union[list[str], None]",
        "retry": "Literal[\"standard\", \"extended\"]",
        "format": "Literal[\"json\", \"slack\"]",
        "created_at": "str",
        "secret": "NotRequired[str]",
    },
)

# A URL that takes the bytes of one file
Upload = TypedDict(
    "Upload",
    {
        "upload_id": "str",
        "upload_url": "str",
        "expires_at": "str",
    },
)

# Codes and links of an email, best first
Verification = TypedDict(
    "Verification",
    {
        "email_id": "EmailId",
        "best_code": "Union[str, None]",
        "best_link": "Union[str, None]",
        "codes": "list[VerificationCodesItem]",
        "links": "list[VerificationLinksItem]",
        "truncated": "NotRequired[bool]",
    },
)

VerificationCodesItem = TypedDict(
    "VerificationCodesItem",
    {
        "code": "str",
        "as_written": "str",
        "kind": "Literal[\"numeric\", \"alphanumeric\"]",
        "confidence": "float",
        "context": "str",
    },
)

VerificationLinksItem = TypedDict(
    "VerificationLinksItem",
    {
        "url": "str",
        "text": "str",
        "host": "str",
        "kind": "Literal[\"verify\", \"sign_in\", \"reset\", \"unsubscribe\", \"other\"]",
        "confidence": "float",
    },
)

WaitForEmailResponse = TypedDict(
    "WaitForEmailResponse",
    {
        "data": "WaitForEmailResponseData",
    },
)

WaitForEmailResponseData = TypedDict(
    "WaitForEmailResponseData",
    {
        "email": "Union[EmailDetail, None]",
        "timed_out": "bool",
        "verification": "NotRequired[Verification]",
    },
)

Webhook = TypedDict(
    "Webhook",
    {
        "webhook_id": "str",
        "url": "str",
        "events": "list[EventName]",
        "secret_masked": "str",
        "active": "bool",
        "mailbox_ids": "Union[list[str], None]",
        "retry": "Literal[\"standard\", \"extended\"]",
        "format": "Literal[\"json\", \"slack\"]",
        "created_at": "str",
    },
)

# A webhook as the list has it: `createdAt` in place of `created_at`
WebhookListItem = TypedDict(
    "WebhookListItem",
    {
        "webhook_id": "str",
        "url": "str",
        "events": "list[EventName]",
        "secret_masked": "str",
        "active": "bool",
        "mailbox_ids": "Union[list[str], None]",
        "retry": "Literal[\"standard\", \"extended\"]",
        "format": "Literal[\"json\", \"slack\"]",
        "createdAt": "str",
    },
)

# Health
HealthFields = TypedDict(
    "HealthFields",
    {},
)

# Wait for an email
WaitForEmailFields = TypedDict(
    "WaitForEmailFields",
    {
        "mailbox_id": "NotRequired[str]",
        "from_": "NotRequired[str]",
        "to": "NotRequired[str]",
        "envelope_to": "NotRequired[str]",
        "subject": "NotRequired[str]",
        "date_from": "NotRequired[str]",
        "date_to": "NotRequired[str]",
        "label": "NotRequired[str]",
        "is_read": "NotRequired[bool]",
        "auth_verdict": "NotRequired[Literal[\"pass\", \"fail\", \"none\", \"error\"]]",
        "thread_id": "NotRequired[str]",
        "has_attachments": "NotRequired[bool]",
        "since": "NotRequired[str]",
        "after": "NotRequired[EmailId]",
        "require": "NotRequired[Literal[\"code\", \"link\"]]",
        "timeout_seconds": "NotRequired[int]",
        "max_chars": "NotRequired[int]",
    },
)

# Expect a code
ExpectCodeFields = TypedDict(
    "ExpectCodeFields",
    {
        "mailbox_id": "str",
        "from_domain": "str",
        "subject": "NotRequired[str]",
        "kind": "NotRequired[Literal[\"code\", \"link\", \"any\"]]",
        "expires_in_seconds": "NotRequired[int]",
    },
)

# Get an expected code
GetExpectedCodeFields = TypedDict(
    "GetExpectedCodeFields",
    {
        "timeout_seconds": "NotRequired[int]",
        "max_chars": "NotRequired[int]",
    },
)

# Delete an expectation
DeleteExpectationFields = TypedDict(
    "DeleteExpectationFields",
    {},
)

# Claim emails
ClaimEmailsFields = TypedDict(
    "ClaimEmailsFields",
    {
        "limit": "NotRequired[int]",
        "lease_seconds": "NotRequired[int]",
        "wait_seconds": "NotRequired[int]",
        "from_": "NotRequired[str]",
        "to": "NotRequired[str]",
        "envelope_to": "NotRequired[str]",
        "subject": "NotRequired[str]",
        "date_from": "NotRequired[str]",
        "date_to": "NotRequired[str]",
        "label": "NotRequired[str]",
        "is_read": "NotRequired[bool]",
        "auth_verdict": "NotRequired[Literal[\"pass\", \"fail\", \"none\", \"error\"]]",
        "thread_id": "NotRequired[str]",
        "has_attachments": "NotRequired[bool]",
        "max_chars": "NotRequired[int]",
    },
)

# Finish a claimed email
AckEmailFields = TypedDict(
    "AckEmailFields",
    {},
)

# Give a claimed email back
NackEmailFields = TypedDict(
    "NackEmailFields",
    {
        "delay_seconds": "NotRequired[int]",
    },
)

# Prolong a claim
ExtendClaimFields = TypedDict(
    "ExtendClaimFields",
    {
        "lease_seconds": "NotRequired[int]",
    },
)

# List emails
ListEmailsFields = TypedDict(
    "ListEmailsFields",
    {
        "mailbox_id": "NotRequired[str]",
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "offset": "NotRequired[int]",
        "from_": "NotRequired[str]",
        "to": "NotRequired[str]",
        "envelope_to": "NotRequired[str]",
        "subject": "NotRequired[str]",
        "date_from": "NotRequired[str]",
        "date_to": "NotRequired[str]",
        "label": "NotRequired[str]",
        "is_read": "NotRequired[bool]",
        "auth_verdict": "NotRequired[Literal[\"pass\", \"fail\", \"none\", \"error\"]]",
        "thread_id": "NotRequired[str]",
        "direction": "NotRequired[Literal[\"inbound\", \"outbound\"]]",
        "has_attachments": "NotRequired[bool]",
        "order": "NotRequired[Literal[\"desc\", \"asc\"]]",
        "max_chars": "NotRequired[int]",
    },
)

# Send an email
SendEmailFields = TypedDict(
    "SendEmailFields",
    {
        "mailbox_id": "NotRequired[str]",
        "from_": "NotRequired[str]",
        "to": "Union[str, list[str]]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "reply_to": "NotRequired[Union[str, list[str]]]",
        "subject": "NotRequired[str]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "attachments": "NotRequired[list[Any]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "dry_run": "NotRequired[bool]",
        "content_hash": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

# Reply to an email
ReplyEmailFields = TypedDict(
    "ReplyEmailFields",
    {
        "reply_all": "NotRequired[bool]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "quote": "NotRequired[bool]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "attachments": "NotRequired[list[Any]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "dry_run": "NotRequired[bool]",
        "content_hash": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

# Forward an email
ForwardEmailFields = TypedDict(
    "ForwardEmailFields",
    {
        "to": "Union[str, list[str]]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "as_": "NotRequired[Literal[\"inline\", \"attachment\"]]",
        "include_attachments": "NotRequired[bool]",
        "attachments": "NotRequired[list[Any]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "dry_run": "NotRequired[bool]",
        "content_hash": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

# Get an email, in full
GetEmailFields = TypedDict(
    "GetEmailFields",
    {
        "max_chars": "NotRequired[int]",
        "offset": "NotRequired[int]",
        "segments": "NotRequired[bool]",
        "headers": "NotRequired[bool]",
    },
)

# Mark an email
UpdateEmailFields = TypedDict(
    "UpdateEmailFields",
    {
        "is_read": "NotRequired[bool]",
        "add_labels": "NotRequired[list[str]]",
        "remove_labels": "NotRequired[list[str]]",
    },
)

# Delete an email
DeleteEmailFields = TypedDict(
    "DeleteEmailFields",
    {},
)

# Get the links of an email
GetLinksFields = TypedDict(
    "GetLinksFields",
    {
        "max_chars": "NotRequired[int]",
        "offset": "NotRequired[int]",
    },
)

# Get codes and links of an email
GetVerificationFields = TypedDict(
    "GetVerificationFields",
    {
        "max_chars": "NotRequired[int]",
    },
)

# Mark or delete several emails
UpdateEmailsFields = TypedDict(
    "UpdateEmailsFields",
    {
        "email_ids": "list[EmailId]",
        "is_read": "NotRequired[bool]",
        "add_labels": "NotRequired[list[str]]",
        "remove_labels": "NotRequired[list[str]]",
        "delete": "NotRequired[Literal[True]]",
    },
)

# List conversations
ListThreadsFields = TypedDict(
    "ListThreadsFields",
    {
        "mailbox_id": "NotRequired[str]",
        "label": "NotRequired[str]",
        "is_read": "NotRequired[bool]",
        "waiting_for": "NotRequired[Literal[\"us\", \"them\"]]",
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "max_chars": "NotRequired[int]",
    },
)

# Get a conversation
GetEmailThreadFields = TypedDict(
    "GetEmailThreadFields",
    {
        "include_body": "NotRequired[bool]",
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "max_chars": "NotRequired[int]",
    },
)

# Search emails by meaning
SearchEmailsFields = TypedDict(
    "SearchEmailsFields",
    {
        "query": "str",
        "mailbox_id": "NotRequired[str]",
        "from_": "NotRequired[str]",
        "to": "NotRequired[str]",
        "envelope_to": "NotRequired[str]",
        "subject": "NotRequired[str]",
        "date_from": "NotRequired[str]",
        "date_to": "NotRequired[str]",
        "label": "NotRequired[str]",
        "is_read": "NotRequired[bool]",
        "auth_verdict": "NotRequired[Literal[\"pass\", \"fail\", \"none\", \"error\"]]",
        "direction": "NotRequired[Literal[\"inbound\", \"outbound\"]]",
        "limit": "NotRequired[int]",
        "offset": "NotRequired[int]",
        "max_chars": "NotRequired[int]",
    },
)

# Get a link to an attachment
GetAttachmentLinkFields = TypedDict(
    "GetAttachmentLinkFields",
    {},
)

# Create a draft
CreateDraftFields = TypedDict(
    "CreateDraftFields",
    {
        "reply_to_email_id": "NotRequired[EmailId]",
        "reply_all": "NotRequired[bool]",
        "quote": "NotRequired[bool]",
        "mailbox_id": "NotRequired[str]",
        "from_": "NotRequired[str]",
        "to": "NotRequired[Union[str, list[str]]]",
        "cc": "NotRequired[Union[str, list[str]]]",
        "bcc": "NotRequired[Union[str, list[str]]]",
        "reply_to": "NotRequired[Union[str, list[str]]]",
        "subject": "NotRequired[str]",
        "body_text": "NotRequired[str]",
        "body_html": "NotRequired[str]",
        "attachments": "NotRequired[list[Any]]",
        "headers": "NotRequired[dict[str, Any]]",
        "metadata": "NotRequired[dict[str, Any]]",
        "idempotency_key": "NotRequired[str]",
        "send_at": "NotRequired[str]",
        "automatic": "NotRequired[bool]",
    },
)

# List drafts
ListDraftsFields = TypedDict(
    "ListDraftsFields",
    {
        "status": "NotRequired[Literal[\"draft\", \"scheduled\", \"pending_approval\", \"sent\", \"canceled\", \"rejected\"]]",
        "mailbox_id": "NotRequired[str]",
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
        "max_chars": "NotRequired[int]",
    },
)

# Get a draft
GetDraftFields = TypedDict(
    "GetDraftFields",
    {
        "max_chars": "NotRequired[int]",
    },
)

# Change a draft
UpdateDraftFields = TypedDict(
    "UpdateDraftFields",
    {
        "to": "NotRequired[Union[str, list[str]]]",
        "cc": "NotRequired[Union[Union[str, list[str]], None]]",
        "bcc": "NotRequired[Union[Union[str, list[str]], None]]",
        "reply_to": "NotRequired[Union[Union[str, list[str]], None]]",
        "subject": "NotRequired[str]",
        "body_text": "NotRequired[Union[str, None]]",
        "body_html": "NotRequired[Union[str, None]]",
        "attachments": "NotRequired[list[Any]]",
        "headers": "NotRequired[Union[dict[str, Any], None]]",
        "metadata": "NotRequired[Union[dict[str, Any], None]]",
        "send_at": "NotRequired[Union[str, None]]",
        "automatic": "NotRequired[bool]",
    },
)

# Cancel a draft
DeleteDraftFields = TypedDict(
    "DeleteDraftFields",
    {},
)

# Send a draft
SendDraftFields = TypedDict(
    "SendDraftFields",
    {
        "content_hash": "NotRequired[str]",
    },
)

# Approve a draft
ApproveDraftFields = TypedDict(
    "ApproveDraftFields",
    {
        "content_hash": "str",
    },
)

# Reject a draft
RejectDraftFields = TypedDict(
    "RejectDraftFields",
    {
        "reason": "NotRequired[str]",
    },
)

# Create an upload
CreateUploadFields = TypedDict(
    "CreateUploadFields",
    {
        "filename": "NotRequired[str]",
        "content_type": "NotRequired[str]",
    },
)

# List changes
ListChangesFields = TypedDict(
    "ListChangesFields",
    {
        "after": "NotRequired[str]",
        "mailbox_id": "NotRequired[str]",
        "limit": "NotRequired[int]",
        "max_chars": "NotRequired[int]",
    },
)

# List the audit
ListAuditFields = TypedDict(
    "ListAuditFields",
    {
        "email_id": "NotRequired[EmailId]",
        "key_id": "NotRequired[str]",
        "grant_id": "NotRequired[str]",
        "action": "NotRequired[str]",
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
    },
)

# List arrivals
ListArrivalsFields = TypedDict(
    "ListArrivalsFields",
    {
        "mailbox_id": "NotRequired[str]",
        "disposition": "NotRequired[Literal[\"accepted\", \"duplicate\", \"rejected\"]]",
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
    },
)

# List known recipients
ListKnownRecipientsFields = TypedDict(
    "ListKnownRecipientsFields",
    {
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
    },
)

# Withdraw a known recipient
DeleteKnownRecipientFields = TypedDict(
    "DeleteKnownRecipientFields",
    {},
)

# List suppressed recipients
ListSuppressionsFields = TypedDict(
    "ListSuppressionsFields",
    {
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
    },
)

# Allow a recipient again
DeleteSuppressionFields = TypedDict(
    "DeleteSuppressionFields",
    {},
)

# List mailboxes
ListMailboxesFields = TypedDict(
    "ListMailboxesFields",
    {},
)

# Create a mailbox
CreateMailboxFields = TypedDict(
    "CreateMailboxFields",
    {
        "local_part": "NotRequired[Union[str, None]]",
        "email_address": "NotRequired[Union[str, None]]",
        "domain": "NotRequired[Union[str, None]]",
        "generate": "NotRequired[Union[bool, None]]",
    },
)

# Check an address
CheckEmailFields = TypedDict(
    "CheckEmailFields",
    {
        "local_part": "NotRequired[str]",
        "domain": "NotRequired[str]",
        "exclude_mailbox_id": "NotRequired[str]",
    },
)

# Read a mailbox
GetMailboxFields = TypedDict(
    "GetMailboxFields",
    {},
)

# Delete a mailbox
DeleteMailboxFields = TypedDict(
    "DeleteMailboxFields",
    {
        "confirm_email_address": "str",
    },
)

# Change a mailbox
UpdateMailboxFields = TypedDict(
    "UpdateMailboxFields",
    {
        "display_name": "NotRequired[Union[str, None]]",
        "signature": "NotRequired[Union[str, None]]",
        "metadata": "NotRequired[Union[dict[str, Any], None]]",
        "catch_all": "NotRequired[bool]",
    },
)

# Get the policy of a mailbox
GetMailboxPolicyFields = TypedDict(
    "GetMailboxPolicyFields",
    {},
)

# Change the policy of a mailbox
SetMailboxPolicyFields = TypedDict(
    "SetMailboxPolicyFields",
    {
        "approval": "NotRequired[Union[Literal[\"never\", \"new_recipients\", \"always\"], None]]",
        "allow_recipients": "NotRequired[Union[list[str], None]]",
        "block_recipients": "NotRequired[Union[list[str], None]]",
        "allow_senders": "NotRequired[Union[list[str], None]]",
        "block_senders": "NotRequired[Union[list[str], None]]",
        "retention_days": "NotRequired[Union[int, None]]",
    },
)

# List webhooks
ListWebhooksFields = TypedDict(
    "ListWebhooksFields",
    {},
)

# Create a webhook
CreateWebhookFields = TypedDict(
    "CreateWebhookFields",
    {
        "url": "str",
        "events": "list[EventName]",
        "active": "NotRequired[bool]",
        "secret": "NotRequired[str]",
        "mailbox_ids": "NotRequired[Union[list[str], None]]",
        "retry": "NotRequired[Literal[\"standard\", \"extended\"]]",
        "format": "NotRequired[Literal[\"json\", \"slack\"]]",
    },
)

# Get a webhook
GetWebhookFields = TypedDict(
    "GetWebhookFields",
    {},
)

# Change a webhook
UpdateWebhookFields = TypedDict(
    "UpdateWebhookFields",
    {
        "url": "NotRequired[str]",
        "events": "NotRequired[list[EventName]]",
        "active": "NotRequired[bool]",
        "secret": "NotRequired[str]",
        "mailbox_ids": "NotRequired[Union[list[str], None]]",
        "retry": "NotRequired[Literal[\"standard\", \"extended\"]]",
        "format": "NotRequired[Literal[\"json\", \"slack\"]]",
    },
)

# Delete a webhook
DeleteWebhookFields = TypedDict(
    "DeleteWebhookFields",
    {},
)

# List a webhook's deliveries
ListWebhookDeliveriesFields = TypedDict(
    "ListWebhookDeliveriesFields",
    {
        "status": "NotRequired[Literal[\"pending\", \"delivered\", \"failed\"]]",
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
    },
)

# Get a delivery
GetWebhookDeliveryFields = TypedDict(
    "GetWebhookDeliveryFields",
    {},
)

# Replay a delivery
ReplayWebhookDeliveryFields = TypedDict(
    "ReplayWebhookDeliveryFields",
    {},
)

# Send a test event
TestWebhookFields = TypedDict(
    "TestWebhookFields",
    {
        "event": "NotRequired[EventName]",
    },
)

# List API keys
ListApiKeysFields = TypedDict(
    "ListApiKeysFields",
    {
        "limit": "NotRequired[int]",
        "cursor": "NotRequired[str]",
    },
)

# Create an API key
CreateApiKeyFields = TypedDict(
    "CreateApiKeyFields",
    {
        "name": "str",
        "expirationDays": "NotRequired[int]",
        "scopes": "NotRequired[list[Scope]]",
        "mailboxIds": "NotRequired[list[str]]",
        "requestsPerMinute": "NotRequired[int]",
    },
)

# Revoke an API key
RevokeApiKeyFields = TypedDict(
    "RevokeApiKeyFields",
    {},
)

# Download the original message
DownloadRawEmailFields = TypedDict(
    "DownloadRawEmailFields",
    {},
)

# Download an attachment
DownloadAttachmentFields = TypedDict(
    "DownloadAttachmentFields",
    {
        "format": "NotRequired[Literal[\"text\"]]",
        "max_chars": "NotRequired[int]",
        "offset": "NotRequired[int]",
    },
)

# Export a mailbox
ExportMailboxFields = TypedDict(
    "ExportMailboxFields",
    {
        "after": "NotRequired[str]",
        "limit": "NotRequired[int]",
    },
)

# Download an attachment by its link
DownloadByLinkFields = TypedDict(
    "DownloadByLinkFields",
    {},
)

# Import an email
ImportEmailFields = TypedDict(
    "ImportEmailFields",
    {},
)

# Send the bytes of an upload
PutUploadFields = TypedDict(
    "PutUploadFields",
    {},
)

# Follow changes live
StreamEventsFields = TypedDict(
    "StreamEventsFields",
    {
        "after": "NotRequired[str]",
    },
)

WebhookEvent: TypeAlias = "Union[EmailReceivedEvent, EmailImportedEvent, EmailProcessedEvent, EmailSentEvent, EmailFailedEvent, DraftCreatedEvent, DraftUpdatedEvent, DraftPendingApprovalEvent, DraftApprovedEvent, DraftRejectedEvent, DraftSentEvent, DraftCanceledEvent, ApiKeyCreatedEvent]"
