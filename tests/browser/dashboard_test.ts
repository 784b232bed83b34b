import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";
import { isNight } from "../nightly.ts";
import { overflows, shifted, violations, watchShifts } from "./axe_pages.ts";
import { mailbox } from "../service.ts";
import { inBrowser } from "./in_browser.ts";
import {
  brokenWebhook,
  connectedApp,
  type Guarantees,
  heldDraft,
  newSession,
  openList,
  openThread,
  plain,
  rows,
} from "./scene.ts";
import type { Stage } from "./stage.ts";

const everyPage: Guarantees = {
  async "who does not sign in sees nothing; a wrong password says so; no token is in reach of a program"(
    { page, stage: { base, me } },
  ) {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.url().startsWith(`${base}/api/`)) asked.push(new URL(request.url()).pathname);
    });
    await page.goto(`${base}/app/mail/all`);
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(await page.title(), "Sign in · Letterbox");
    assert.deepEqual(asked, ["/api/account"]);
    await page.getByLabel("Email").fill(me.email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password").fill(me.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await rows(page).first().waitFor();
    const kept = await page.evaluate(
      "document.cookie + JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage})",
    );
    assert.equal(kept, "{}{}");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal((await page.request.get(`${base}/api/account`)).status(), 401);
  },

  async "mail shows without a reload, once, with its count in the title; twenty at once are one request"(
    { page, stage },
  ) {
    await openList(page, stage);
    await page.getByText("Live", { exact: true }).waitFor();
    let lists = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/api/emails") lists++;
    });
    await stage.deliver(plain("Arrived live"));
    const row = rows(page).filter({ hasText: "Arrived live" });
    await row.first().waitFor();
    assert.equal(await row.count(), 1);
    await row.getByRole("img", { name: "New" }).waitFor();
    await eventually("the count in the title", async () => /^\(1\) /.test(await page.title()));
    await stage.test.settle();
    lists = 0;
    await Promise.all(Array.from({ length: 20 }, (_, n) => stage.deliver(plain(`Burst ${n}`))));
    await eventually(
      "twenty-one new",
      async () => /^\(21\) /.test(await page.title()),
    );
    await rows(page).filter({ hasText: "Burst" }).nth(5).waitFor();
    assert.ok(lists <= 12, `${lists} lists for twenty mails and their processing`);
  },

  async "after the stream was cut, what came meanwhile is there"({ page, stage }) {
    await openList(page, stage);
    await page.getByText("Live", { exact: true }).waitFor();
    await stage.stop();
    await page.getByText("Reconnecting").waitFor();
    stage.start();
    await stage.deliver(plain("Came meanwhile"));
    await rows(page).filter({ hasText: "Came meanwhile" }).first().waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await page.evaluate("dispatchEvent(new Event('offline'))");
    await page.getByText("Reconnecting").waitFor();
    await page.evaluate("dispatchEvent(new Event('online'))");
    await page.getByText("Live", { exact: true }).waitFor();
  },

  async "while the service is away the page says so in place, and Try again continues"(
    { page, stage: { base } },
  ) {
    await page.goto(`${base}/app/mail/all`);
    await rows(page).first().waitFor();
    await page.route("**/api/keys", (route) => route.abort());
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("alert").getByText("Letterbox does not answer").waitFor();
    await page.unroute("**/api/keys");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table").waitFor();
  },

  async "a limit says in how many seconds to try again"({ page, stage: { base } }) {
    await page.route("**/api/keys", (route) =>
      route.fulfill({
        status: 429,
        json: {
          success: false,
          error: {
            code: "RATE_LIMIT_EXCEEDED",
            message: "Too many requests.",
            details: { limit: 300, window: "minute", retry_after: 17 },
          },
        },
      }));
    await page.goto(`${base}/app/keys`);
    await page.getByRole("alert").getByText(/Try again in 1\d s/).waitFor();
  },

  async "an ended session leads to the sign-in, and the address stays"({ page, stage }) {
    await openList(page, stage);
    await page.context().clearCookies();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/app/webhooks");
  },

  async "keys: j, k, Enter, u, x, the letters after g, ?, Escape; letters in a field are text; the menu of a phone"(
    { page, stage },
  ) {
    await openList(page, stage);
    const list = await rows(page).locator(".row-subject").allTextContents();
    // Focus is elsewhere: Enter must open the row all the same.
    await page.getByRole("link", { name: "All mail" }).click();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const bare = (subject: string) => subject.replace(/^Re: /, "");
    await page.getByRole("heading", { level: 1, name: bare(list[2]) }).waitFor();
    await page.keyboard.press("k");
    await page.getByRole("heading", { level: 1, name: bare(list[1]) }).waitFor();
    await page.keyboard.press("u");
    await page.waitForURL("**/app/mail/all");
    await page.keyboard.press("x");
    await page.getByText("1 selected").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("1 selected").waitFor({ state: "detached" });
    for (
      const [key, path] of [["a", "arrivals"], ["w", "webhooks"], ["c", "apps"], ["k", "keys"]]
    ) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.waitForURL(`**/app/${path}`);
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.keyboard.press("/");
    await page.waitForURL("**/app/search");
    const box = page.getByRole("searchbox", { name: "Search for" });
    const isFocused = () => box.evaluate((node) => node === node.ownerDocument.activeElement);
    await eventually("focus in the search box", isFocused);
    await page.keyboard.type("jk?c/g");
    assert.equal(await box.inputValue(), "jk?c/g");
    await box.blur();
    await page.keyboard.press("/");
    await eventually("focus in the search box again", isFocused);
    await page.setViewportSize({ width: 390, height: 844 });
    const menu = page.getByRole("button", { name: "Menu" });
    await menu.press("Enter");
    await page.locator(".side a:focus").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".menu-open").waitFor({ state: "detached" });
    await page.locator("[aria-controls=menu]:focus").waitFor();
  },

  async "letters that are typed after / before the search box is loaded are in it, and no shortcuts"(
    { page, stage },
  ) {
    await openList(page, stage);
    let load = () => {};
    const asked = new Promise<void>((resolve) => load = resolve);
    await page.route(/pages\/search/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.keyboard.press("/");
    await page.keyboard.type("cx# jug?");
    load();
    const box = page.getByRole("searchbox", { name: "Search for" });
    await box.waitFor();
    await page.keyboard.type(" and more");
    assert.equal(await box.inputValue(), "cx# jug? and more");
    assert.equal(await page.getByRole("dialog").count(), 0);
  },

  async "reply: two clicks send once, in the conversation, and Ctrl Enter sends"({ page, stage }) {
    await openThread(page, stage, "Returning a damaged lamp, order 7731");
    await page.keyboard.press("r");
    await page.getByLabel("Your reply").fill("Please keep the lamp, a new shade is on its way.");
    await page.getByRole("button", { name: "Send", exact: true }).dblclick();
    await page.getByText("Your agent").first().waitFor();
    const sent = await sentMail(stage, "Re: Returning a damaged lamp, order 7731");
    assert.equal(sent.length, 1);
    assert.deepEqual(sent[0].to, ["jonas@fjordlight.example"]);
    assert.equal(sent[0].in_reply_to, "<lifelike-7@fjordlight.example>");
    await page.keyboard.press("r");
    await page.getByLabel("Your reply").fill("And a spare bulb.");
    await page.keyboard.press("Control+Enter");
    await page.getByLabel("Your reply").waitFor({ state: "detached" });
    assert.equal((await sentMail(stage, "Re: Returning a damaged lamp, order 7731")).length, 2);
  },

  async "a reply whose answer is lost is sent once when it is tried again; changed, it says so first"(
    { page, stage },
  ) {
    // A browser has it over HTTPS and on localhost only.
    await page.addInitScript("delete Crypto.prototype.randomUUID");
    await openThread(page, stage, "Quote for 34 copies of the field guide");
    const reply = page.getByLabel("Your reply");
    const send = page.getByRole("button", { name: "Send", exact: true });
    const sent = async () =>
      (await sentMail(stage, "Re: Quote for 34 copies of the field guide")).length;
    const loseAnswer = async (text: string) => {
      await page.getByRole("button", { name: "Reply", exact: true }).click();
      await reply.fill(text);
      await page.route("**/reply", async (route) => {
        await route.fetch();
        await route.abort();
      }, { times: 1 });
      await send.click();
      await page.getByRole("alert").getByText("Letterbox does not answer").waitFor();
    };
    await loseAnswer("Yes, 12 percent less for schools.");
    await send.click();
    await reply.waitFor({ state: "detached" });
    assert.equal(await sent(), 1);
    await loseAnswer("And 14 percent from 50 copies.");
    await reply.fill("And 15 percent from 50 copies.");
    await send.click();
    await page.getByRole("alert").getByText("It was sent before your last change").waitFor();
    assert.equal(await sent(), 2);
    await send.click();
    await reply.waitFor({ state: "detached" });
    assert.equal(await sent(), 3);
  },

  async "compose sends to the typed addresses with the chosen file"({ page, stage }) {
    await openList(page, stage);
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New message" });
    await dialog.getByLabel("To", { exact: true }).fill("a@example.net; Bo <b@example.net>");
    await dialog.getByLabel("Subject").fill("With a file");
    await dialog.getByLabel("Text").fill("See below.");
    await dialog.locator("input[type=file]").setInputFiles({
      name: "list.csv",
      mimeType: "text/csv",
      buffer: Buffer.from("a,b\n1,2\n"),
    });
    await dialog.getByText("list.csv").waitFor();
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
    const [sent] = await sentMail(stage, "With a file");
    assert.deepEqual(sent.to, ["a@example.net", "b@example.net"]);
    assert.deepEqual(sent.attachments.map(({ filename, size }) => [filename, size]), [
      ["list.csv", 8],
    ]);
  },

  async "search asks on Enter alone, shows the API's score, and says why nothing was found"(
    { page, stage: { base, test, me } },
  ) {
    const scores: number[] = [];
    let searches = 0;
    page.on("request", (request) => {
      if (new URL(request.url()).pathname === "/api/search") searches++;
    });
    await page.goto(`${base}/app/search`);
    const box = page.getByRole("searchbox", { name: "Search for" });
    await box.pressSequentially("atlas");
    assert.equal(searches, 0);
    await box.press("Enter");
    await page.locator(".score-number").first().waitFor();
    await page.getByText("found by words").first().waitFor();
    assert.equal(searches, 1);
    const answer = await test.request("/v1/api/search", {
      token: me.key,
      json: { query: "atlas", limit: 25 },
    });
    for (const { score } of (await answer.json()).results) scores.push(score);
    const shown = await page.locator(".score-number").allTextContents();
    assert.deepEqual(shown, scores.map((score) => score.toFixed(2)));
    await page.locator(".hits a").first().click();
    await page.locator(".message-body").first().waitFor();
    await page.goBack();
    await page.locator(".score-number").first().waitFor();
    assert.equal(searches, 1, "each counts against the plan");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await eventually("asked once more", () => searches === 2);
    await page.goto(`${base}/app/search?q=atlas&from=nobody@example.net`);
    await page.getByRole("heading", { name: "Nothing found" }).waitFor();
    await page.getByRole("link", { name: "Without the filter “From”" }).click();
    await page.locator(".score-number").first().waitFor();
    assert.equal(new URL(page.url()).search, "?q=atlas");
  },

  async "a key is shown once, works, and is dead once it is revoked"(
    { page, stage: { base, test } },
  ) {
    await page.goto(`${base}/app/keys`);
    await page.getByRole("button", { name: "Create key" }).click();
    await page.getByLabel("Name").fill("walker");
    await page.getByRole("dialog").getByRole("button", { name: "Create key" }).click();
    const shown = page.getByRole("dialog", { name: "Key for walker" });
    const key = await shown.locator(".secret code").textContent();
    await shown.getByRole("button", { name: "Copy" }).first().click();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), key);
    const status = async () => (await test.request("/v1/api/mailboxes", { token: key! })).status;
    assert.equal(await status(), 200);
    await page.getByRole("button", { name: "I have stored it" }).click();
    assert.ok(!(await page.content()).includes(key!));
    await page.getByRole("button", { name: "Revoke walker" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("Key revoked").waitFor();
    assert.equal(await status(), 401);
  },

  async "a failed delivery says why, and Replay ends as delivered"({ page, stage: { base } }) {
    let status = 500;
    const receiver = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      () => new Response(null, { status }),
    );
    try {
      await page.goto(`${base}/app/webhooks`);
      await page.getByRole("button", { name: "Add webhook" }).click();
      const url = `http://127.0.0.1:${receiver.addr.port}/hook`;
      await page.getByLabel("URL").fill(url);
      await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
      await page.getByRole("button", { name: "I have stored it" }).click();
      await page.getByRole("link", { name: url }).click();
      await page.getByRole("button", { name: "Send a test" }).click();
      await page.getByText(/500/).first().waitFor();
      status = 200;
      const replay = page.getByRole("button", { name: "Replay" }).first();
      await eventually("all attempts have failed", () => replay.isEnabled());
      await replay.click();
      await page.getByText("delivered", { exact: true }).first().waitFor();
    } finally {
      await receiver.shutdown();
    }
  },

  async "# hides the open or chosen mail at once, Undo brings it back, and without it it is gone after 5 s"(
    { page, stage },
  ) {
    await stage.deliver(plain("To be deleted"));
    await openList(page, stage);
    const row = rows(page).filter({ hasText: "To be deleted" });
    await row.getByRole("checkbox").check();
    await page.keyboard.press("#");
    await row.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo" }).click();
    await row.waitFor();
    await row.getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: "To be deleted" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await stage.deliver(plain("Came before the key"));
    const came = rows(page).filter({ hasText: "Came before the key" });
    await came.waitFor();
    await page.keyboard.press("#");
    // The mail that is open, not the one in its place.
    await row.waitFor({ state: "detached" });
    assert.equal(await came.count(), 1);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.reload();
    await row.waitFor();
    await page.keyboard.press("#");
    await row.waitFor({ state: "detached" });
    assert.equal(await came.count(), 1);
    // Leaving the page makes the deletion final.
    await page.goto("about:blank");
    await eventually("it is deleted", async () => (await found(stage, "To be deleted")) === 0);
  },

  async "read state and labels are set from the list, and a label filters it"({ page, stage }) {
    await stage.deliver(plain("To be labelled"));
    await openList(page, stage);
    const row = rows(page).filter({ hasText: "To be labelled" });
    await row.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Mark as read" }).click();
    await page.getByRole("button", { name: "Mark as unread" }).waitFor();
    await page.getByRole("toolbar").getByRole("button", { name: "Labels" }).click();
    await page.getByLabel("Add labels").fill("refunds");
    await page.getByRole("button", { name: "Save" }).click();
    await row.getByText("refunds").waitFor();
    await page.goto(`${stage.base}/app/mail/all?label=refunds`);
    await rows(page).first().waitFor();
    assert.equal(await rows(page).count(), 1);
  },

  async "of thousands of mails fewer than sixty rows are in the document, from the first to the last"(
    { page, stage },
  ) {
    // By day fewer: each page of a hundred takes as long as the one before.
    const all = isNight ? 10_000 : 2_000;
    const { base, mailboxId } = stage;
    const answer = await page.request.get(`${base}/api/emails?limit=1`);
    const [model] = (await answer.json()).data;
    let asked = 0;
    stage.hooks.instead = ({ url }) => {
      const { pathname, searchParams } = new URL(url);
      if (pathname !== "/api/emails") return null;
      asked++;
      const from = Number(searchParams.get("cursor") ?? 0);
      const count = Number(searchParams.get("limit"));
      const data = Array.from({ length: Math.min(count, all - from) }, (_, n) => ({
        ...model,
        email_id: `e${from + n}`,
        thread_id: `t${from + n}`,
        subject: `Number ${from + n}`,
        mailbox_id: mailboxId,
      }));
      const next = from + count < all ? String(from + count) : null;
      const meta = { limit: count, has_more: next !== null, next_cursor: next };
      return Response.json({ success: true, data, meta });
    };
    using cleanup = new DisposableStack();
    cleanup.defer(() => stage.hooks.instead = () => null);
    await page.goto(`${base}/app/mail/all`);
    await page.getByText("Number 0", { exact: true }).waitFor();
    assert.equal(asked, 1);
    const pane = page.getByRole("region", { name: "Message list" });
    const toEnd = () =>
      pane.evaluate((node) => {
        node.scrollTop = node.scrollHeight;
        return node.scrollTop;
      });
    let most = 0;
    await page.keyboard.press("j");
    const last = page.getByText(`Number ${all - 1}`, { exact: true });
    for (let looked = 0; looked < 2_000 && await last.count() === 0; looked++) {
      const reached = await toEnd();
      most = Math.max(most, await rows(page).count());
      await page.waitForTimeout(10);
      // Rows that are loaded do not lead back to the chosen one.
      assert.ok(await pane.evaluate((node) => node.scrollTop) >= reached);
    }
    assert.equal(await last.count(), 1);
    assert.ok(most > 10 && most < 60, `${most} rows in the document`);
    // 50 first, then 100 a time.
    assert.equal(asked, 1 + Math.ceil((all - 50) / 100));
  },
};

