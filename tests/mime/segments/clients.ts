import type { SegmentOrigin } from "../../../mime/segments/segments.ts";
import { message } from "../fixture.ts";
import type { Language } from "./languages.ts";

/** Lines of a mail with the same origin. */
export interface Piece {
  origin: SegmentOrigin;
  lines: string[];
}

export interface Sample {
  subject: string;
  raw: Uint8Array;
  /** What a reader of the mail sees, in order. */
  pieces: Piece[];
}

const piece = (origin: SegmentOrigin, ...lines: string[]): Piece => ({ origin, lines });
const bob = "Bob Example <bob@example.com>";
const named = (text: string) => text.replace("@", bob);
const when = "Tuesday, November 3, 2026 10:00 AM";
const signature = ["Ann Example", "Example Ltd, Harbour Street 4", "+1 555 0100"];
const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const joined = (pieces: Piece[]) => pieces.flatMap(({ lines }) => lines);

function mail(
  subject: string,
  plain: string[] | null,
  html: string | null,
  flowed = false,
): Uint8Array {
  const head = `From: Ann Example <ann@example.com>\nTo: ${bob}\nSubject: =?utf-8?B?${
    btoa(String.fromCharCode(...new TextEncoder().encode(subject)))
  }?=\nMIME-Version: 1.0\n`;
  const encoded = "Content-Transfer-Encoding: 8bit\n\n";
  const text =
    `Content-Type: text/plain; charset=utf-8${flowed ? "; format=flowed" : ""}\n${encoded}` +
    `${plain?.join("\n")}\n`;
  const page = `Content-Type: text/html; charset=utf-8\n${encoded}${html}\n`;
  if (html === null) return message(head + text);
  if (plain === null) return message(head + page);
  return message(
    `${head}Content-Type: multipart/alternative; boundary=b\n\n--b\n${text}\n--b\n${page}\n--b--\n`,
  );
}

const quotedLines = (lines: string[]) => lines.map((line) => line === "" ? ">" : `> ${line}`);
const spaced = (lines: string[]) => lines.flatMap((line) => [line, ""]);

/** The header block of Outlook. */
function outlookFields({ outlook: [from, sent, to, subject] }: Language): string[] {
  return [
    `${from}: ${bob}`,
    `${sent}: ${when}`,
    `${to}: Ann Example <ann@example.com>`,
    `${subject}: October`,
  ];
}

function gmailReply(own: Language): Sample {
  const subject = `${own.subject[0]}: October`;
  const attribution = named(own.gmail);
  const pieces = [
    piece("new", ...spaced(own.fresh)),
    piece("signature", "-- ", ...signature),
    piece("quoted", "", attribution, "", ...quotedLines([own.old[0], "", own.old[1]])),
  ];
  // Gmail breaks the long line.
  const plain = joined(pieces).map((line) =>
    line === attribution ? line.replace(" <bob@", "\n<bob@") : line
  );
  const html =
    `<div dir="ltr">${own.fresh.map((line) => `<div>${line}</div><div><br></div>`).join("")}` +
    `<span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">${
      signature.join("<br>")
    }</div></div>` +
    `<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">${
      escaped(attribution)
    }<br></div>` +
    `<blockquote class="gmail_quote">${own.old.join("<br>")}</blockquote></div>`;
  return { subject, raw: mail(subject, plain, html), pieces };
}

function gmailForward(own: Language): Sample {
  const subject = `Fwd: October`;
  const pieces = [
    piece("new", own.fresh[0], ""),
    piece(
      "forwarded",
      `---------- ${own.forwarded[0]} ---------`,
      `${own.outlook[0]}: ${bob}`,
      `Date: Tue, Nov 3, 2026 at 10:00 AM`,
      `${own.outlook[3]}: October`,
      `To: Ann Example <ann@example.com>`,
      "",
      "",
      ...spaced(own.old),
    ),
  ];
  return { subject, raw: mail(subject, joined(pieces), null), pieces };
}

