import type { HostileKind } from "../message.ts";

const mixed = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nThe text.\n";

/** Attachments: their number, names and contents. */
export const attachmentKinds: HostileKind[] = [
  {
    name: "attachments by the thousand",
    before: mixed,
    piece: (n) =>
      `--b\nContent-Type: application/pdf; name=${n}.pdf\nContent-Disposition: attachment\n\nx\n`,
    after: "--b--\n",
  },
  {
    name: "attachments of one name",
    before: mixed,
    piece: "--b\nContent-Disposition: attachment; filename=a.txt\n\nx\n",
  },
  {
    name: "an attachment with a long name",
    before: `${mixed}--b\nContent-Disposition: attachment; filename="`,
    piece: "name ",
    after: '"\n\nx\n--b--\n',
  },
  {
    name: "attachments with long names",
    before: mixed,
    piece: `--b\nContent-Disposition: attachment; filename="${"long ".repeat(1_200)}"\n\nx\n`,
  },
  {
    name: "names of encoded words and folders",
    before: mixed,
    piece: '--b\nContent-Disposition: attachment; filename="=?utf-8?Q?../../=C3=A9?="\n\nx\n',
  },
  {
    name: "pictures by content id",
    before: "Content-Type: multipart/related; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>x\n",
    piece: (n) => `--b\nContent-Type: image/png\nContent-ID: <c${n}@h>\n\nx\n`,
  },
  {
    name: "a long content id",
    before: `${mixed}--b\nContent-Type: image/png\nContent-ID: <`,
    piece: "c",
    after: ">\n\nx\n--b--\n",
  },
  {
    name: "calendars",
    before: mixed,
    piece: "--b\nContent-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n",
  },
  {
    name: "a calendar without end",
    before: "Content-Type: text/calendar\n\nBEGIN:VCALENDAR\n",
    piece: (n) => `BEGIN:VEVENT\nUID:${n}\nSUMMARY:meeting\n folded\n`,
  },
  {
    name: "a table of random words",
    before:
      `${mixed}--b\nContent-Type: text/csv\nContent-Disposition: attachment; filename=a.csv\n\n`,
    piece: (_n, random) => `${random().toString(36).slice(2)},`,
  },
  {
    name: "texts attached by the hundred",
    before: mixed,
    piece: (n, random) =>
      `--b\nContent-Type: text/csv; name=${n}.csv\n\n${random().toString(36).repeat(80)}\n`,
  },
  {
    name: "attachments in base64",
    before: mixed,
    piece: "--b\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAAA\n",
  },
];
