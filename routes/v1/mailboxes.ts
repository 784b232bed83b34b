import { z } from "zod";
import { checkEmail } from "../../domain/mailboxes/check_email.ts";
import { createMailbox } from "../../domain/mailboxes/create_mailbox.ts";
import { deleteMailbox } from "../../domain/mailboxes/delete_mailbox.ts";
import { type RestRoute } from "../http/rest.ts";
import { listMailboxRecords } from "../../domain/mailboxes/list_mailboxes.ts";
import { bareBody, type Envelope, inData } from "../http/envelopes.ts";

/** `{success: true, mailbox}` (SPEC.md, Mailboxes). */
const inMailbox: Envelope = {
  body: (mailbox) => ({ success: true, mailbox }),
  schema: (mailbox) => z.object({ success: z.literal(true), mailbox }),
};

/** `{success: true, valid: true, ...}` or `{success: true, valid: false, ...}`. */
const verdict: Envelope = {
  body: (output) => ({ success: true, ...output }),
  schema: (output) =>
    z.union(
      (output as z.ZodUnion<z.ZodObject[]>).options.map((each) =>
        z.object({ success: z.literal(true), ...each.shape })
      ),
    ),
};

/** What both families serve: `base` is `/v1/api/mailboxes` or `/api/mailboxes`. */
export function mailboxRoutes(base: string): RestRoute[] {
  return [
    {
      method: "GET",
      path: base,
      operation: listMailboxRecords,
      input: "none",
      envelope: bareBody,
    },
    {
      method: "POST",
      path: base,
      operation: createMailbox,
      input: "json",
      status: 201,
      envelope: inMailbox,
    },
    {
      method: "GET",
      path: `${base}/check-email`,
      operation: checkEmail,
      input: "query",
      envelope: verdict,
    },
    {
      method: "DELETE",
      path: `${base}/:mailboxId`,
      params: { mailboxId: "mailbox_id" },
      operation: deleteMailbox,
      input: "json",
      envelope: inData,
    },
  ];
}