function outlookBody(own: Language, subject: string, origin: "quoted" | "forwarded"): Sample {
  const fields = outlookFields(own);
  const pieces = [
    piece("new", ...own.fresh),
    piece("signature", own.farewell, ...signature),
    piece("disclaimer", own.disclaimer),
    piece(origin, ...fields, ...own.old),
  ];
  const p = (line: string) =>
    `<p class="MsoNormal"><span lang="EN-US">${line}<o:p></o:p></span></p>`;
  const block = fields.map((line) => {
    const colon = line.indexOf(":");
    return `<b>${line.slice(0, colon)}:</b>${escaped(line.slice(colon + 1))}`;
  }).join("<br>");
  const html =
    `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!--p.MsoNormal{margin:0cm;font-size:11.0pt}--></style></head>` +
    `<body><div class="WordSection1">${own.fresh.map(p).join("")}${p("&nbsp;")}${p(own.farewell)}${
      signature.map(p).join("")
    }${p("&nbsp;")}${p(own.disclaimer)}${p("&nbsp;")}` +
    `<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class="MsoNormal">${block}<o:p></o:p></p></div>` +
    `${p("&nbsp;")}${own.old.map(p).join("")}</div></body></html>`;
  return { subject, raw: mail(subject, null, html), pieces };
}

const outlookReply = (own: Language) => outlookBody(own, `${own.subject[0]}: October`, "quoted");
const outlookForward = (own: Language) =>
  outlookBody(own, `${own.subject[1]}: October`, "forwarded");

/** Outlook on the web and its new programs: a rule and a header block, in both forms. */
function newOutlookReply(own: Language): Sample {
  const subject = `${own.subject[0]}: October`;
  const fields = outlookFields(own);
  const pieces = [
    piece("new", ...spaced(own.fresh)),
    piece("quoted", "________________________________", ...fields, "", ...spaced(own.old)),
  ];
  const html =
    `<div class="elementToProof">${own.fresh.join("<br><br>")}</div><div id="appendonsend"></div>` +
    `<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">${
      fields.map(escaped).join("<br>")
    }</div><div>${own.old.join("<br>")}</div>`;
  return { subject, raw: mail(subject, joined(pieces), html), pieces };
}

function mobileOutlookReply(own: Language): Sample {
  const subject = `${own.subject[0]}: October`;
  const fields = outlookFields(own);
  const pieces = [
    piece("new", own.fresh[0], own.fresh[2]),
    piece("signature", own.mobile[1]),
    piece("quoted", ...fields, ...own.old),
  ];
  const html =
    `<html><body><div dir="auto">${own.fresh[0]}</div><div dir="auto">${own.fresh[2]}</div>` +
    `<div id="ms-outlook-mobile-signature"><div><br></div><a href="https://aka.ms/o0ukef">${
      own.mobile[1]
    }</a></div>` +
    `<hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri">${
      fields.map((line) =>
        `<b>${escaped(line.split(":")[0])}:</b>${escaped(line.slice(line.indexOf(":") + 1))}`
      )
        .join("<br>")
    }</font><div>&nbsp;</div></div><div dir="ltr">${
      own.old.map((line) => `<p>${line}</p>`).join("")
    }</div></body></html>`;
  return { subject, raw: mail(subject, null, html), pieces };
}

function appleReply(own: Language): Sample {
  const subject = `${own.subject[0]}: October`;
  const pieces = [
    piece("new", own.fresh[0], "", own.fresh[1], ""),
    piece("signature", own.mobile[0], ""),
    piece("quoted", ...quotedLines([named(own.apple)]), ...quotedLines(["", ...spaced(own.old)])),
  ];
  return { subject, raw: mail(subject, joined(pieces), null), pieces };
}

