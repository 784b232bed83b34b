import { decodeCharset } from "../../mime/text/charset.ts";
import { TextSink } from "./limits.ts";

/** Groups whose text is not text of the document (RTF 1.9.1, "Destinations"). */
const silent = new Set(
  "fonttbl colortbl stylesheet info pict object themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl fldinst filetbl revtbl mmathPr operator author title"
    .split(" "),
);
const marks = new Map(Object.entries({
  ...{ par: "\n", line: "\n", sect: "\n", page: "\n", row: "\n", cell: "\t", tab: "\t" },
  ...{ emdash: "—", endash: "–", bullet: "•", lquote: "‘", rquote: "’" },
  ...{ ldblquote: "“", rdblquote: "”", emspace: " ", enspace: " " },
}));
const maxDepth = 1_000;
/** The code pages of fonts (RTF 1.9.1, "Font Table"). Other charsets of fonts have that of the document. */
const pagesOfFonts: Record<number, number> = {
  ...{ 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258 },
  ...{ 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250 },
};

/** At most this many fonts with a charset of their own are known. */
const maxFonts = 10_000;

interface Group {
  /** Its text is not shown. */
  silent: boolean;
  inFontTable: boolean;
  font: number;
  /** How many characters after a `\u` are its replacement for older programs. */
  fallback: number;
}

/** The text of an RTF file, without hidden text (`\v`). Throws if the file is not RTF. */
export function rtfText(bytes: Uint8Array): string {
  const text = new TextDecoder("latin1").decode(bytes);
  if (!text.startsWith("{\\rtf")) throw new Error("no RTF");
  const pageOfText = Number(/^[^]{0,200}\\ansicpg(\d{3,5})/.exec(text)?.[1] ?? 1252);
  const pages = new Map<number, number>();
  const sink = new TextSink();
  const groups: Group[] = [];
  let group: Group = { silent: false, inFontTable: false, font: 0, fallback: 1 };
  let skip = 0;
  let pending: number[] = [];
  const flush = () => {
    if (pending.length === 0) return;
    sink.add(decodeCharset(new Uint8Array(pending), `cp${pages.get(group.font) ?? pageOfText}`));
    pending = [];
  };
  const show = (shown: string) => {
    if (group.silent) return;
    if (skip > 0) skip--;
    else {
      flush();
      sink.add(shown);
    }
  };
  const token =
    /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy;
  for (let found = token.exec(text); found && !sink.isFull; found = token.exec(text)) {
    const [, word, number, hex, symbol, brace, plain] = found;
    if (brace !== undefined) flush();
    if (brace === "{") {
      if (groups.length >= maxDepth) throw new Error("too deep");
      groups.push(group);
      group = { ...group };
      skip = 0;
    } else if (brace === "}") {
      group = groups.pop() ?? group;
      skip = 0;
    } else if (hex !== undefined) {
      if (group.silent) continue;
      if (skip > 0) skip--;
      else pending.push(parseInt(hex, 16));
    } else if (plain !== undefined) {
      if (group.silent) continue;
      let rest = plain.slice(skip);
      skip = Math.max(0, skip - plain.length);
      if (rest !== "" && pending.length > 0) {
        // The second byte of a character may be written as it is.
        pending.push(rest.charCodeAt(0));
        rest = rest.slice(1);
      }
      if (rest) show(rest);
    } else if (symbol !== undefined) {
      if (symbol === "*") group.silent = true;
      else if (symbol === "~") show(" ");
      else if ("\\{}".includes(symbol)) show(symbol);
      else if (symbol === "\n" || symbol === "\r") show("\n");
    } else if (word !== undefined) {
      if (word === "fonttbl") group.inFontTable = true;
      if (silent.has(word)) group.silent = true;
      else if (word === "f" || word === "deff") {
        flush();
        group.font = Number(number ?? 0);
      } else if (word === "fcharset" && group.inFontTable) {
        const page = pagesOfFonts[Number(number)];
        if (page && pages.size < maxFonts) pages.set(group.font, page);
      } else if (word === "v") group.silent = number !== "0";
      else if (word === "uc") group.fallback = Math.min(10, Number(number ?? 1));
      else if (word === "u" && number !== undefined) {
        skip = 0;
        show(String.fromCharCode(Number(number) & 0xffff));
        skip = group.fallback;
      } else if (word === "bin") token.lastIndex += Math.max(0, Number(number ?? 0));
      else {
        const mark = marks.get(word);
        if (mark !== undefined) show(mark);
      }
    }
  }
  flush();
  return sink.text;
}
