import { decodeCharset } from "../text/charset.ts";

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
/** Characters of a text; the rest is left off. */
const maxChars = 1_000_000;
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
  /** Its text repeats for readers of RTF what the HTML says ([MS-OXRTFEX], `\htmlrtf`). */
  forRtf: boolean;
  inFontTable: boolean;
  font: number;
  /** How many characters after a `\u` are its replacement for older programs. */
  fallback: number;
}

const token =
  /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-f]{2})|\\([^a-z])|([{}])|[\r\n]+|([^\\{}\r\n]+)/giy;

/**
 * The text of an RTF file without hidden text (`\v`); if the RTF was made of HTML, that HTML ([MS-OXRTFEX]). Throws if
 * the file is not RTF. Linear time.
 */
export function readRtf(bytes: Uint8Array): { text: string; isHtml: boolean } {
  return new RtfReader(bytes).read();
}

class RtfReader {
  private readonly source: string;
  private readonly page: number;
  private readonly pages = new Map<number, number>();
  private readonly pieces: string[] = [];
  private left = maxChars;
  private isHtml = false;
  private readonly groups: Group[] = [];
  private group: Group = {
    ...{ silent: false, forRtf: false, inFontTable: false, font: 0, fallback: 1 },
  };
  /** Characters that replace a `\u` and are left out. */
  private skip = 0;
  /** Bytes in the code page of the font. */
  private pending: number[] = [];

  constructor(bytes: Uint8Array) {
    this.source = new TextDecoder("latin1").decode(bytes);
    if (!this.source.startsWith("{\\rtf")) throw new Error("no RTF");
    this.page = Number(/^[^]{0,200}\\ansicpg(\d{3,5})/.exec(this.source)?.[1] ?? 1252);
  }

  read(): { text: string; isHtml: boolean } {
    token.lastIndex = 0;
    for (let found = token.exec(this.source); found && this.left > 0;) {
      const [, word, number, hex, symbol, brace, plain] = found;
      const after = token.lastIndex;
      let skipped = 0;
      if (brace !== undefined) this.brace(brace);
      else if (hex !== undefined) this.byte(parseInt(hex, 16));
      else if (plain !== undefined) this.plain(plain);
      else if (symbol !== undefined) this.symbol(symbol);
      else if (word === "bin") skipped = Math.max(0, Number(number ?? 0));
      else if (word !== undefined) this.word(word, number);
      token.lastIndex = after + skipped;
      found = token.exec(this.source);
    }
    this.flush();
    return { text: this.pieces.join(""), isHtml: this.isHtml };
  }

  private get isSilent(): boolean {
    return this.group.silent || this.group.forRtf;
  }

  private add(text: string): void {
    this.pieces.push(text.slice(0, this.left));
    this.left -= text.length;
  }

  private flush(): void {
    if (this.pending.length === 0) return;
    const page = this.pages.get(this.group.font) ?? this.page;
    this.add(decodeCharset(new Uint8Array(this.pending), `cp${page}`));
    this.pending = [];
  }

  private show(text: string): void {
    if (this.isSilent) return;
    if (this.skip > 0) this.skip--;
    else {
      this.flush();
      this.add(text);
    }
  }

  private brace(brace: string): void {
    this.flush();
    this.skip = 0;
    if (brace === "}") this.group = this.groups.pop() ?? this.group;
    else {
      if (this.groups.length >= maxDepth) throw new Error("too deep");
      this.groups.push(this.group);
      this.group = { ...this.group };
    }
  }

  private byte(byte: number): void {
    if (this.isSilent) return;
    if (this.skip > 0) this.skip--;
    else this.pending.push(byte);
  }

  private plain(plain: string): void {
    if (this.isSilent) return;
    let rest = plain.slice(this.skip);
    this.skip = Math.max(0, this.skip - plain.length);
    if (rest !== "" && this.pending.length > 0) {
      // The second byte of a character may be written as it is.
      this.pending.push(rest.charCodeAt(0));
      rest = rest.slice(1);
    }
    if (rest) this.show(rest);
  }

  private symbol(symbol: string): void {
    if (symbol === "*") this.group.silent = true;
    else if (symbol === "~") this.show(this.isHtml ? "&nbsp;" : " ");
    else if ("\\{}".includes(symbol)) this.show(symbol);
    else if (symbol === "\n" || symbol === "\r") this.show("\n");
  }

  private word(word: string, number: string | undefined): void {
    const { group } = this;
    if (word === "fonttbl") group.inFontTable = true;
    if (silent.has(word)) group.silent = true;
    else if (word === "fromhtml") this.isHtml = true;
    else if (word === "htmltag") group.silent = false;
    else if (word === "htmlrtf") {
      this.flush();
      group.forRtf = this.isHtml && number !== "0";
    } else if (word === "f" || word === "deff") {
      this.flush();
      group.font = Number(number ?? 0);
    } else if (word === "fcharset" && group.inFontTable) {
      const page = pagesOfFonts[Number(number)];
      if (page && this.pages.size < maxFonts) this.pages.set(group.font, page);
    } else if (word === "v") group.silent = number !== "0";
    else if (word === "uc") group.fallback = Math.min(10, Number(number ?? 1));
    else if (word === "u" && number !== undefined) {
      this.skip = 0;
      this.show(String.fromCharCode(Number(number) & 0xffff));
      this.skip = group.fallback;
    } else {
      const mark = marks.get(word);
      if (mark !== undefined) this.show(mark);
    }
  }
}
