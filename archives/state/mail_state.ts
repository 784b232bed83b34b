import type { Mark } from "./marks.ts";

/** What an import leaves out, unless it is asked for. */
export const unwanted = ["spam", "trash", "drafts", "chats"] as const;
export type Unwanted = typeof unwanted[number];

/** What a source knows of a message beside its bytes. */
export interface MailState {
  /** When it came, in ms since 1970; null if the source does not say: the service reads it from the message. */
  receivedAt: number | null;
  /** null if the source does not say. */
  isRead: boolean | null;
  /** null if the source does not say: the service compares the author with the mailbox. */
  direction: "inbound" | "outbound" | null;
  /** In the service's grammar, at most 32. */
  labels: string[];
  /** What it is, if an import leaves it out. */
  unwanted: Unwanted[];
}

export function isUnwanted(mark: Mark | null): mark is Unwanted {
  return (unwanted as readonly (string | null)[]).includes(mark);
}

/** The end of 9999: the last year of RFC 3339. */
const latest = 253_402_300_799_999;

/** The headers that carry it to the service. */
export function importHeaders(state: MailState): Record<string, string> {
  const { receivedAt, isRead, direction, labels } = state;
  const isTime = receivedAt !== null && receivedAt >= 0 && receivedAt <= latest;
  return {
    ...isTime ? { "x-import-received-at": new Date(receivedAt).toISOString() } : {},
    ...isRead === null ? {} : { "x-import-read": String(isRead) },
    ...labels.length === 0 ? {} : { "x-import-labels": labels.join(",") },
    ...direction === null ? {} : { "x-import-direction": direction },
  };
}
