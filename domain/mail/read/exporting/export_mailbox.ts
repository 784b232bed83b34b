import { z } from "zod";
import type { Wait } from "../../../changes/waiting.ts";
import type { Caller } from "../../../core/caller.ts";
import { decodeCursor, encodeCursor } from "../../../core/cursor.ts";
import { requireAllowed, validationError } from "../../../core/operation.ts";
import type { Service } from "../../../core/service.ts";
import { TimeSlices } from "../../../core/work/time_slices.ts";
import { readMailbox } from "../../../mailboxes/visible_mailboxes.ts";
import { emailRecord, emailRecordOf } from "../../record/email_record.ts";
import { storedEmail } from "../../record/read_email.ts";
import { shownRows } from "../shown_rows.ts";
import { unprocessedOf } from "../unprocessed.ts";
import { messageBase64 } from "./message_base64.ts";
import { readPage } from "./store_order.ts";

export const exportInput = z.object({
  after: z.string().max(500).optional().describe("next_cursor of the export before"),
  limit: z.int().min(1).max(1_000).default(1_000).describe("Emails of this export, 1 to 1,000"),
});

/** One line of an export. */
export const exportLine = z.union([
  z.object({
    email: emailRecord,
    raw_base64: z.string().nullable().describe(
      "The original message in base64; null if the service has lost bytes of it",
    ),
  }),
  z.object({
    next_cursor: z.string().nullable().describe(
      "Where the next export begins; null if no mail comes after this. A stream without this line is incomplete",
    ),
  }),
]).meta({ id: "ExportLine", description: "A line of an export" });

export const exportScope = "emails:read";

/** An export that can be sent: the texts of its lines, and what is called once it is sent, or its client has left. */
export interface Export {
  address: string;
  lines: AsyncGenerator<string>;
  ended(): void;
}

/**
 * Opens the export of some mail of a mailbox, in the order in which it came into the store. Throws what an operation throws,
 * and RATE_LIMIT_EXCEEDED (`window: "concurrent"`) if two exports of the account are under way. Mail that is deleted
 * meanwhile is left out. The lines end early if the credential or the mailbox ends, or if an email is deleted whose line
 * has begun. With `whole` they go on to the last mail. `mailbox` is an id or an address.
 */
export async function openExport(
  service: Service,
  caller: Caller,
  mailbox: string,
  input: unknown,
  client: { signal: AbortSignal; confirm: () => Promise<void> },
  { whole = false } = {},
): Promise<Export> {
  requireAllowed(caller, { name: "export_mailbox", scope: exportScope });
  const parsed = exportInput.safeParse(input);
  if (!parsed.success) throw validationError(parsed.error);
  const { after, limit } = parsed.data;
  const from = after === undefined ? null : decodeCursor(after, ["id"], "after")[0];
  const { userId } = caller;
  const mailboxId = await service.mailboxNames.idOf(caller, mailbox);
  const { address } = await readMailbox(service.database, caller, mailboxId);
  const audited = service.audit.begin(caller, "export_mailbox", { surface: "rest" });
  const wait = service.waiting.begin(userId, "export", client);
  try {
    const read = (after: string | null) => readPage(service, { userId, mailboxId }, after, limit);
    const first = await read(from);
    let count = 0;
    const lines = async function* () {
      let page = first;
      for (;;) {
        yield* mailLines(service, caller, mailboxId, page.emailIds, wait, () => count++);
        if (wait.ended) return;
        if (!whole || page.next === null) break;
        page = await read(page.next);
      }
      yield `${JSON.stringify({ next_cursor: page.next && encodeCursor([page.next]) })}\n`;
    };
    return {
      address,
      lines: lines(),
      ended() {
        wait[Symbol.dispose]();
        audited?.note({ mailboxId });
        audited?.end(count);
      },
    };
  } catch (error) {
    wait[Symbol.dispose]();
    throw error;
  }
}

/** Records that are in memory at a time: each has up to 64 KiB. */
const recordsAtOnce = 20;

/** The emails that are still there, with their records as a list shows them. */
async function recordsOf(service: Service, userId: string, emailIds: readonly string[]) {
  const [stored, unprocessed] = await Promise.all([
    Promise.all(emailIds.map((emailId) => storedEmail(service.database, userId, emailId))),
    unprocessedOf(service, userId, emailIds.toSorted()),
  ]);
  const emails = stored.filter((email) => email !== null);
  const rows = await shownRows(service, userId, emails);
  return rows.map((row, n) => ({
    email: emails[n],
    record: emailRecordOf(row, !unprocessed.has(row.emailId)),
  }));
}

async function* mailLines(
  service: Service,
  caller: Caller,
  mailboxId: string,
  emailIds: readonly string[],
  wait: Wait,
  sent: () => void,
): AsyncGenerator<string> {
  const slices = new TimeSlices(service.clock, caller.userId);
  for (let n = 0; n < emailIds.length; n += recordsAtOnce) {
    await readMailbox(service.database, caller, mailboxId);
    const some = emailIds.slice(n, n + recordsAtOnce);
    for (const { email, record } of await recordsOf(service, caller.userId, some)) {
      // Each email, not each slice: a request of another caller waits for several turns.
      await slices.turn();
      await wait.confirm();
      if (wait.ended) return;
      const raw = await messageBase64(service, email);
      if (raw === "deleted") continue;
      const beginning = `{"email":${JSON.stringify(record)},"raw_base64":`;
      if (raw === "lost") yield `${beginning}null}\n`;
      else {
        yield `${beginning}"`;
        yield* raw;
        yield '"}\n';
      }
      sent();
    }
  }
}
