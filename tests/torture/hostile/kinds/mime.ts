import type { HostileKind } from "../message.ts";

const mixed = (boundary: string) => `Content-Type: multipart/mixed; boundary="${boundary}"\n\n`;
const long = "b".repeat(240);

/** MIME trees (RFC 2046) and their parameters (RFC 2231). */
export const mimeKinds: HostileKind[] = [
  { name: "parts by the thousand", before: mixed("b"), piece: "--b\n\nx\n", after: "--b--\n" },
  { name: "delimiters only", before: mixed("b"), piece: "--b\n" },
  { name: "parts whose header never ends", before: mixed("b"), piece: "--b\nX-A: b\n" },
  {
    name: "parts whose header never ends, then a long text",
    before: mixed("b") + "--b\nX-A: b\n".repeat(990),
    piece: "X-More: of the same header\n",
  },
  {
    name: "parts of one long header",
    before: mixed("b") + "--b\n",
    piece: "X-A: b\n",
    after: "\nhi",
  },
  {
    name: "multiparts a thousand deep",
    before: mixed("b0"),
    piece: (n) => `--b${n}\n${mixed(`b${n + 1}`)}`,
  },
  {
    name: "multiparts a thousand deep, closed",
    before: mixed("b0"),
    piece: (n) => `--b${n}\n${mixed(`b${n + 1}`)}`,
    after: (count) => Array.from({ length: count }, (_, n) => `--b${count - n}--\n`).join(""),
  },
  { name: "one boundary at every depth", before: mixed("b"), piece: `--b\n${mixed("b")}` },
  {
    name: "boundaries that begin with each other",
    before: mixed("b"),
    piece: (n) => `--${"b".repeat(1 + n % 200)}\n${mixed("b".repeat(2 + n % 200))}`,
  },
  {
    name: "lines like the boundary",
    before: mixed("bb") + "--bb\n\n",
    piece: "--bbb\n--b\n--bb-\n",
  },
  { name: "lines of dashes", before: mixed("b") + "--b\n\n", piece: "--\n" },
  { name: "delimiters with blanks", before: mixed("b"), piece: `--b${" ".repeat(200)}\n\nx\n` },
  { name: "delimiters that end, again and again", before: mixed("b"), piece: "--b--\n--b\n\nx\n" },
  { name: "a boundary of 240", before: mixed(long), piece: `--${long}\n\nx\n` },
  { name: "a boundary that never comes", before: mixed("never"), piece: "--nearly\n\nx\n" },
  {
    name: "a multipart without boundary",
    before: "Content-Type: multipart/mixed\n\n",
    piece: "--b\n\nx\n",
  },
  {
    name: "multiparts without boundary in one another",
    before: "Content-Type: multipart/mixed\n\n",
    piece: (n) => `--c${n}\nContent-Type: multipart/mixed\n\n`,
  },
  {
    name: "alternatives in alternatives",
    before: "Content-Type: multipart/alternative; boundary=a0\n\n",
    piece: (n) =>
      `--a${n}\nContent-Type: text/html\n\n<p>${n}\n--a${n}\n` +
      `Content-Type: multipart/alternative; boundary=a${n + 1}\n\n`,
  },
  {
    name: "alternatives by the thousand",
    before: "Content-Type: multipart/alternative; boundary=b\n\n",
    piece: "--b\nContent-Type: text/html\n\n<p>x\n--b\n\nx\n",
  },
  {
    name: "a digest",
    before: "Content-Type: multipart/digest; boundary=b\n\n",
    piece: "--b\n\nSubject: x\n\nx\n",
  },
  {
    name: "messages in messages",
    before: "Content-Type: message/rfc822\n\n",
    piece: "Subject: inner\nContent-Type: message/rfc822\n\n",
  },
  {
    name: "messages in multiparts in messages",
    before: mixed("m0"),
    piece: (n) => `--m${n}\nContent-Type: message/rfc822\n\nSubject: ${n}\n${mixed(`m${n + 1}`)}`,
  },
  {
    name: "a fragment of a message",
    before: 'Content-Type: message/partial; id="p@h"; number=1; total=9999\n\n',
    piece: "Subject: inner\n\ntext\n",
  },
  {
    name: "parameters by the thousand",
    before: "Content-Type: text/plain",
    piece: (n) => `;\n p${n}=v`,
    after: "\n\nhi",
  },
  {
    name: "a parameter continued by the thousand",
    before: "Content-Type: text/plain",
    piece: (n) => `;\n name*${n}=part`,
    after: "\n\nhi",
  },
  {
    name: "an encoded parameter continued by the thousand",
    before: "Content-Disposition: attachment; filename*0*=utf-8''a",
    piece: (n) => `; filename*${n + 1}*=%C3%A9`,
    after: "\n\nhi",
  },
  {
    name: "a parameter that never ends",
    before: 'Content-Type: text/plain; name="',
    piece: 'a\\"',
    after: "\n\nhi",
  },
  { name: "comments in a type", before: "Content-Type: text/plain ", piece: "(", after: "\n\nhi" },
  { name: "blanks in a type", before: "Content-Type: text/plain;", piece: " ;", after: "\n\nhi" },
];
