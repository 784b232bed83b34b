import type { HostileKind } from "../message.ts";

const report = (type: string) =>
  `Content-Type: multipart/report; report-type=${type}; boundary=b\n` +
  `In-Reply-To: <sent@agents.test>\n\n--b\n\n{mark} could not be delivered.\n`;
const delivery = report("delivery-status");
const status = `${delivery}--b\nContent-Type: message/delivery-status\n\n`;
const group = (n: number) =>
  `Final-Recipient: rfc822; a${n}@h.example\nAction: failed\nStatus: 5.1.1\n\n`;

const reports: Omit<HostileKind, "reversePath">[] = [
  {
    name: "report: parts by the thousand",
    before: delivery,
    piece: "--b\n\nx\n",
    after: "--b--\n",
  },
  {
    name: "report: statuses by the thousand",
    before: delivery,
    piece: (n) => `--b\nContent-Type: message/delivery-status\n\n${group(n)}`,
    after: "--b--\n",
  },
  { name: "report: recipients by the thousand", before: status, piece: group, after: "--b--\n" },
  { name: "report: empty groups", before: status, piece: "\n", after: "--b--\n" },
  { name: "report: groups of blanks", before: status, piece: " \t\n", after: "--b--\n" },
  {
    name: "report: a diagnostic without end",
    before: `${status}${group(0).trimEnd()}\nDiagnostic-Code: smtp; 550`,
    piece: " no\n",
    after: "\n--b--\n",
  },
  {
    name: "report: fields by the thousand",
    before: `${status}${group(0).trimEnd()}\n`,
    piece: (n) => `X-${n}: v\n`,
    after: "\n--b--\n",
  },
  {
    name: "report: the message that came back",
    before: `${status}${
      group(0)
    }--b\nContent-Type: message/rfc822\n\nMessage-ID: <sent@agents.test>\n`,
    piece: "X-A: b\n",
    after: "\n\n--b--\n",
  },
  {
    name: "report: messages in messages",
    before: delivery,
    piece: "--b\nContent-Type: message/rfc822\n\nSubject: x\n\nx\n",
    after: "--b--\n",
  },
  {
    name: "report: encoded words in every part",
    before: delivery,
    piece: '--b\nContent-Type: text/plain; name="=?utf-8?Q?a?="\n\nx\n',
    after: "--b--\n",
  },
  {
    name: "report: nested reports",
    before: delivery,
    piece: (n) =>
      `--${
        n === 0 ? "b" : `r${n}`
      }\nContent-Type: multipart/report; report-type=delivery-status; boundary=r${n + 1}\n\n`,
  },
  {
    name: "report: read receipts",
    before: report("disposition-notification"),
    piece: "--b\n\nx\n",
  },
];

/** Delivery reports (RFC 3464) from the null sender, which the service reads for bounces. */
export const reportKinds: HostileKind[] = reports.map((kind) => ({ ...kind, reversePath: "" }));
