import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";
import { mailbox } from "../service.ts";
import { violations } from "./axe_pages.ts";
import { type Guarantees, openList, openThread, plain, rows } from "./scene.ts";

/** Lists of pages, and what is no longer there. */
export const longLists: Guarantees = {
  async "lists: older arrivals stay when a new one comes, and those of one tab are not shown in another"(
    { page, stage },
  ) {
    const message = plain("Delivered again and again");
    for (let n = 0; n < 60; n++) await stage.deliver(message);
    await page.goto(`${stage.base}/app/arrivals`);
    const arrivals = page.locator("table.arrivals tbody tr");
    await arrivals.first().waitFor();
    assert.equal(await arrivals.count(), 50);
    await page.getByRole("button", { name: "Older" }).click();
    await eventually("older arrivals", async () => await arrivals.count() > 50);
    const heights = await arrivals.evaluateAll((all) =>
      all.map((row) => Math.round((row as HTMLElement).getBoundingClientRect().height))
    );
    assert.deepEqual(
      [...new Set(heights)].length,
      1,
      "accepted and duplicate rows are equally high",
    );
    const before = await arrivals.count();
    const emailId = await stage.deliver(plain("One more"));
    await arrivals.locator(`a[href="/app/email/${emailId}"]`).waitFor();
    assert.ok(await arrivals.count() >= before, "the older ones are there");

    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    await page.route("**/api/arrivals?disposition=rejected*", async (route) => {
      asked.resolve();
      await go.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Refused" }).click();
    await asked.promise;
    await page.getByRole("status", { name: "Loading" }).waitFor();
    assert.equal(await arrivals.count(), 0);
    go.resolve();
  },

  async "lists: a conversation that is deleted elsewhere leaves the page, and its link says so"(
    { page, stage },
  ) {
    const emailId = await stage.deliver(plain("Deleted while it is read"));
    await openThread(page, stage, "Deleted while it is read");
    await page.getByText("Live", { exact: true }).waitFor();
    const deleted = await stage.test.request(`/v1/api/emails/${emailId}`, {
      ...{ method: "DELETE", token: stage.me.key },
    });
    assert.equal(deleted.status, 200);
    await page.waitForURL("**/app/mail/all");
    await page.goto(`${stage.base}/app/email/${emailId}`);
    await page.getByRole("alert").getByText("There is no such email").waitFor();
    // Not a white page.
    await page.goto(`${stage.base}/app/mail/%ff`);
    await page.getByRole("alert").getByText("There is no such mailbox").waitFor();
  },

  async "lists: a mailbox keeps its domain in a rename while the list of domains does not come"(
    { page, stage },
  ) {
    const { base, mailboxId } = stage;
    const answer = await page.request.get(`${base}/api/mailboxes`);
    const { mailboxes } = await answer.json();
    const own = { ...mailboxes[0], mailbox_id: mailboxId, email_address: "sales@own.example" };
    await page.route(
      "**/api/mailboxes",
      (route) => route.fulfill({ json: { mailboxes: [own] } }),
    );
    await page.route("**/api/domains", (route) => route.abort());
    await page.goto(`${base}/app/mailboxes`);
    await page.getByRole("button", { name: "Rename sales@own.example" }).click();
    assert.equal(await page.getByLabel("Domain").inputValue(), "own.example");
  },

  async "lists: many mailboxes leave the other pages in view, and one of them can be found"(
    { page, stage: { base } },
  ) {
    await giveMailboxes(page, base, 150);
    await page.goto(`${base}/app/mailboxes`);
    const shown = page.getByRole("listitem").filter({ hasText: "customer-" });
    await shown.first().waitFor();
    const usage = await page.getByRole("link", { name: "Plan and usage" }).boundingBox();
    assert.ok(usage!.y + usage!.height < 750, "above the foot of the side bar");
    await page.getByRole("link", { name: "All 150 mailboxes" }).waitFor();
    assert.equal(await shown.count(), 100);
    await page.getByRole("button", { name: "Show all 150" }).click();
    assert.equal(await shown.count(), 150);
    await page.getByRole("searchbox", { name: "Find a mailbox" }).fill("Customer-14");
    assert.equal(await shown.count(), 11);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${base}/app/mail/box-149`);
    const current = page.locator(".side .box[aria-current]");
    await eventually("it is in view", async () => (await current.boundingBox())!.y < 800);
  },

  async "lists: of many mailboxes a form suggests those that fit, and the side bar links some"(
    { page, stage: { base } },
  ) {
    await giveMailboxes(page, base, 5_000);
    await page.goto(`${base}/app/mail/box-4711`);
    await page.locator(".side .box[aria-current]", { hasText: "customer-4711" }).waitFor();
    assert.ok(await page.locator(".side .box").count() < 110);
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New message" });
    const from = dialog.getByLabel("From");
    assert.equal(await from.inputValue(), "customer-4711@agents.test");
    assert.deepEqual(await violations(page), []);
    await from.fill("customer-47");
    assert.ok(await dialog.locator("option").count() <= 50);
    const isValid = () => from.evaluate((node) => node.matches(":valid"));
    assert.ok(!await isValid());
    await from.fill("Customer-42@agents.test");
    assert.ok(await isValid());
    assert.equal(await dialog.locator("[name=mailbox]").inputValue(), "box-42");
    await page.goto(`${base}/app/search?q=parcel&mailbox_id=box-7`);
    const box = page.getByLabel("Mailbox", { exact: true });
    assert.equal(await box.inputValue(), "customer-7@agents.test");
    await box.fill("");
    await page.getByRole("button", { name: "Search" }).click();
    await page.waitForURL("**/app/search?q=parcel");
  },

  async "lists: back from a message that was found, the results are where they were left"(
    { page, stage },
  ) {
    await Promise.all(
      Array.from({ length: 25 }, (_, n) => stage.deliver(plain(`Zeppelin ${n}`))),
    );
    await stage.test.settle();
    await page.goto(`${stage.base}/app/search?q=zeppelin`);
    const hits = page.locator(".hits li");
    await hits.nth(12).scrollIntoViewIfNeeded();
    const top = () => page.locator(".page").evaluate((node) => node.scrollTop);
    const before = await top();
    assert.ok(before > 100);
    await hits.nth(12).getByRole("link").click();
    await page.locator(".message-body").first().waitFor();
    await page.goBack();
    await hits.nth(12).waitFor();
    await eventually("the same place", async () => await top() === before);
  },

  async "lists: a refused older page is asked for once, and comes by itself"({ page, stage }) {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => stage.deliver(plain(`Of a long list ${n}`))),
    );
    let refused = 0;
    const error = {
      ...{ code: "RATE_LIMIT_EXCEEDED", message: "Too many requests." },
      details: { limit: 300, window: "minute", retry_after: 5 },
    };
    await page.route("**/api/emails?*cursor=*", (route) => {
      if (refused++ > 0) return route.continue();
      return route.fulfill({ status: 429, json: { success: false, error } });
    });
    await openList(page, stage);
    const pane = page.getByRole("region", { name: "Message list" });
    await pane.evaluate((node) => node.scrollTop = 1_600);
    await page.getByRole("alert").getByText("Too many requests.").waitFor();
    // In one call: a call for each would take longer than the five seconds on a busy machine.
    await pane.evaluate(async (node) => {
      for (let top = 1_700; top < 3_000; top += 100) {
        node.scrollTop = top;
        await new Promise(requestAnimationFrame);
      }
    });
    assert.equal(refused, 1);
    await eventually("the older page", () => refused === 2);
    await page.locator("ul.rows[style*=height]").waitFor();
    const height = () => page.locator("ul.rows").evaluate((node) => node.scrollHeight);
    await eventually("more rows than the first page", async () => await height() > 50 * 76);
  },

  async "lists: a scrolled list stays at its mail while others come; at the top the new one shows"(
    { page, stage },
  ) {
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => stage.deliver(plain(`To be scrolled past ${n}`))),
    );
    await stage.test.settle();
    await openList(page, stage);
    await page.getByText("Live", { exact: true }).waitFor();
    const pane = page.getByRole("region", { name: "Message list" });
    const topSubject = async () => {
      const box = (await pane.boundingBox())!;
      return await page.evaluate(
        "([x, y]) => document.elementFromPoint(x, y).closest('li').textContent",
        [box.x + 100, box.y + 20],
      );
    };
    await pane.evaluate((node) => node.scrollTop = 760);
    await rows(page).nth(15).waitFor();
    const read = await topSubject();
    const first = await stage.deliver(plain("Comes above what is read"));
    await stage.deliver(plain("Comes above too"));
    await eventually("both are in the list", async () => /^\(2\) /.test(await page.title()));
    await eventually(
      "the list has moved",
      () => pane.evaluate((node) => node.scrollTop === 760 + 2 * 76),
    );
    assert.equal(await topSubject(), read);
    const deleted = await stage.test.request(`/v1/api/emails/${first}`, {
      ...{ method: "DELETE", token: stage.me.key },
    });
    assert.equal(deleted.status, 200);
    await eventually("it has moved back", () => pane.evaluate((node) => node.scrollTop === 836));
    assert.equal(await topSubject(), read);
    await pane.evaluate((node) => node.scrollTop = 0);
    await stage.deliver(plain("Comes to the top"));
    await rows(page).filter({ hasText: "Comes to the top" }).first().waitFor();
    assert.equal(await pane.evaluate((node) => node.scrollTop), 0);
  },

  async "lists: a mailbox that is deleted elsewhere is said to be gone"({ page, stage }) {
    const { test, me } = stage;
    const { mailbox_id, email_address } = await mailbox(test, me, "deleted-elsewhere");
    await page.goto(`${stage.base}/app/mail/${mailbox_id}`);
    await page.getByRole("button", { name: "Send the first mail" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    const deleted = await test.request(`/v1/api/mailboxes/${mailbox_id}`, {
      ...{ method: "DELETE", token: me.key, json: { confirm_email_address: email_address } },
    });
    assert.equal(deleted.status, 200);
    await page.getByRole("alert").getByText("There is no such mailbox").waitFor();
    assert.equal(await page.getByRole("button", { name: "Send the first mail" }).count(), 0);
  },

  async "lists: what another tab deleted is gone here too, with the next action on it"(
    { page, stage },
  ) {
    const { test, me, base } = stage;
    const ask = async (method: string, path: string, json?: unknown) => {
      const answer = await test.request(path, { method, token: me.key, ...json ? { json } : {} });
      assert.ok(answer.ok, `${path} ${answer.status}`);
      return (await answer.json()).data;
    };
    const { mailbox_id, email_address } = await mailbox(test, me, "of-a-limited-key");
    const limited = { name: "limited to one", mailboxIds: [mailbox_id] };
    const { keyId } = await ask("POST", "/v1/api/keys", limited);
    await ask("DELETE", `/v1/api/mailboxes/${mailbox_id}`, {
      confirm_email_address: email_address,
    });
    await page.goto(`${base}/app/keys`);
    const key = page.getByRole("row").filter({ hasText: "limited to one" });
    await key.getByText("all but approval and policies (a deleted mailbox)").waitFor();
    await key.getByRole("button").click();
    await ask("DELETE", `/v1/api/keys/${keyId}`);
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await key.waitFor({ state: "detached" });

    const url = "https://deleted-elsewhere.example.net/hook";
    const { webhook_id } = await ask("POST", "/v1/api/webhooks", {
      ...{ url, events: ["email.received"] },
    });
    await page.goto(`${base}/app/webhooks`);
    const hook = page.locator(".card-row").filter({ hasText: url });
    await hook.waitFor();
    await ask("DELETE", `/v1/api/webhooks/${webhook_id}`);
    await hook.getByRole("button", { name: "Turn off" }).click();
    await page.getByRole("alert").getByText("There is no such webhook.").waitFor();
    await hook.waitFor({ state: "detached" });
  },
};

/** Makes the page believe that the account has so many mailboxes, `customer-0` and so on. */
async function giveMailboxes(page: Page, base: string, count: number): Promise<void> {
  const answer = await page.request.get(`${base}/api/mailboxes`);
  const { mailboxes: [model] } = await answer.json();
  const mailboxes = Array.from({ length: count }, (_, n) => ({
    ...{ ...model, mailbox_id: `box-${n}`, email_address: `customer-${n}@agents.test` },
  }));
  await page.route("**/api/mailboxes", (route) => route.fulfill({ json: { mailboxes } }));
}
