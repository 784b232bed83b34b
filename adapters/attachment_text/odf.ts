import { TextSink } from "./limits.ts";
import { readXml } from "./xml.ts";
import { zipParts } from "./zip.ts";

/** Spaces that one element stands for; more would only fill the text. */
const maxSpaces = 100;

/**
 * The text of an OpenDocument text, table or presentation (OASIS OpenDocument 1.3, part 3): paragraphs as lines, cells
 * between tabs. What tracked changes deleted is left out.
 */
export function odfText(bytes: Uint8Array): string {
  const sink = new TextSink();
  const content = zipParts(bytes, (name) => name === "content.xml").get("content.xml");
  if (!content) return "";
  let paragraphs = 0, cells = 0, deleted = 0;
  const add = (text: string) => {
    if (paragraphs > 0 && deleted === 0) sink.add(text);
  };
  readXml(content(), {
    open(name, attributes) {
      if (name === "p" || name === "h") paragraphs++;
      else if (name === "tracked-changes") deleted++;
      else if (name === "tab") add("\t");
      else if (name === "line-break") add("\n");
      else if (name === "s") {
        add(" ".repeat(Math.min(Number(attributes["text:c"]) || 1, maxSpaces)));
      } else if (name === "table-cell") cells++;
    },
    text: add,
    close(name) {
      if (name === "p" || name === "h") {
        add(cells > 0 ? " " : "\n");
        paragraphs--;
      } else if (name === "tracked-changes") deleted--;
      else if (name === "table-cell") {
        cells--;
        sink.add("\t");
      } else if (name === "table-row") sink.add("\n");
    },
  }, sink);
  return sink.text;
}
