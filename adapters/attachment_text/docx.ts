import { TextSink } from "./limits.ts";
import { readXml } from "./xml.ts";
import { zipParts } from "./zip.ts";

/** The parts that have text, in the order in which it is read. */
const parts = [
  /^word\/document\.xml$/,
  /^word\/header\d*\.xml$/,
  /^word\/footer\d*\.xml$/,
  /^word\/footnotes\.xml$/,
  /^word\/endnotes\.xml$/,
  /^word\/comments\.xml$/,
];

const slides = [/^ppt\/slides\/slide\d+\.xml$/, /^ppt\/notesSlides\/notesSlide\d+\.xml$/];

/** The text of a Word document (ECMA-376 part 1, 17): paragraphs as lines, cells between tabs. Hidden text is left out. */
export function docxText(bytes: Uint8Array): string {
  return officeText(bytes, parts);
}

/** The text of a presentation (ECMA-376 part 1, 19), slide after slide, then the notes. Hidden slides are left out. */
export function pptxText(bytes: Uint8Array): string {
  return officeText(bytes, slides);
}

const byNumber = new Intl.Collator("en", { numeric: true }).compare;

function officeText(bytes: Uint8Array, parts: readonly RegExp[]): string {
  const sink = new TextSink();
  const files = zipParts(bytes, (name) => parts.some((part) => part.test(name)));
  const names = [...files.keys()].sort(byNumber);
  for (const part of parts) {
    for (const name of names) {
      if (part.test(name) && !sink.isFull) readPart(files.get(name)!(), sink);
    }
  }
  return sink.text;
}

function readPart(content: Uint8Array, sink: TextSink): void {
  let inText = false, isHidden = false, isHiddenSlide = false, cells = 0;
  readXml(content, {
    open(name, attributes) {
      if (name === "t") inText = true;
      else if (name === "r") isHidden = false;
      else if (name === "vanish") isHidden = !isOff(attributes);
      else if (name === "tab") sink.add("\t");
      else if (name === "br" || name === "cr") sink.add("\n");
      else if (name === "tc") cells++;
      else if (name === "sld") isHiddenSlide = attributes.show === "0";
    },
    text(text) {
      if (inText && !isHidden && !isHiddenSlide) sink.add(text);
    },
    close(name) {
      if (name === "t") inText = false;
      else if (name === "tc") {
        cells--;
        sink.add("\t");
      } else if (name === "tr") sink.add("\n");
      else if (name === "p") sink.add(cells > 0 ? " " : "\n");
    },
  }, sink);
  sink.add("\n");
}

/** A property that is switched off again: `<w:vanish w:val="0"/>`. */
function isOff(attributes: Record<string, string>): boolean {
  return ["0", "false", "off"].includes(attributes["w:val"] ?? attributes.val ?? "");
}
