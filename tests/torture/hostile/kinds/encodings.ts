import type { HostileKind } from "../message.ts";

const encoded = (encoding: string, type = "text/plain; charset=utf-8") =>
  `Content-Type: ${type}\nContent-Transfer-Encoding: ${encoding}\n\n`;
const charset = (name: string, type = "text/plain") => `Content-Type: ${type}; charset=${name}\n\n`;

/** Misused transfer encodings and charsets. */
export const encodingKinds: HostileKind[] = [
  { name: "soft line breaks only", before: encoded("quoted-printable"), piece: "=\n" },
  { name: "equal signs", before: encoded("quoted-printable"), piece: "=" },
  {
    name: "equal signs and blanks",
    before: encoded("quoted-printable"),
    piece: `=${" ".repeat(40)}`,
  },
  { name: "quoted-printable that is none", before: encoded("quoted-printable"), piece: "=ZZ=1" },
  { name: "blanks at line ends", before: encoded("quoted-printable"), piece: "a=20 \t \n" },
  {
    name: "blanks without a line end",
    before: encoded("quoted-printable"),
    piece: " \t",
    after: "=20",
  },
  { name: "base64 with garbage", before: encoded("base64"), piece: "!@ $%&\u20ac" },
  { name: "base64 padded in each group", before: encoded("base64"), piece: "YQ==" },
  { name: "base64 of equal signs", before: encoded("base64"), piece: "=" },
  { name: "base64 in one line", before: encoded("base64"), piece: "YWJj" },
  { name: "base64 of HTML", before: encoded("base64", "text/html"), piece: "PGI+" },
  {
    name: "uuencode",
    before: encoded("x-uuencode"),
    piece: "M=&AI<R!I<R!A('1E<W0@;V8@=75E;F-O9&EN9R!T:&%T(&ES(&QO;F<N\n",
  },
  { name: "uuencode in the text", before: "\n", piece: "begin 644 a.txt\n#86)C\n`\nend\n" },
  {
    name: "yEnc in the text",
    before: "\n",
    piece: "=ybegin line=128 size=1 name=a\n=yend size=1\n",
  },
  {
    name: "an encoding that never ends",
    before: "Content-Transfer-Encoding: ",
    piece: "base64 ",
    after: "\n\nhi",
  },
  { name: "UTF-7", before: charset("utf-7"), piece: "+AGE-" },
  { name: "UTF-7 that never closes", before: charset("utf-7"), piece: "+A" },
  { name: "plus signs in UTF-7", before: charset("utf-7"), piece: "+" },
  { name: "escapes of ISO-2022-JP", before: charset("iso-2022-jp"), piece: "\x1b$B\x1b(B" },
  { name: "ISO-2022-JP that never shifts back", before: charset("iso-2022-jp"), piece: '\x1b$B$"' },
  { name: "shifts of ISO-2022-KR", before: charset("iso-2022-kr"), piece: "\x0e!!\x0f" },
  { name: "shifts of ISO-2022-KR that never close", before: charset("iso-2022-kr"), piece: "\x0e" },
  { name: "shifts of HZ", before: charset("hz-gb-2312"), piece: "~{VP~}" },
  { name: "tildes of HZ", before: charset("hz-gb-2312"), piece: "~~" },
  {
    name: "GB18030",
    before: charset("gb18030"),
    piece: "\x81\x30\x81\x30\x81\xfe\xff",
    latin1: true,
  },
  { name: "UTF-16 that is none", before: charset("utf-16le"), piece: "\xd8\x00\xdc", latin1: true },
  { name: "code page 850", before: charset("cp850"), piece: "\x82\xff", latin1: true },
  {
    name: "broken UTF-8",
    before: charset("utf-8"),
    piece: "\xf0\x9f\xc3\x28\xed\xa0\x80",
    latin1: true,
  },
  {
    name: "a charset that never ends",
    before: "Content-Type: text/plain; charset=",
    piece: "x-",
    after: "\n\nhi",
  },
  {
    name: "charsets in a page",
    before: "Content-Type: text/html\n\n",
    piece: "<meta charset=utf-7>",
  },
  { name: "all bytes", before: "\n", piece: (n) => String.fromCharCode(n & 0xff), latin1: true },
  { name: "NULs", before: "\n", piece: "\0" },
  {
    name: "bare CRs",
    before: "Subject: {mark}\r\r",
    piece: "line\r",
    keepsLineEnds: true,
    bare: true,
  },
  {
    name: "CRs only",
    before: "Subject: {mark}\r\n\r\n",
    piece: "\r",
    keepsLineEnds: true,
    bare: true,
  },
  {
    name: "bare LFs",
    before: "Subject: {mark}\n\n",
    piece: "line\n",
    keepsLineEnds: true,
    bare: true,
  },
  { name: "LFs only, no header", before: "{mark}", piece: "\n", keepsLineEnds: true, bare: true },
  { name: "one line of text", before: "\n", piece: "line " },
];
