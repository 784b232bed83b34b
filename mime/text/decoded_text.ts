import { decodeCharset } from "./charset.ts";
import { charsetOfText } from "./charset_of_text.ts";
import { hasContentLines, unescapedValue, unfolded } from "./content_lines.ts";

/** The text of a file that is a text; of a calendar or a card with its lines and characters as they were meant. */
export function decodedText(
  bytes: Uint8Array,
  options: { declared: string | null; isHtml: boolean },
): string {
  if (options.isHtml || !hasContentLines(bytes)) {
    return decodeCharset(bytes, charsetOfText(bytes, options));
  }
  const whole = unfolded(bytes);
  return unescapedValue(decodeCharset(whole, charsetOfText(whole, options)));
}
