import { htmlToText } from "../body/html_text.ts";

/** How many marks are read, and how many characters after each: an attribution or a signature is short. */
const maxMarks = 30;
const maxMarkedChars = 3_000;
/** What is only indented may be a list of instructions. */
const maxIndentedChars = 10_000;

/** Letters and digits of a text, in lower case. They are the same in the text and the HTML of a mail. */
const squeezed = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "").toLowerCase();

/** Names with which mail programs mark what they add. Case-sensitive: ignoring case costs three times as much. */
const markNames =
  /gmail_(?:attr|signature(?!_prefix))|moz-(?:cite-prefix|forward-container|signature)|yahoo[_-]quoted|protonmail_(?:quote|signature_block(?!-))|divRplyFwdMsg|outlook-mobile-signature|AppleMailSignature|id="(?:x_)?[Ss]ignature\b|border-top:solid #(?:E1E1E1|B5C4DF|CCCCCC)/g;

/** "Indent more" of Gmail, and the same of Apple Mail. */
const indents =
  /<blockquote (?:class="webkit-indent-blockquote" )?style="margin:\s?0(?:px)? 0(?:px)? 0(?:px)? 40px[^>]{0,100}>/g;

/** What answering programs write at the quote itself. */
const quoteMarks =
  /<blockquote[^>]{0,300}(?:type="?cite|cite="?mid:|class="?[^">]{0,100}(?<!block)quote)|gmail_quote|yahoo_quoted/i;

export type QuoteMark = "quoted" | "forwarded" | "header";

/** The information about parts of a mail in its HTML. */
export interface HtmlMarks {
  /** The kind of part that begins at a line, by the mark of the mail program; null if none. */
  quoteAt(line: string): QuoteMark | null;
  /** The HTML has quotes, and none with a mark of an answering program. */
  isPlain: boolean;
  /** True for a line of the writer that is only indented ("Indent more" of Gmail); of such lines, in order. */
  isIndented(line: string): boolean;
  /** The lines of the signature that the mail program marks; null if there is none. */
  signatureIn(lines: readonly string[]): { from: number; to: number } | null;
}

/** The marks of mail programs in `html`. Linear: a search, and at most 30 short pieces. */
export function findMarks(html: string): HtmlMarks {
  const quotes: [start: string, mark: QuoteMark][] = [];
  const signatures: string[] = [];
  let seen = 0;
  for (const found of html.matchAll(markNames)) {
    if (++seen > maxMarks) break;
    const element = elementAround(html, found.index);
    if (element === null) continue;
    const name = found[0].toLowerCase();
    if (name.includes("signature")) signatures.push(squeezed(htmlToText(element.content)));
    else {
      const lines = htmlToText(element.after).split("\n").map(squeezed).filter((line) =>
        line !== ""
      );
      const mark = name.startsWith("divrply") || name.startsWith("border")
        ? "header"
        : name.includes("forward")
        ? "forwarded"
        : "quoted";
      if (lines.length > 0) quotes.push([lines[0].slice(0, 200), mark]);
    }
  }
  let known: PlainQuotes | undefined;
  const plain = () => known ??= plainQuotes(html, quotes.length > 0, maxMarks - seen);
  return {
    get isPlain() {
      return plain().isPlain;
    },
    isIndented: (line) => plain().isIndented(line),
    quoteAt: (line) => quotes.length === 0 ? null : quoteAt(quotes, squeezed(line)),
    signatureIn: (lines) => signatureIn(lines, signatures.filter((one) => one.length >= 2)),
  };
}

type PlainQuotes = Pick<HtmlMarks, "isPlain" | "isIndented">;

/** The quotes without a mark. Only mail with quoted lines needs them, and the search takes as long as that for marks. */
function plainQuotes(html: string, isMarked: boolean, most: number): PlainQuotes {
  const hasQuotes = html.includes("<blockquote") || html.includes("<BLOCKQUOTE");
  const indented: string[] = [];
  let end = 0;
  for (const { index } of hasQuotes ? html.matchAll(indents) : []) {
    // One inside another is in its text.
    if (index < end) continue;
    if (indented.length >= most) break;
    const content = elementAround(html, index + "<blockquote".length, maxIndentedChars)?.content ??
      "";
    indented.push(squeezed(htmlToText(content)));
    end = index + content.length;
  }
  return {
    isPlain: hasQuotes && !isMarked && !quoteMarks.test(html),
    isIndented: indentedLines(indented.join("")),
  };
}

/** The content of the element in whose tag the index is, and the HTML after the tag; null if it is in no tag. */
function elementAround(
  html: string,
  at: number,
  maxChars = maxMarkedChars,
): { content: string; after: string } | null {
  const before = html.slice(Math.max(0, at - 500), at);
  const open = before.lastIndexOf("<");
  if (open < 0 || before.lastIndexOf(">") > open) return null;
  const close = html.slice(at, at + 1000).indexOf(">");
  if (close < 0) return null;
  const after = html.slice(at + close + 1, at + close + 1 + maxChars);
  const name = /^<([a-z]{1,12})/i.exec(before.slice(open))?.[1].toLowerCase();
  let depth = 1;
  for (const tag of after.matchAll(/<(\/?)([a-z]{1,12})/gi)) {
    if (tag[2].toLowerCase() !== name) continue;
    depth += tag[1] === "" ? 1 : -1;
    if (depth === 0) return { content: after.slice(0, tag.index), after };
  }
  return { content: "", after };
}

/** How many characters must agree: many lines share fewer. */
const leastAgreeing = 6;

function quoteAt(quotes: readonly [string, QuoteMark][], line: string): QuoteMark | null {
  if (line.length < leastAgreeing) return null;
  const found = quotes.find(([start]) =>
    start.length >= leastAgreeing && (start.startsWith(line) || line.startsWith(start))
  );
  return found?.[1] ?? null;
}

/** Answers whether a line is the next one of `text`, which has the letters of many lines. */
function indentedLines(text: string): (line: string) => boolean {
  let at = 0;
  return (line) => {
    const letters = squeezed(line);
    const isNext = text.startsWith(letters, at);
    if (isNext) at += letters.length;
    return isNext && text !== "";
  };
}

/** The last lines whose letters are exactly those of the signature. */
function signatureIn(lines: readonly string[], signatures: readonly string[]) {
  if (signatures.length === 0) return null;
  const bare = lines.map((line) => squeezed(line.slice(0, 400)));
  for (const signature of signatures) {
    for (let from = bare.length - 1; from >= Math.max(0, bare.length - 200); from--) {
      if (bare[from] === "" || !signature.startsWith(bare[from])) continue;
      let joined = "";
      let to = from;
      while (to < bare.length && joined.length < signature.length) joined += bare[to++];
      if (joined === signature) return { from, to };
    }
  }
  return null;
}
