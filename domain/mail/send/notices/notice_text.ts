import type { Service } from "../../../core/service.ts";
import { htmlToText } from "../../../../mime/body/html_text.ts";
import { cutText } from "../../../../mime/text/cut_text.ts";
import type { Provenance } from "../../record/send_output.ts";
import type { ShownDraft } from "./shown_drafts.ts";

/** All that mail programs show as a new line (UAX 14, BK, CR, LF and NL): a line of a draft must not look like one of ours. */
const lineBreak = /\r\n?|[\n\v\f\x85\u2028\u2029]/;

/** Of a draft's text, and of each line of its head. */
const most = { textChars: 1_000, textLines: 20, lineChars: 300, htmlChars: 20_000 };

/**
 * The mail that tells a person what waits: who writes to whom, why it waits, the beginning of the text, and where to
 * decide. Plain text, in which nothing of a draft is a link but what looks like one. `count`: of all that wait.
 */
export function noticeOf(
  { BASE_URL }: Pick<Service["settings"], "BASE_URL">,
  drafts: readonly ShownDraft[],
  count: number,
): { subject: string; text: string } {
  const subject = count === 1
    ? "A mail waits for your approval"
    : `${count} mails wait for your approval`;
  const more = count - drafts.length;
  const paragraphs = [
    count === 1
      ? "An agent wants to send this mail. It waits until a person approves it."
      : "Agents want to send these mails. Each waits until a person approves it.",
    ...drafts.flatMap(partOf),
    ...more > 0
      ? [`${drafts.length > 0 ? "And " : ""}${more} more:`, `${BASE_URL}/app/drafts`]
      : [],
    "Your notices of waiting mail are on. You get at most one a minute, and none while nothing new waits.",
  ];
  return { subject, text: `${paragraphs.join("\n\n")}\n` };
}

function partOf(draft: ShownDraft): string[] {
  const copies = [...draft.cc, ...draft.bcc];
  const files = draft.attachments.map(({ filename }) => filename);
  const facts = [
    ["From", draft.from],
    ["To", draft.to.join(", ")],
    ["Copies", copies.join(", ")],
    ["Answers go to", draft.reply_to.join(", ")],
    ["Subject", draft.subject || "(no subject)"],
    ["Files", files.join(", ")],
    ["Goes out", draft.send_at ?? ""],
  ].filter(([, value]) => value !== "").map(([name, value]) => `${name}: ${line(value)}`);
  return [
    "----------------------------------------",
    [...facts, ...whyItWaits(draft)].join("\n"),
    quoted(draft).join("\n"),
    "Read it whole and decide:",
    draft.approval_url!,
  ];
}

const provenances: Record<Provenance, string> = {
  own: "is a mailbox of this account",
  known: "got approved mail before",
  listed: "is on the mailbox's list",
  new: "is new: nobody has approved mail there yet",
};

function whyItWaits({ reasons, isAlwaysAsked }: ShownDraft): string[] {
  const named = isAlwaysAsked ? reasons.filter(({ provenance }) => provenance === "new") : reasons;
  const shown = named.slice(0, 3).map(({ recipient, provenance }) =>
    `${line(recipient)} ${provenances[provenance]}.`
  );
  return [
    ...isAlwaysAsked ? ["Why: this mailbox asks a person about every mail."] : [],
    ...shown.map((each) => `Why: ${each}`),
    ...named.length > 3 ? [`Why: so it is with ${named.length - 3} more.`] : [],
  ];
}

function quoted({ body_text, body_html }: ShownDraft): string[] {
  const text = (body_text ?? htmlToText((body_html ?? "").slice(0, most.htmlChars))).trim();
  const lines = cutText(text, most.textChars).split(lineBreak);
  const isCut = text.length > most.textChars || lines.length > most.textLines;
  return [
    ...lines.slice(0, most.textLines).map((each) => `> ${each}`),
    ...isCut ? ["> [...]"] : [],
  ];
}

/** One line, cut. */
function line(text: string): string {
  const one = text.replace(/[\s\p{Cc}]+/gu, " ");
  return one.length > most.lineChars ? `${cutText(one, most.lineChars)}...` : one;
}
