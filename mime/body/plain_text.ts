/**
 * A text/plain part as it is to be read: line ends LF, and `format=flowed` put together again
 * (RFC 3676), with the parameters of its Content-Type.
 */
export function plainText(text: string, params: ReadonlyMap<string, string>): string {
  const lines = text.replace(/\r\n?/g, "\n");
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
    // Section 4.3: the signature separator is a line of its own; section 4.5: depths do not mix.
    const fixed = content === "-- " || !content.endsWith(" ");
    if (depth !== paragraphDepth || content === "-- ") flush();
    paragraphDepth = depth;
    paragraph.push(!fixed && deleteSpace ? content.slice(0, -1) : content);
    if (fixed) flush();
  }
  flush();
  return out.join("\n");
}
