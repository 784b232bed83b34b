/** Receives the tokens of HTML as ranges of the source, in which entities are not decoded. */
export interface TokenReceiver {
  /** Text; also the content of `style`, `script`, `title`, `textarea` and `xmp`. */
  text(start: number, end: number): void;
  /** The name of a start tag. Its attributes follow, then `startTag`, unless the source ends before. */
  tagName(start: number, end: number): void;
  /** An attribute of the start tag; the range of its value is empty if it has none. */
  attribute(start: number, end: number, valueStart: number, valueEnd: number): void;
  /** The end of a start tag, with a slash or without. */
  startTag(): void;
  /** The name of an end tag. */
  endTag(start: number, end: number): void;
  /** From after `<![CDATA[` to before the last character of `]]>`. */
  cdata(start: number, end: number): void;
  /** From after `<!` to before `>`. */
  declaration(start: number, end: number): void;
}

/**
 * Reads HTML in one pass, in linear time. The tokens are those of htmlparser2's tokenizer without entities, also those
 * of malformed markup. That one calls a function for each character of a tag, which took a tenth of reading a mail. Here
 * three of its errors are not repeated: it takes `<tmp>` for `xmp`, `<xitle>` for `title` and `<xextarea>` for `textarea`,
 * and in the end tags of these elements the control characters 0x1C and 0x0F for `<` and `/`.
 */
export function readTokens(source: string, receiver: TokenReceiver): void {
  new TokenReader(source, receiver).read();
}

const lessThan = "<";
const greaterThan = ">";
const greaterThanCode = 0x3e;
const slashCode = 0x2f;
const equalsCode = 0x3d;
const doubleQuoteCode = 0x22;
const singleQuoteCode = 0x27;

/** White space of HTML. */
const isBlank = (code: number) =>
  code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
