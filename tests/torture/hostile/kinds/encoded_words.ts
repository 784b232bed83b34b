import type { HostileKind } from "../message.ts";

const before = "Subject: {mark} ";
const body = "\n\nhi";

/** Encoded words (RFC 2047) by the ten thousand, split, open and in every charset. */
export const encodedWordKinds: HostileKind[] = [
  { name: "encoded words, Q", before, piece: "=?utf-8?Q?=C3=A9?= ", after: body },
  { name: "encoded words, B", before, piece: "=?utf-8?B?w6k=?= ", after: body },
  { name: "encoded words without a gap", before, piece: "=?utf-8?Q?a?=", after: body },
  { name: "encoded words, folded", before, piece: "=?utf-8?B?w6k=?=\n ", after: "x" + body },
  {
    name: "encoded words in all charsets",
    before,
    piece: (n) => `=?${charsets[n % charsets.length]}?${n % 3 ? "Q" : "B"}?YWFh?= `,
    after: body,
  },
  { name: "encoded words in UTF-7", before, piece: "=?utf-7?Q?+AGE-?= ", after: body },
  { name: "encoded words in nothing", before, piece: "=?x-none?Q?a?= ", after: body },
  { name: "encoded words with languages", before, piece: "=?utf-8*en?Q?a?= ", after: body },
  {
    name: "characters split over words",
    before,
    piece: "=?utf-8?Q?=C3?= =?utf-8?Q?=A9?= ",
    after: body,
  },
  { name: "encoded words that never end", before, piece: "=?utf-8?Q?a ", after: body },
  { name: "openings of encoded words", before, piece: "=?", after: body },
  { name: "question marks", before: "Subject: {mark} =?utf-8?Q?", piece: "?", after: body },
  {
    name: "one encoded word without end",
    before: "Subject: {mark} =?utf-8?B?",
    piece: "YWFh",
    after: `?=${body}`,
  },
  { name: "line ends in encoded words", before, piece: "=?utf-8?Q?=0D=0A?= ", after: body },
  {
    name: "encoded words in every name",
    before: "From: ",
    piece: "=?utf-8?Q?a?= =?iso-2022-jp?B?GyRC?= ",
    after: "<a@h.example>" + body,
  },
];

const charsets = [
  ...[
    "utf-8",
    "iso-8859-1",
    "windows-1252",
    "koi8-r",
    "iso-2022-jp",
    "shift_jis",
    "gb18030",
    "big5",
  ],
  ...["euc-kr", "utf-7", "cp850", "hz-gb-2312", "iso-2022-kr", "utf-16le", "us-ascii", "x-unknown"],
];
