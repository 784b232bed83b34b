import { getDocumentProxy } from "unpdf";
import { renewBudget } from "./buffer_budget.ts";
import { TextSink } from "./limits.ts";

const maxPages = 1_000;

/** The text of a PDF file, page after page. Throws if it is broken or needs a password. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const sink = new TextSink();
  renewBudget();
  const document = await getDocumentProxy(bytes, {
    verbosity: 0,
    isEvalSupported: false,
    useSystemFonts: false,
    stopAtErrors: false,
    // Nothing is drawn: fonts and pictures are not loaded.
    disableFontFace: true,
    maxImageSize: 1,
  });
  for (let n = 1; n <= Math.min(document.numPages, maxPages) && !sink.isFull; n++) {
    renewBudget();
    const page = await document.getPage(n);
    const { items } = await page.getTextContent();
    for (const item of items) {
      if (!("str" in item)) continue;
      sink.add(item.str);
      if (item.hasEOL) sink.add("\n");
    }
    sink.add("\n\n");
    page.cleanup();
  }
  return sink.text;
}