/** Layout shift while a page loads; most pages have 0.003, and from 0.1 on a reader loses the line. */
const mostShift = 0.03;

/** After all others, so that their data is checked too. */
const looks: Guarantees = {
  async "axe finds nothing on any page, in light, dark and on a phone, and finds a planted fault; nothing overflows, nothing moves while it loads"(
    { page, stage, complaints },
  ) {
    const places = await placesOf(stage);
    const wrong: string[] = [];
    await watchShifts(page);
    for (const [name, open] of places) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open(page);
      const { sum, nodes } = await shifted(page);
      if (sum > mostShift) wrong.push(`${name} moves by ${sum.toFixed(2)}: ${nodes.join("; ")}`);
      const note = async (mode: string, rules?: string[]) =>
        wrong.push(...(await violations(page, rules)).map((each) => `${name}, ${mode}: ${each}`));
      await note("light");
      await page.evaluate("document.documentElement.dataset.theme = 'dark'");
      // By day on the phone alone.
      if (isNight) await note("dark", ["color-contrast"]);
      await page.setViewportSize({ width: 390, height: 844 });
      await note("phone, dark");
      for (const width of [320, 390, 768, 830, 1280, 1920]) {
        await page.setViewportSize({ width, height: 844 });
        wrong.push(...(await overflows(page)).map((each) => `${name}, ${width} px: ${each}`));
      }
      await page.evaluate("document.documentElement.dataset.theme = 'light'");
    }
    assert.deepEqual(wrong, []);
    // Signed out, the browser reports the 401.
    assert.deepEqual(complaints.filter((each) => !/ 401 .*\/api\/account$/.test(each)), []);
    await page.evaluate("document.body.append(document.createElement('button'))");
    assert.ok((await violations(page)).some((each) => each.startsWith("button-name")));
  },

  async "what moves after it was shown is noticed"({ page, stage }) {
    await watchShifts(page);
    await openList(page, stage);
    await page.evaluate("document.querySelector('.list-head').style.marginTop = '200px'");
    await eventually("a planted shift", async () => (await shifted(page)).sum > mostShift);
  },
};

