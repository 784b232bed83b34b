import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { eventually } from "../eventually.ts";
import { type Guarantees, openList, plain, rows } from "./scene.ts";

interface Mailbox {
  mailbox_id: string;
  email_count: number;
}

const lists = "**/api/emails?*";

/**
 * Holds the answer to the first request of a route, which the service has given, until `release` is called, which waits
 * until the page has painted it.
 */
async function holdFirst(page: Page, url: string) {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const shown = Promise.withResolvers<void>();
  let isFirst = true;
  await page.route(url, async (route: Route) => {
    const response = await route.fetch();
    if (!isFirst) return await route.fulfill({ response });
    isFirst = false;
    held.resolve();
    await released.promise;
    await route.fulfill({ response });
    shown.resolve();
  });
  const release = async () => {
    released.resolve();
    await shown.promise;
    await page.evaluate(
      "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))",
    );
  };
  return { release, held: held.promise };
}

/** Slow answers and refusals, at moments when they matter. */
export const troubles: Guarantees = {
  async "trouble: mail that arrives while the list is on its way is shown"({ page, stage }) {
    const { release, held } = await holdFirst(page, lists);
    const live = page.waitForResponse("**/api/events");
    await page.goto(`${stage.base}/app/mail/all`);
    await Promise.all([held, live]);
    await stage.deliver(plain("Came during the first answer"));
    await eventually("the change has come", async () => /^\(1\) /.test(await page.title()));
    await release();
    await rows(page).filter({ hasText: "Came during the first answer" }).first().waitFor();
  },

  async "trouble: an older answer does not replace a newer list"({ page, stage }) {
    await openList(page, stage);
    await page.getByText("Live", { exact: true }).waitFor();
    await stage.test.settle();
    const { release, held } = await holdFirst(page, lists);
    await stage.deliver(plain("Older of two"));
    await held;
    await stage.deliver(plain("Newer of two"));
    await stage.test.settle();
    await eventually("both changes have come", async () => /^\(2\) /.test(await page.title()));
    const count = page.locator(`.side a[title="${stage.address}"] .count`);
    await eventually("the answers to both have come", async () => {
      const answer = await page.request.get(`${stage.base}/api/mailboxes`);
      const { mailboxes } = await answer.json() as { mailboxes: Mailbox[] };
      const box = mailboxes.find(({ mailbox_id }) => mailbox_id === stage.mailboxId)!;
      return await count.innerText() === String(box.email_count);
    });
    await release();
    await rows(page).filter({ hasText: "Newer of two" }).first().waitFor();
    await rows(page).filter({ hasText: "Older of two" }).first().waitFor();
  },

  async "trouble: a list that could not be brought up to date is tried again by itself"(
    { page, stage },
  ) {
    await openList(page, stage);
    await page.getByText("Live", { exact: true }).waitFor();
    await stage.test.settle();
    const error = { code: "SERVICE_UNAVAILABLE", message: "The service is away." };
    let refused = 0;
    await page.route(lists, (route) => {
      refused++;
      return route.fulfill({ status: 503, json: { success: false, error } });
    });
    await stage.deliver(plain("Behind a refusal"));
    await stage.test.settle();
    await eventually("the refusal", () => refused > 0);
    assert.equal(await rows(page).filter({ hasText: "Behind a refusal" }).count(), 0);
    await page.unroute(lists);
    await rows(page).filter({ hasText: "Behind a refusal" }).first().waitFor();
  },
};
