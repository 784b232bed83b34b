import type { Settings } from "./settings.ts";

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

/** The page on which a person decides about a draft that waits for approval. */
export function approvalUrl({ BASE_URL }: Pick<Settings, "BASE_URL">, draftId: string): string {
  return `${BASE_URL}/app/waiting/${draftId}`;
}