type Place = readonly [name: string, open: (page: Page) => Promise<unknown>];

/** Every page, with a text that it shows. */
async function placesOf(stage: Stage): Promise<Place[]> {
  const { base } = stage;
  const to = (
    path: string,
    sign: (page: Page) => Promise<unknown>,
  ): Place => [path, async (page) => {
    await page.goto(`${base}/app/${path}`);
    await sign(page);
  }];
  /** A dialog of the previous page. */
  const dialog = (name: string | RegExp): Place => [`dialog ${name}`, async (page) => {
    await page.getByRole("button", { name }).first().click();
    await page.getByRole("dialog").waitFor();
  }];
  const domain = {
    json: { domain: "a-rather-long-name-of.mail.example.com" },
    token: await newSession(stage),
  };
  assert.equal((await stage.test.request("/api/domains", domain)).status, 201);
  await brokenWebhook(stage, "looked-at");
  await heldDraft(stage, "held-looks", "Held for all to see");
  await connectedApp(stage, "Looked at");
  await stage.test.settle();
  return [
    ["mail", (page) => openList(page, stage)],
    ["a conversation", (page) => openThread(page, stage, "482913 is your Clearfold sign-in code")],
    ["a message's HTML", async (page) => {
      await page.getByRole("button", { name: "HTML" }).click();
      await page.frameLocator("iframe").locator("p").first().waitFor();
    }],
    ["its readers", async (page) => {
      await page.getByRole("button", { name: "Seen by" }).click();
      await page.locator(".message-body").getByRole("table").waitFor();
    }],
    ["compose", async (page) => {
      await page.keyboard.press("c");
      await page.getByRole("dialog", { name: "New message" }).waitFor();
    }],
    to("search?q=atlas", (page) => page.locator(".hits").waitFor()),
    to("search?q=atlas&from=nobody", (page) => page.getByText("Nothing found").waitFor()),
    to("arrivals", (page) => page.getByRole("table").waitFor()),
    to("webhooks", (page) => page.locator(".cards").waitFor()),
    ["deliveries", async (page) => {
      await page.locator(".cards a").first().click();
      await page.locator(".deliveries").waitFor();
    }],
    to("drafts", (page) => page.locator(".draft").first().waitFor()),
    dialog("Reject"),
    to("drafts?status=rejected", (page) => page.locator(".empty").waitFor()),
    to("apps", (page) => page.getByRole("table").waitFor()),
    dialog(/^Disconnect/),
    to("keys", (page) => page.getByRole("table").waitFor()),
    dialog("Create key"),
    to("domains", (page) => page.getByRole("table").waitFor()),
    dialog("Keyboard shortcuts"),
    to("usage", (page) => page.locator(".meters").waitFor()),
    to("people", (page) => page.locator(".people").waitFor()),
    dialog("Invite a person"),
    to("mailboxes", (page) => page.locator(".cards").waitFor()),
    dialog(/^Policy of/),
    to("bring", (page) => page.locator(".drop").waitFor()),
    [`an empty mailbox`, async (page) => {
      const { mailbox_id } = await mailbox(stage.test, stage.me, "never-written-to");
      await page.goto(`${base}/app/mail/${mailbox_id}`);
      await page.getByRole("button", { name: "Send the first mail" }).waitFor();
    }],
    to("nowhere", (page) => page.getByText("There is no such page").waitFor()),
    ["signed out", async (page) => {
      await page.context().clearCookies();
      await page.goto(`${base}/app/`);
      await page.getByRole("button", { name: "Sign in" }).waitFor();
    }],
  ];
}

interface SentMail {
  email_id: string;
  to: string[];
  in_reply_to: string | null;
  attachments: { filename: string; size: number }[];
}

/** The sent mail with a subject, in full. */
async function sentMail({ test, me }: Stage, subject: string): Promise<SentMail[]> {
  const query = new URLSearchParams({ direction: "outbound", subject });
  const list = await (await test.request(`/v1/api/emails?${query}`, { token: me.key })).json();
  return await Promise.all(
    list.data.map(async ({ email_id }: SentMail) =>
      (await (await test.request(`/v1/api/emails/${email_id}`, { token: me.key })).json()).data
    ),
  );
}

async function found({ test, me }: Stage, subject: string): Promise<number> {
  const query = new URLSearchParams({ subject });
  const answer = await test.request(`/v1/api/emails?${query}`, { token: me.key });
  return (await answer.json()).data.length;
}

inBrowser("the dashboard in a browser", { ...everyPage, ...looks });
