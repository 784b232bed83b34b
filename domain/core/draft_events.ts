export const draftStatuses = [
  "draft",
  "scheduled",
  "pending_approval",
  "sent",
  "canceled",
  "rejected",
] as const;

export type DraftStatus = typeof draftStatuses[number];

/** What happens to a draft: its changes, and the events of webhooks. */
export const draftEvents = [
  "draft.created",
  "draft.updated",
  "draft.pending_approval",
  "draft.approved",
  "draft.rejected",
  "draft.sent",
  "draft.canceled",
] as const;

export type DraftEventName = typeof draftEvents[number];
