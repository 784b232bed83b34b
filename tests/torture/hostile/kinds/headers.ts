import type { HostileKind } from "../message.ts";

const deepDate = "Date: Mon, 3 Aug 2026 10:00:00 +0000 ";

/** Header blocks: fields without end, by the thousand, or that are not text. */
export const headerKinds: HostileKind[] = [
  { name: "a field that never ends", before: "X-Long: ", piece: "x" },
  { name: "a subject that never ends", before: "Subject: {mark} ", piece: "word " },
  { name: "a field folded for ever", before: "X-Folded: a\n", piece: " folded text\n" },
  {
    name: "a subject folded for ever",
    before: "Subject: {mark}\n",
    piece: " more\n",
    after: "\nhi",
  },
  { name: "folds of blanks only", before: "Subject: {mark}\n", piece: " \t \n", after: "\nhi" },
  { name: "blanks in the subject", before: "Subject: {mark}", piece: " ", after: "x\n\nhi" },
  { name: "blanks before a colon", before: "X-Blanks", piece: " ", after: ": x\n\nhi" },
  { name: "fields by the thousand", before: "", piece: (n) => `X-${n}: v\n`, after: "\nhi" },
  { name: "one field by the thousand", before: "Subject: {mark}\n", piece: "Subject: again\n" },
  { name: "fields without a name", before: "", piece: ":\n", after: "\nhi" },
  { name: "header lines without a colon", before: "", piece: "no field\n", after: "\nhi" },
  { name: "a field name without end", before: "", piece: "a" },
  {
    name: "received lines by the thousand",
    before: "",
    piece: (n) => `Received: from a${n}.example by b.example; Mon, 3 Aug 2026 10:00:00 +0000\n`,
    after: "\nhi",
  },
  {
    name: "references by the thousand",
    before: "References:",
    piece: (n) => ` <r${n}@hostile.example>\n`,
    after: "\nhi",
  },
  {
    name: "references in one line",
    before: "References: ",
    piece: (n) => `<r${n}@h>`,
    after: "\n\nhi",
  },
  { name: "references that never close", before: "References: ", piece: "<r ", after: "\n\nhi" },
  { name: "references that only close", before: "References: a@b", piece: ">", after: "\n\nhi" },
  {
    name: "an answer to words",
    before: "In-Reply-To: ",
    piece: (n) => `w${n}@h `,
    after: "\n\nhi",
  },
  {
    name: "an answer in prose",
    before: "In-Reply-To: ",
    piece: "Your message from Ann <ann@example.com> of ",
    after: "\n\nhi",
  },
  {
    name: "message ids in one field",
    before: "Message-ID: ",
    piece: (n) => `<i${n}@h>`,
    after: "\n\nhi",
  },
  { name: "a message id that never ends", before: "Message-ID: <", piece: "i", after: "\n\nhi" },
  { name: "a date in nested comments", before: deepDate, piece: "(", after: "\n\nhi" },
  { name: "a date of comments", before: deepDate, piece: "(a) ", after: "\n\nhi" },
  { name: "a date of digits", before: "Date: ", piece: "1 ", after: "\n\nhi" },
  { name: "a list id without end", before: "List-Id: ", piece: "<l> ", after: "\n\nhi" },
  { name: "NULs in the header", before: "Subject: {mark} ", piece: "\0", after: "\n\nhi" },
  { name: "CRs in the header", before: "Subject: {mark} ", piece: "\r", after: "\n\nhi" },
  {
    name: "eight-bit header",
    before: "Subject: {mark} ",
    piece: "\xe9\xe8 ",
    after: "\n\nhi",
    latin1: true,
  },
  {
    name: "broken UTF-8 in names",
    before: "From: ",
    piece: "\xc3\x28\xf0\x9f",
    after: " <mallory@hostile.example>\n\nhi",
    latin1: true,
  },
];
