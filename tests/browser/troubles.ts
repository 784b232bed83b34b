import assert from "node:assert/strict";
import type { Page, Route } from "playwright-core";
import { eventually } from "../eventually.ts";
import { account, mailbox, type TestAccount } from "../service.ts";
import { violations } from "./axe_pages.ts";
import { type Guarantees, openList, plain, rows } from "./scene.ts";

interface Mailbox {
  mailbox_id: string;
  unread_count: number;
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

/** A route that answers 503 for a while. */
function refusal(url: string) {
  let refused = 0;
  const error = { code: "SERVICE_UNAVAILABLE", message: "The service is away." };
  const refuse = (route: Route) => {
    refused++;
    return route.fulfill({ status: 503, json: { success: false, error } });
  };
  return {
    begin: (page: Page) => page.route(url, refuse),
    end: (page: Page) => page.unroute(url, refuse),
    count: () => refused,
  };
}

async function signIn(page: Page, { email, password }: TestAccount) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

/** The mailboxes in the side bar. */
const boxes = (page: Page) => page.locator(".side .box-name").allInnerTexts();

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
      return await count.innerText() === String(box.unread_count);
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
    const away = refusal(lists);
    await away.begin(page);
    await stage.deliver(plain("Behind a refusal"));
    await stage.test.settle();
    await eventually("the refusal", () => away.count() > 0);
    assert.equal(await rows(page).filter({ hasText: "Behind a refusal" }).count(), 0);
    await away.end(page);
    await rows(page).filter({ hasText: "Behind a refusal" }).first().waitFor();
  },

  async "trouble: a service that is away at the start says so, and Try again continues; a new version is loaded"(
    { page, stage },
  ) {
    const away = refusal("**/api/account");
    await away.begin(page);
    await page.goto(`${stage.base}/app/mail/all`);
    await page.getByRole("alert").getByText("The service is away.").waitFor();
    assert.deepEqual(await violations(page), []);
    await away.end(page);
    await page.getByRole("button", { name: "Try again" }).click();
    await rows(page).first().waitFor();
    // A new version of the service does not have the files of this one.
    await page.route("**/pages/domains.tsx", (route) => route.fulfill({ status: 404 }), {
      times: 1,
    });
    await page.route("**/app/", (route) => route.fulfill({ body: "/assets/of-another-version/" }));
    await page.getByRole("link", { name: "Domains" }).click();
    await page.getByRole("heading", { level: 1, name: "Domains" }).waitFor();
    const how = await page.evaluate("performance.getEntriesByType('navigation')[0].type");
    assert.equal(how, "reload");
  },

  async "trouble: a session that the service could not end is not shown as ended"(
    { page, stage },
  ) {
    await openList(page, stage);
    const away = refusal("**/api/auth/logout");
    await away.begin(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("alert").getByText("The service is away.").waitFor();
    assert.equal(await rows(page).count() > 0, true);
    await away.end(page);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal((await page.request.get(`${stage.base}/api/account`)).status(), 401);
  },

  async "trouble: a mail that was deleted just before the end of the session is deleted"(
    { page, stage },
  ) {
    await stage.deliver(plain("Deleted on leaving"));
    await openList(page, stage);
    const row = rows(page).filter({ hasText: "Deleted on leaving" });
    await row.getByRole("checkbox").check();
    await page.keyboard.press("#");
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const found = await stage.test.request("/v1/api/emails?subject=Deleted+on+leaving", {
      token: stage.me.key,
    });
    assert.deepEqual((await found.json()).data, []);
  },

  async "trouble: whoever signs in next sees nothing of the account before"({ page, stage }) {
    const other = await account(stage.test);
    await mailbox(stage.test, other, "of-the-other");
    await page.goto(`${stage.base}/app/mail/${stage.mailboxId}?q=invoice`);
    await rows(page).first().waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("button", { name: "Sign in" }).waitFor();
    assert.equal(page.url(), `${stage.base}/app/`);
    const { release, held } = await holdFirst(page, "**/api/mailboxes");
    await signIn(page, other);
    await held;
    await page.getByRole("link", { name: "All mail" }).waitFor();
    assert.deepEqual(await boxes(page), []);
    await release();
    await eventually("its own mailbox", async () => (await boxes(page))[0] === "of-the-other");
    assert.equal(new URL(page.url()).pathname, "/app/mail/all");
  },

  async "trouble: a tab follows when another tab signs in as somebody else"({ page, stage }) {
    const other = await account(stage.test);
    await mailbox(stage.test, other, "of-another-tab");
    await openList(page, stage);
    const tab = await page.context().newPage();
    await tab.goto(`${stage.base}/app/`);
    await tab.getByRole("button", { name: "Sign out" }).click();
    await signIn(tab, other);
    await eventually("the other account", async () => (await boxes(tab))[0] === "of-another-tab");
    await eventually("it here too", async () => (await boxes(page))[0] === "of-another-tab");
    assert.equal(await page.locator(".me-name").getAttribute("title"), other.email);
  },

  async "trouble: what is typed in a dialog when the session ends is there for the same account alone"(
    { page, stage },
  ) {
    const { me } = stage;
    const dialog = page.getByRole("dialog");
    const label = (name: string) => dialog.getByLabel(name, { exact: true });
    const endSession = async (submit: string) => {
      await page.context().clearCookies();
      await dialog.getByRole("button", { name: submit }).click();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    };
    await page.goto(`${stage.base}/app/mailboxes`);
    await page.getByRole("button", { name: `Policy of ${stage.address}` }).click();
    await label("Needs no approval to write to").fill("ada@example.net");
    await label("Delete mail after, in days").fill("30");
    await endSession("Save");
    const other = await account(stage.test);
    await mailbox(stage.test, other, "sees-no-policy");
    await signIn(page, other);
    await page.getByRole("link", { name: "Mailboxes", exact: true }).click();
    await page.getByRole("button", { name: /^Policy of sees-no-policy/ }).click();
    assert.equal(await label("Needs no approval to write to").inputValue(), "");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Sign out" }).click();
    await signIn(page, me);
    await page.getByRole("link", { name: "Mailboxes", exact: true }).click();
    await dialog.getByText(`Policy of ${stage.address}`).waitFor();
    await eventually(
      "the typed address",
      async () => await label("Needs no approval to write to").inputValue() === "ada@example.net",
    );
    assert.equal(await label("Delete mail after, in days").inputValue(), "30");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: `Policy of ${stage.address}` }).click();
    assert.equal(await label("Needs no approval to write to").inputValue(), "", "it was cancelled");
    await page.keyboard.press("Escape");

    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "Create key" }).click();
    await label("Name").fill("kept");
    await dialog.locator("select[name=mailbox]").selectOption({ label: stage.address });
    await dialog.getByLabel("Only what is chosen").check();
    await dialog.locator("[name=scope][value=search]").uncheck();
    await endSession("Create key");
    await signIn(page, me);
    await eventually("the name", async () => await label("Name").inputValue() === "kept");
    await dialog.locator("[name=mailbox] option:checked", { hasText: stage.address })
      .waitFor({ state: "attached" });
    await dialog.locator("[name=scope][value='emails:read']:checked").waitFor();
    assert.ok(!await dialog.locator("[name=scope][value=search]").isChecked());
  },

  async "trouble: sign in says in minutes when to try again after too many failures"(
    { page, stage: { base } },
  ) {
    const error = {
      ...{ code: "RATE_LIMIT_EXCEEDED", message: "Too many failed logins; try again later." },
      details: { limit: 10, window: "hour", retry_after: 845 },
    };
    await page.route(
      "**/api/auth/login",
      (route) => route.fulfill({ status: 429, json: { success: false, error } }),
    );
    await page.goto(base);
    await page.getByLabel("Email").fill("ada@example.net");
    await page.getByLabel("Password").fill("anything at all");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText(/later\. Try again in 15 min\.$/).waitFor();
  },

  async "trouble: sign in after an account was made and its first sign-in failed"(
    { page, stage },
  ) {
    await page.goto(`${stage.base}/app/`);
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Name").fill("Newcomer");
    await page.getByLabel("Email").fill("newcomer@example.net");
    await page.getByLabel("Password").fill("a long password");
    const away = refusal("**/api/auth/login");
    await away.begin(page);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").getByText("The service is away.").waitFor();
    await away.end(page);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "No mailbox yet" }).waitFor();
  },
};
