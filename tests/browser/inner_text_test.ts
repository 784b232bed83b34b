import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { htmlTexts } from "../../mime/body/html_text.ts";
import { parseBody } from "../../mime/body/parse_body.ts";
import { visible } from "../mime/html/hidden_ways.ts";
import { findChromium, launchChromium } from "./chromium.ts";

const chromium = findChromium();
const reason = chromium ? "" : " (ignored: no Chromium found; CHROME_PATH names one)";

/** HTML of the fixtures, and HTML that merely looks hidden. */
function* pages(): Generator<[name: string, html: string]> {
  const folder = new URL("../fixtures/mail/", import.meta.url);
  for (const { name } of Deno.readDirSync(folder)) {
    const { html } = parseBody(Deno.readFileSync(new URL(name, folder)));
    if (html) yield [name, html];
  }
  yield* Object.entries(visible);
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** The words that the browser shows and our text lacks, each as often as it is missing. */
async function missing(page: Page, html: string): Promise<string[]> {
  await page.setContent(html, { waitUntil: "domcontentloaded" });
  const seen = await page.evaluate("document.body.innerText") as string;
  const left = new Map<string, number>();
  for (const word of wordsOf(htmlTexts(html).shown)) left.set(word, (left.get(word) ?? 0) + 1);
  return wordsOf(seen).filter((word) => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count <= 0;
  });
}

Deno.test({
  name: `no word that a browser shows is lost${reason}`,
  ignore: chromium === null,
  sanitizeOps: false,
  sanitizeResources: false,
}, async () => {
  const browser = await launchChromium(chromium!);
  try {
    const context = await browser.newContext({ javaScriptEnabled: true, offline: true });
    await context.route("**/*", (route) => route.abort());
    const page = await context.newPage();
    const lost: Record<string, string[]> = {};
    let count = 0;
    for (const [name, html] of pages()) {
      const words = await missing(page, html.replace(/<script[^]*?<\/script>/gi, ""));
      if (words.length > 0) lost[name] = words;
      count++;
    }
    assert.ok(count >= 40, String(count));
    assert.deepEqual(lost, {});
  } finally {
    await browser.close();
  }
});
