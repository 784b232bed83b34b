import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { seen, unseen } from "../mime/html/css_cases.ts";
import { secret } from "../mime/html/hidden_ways.ts";
import { isNight } from "../nightly.ts";
import { findChromium, launchChromium } from "./chromium.ts";

const chromium = findChromium();
const reason = !chromium
  ? " (ignored: no Chromium found; CHROME_PATH names one)"
  : isNight
  ? ""
  : " (ignored: deno task nightly runs it)";

/** The secret has about 1,000 pixels if it can be read. */
const leastPixels = 150;

async function picture(page: Page, html: string): Promise<string> {
  await page.setContent(html, { waitUntil: "domcontentloaded" });
  return (await page.screenshot()).toString("base64");
}

/** How many pixels two pictures differ in. */
const differing = `async ([one, other]) => {
  const pixels = async (png) => {
    const image = new Image();
    image.src = "data:image/png;base64," + png;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = image.width;
    canvas.height = image.height;
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height).data;
  };
  const [a, b] = [await pixels(one), await pixels(other)];
  let count = 0;
  for (let n = 0; n < a.length; n += 4) {
    if (Math.abs(a[n] - b[n]) + Math.abs(a[n + 1] - b[n + 1]) + Math.abs(a[n + 2] - b[n + 2]) > 48) count++;
  }
  return count;
}`;

// It tests the cases; by day tests/mime/html compares what we make of them.
Deno.test({
  name: `what counts as hidden or shown has no letters, or letters, in Chromium's picture${reason}`,
  ignore: chromium === null || !isNight,
  sanitizeOps: false,
  sanitizeResources: false,
}, async () => {
  const browser = await launchChromium(chromium!);
  try {
    const context = await browser.newContext({
      offline: true,
      viewport: { width: 1024, height: 768 },
    });
    const page = await context.newPage();
    const judge = await context.newPage();
    const wrong: unknown[] = [];
    for (const [cases, isSeen] of [[unseen, false], [seen, true]] as const) {
      for (const [what, html] of Object.entries(cases)) {
        const blank = secret.replace(/\S/g, "&nbsp;");
        const pictures = [
          await picture(page, html),
          await picture(page, html.replace(secret, blank)),
        ];
        const count = await judge.evaluate(`(${differing})(${JSON.stringify(pictures)})`) as number;
        if ((count >= leastPixels) !== isSeen) wrong.push({ what, isSeen, count });
      }
    }
    assert.deepEqual(wrong, []);
  } finally {
    await browser.close();
  }
});