const endsName = (code: number) => code === greaterThanCode || code === slashCode || isBlank(code);
const isLetter = (code: number) => (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;

/** Elements whose content has no tag but their own end tag. */
const textElements = ["style", "script", "title", "textarea", "xmp"];

/** Each method begins at the markup of its name, and returns where to read on. */
class TokenReader {
  /** The beginning of the text that was not passed on. */
  private textStart = 0;
  private readonly length: number;

  constructor(private readonly source: string, private readonly receiver: TokenReceiver) {
    this.length = source.length;
  }

  read(): void {
    const { source, receiver } = this;
    for (let open = source.indexOf(lessThan); open >= 0;) {
      if (open > this.textStart) receiver.text(this.textStart, open);
      this.textStart = open;
      open = source.indexOf(lessThan, this.markup(open));
    }
    if (this.textStart < this.length) receiver.text(this.textStart, this.length);
  }

  private markup(open: number): number {
    const code = this.source.charCodeAt(open + 1);
    if (isLetter(code)) return this.startTag(open + 1);
    if (code === slashCode) return this.endTag(open);
    if (code === 0x21) return this.declaration(open);
    // `<?xml ... ?>`
    if (code === 0x3f) return this.skipTo(open + 2, open + 2);
    return open + 1;
  }

  private startTag(start: number): number {
    const { source, receiver, length } = this;
    let at = start + 1;
    while (at < length && !endsName(source.charCodeAt(at))) at++;
    if (at === length) {
      // The beginning of `style` counts as text, that of `span` is dropped.
      const name = source.slice(start, start + 10).toLowerCase();
      return this.ends(textElements.some((each) => each.startsWith(name)) ? start : length);
    }
    const nameEnd = at;
    receiver.tagName(start, nameEnd);
    while (at < length) {
      const code = source.charCodeAt(at);
      if (code === greaterThanCode) {
        receiver.startTag();
        const element = this.textElement(start, nameEnd);
        return element === null ? this.textFrom(at + 1) : this.content(at + 1, element);
      }
      if (code === slashCode) {
        at = this.afterBlanks(at + 1);
        if (at === length) return this.ends(length - 1);
        if (source.charCodeAt(at) === greaterThanCode) {
          receiver.startTag();
          return this.textFrom(at + 1);
        }
      } else if (isBlank(code)) at++;
      else at = this.attribute(at);
    }
    return this.ends(length);
  }

  private attribute(start: number): number {
    const { source, receiver, length } = this;
    let nameEnd = start + 1;
    while (nameEnd < length) {
      const code = source.charCodeAt(nameEnd);
      if (code === equalsCode || endsName(code)) break;
      nameEnd++;
    }
    let at = this.afterBlanks(nameEnd);
    if (at === length) return at;
    if (source.charCodeAt(at) !== equalsCode) {
      receiver.attribute(start, nameEnd, at, at);
      return at;
    }
    at = this.afterBlanks(at + 1);
    const quote = source.charCodeAt(at);
    if (quote === doubleQuoteCode || quote === singleQuoteCode) {
      const end = source.indexOf(quote === doubleQuoteCode ? '"' : "'", at + 1);
      if (end < 0) return length;
      receiver.attribute(start, nameEnd, at + 1, end);
      return end + 1;
    }
    let end = at;
    while (end < length) {
      const code = source.charCodeAt(end);
      if (code === greaterThanCode || isBlank(code)) break;
      end++;
    }
    if (end < length) receiver.attribute(start, nameEnd, at, end);
    return end;
  }

  private textElement(start: number, end: number): string | null {
    const first = this.source.charCodeAt(start) | 0x20;
    // s, t or x
    if (first !== 0x73 && first !== 0x74 && first !== 0x78) return null;
    if (end - start > 8) return null;
    const name = this.source.slice(start, end).toLowerCase();
    return textElements.includes(name) ? name : null;
  }

  /** The content of a text element. */
  private content(start: number, element: string): number {
    const { source } = this;
    for (let open = source.indexOf("</", start); open >= 0; open = source.indexOf("</", open + 2)) {
      const end = open + 2 + element.length;
      const code = source.charCodeAt(end);
      if (code !== greaterThanCode && !isBlank(code)) continue;
      if (source.slice(open + 2, end).toLowerCase() !== element) continue;
      if (open > start) this.receiver.text(start, open);
      return this.endTagName(open + 2);
    }
    return this.ends(start);
  }

  private endTag(open: number): number {
    const at = this.afterBlanks(open + 2);
    const code = this.source.charCodeAt(at);
    if (isLetter(code)) return this.endTagName(at);
    // `</>` is text, `</1>` a comment.
    return at === this.length || code === greaterThanCode ? at + 1 : this.skipTo(at + 1, at);
  }

  private endTagName(start: number): number {
    const { source, length } = this;
    let at = start + 1;
    while (at < length && source.charCodeAt(at) !== greaterThanCode) {
      if (isBlank(source.charCodeAt(at))) break;
      at++;
    }
    if (at === length) return this.ends(length);
    this.receiver.endTag(start, at);
    return this.skipTo(at, length - 1);
  }

  /** A comment, a declaration or a section of characters. */
  private declaration(open: number): number {
    const { source, receiver, length } = this;
    const start = open + 2;
    if (source.startsWith("--", start)) {
      const end = source.indexOf("-->", start);
      return end < 0 ? this.ends(length) : this.textFrom(end + 3);
    }
    if (source.startsWith("[CDATA[", start)) {
      const end = source.indexOf("]]>", start + 7);
      if (end < 0 && start + 7 === length) return this.ends(length);
      receiver.cdata(start + 7, end < 0 ? length : end + 2);
      return end < 0 ? this.ends(length) : this.textFrom(end + 3);
    }
    const end = source.indexOf(greaterThan, start + (source.charCodeAt(start) === 0x2d ? 2 : 1));
    if (end < 0) return this.ends(Math.min(start, length));
    receiver.declaration(start, end);
    return this.textFrom(end + 1);
  }

  /** Skips to the next `>`; if there is none, the rest is text from `textStart` on. */
  private skipTo(at: number, textStart: number): number {
    const end = this.source.indexOf(greaterThan, at);
    return end < 0 ? this.ends(Math.min(textStart, this.length)) : this.textFrom(end + 1);
  }

  private textFrom(at: number): number {
    this.textStart = at;
    return at;
  }

  /** The source ends in markup. What counts as text of it begins at `textStart`. */
  private ends(textStart: number): number {
    this.textStart = textStart;
    return this.length;
  }

  private afterBlanks(at: number): number {
    while (at < this.length && isBlank(this.source.charCodeAt(at))) at++;
    return at;
  }
}
