// @ts-types="@types/html-to-text"
import { compile } from "html-to-text";

/** More HTML than this is cut before it is converted: a megabyte takes about 0.3 s. */
const MAX_HTML_CHARS = 1024 * 1024;

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: MAX_HTML_CHARS, maxDepth: 100, maxChildNodes: 20_000 },
  selectors: [
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "img", format: "skip" },
    { selector: "style", format: "skip" },
    { selector: "script", format: "skip" },
    { selector: "head", format: "skip" },
    { selector: "title", format: "skip" },
    ...[1, 2, 3, 4, 5, 6].map((level) => ({
      selector: `h${level}`,
      options: { uppercase: false },
    })),
  ],
});

/**
 * HTML as text that reads well: paragraphs and lists kept, links as `text [https://...]`, images,
 * scripts and styles left out, at most two line ends in a row. Never throws.
 */
export function htmlToText(html: string): string {
  try {
    return convert(html.slice(0, MAX_HTML_CHARS)).replace(/[ \t]+\n/g, "\n")
      .replace(/\n{3,}/g, "\n\n").trim();
  } catch {
    return html.replace(/<[^<>]*>/g, " ").replace(/\s+/g, " ").trim();
  }
}
