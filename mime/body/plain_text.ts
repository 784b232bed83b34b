/**
 * A text/plain part with line ends LF and, if `params` (of its Content-Type) have `format=flowed`, with
 * its paragraphs joined (RFC 3676).
 */
export function plainText(text: string, params: ReadonlyMap<string, string>): string {
  // Two plain replacements take a third of the time of one with an option.
  const joined = text.replace(/\r\n/g, "\n");
  const lines = joined.includes("\r") ? joined.replace(/\r/g, "\n") : joined;
  return params.get("format")?.toLowerCase() === "flowed"
    ? unflow(lines, params.get("delsp")?.toLowerCase() === "yes")
    : lines;
}

function unflow(text: string, deleteSpace: boolean): string {
  const out: string[] = [];
  let paragraph: string[] = [];
  let paragraphDepth = 0;
  const flush = () => {
    if (paragraph.length > 0) {
      out.push((paragraphDepth > 0 ? ">".repeat(paragraphDepth) + " " : "") + paragraph.join(""));
    }
    paragraph = [];
  };
  for (const line of text.split("\n")) {
    let depth = 0;
    while (line[depth] === ">") depth++;
    let content = line.slice(depth);
    if (content.startsWith(" ")) content = content.slice(1);
    // Signature separators (section 4.3) and lines of different depths (section 4.5) are not joined.
    const fixed = content === "-- " || !content.endsWith(" ");
    if (depth !== paragraphDepth || content === "-- ") flush();
    paragraphDepth = depth;
    paragraph.push(!fixed && deleteSpace ? content.slice(0, -1) : content);
    if (fixed) flush();
  }
  flush();
  return out.join("\n");
}
