import { decodeText } from "./charset_of_text.ts";
import { hasContentLines, unescapedValue, unfolded } from "./content_lines.ts";

/** The text of a file that is a text; of a calendar or a card with its lines and characters as they were meant. */
export function decodedText(
  bytes: Uint8Array,
  options: { declared: string | null; isHtml: boolean },
): string {
  const isFolded = !options.isHtml && hasContentLines(bytes);
  return isFolded
    ? unescapedValue(decodeText(unfolded(bytes), options))
    : decodeText(bytes, options);
}
