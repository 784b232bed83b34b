import { z } from "zod";
import type { Caller } from "../core/caller.ts";
import { mailboxIdField } from "./mailbox_id.ts";
import { operation, type OperationCall } from "../core/operation.ts";
import type { Service } from "../core/service.ts";
import type { Tx } from "../store/database.ts";
import { isCatchAll, setCatchAll } from "./catch_all.ts";
import { type Mailbox, mailboxRecord, mailboxRecordOf } from "./mailbox.ts";
import {
  displayNameField,
  metadataField,
  readProfile,
  signatureField,
  writeProfile,
} from "./profile.ts";
import { readMailbox } from "./visible_mailboxes.ts";

/** What can be set of a mailbox besides its address; an absent field stays as it is. */
export const mailboxSettings = z.object({
  display_name: displayNameField.optional().describe(
    "The name in From of what it sends, unless a send names another; null: none",
  ),
  signature: signatureField.optional().describe(
    "Put below what is written, after a line of two dashes, above a quote; null: none",
  ),
  metadata: metadataField.nullable().optional().describe(
    "At most 20 texts of 500 characters by keys of a-z, 0-9 and _; null: none",
  ),
  catch_all: z.boolean().optional().describe(
    "true: it takes mail to every address of its domain that no mailbox has. On a verified domain of the account; one mailbox a domain",
  ),
});
export type MailboxSettings = z.output<typeof mailboxSettings>;

/** A mailbox with what can be set. */
export const mailboxDetail = mailboxRecord.extend({
  display_name: z.string().nullable(),
  signature: z.string().nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  catch_all: z.boolean(),
}).meta({ id: "MailboxDetail", description: "A mailbox, with its name, signature and metadata" });

export const getMailbox = operation({
  name: "get_mailbox",
  title: "Read a mailbox",
  description: "A mailbox with its name, signature and metadata. Its address is an id too.",
  scope: "mailboxes:read",
  audit: "none",
  input: z.object({ mailbox_id: mailboxIdField() }),
  output: mailboxDetail,
  errors: ["NOT_FOUND"],
  async run(service, caller, { mailbox_id }) {
    const mailbox = await readMailbox(service.database, caller, mailbox_id);
    return await detailOf(service.database, mailbox);
  },
});

export const updateMailbox = operation({
  name: "update_mailbox",
  title: "Change a mailbox",
  description:
    "Sets the name, signature, metadata or catch-all of a mailbox; fields that are absent stay. The name and signature are " +
    "put into what is written from then on. A session changes the address with the same route under /api.",
  scope: "mailboxes:write",
  audit: "change",
  input: mailboxSettings.extend({ mailbox_id: mailboxIdField() }),
  output: mailboxDetail,
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND", "DOMAIN_NOT_ALLOWED", "CONFLICT"],
  run: (service, caller, { mailbox_id, ...settings }, call) =>
    setMailbox(service, caller, call, mailbox_id, settings),
});

/** Writes the settings that are given; returns the mailbox's record. */
export async function setMailbox(
  service: Service,
  caller: Caller,
  call: OperationCall,
  mailboxId: string,
  { catch_all: catchAll, ...profile }: MailboxSettings,
): Promise<z.input<typeof mailboxDetail>> {
  return await service.database.transact(async (tx) => {
    const mailbox = await readMailbox(tx, caller, mailboxId);
    if (catchAll !== undefined) await setCatchAll(tx, service, caller, mailbox, catchAll);
    const written = await writeProfile(tx, mailbox, profile);
    call.audit({ mailboxId }, tx);
    return await detailOf(tx, written);
  });
}

async function detailOf(
  store: Pick<Tx, "get">,
  mailbox: Mailbox,
): Promise<z.input<typeof mailboxDetail>> {
  const { displayName, signature, metadata } = await readProfile(store, mailbox);
  return {
    ...mailboxRecordOf(mailbox),
    display_name: displayName,
    signature,
    metadata,
    catch_all: await isCatchAll(store, mailbox),
  };
}
