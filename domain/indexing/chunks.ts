import { cutText } from "../../mime/text/cut_text.ts";

/** About the input of small embedding models, in characters. */
const chunkLength = 1500;
/** Only the beginning of a very long mail is embedded; the full-text index has more of it. */
const maxChunks = 32;

/**
 * Cuts a text into passages for embedding: at paragraphs, or at lines or spaces if a paragraph is too long. Returns at least
 * one passage, which is empty for a mail without text.
 */
export function chunks(text: string): string[] {
  const passages: string[] = [];
  let current = "";
  const end = () => {
    if (current.trim() !== "") passages.push(current.trim());
    current = "";
  };
  for (const paragraph of text.split(/\n\s*\n/)) {
    if (passages.length >= maxChunks) break;
    if (current.length + paragraph.length > chunkLength) end();
    let rest = paragraph;
    while (rest.length > chunkLength && passages.length < maxChunks) {
      const space = rest.lastIndexOf(" ", chunkLength);
      const line = rest.lastIndexOf("\n", chunkLength);
      const at = Math.max(line, space);
      const passage = at > chunkLength / 2 ? rest.slice(0, at) : cutText(rest, chunkLength);
      passages.push(passage.trim());
      rest = rest.slice(passage.length);
    }
    current += `${rest}\n\n`;
  }
  end();
  return passages.length > 0 ? passages.slice(0, maxChunks) : [""];
}
