/** About what small embedding models read at once. */
const chunkLength = 1500;
/** Of a very long mail the beginning is embedded; its words are all in the other half of the index. */
const maxChunks = 32;

/**
 * Cuts a text into passages for embedding, at paragraphs where it can, at lines or spaces where
 * a paragraph is too long. There is always one, for a mail may be all subject.
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
      const at = Math.max(line, space) > chunkLength / 2 ? Math.max(line, space) : chunkLength;
      passages.push(rest.slice(0, at).trim());
      rest = rest.slice(at);
    }
    current += `${rest}\n\n`;
  }
  end();
  return passages.length > 0 ? passages.slice(0, maxChunks) : [""];
}