function appleForward(own: Language): Sample {
  const subject = "Fwd: October";
  const [from, , to, about] = own.outlook;
  const pieces = [
    piece("new", own.fresh[0], ""),
    piece(
      "forwarded",
      own.forwarded[1],
      "",
      ...quotedLines([
        `${from}: ${bob}`,
        `${about}: October`,
        `${to}: ann@example.com`,
        "",
        ...own.old,
      ]),
    ),
  ];
  return { subject, raw: mail(subject, joined(pieces), null), pieces };
}

/** Answers between the quoted lines. */
function mozillaReply(own: Language): Sample {
  const subject = `Re: October`;
  const pieces = [
    piece("quoted", own.mozilla, `> ${own.old[0]}`),
    piece("new", "", own.fresh[0], own.fresh[1], ""),
    piece("quoted", `> ${own.old[1]}`),
    piece("new", "", own.fresh[2], ""),
    piece("signature", "-- ", ...signature),
  ];
  return { subject, raw: mail(subject, joined(pieces), null, true), pieces };
}

function mozillaForward(own: Language): Sample {
  const subject = "Fwd: October";
  const [about, date, from, to] = own.mozillaFields;
  const pieces = [
    piece("new", own.fresh[0], "", own.fresh[1], ""),
    piece(
      "forwarded",
      `-------- ${own.forwarded[2]} --------`,
      `${about}: \tOctober`,
      `${date}: \tTue, 3 Nov 2026 10:00:00 +0100`,
      `${from}: \t${bob}`,
      `${to}: \tAnn Example <ann@example.com>`,
      "",
      ...spaced(own.old),
    ),
  ];
  return { subject, raw: mail(subject, joined(pieces), null), pieces };
}

/** Yahoo quotes without marks in its HTML, and its plain text has blanks instead. */
function yahooReply(own: Language): Sample {
  const subject = `Re: October`;
  const attribution = named(own.yahoo);
  const pieces = [
    piece("new", ...own.fresh),
    piece("quoted", attribution, ...own.old),
  ];
  const html =
    `<html><body><div class="ydp1"><div>${
      own.fresh.join("</div><div><br></div><div>")
    }</div></div>` +
    `<div id="yahoo_quoted_1" class="yahoo_quoted"><div><div>${
      escaped(attribution)
    }</div><div><br></div><div>` +
    `<div>${own.old.join("<br>")}</div></div></div></div></body></html>`;
  const plain = [
    ...spaced(own.fresh),
    `    ${attribution}  `,
    "",
    ...own.old.map((line) => ` ${line}`),
    "  ",
  ];
  return { subject, raw: mail(subject, plain, html), pieces };
}

function protonReply(own: Language): Sample {
  const subject = `Re: October`;
  const pieces = [
    piece("new", ...spaced(own.fresh)),
    piece("signature", own.mobile[2], ""),
    piece("quoted", named(own.apple), "", ...quotedLines(own.old)),
  ];
  const html = `<div style="font-family:Arial">${own.fresh.join("<br><br>")}</div>` +
    `<div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">${
      own.mobile[2]
    }</div></div>` +
    `<div class="protonmail_quote">${
      escaped(named(own.apple))
    }<br><blockquote class="protonmail_quote" type="cite">${
      own.old.join("<br>")
    }</blockquote></div>`;
  return { subject, raw: mail(subject, joined(pieces), html), pieces };
}

/** The output of each mail program. */
export const clients: Record<string, (own: Language) => Sample> = {
  "Gmail, reply": gmailReply,
  "Gmail, forward": gmailForward,
  "Outlook desktop, reply": outlookReply,
  "Outlook desktop, forward": outlookForward,
  "Outlook on the web, reply": newOutlookReply,
  "Outlook on a phone, reply": mobileOutlookReply,
  "Apple Mail, reply": appleReply,
  "Apple Mail, forward": appleForward,
  "Thunderbird, reply": mozillaReply,
  "Thunderbird, forward": mozillaForward,
  "Yahoo or Proton": (own) => own.fresh[0].length % 2 === 0 ? yahooReply(own) : protonReply(own),
};
