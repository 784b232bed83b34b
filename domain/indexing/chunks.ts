/** About what small embedding models read at once. */
const CHUNK_LENGTH = 1500;
/** Of a very long mail the beginning is embedded; its words are all in the other half of the index. */
const MAX_CHUNKS = 32;

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
    if (passages.length >= MAX_CHUNKS) break;
    if (current.length + paragraph.length > CHUNK_LENGTH) end();
    let rest = paragraph;
    while (rest.length > CHUNK_LENGTH && passages.length < MAX_CHUNKS) {
      const space = rest.lastIndexOf(" ", CHUNK_LENGTH);
      const line = rest.lastIndexOf("\n", CHUNK_LENGTH);
      const at = Math.max(line, space) > CHUNK_LENGTH / 2 ? Math.max(line, space) : CHUNK_LENGTH;
      passages.push(rest.slice(0, at).trim());
      rest = rest.slice(at);
    }
    current += `${rest}\n\n`;
  }
  end();
  return passages.length > 0 ? passages.slice(0, MAX_CHUNKS) : [""];
}
