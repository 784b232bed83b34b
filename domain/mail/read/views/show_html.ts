import type { Caller } from "../../../core/caller.ts";
import { requireScope } from "../../../core/operation.ts";
import type { Reads } from "../reads.ts";
import { storedMessage } from "../parsing/stored_message.ts";
import { getFullEmail } from "../get_email.ts";
import { readBody } from "../parsing/parsed_bodies.ts";
import { readEmail } from "../shown_rows.ts";

/** The HTML of an email, or of a draft, for a reader. */
export interface ShownHtml {
  /** Sanitised; "" if there is a problem. */
  html: string;
  /** Shown in place of the HTML if there is a problem. */
  text: string;
  /** Images of other hosts that were left out. */
  blockedImages: number;
  /** Why the HTML is not shown, in a sentence; else null. */
  problem: string | null;
}

/** The HTML of the caller's email without what runs or loads. Throws NOT_FOUND, FORBIDDEN and SERVICE_UNAVAILABLE. */
export async function showHtml(
  service: Reads,
  caller: Caller,
  emailId: string,
  { remoteImages }: { remoteImages: boolean },
): Promise<ShownHtml> {
  requireScope(caller, getFullEmail.scope);
  const audited = service.audit.begin(caller, getFullEmail.name, { surface: "rest" });
  const email = await readEmail(service, caller, emailId);
  const { text, problem } = await readBody(service, email);
  const attachmentBase = `/api/emails/${encodeURIComponent(emailId)}/attachments/`;
  const showing = { remoteImages, attachmentBase };
  const safe = problem === null
    ? await service.parsing.safeHtml(storedMessage(service, email), showing)
    : null;
  audited?.note({ emailId: email.emailId, mailboxId: email.mailboxId });
  audited?.end(1);
  const { html, blockedImages } = safe ?? { html: "", blockedImages: 0 };
  const why = problem ?? (safe === null ? "This message has no HTML." : safe.problem);
  return { html, text, blockedImages, problem: why };
}
