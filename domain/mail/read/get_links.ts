import { z } from "zod";
import { emailId } from "../../core/email_id.ts";
import { operation } from "../../core/operation.ts";
import { fitRows, maxCharsField } from "./budget.ts";
import { emailIdInput, untrusted } from "./get_email.ts";
import { linksOf } from "./links_of.ts";
import { readEmail } from "./shown_rows.ts";
import { linkKind } from "./get_verification.ts";
import { truncatedField } from "../record/email_record.ts";

const linkRecord = z.object({
  n: z.int().describe("Its number in the email, from 1: `[link 7]` of a shortened URL is 7"),
  url: z.string().describe("Whole, as the email has it"),
  text: z.string().nullable().describe("The words that a reader sees; null if it is hidden"),
  host: z.string(),
  kind: linkKind,
  hidden: z.boolean().optional().describe(
    "Present and true if the email does not show the link: do not open it",
  ),
  truncated: truncatedField,
}).meta({ id: "EmailLink", description: "A link of an email" });

export const getLinks = operation({
  name: "get_links",
  title: "Get the links of an email",
  description:
    "Every http and https link of an email in order, with its whole URL, its words, its host and what it is for: verify, sign_in, reset, unsubscribe or " +
    "other. Use it for a URL that get_email shows shortened (`…[link 7]` is the link with n 7), or for links that only the HTML has. For the one link of a " +
    `sign-up use get_verification. Pass a URL on exactly as it stands. ${untrusted}`,
  scope: "emails:read",
  audit: "read",
  input: emailIdInput.extend({
    max_chars: maxCharsField,
    offset: z.int().min(0).default(0).describe(
      "Links to skip: next_offset of the answer before",
    ),
  }),
  output: z.object({
    email_id: emailId,
    links: z.array(linkRecord).describe("At most 500, each URL once"),
    truncated: truncatedField,
    next_offset: z.int().optional().describe("Present if links were left off: the next offset"),
  }).meta({ id: "EmailLinks", description: "The links of an email" }),
  errors: ["VALIDATION_ERROR", "FORBIDDEN", "NOT_FOUND"],
  fit: (output, maxChars, { offset }) =>
    fitRows(output, "links", maxChars, (kept) => ({
      truncated: true,
      next_offset: offset + kept.length,
    })),
  async run(service, caller, { email_id, offset }, call) {
    const email = await readEmail(service, caller, email_id);
    call.audit({ emailId: email.emailId, mailboxId: email.mailboxId });
    const links = await linksOf(service, email);
    return { email_id, links: links.slice(offset) };
  },
});
