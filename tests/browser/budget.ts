import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type Guarantees, openList, plain, rows } from "./scene.ts";

/** Bytes on the wire with headers, and transfers, of one load; the event stream is not in them. */
interface Load {
  bytes: number;
  /** Bytes of the dashboard's own code and style. */
  ownBytes: number;
  transfers: number;
}

const kb = 1_024;

async function measure(page: Page, load: () => Promise<void>, isCold = false): Promise<Load> {
  const session = await page.context().newCDPSession(page);
  const urls = new Map<string, string>();
  const total: Load = { bytes: 0, ownBytes: 0, transfers: 0 };
  session.on("Network.responseReceived", ({ requestId, response }) => {
    // A cached file is no transfer.
    if (!response.fromDiskCache && !response.fromPrefetchCache) urls.set(requestId, response.url);
  });
  session.on("Network.requestServedFromCache", ({ requestId }) => urls.delete(requestId));
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const url = urls.get(requestId);
    if (!url || encodedDataLength === 0) return;
    total.bytes += encodedDataLength;
    total.transfers++;
    if (url.includes("/assets/") && !url.includes("/npm/")) total.ownBytes += encodedDataLength;
  });
  await session.send("Network.enable");
  if (isCold) await session.send("Network.clearBrowserCache");
  await load();
  await session.detach();
  return total;
}

export const budget: Guarantees = {
  async "a cold load of a mailbox is at most 130 KB in 40 transfers, a warm one 60 KB in 10"(
    { page, stage },
  ) {
    const answer = await page.request.get(`${stage.base}/api/emails?limit=50`);
    for (let n = (await answer.json()).data.length; n < 50; n++) {
      await stage.deliver(
        plain(`Fills the list ${n}`, `Text of the message with the number ${n}.`),
      );
    }
    await stage.test.settle();
    const load = async () => {
      await openList(page, stage);
      await page.getByText("Live", { exact: true }).waitFor();
      // The shell's last answers: counts, usage, what needs a look.
      await page.locator(".glance").getByText("all shortcuts").waitFor();
      await page.locator(".side .box .count").first().waitFor();
      await page.waitForTimeout(300);
    };
    const cold = await measure(page, load, true);
    assert.ok(await rows(page).count() > 10);
    const warm = await measure(page, load);
    const shown = JSON.stringify({ cold, warm });
    assert.ok(cold.bytes <= 130 * kb && cold.transfers <= 40, shown);
    assert.ok(cold.ownBytes <= 60 * kb, shown);
    assert.ok(warm.bytes <= 60 * kb && warm.transfers <= 10, shown);
    // Otherwise a measurement that counted nothing would pass too.
    assert.ok(cold.bytes > 30 * kb && cold.transfers > 10 && warm.transfers > 2, shown);
  },
};
