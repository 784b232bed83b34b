import { z } from "zod";
import type { Tx } from "../store/database.ts";
import * as keys from "../store/keys.ts";
import type { Mailbox } from "./mailbox.ts";

const maxNameChars = 100;
const maxSignatureChars = 2_000;
const maxMetadata = 20;

/** What a mailbox adds to what is written in it, and facts that programs keep with it. */
export interface MailboxProfile {
  /** The name in From of what it sends. */
  displayName: string | null;
  /** Lines below what is written. */
  signature: string | null;
  metadata: Readonly<Record<string, string>> | null;
}

const emptyProfile: MailboxProfile = { displayName: null, signature: null, metadata: null };

/** A text without a visible character unsets a field, as `null` does. */
const orNull = (text: string | null) => text === null || text.trim() === "" ? null : text;

/** Mail programs would show an address in a name as the sender. */
export const displayNameField = z.string().max(maxNameChars)
  .regex(/^\P{Cc}*$/u, "must have no control characters")
  .regex(/^[^@\uff20\ufe6b]*$/, "must not hold an address")
  .nullable().transform((text) => orNull(text?.trim() ?? null));

export const signatureField = z.string().max(maxSignatureChars)
  // deno-lint-ignore no-control-regex -- of controls, a signature may have lines and tabs
  .regex(/^[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]*$/, "must have no control characters")
  .nullable().transform((text) => orNull(text?.replace(/\r\n?/g, "\n").trimEnd() ?? null));

/** Texts that a program keeps with a record. They are never sent. */
export const metadataField = z.record(
  z.string().regex(/^[a-z0-9_]{1,40}$/, "keys have 1 to 40 of a-z, 0-9 and _"),
  z.string().max(500),
).refine(
  (value) => Object.keys(value).length <= maxMetadata,
  `must have at most ${maxMetadata} entries`,
);

/** The profile of a mailbox; empty if it was never set. */
export async function readProfile(
  store: Pick<Tx, "get">,
  { userId, mailboxId, hasProfile }: Pick<Mailbox, "userId" | "mailboxId" | "hasProfile">,
): Promise<MailboxProfile> {
  // Most have none, and a send need not wait for one more row.
  if (!hasProfile) return emptyProfile;
  const stored = await store.get<Partial<MailboxProfile>>(keys.mailboxProfile(userId, mailboxId));
  return { ...emptyProfile, ...stored };
}

/** Writes the fields that are given; a profile without any has no row. Returns the mailbox as it is then. */
export async function writeProfile(
  tx: Tx,
  mailbox: Mailbox,
  given: {
    display_name?: string | null;
    signature?: string | null;
    metadata?: Record<string, string> | null;
  },
): Promise<Mailbox> {
  const before = await readProfile(tx, mailbox);
  const { display_name, signature, metadata } = given;
  const after: MailboxProfile = {
    displayName: display_name === undefined ? before.displayName : display_name,
    signature: signature === undefined ? before.signature : signature,
    metadata: metadata === undefined ? before.metadata : metadata,
  };
  const { userId, mailboxId } = mailbox;
  const row = keys.mailboxProfile(userId, mailboxId);
  const set = Object.entries(after).filter(([, value]) => value !== null);
  const { hasProfile: _, ...bare } = mailbox;
  const written: Mailbox = set.length === 0 ? bare : { ...bare, hasProfile: true };
  if (set.length === 0) tx.delete(row);
  else tx.set(row, Object.fromEntries(set));
  tx.set(keys.mailbox(userId, mailboxId), written);
  return written;
}
