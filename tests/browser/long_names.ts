import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { mailbox } from "../service.ts";
import { overflows } from "./axe_pages.ts";
import { type Guarantees, heldDraft, newSession } from "./scene.ts";

const widths = [320, 390, 768, 1280];

/** What is wider than its box in any of the widths. */
async function wideParts(page: Page): Promise<string[]> {
  const wrong: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: 844 });
    wrong.push(...(await overflows(page)).map((each) => `${width} px: ${each}`));
  }
  return wrong;
}

/** The longest names that the service accepts, each one word. */
export const longNames: Guarantees = {
  async "a key of the longest name, for a mailbox of the longest name, fits into its table and its dialog"(
    { page, stage },
  ) {
    const { base, test, me } = stage;
    const { mailbox_id } = await mailbox(test, me, "k".repeat(64));
    const name = "K".repeat(100);
    const made = await test.request("/api/keys", {
      token: await newSession(stage),
      json: { name, mailboxIds: [mailbox_id] },
    });
    assert.equal(made.status, 201);
    await page.goto(`${base}/app/keys`);
    await page.getByText(name).waitFor();
    assert.deepEqual(await wideParts(page), []);
    const table = page.locator(".table-wrap");
    const beyond = await table.evaluate((node) => node.scrollWidth - node.clientWidth);
    assert.equal(beyond, 0, "the table does not scroll at 1280 px");
    // A table that is too wide scrolls with its hidden names of columns, and not the window.
    await table.evaluate((node) => node.querySelector("table")!.style.width = "3000px");
    assert.deepEqual(await overflows(page), []);
    await page.reload();
    await page.getByRole("button", { name: `Revoke ${name}` }).click();
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await wideParts(page), []);
  },

  async "a draft for the longest recipient fits into the page of drafts"({ page, stage }) {
    const to = `${"r".repeat(64)}@${"d".repeat(63)}.${"e".repeat(63)}.example.net`;
    await heldDraft(stage, "held-long", "Held for a long address", to);
    await page.goto(`${stage.base}/app/drafts`);
    await page.locator(".held").getByText(to).waitFor();
    assert.deepEqual(await wideParts(page), []);
  },
};
