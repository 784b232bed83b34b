import type { HostileKind } from "../message.ts";

const body = "\n\nhi";

/** Address lists (RFC 5322, section 3.4): long ones, nested ones, ones that never close. */
export const addressKinds: HostileKind[] = [
  {
    name: "addresses by the thousand",
    before: "To: ",
    piece: (n) => `a${n}@h.example, `,
    after: body,
  },
  {
    name: "named addresses by the thousand",
    before: "Cc:",
    piece: (n) => ` "Name, ${n}" <a${n}@h.example>,\n`,
    after: `${body}`,
  },
  {
    name: "a field of one address by the thousand",
    before: "",
    piece: (n) => `Cc: a${n}@h.example\n`,
    after: "\nhi",
  },
  { name: "comments in comments", before: "From: a@h.example ", piece: "(", after: body },
  { name: "comments by the thousand", before: "To: a@h.example ", piece: "(c)", after: body },
  { name: "comments that close", before: "To: a@h.example ", piece: ")", after: body },
  {
    name: "groups by the thousand",
    before: "To: ",
    piece: "g: a@h.example, b@h.example; ",
    after: body,
  },
  { name: "groups in groups", before: "To: ", piece: "g: ", after: body },
  { name: "a quoted string without end", before: 'From: "', piece: "a b ", after: body },
  { name: "quoted pairs", before: 'From: "', piece: '\\\\\\"', after: body },
  { name: "quotes", before: "To: ", piece: '"', after: body },
  { name: "quoted names", before: "To: ", piece: '"a" ', after: " <a@h.example>" + body },
  { name: "commas", before: "To: ", piece: ",", after: body },
  { name: "angle brackets that open", before: "To: ", piece: "<", after: body },
  { name: "angle brackets in pairs", before: "To: ", piece: "<>", after: body },
  { name: "at signs", before: "To: ", piece: "a@", after: body },
  { name: "semicolons and colons", before: "To: ", piece: ";:", after: body },
  { name: "source routes", before: "To: <", piece: "@a.example,", after: ":a@h.example>" + body },
  { name: "a name without end", before: "From: ", piece: "name ", after: "<a@h.example>" + body },
  { name: "an address without end", before: "From: ", piece: "a.", after: "a@h.example" + body },
  {
    name: "names of encoded words",
    before: "To: ",
    piece: (n) => `=?utf-8?Q?n=C3=A9_${n}?= <a${n}@h.example>, `,
    after: body,
  },
];
