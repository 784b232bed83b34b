import { Buffer, isUtf8 } from "node:buffer";
import { declaresCharset, decodeCharset } from "./charset.ts";

/**
 * The charset of a text: of its byte order mark, else the declared one, else that of a `meta` element of HTML; null if
 * there is none. The mark comes first as in browsers: UTF-16 of Java is declared without its byte order. A declaration of
 * ASCII, or of a charset that is not known, says nothing about a text that is no UTF-8.
 */
export function charsetOfText(
  bytes: Uint8Array,
  { declared, isHtml }: { declared: string | null; isHtml: boolean },
): string | null {
  const asksMeta = isHtml &&
    (declared === null || !declaresCharset(declared) && !isUtf8(bytes));
  return markedCharset(bytes) ?? (asksMeta ? metaCharset(bytes) : null) ?? declared;
}

/** A text in the charset that {@link charsetOfText} finds. */
export function decodeText(
  bytes: Uint8Array,
  options: { declared: string | null; isHtml: boolean },
): string {
  return decodeCharset(bytes, charsetOfText(bytes, options));
}

function markedCharset([first, second, third]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb && third === 0xbf ? "utf-8" : null;
}

/** The `meta` element near the beginning. One with UTF-16 is wrong, because it was found as ASCII. */
function metaCharset(html: Uint8Array): string | null {
  const front = Buffer.from(html.buffer, html.byteOffset, Math.min(html.length, 2048)).toString(
    "latin1",
  );
  const label = /<meta[^<>]{0,200}charset\s*=\s*["']?([\w:.-]{1,40})/i.exec(front)?.[1];
  return label && !/^(?:utf-?16|ucs-?2|unicode$)/i.test(label) ? label : null;
}
