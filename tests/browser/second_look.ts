import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";
import { account, mailbox } from "../service.ts";
import { overflows, violations } from "./axe_pages.ts";
import { type Guarantees, htmlMail, openList, openThread, plain, rows } from "./scene.ts";
import type { Stage } from "./stage.ts";

const widths = [320, 390, 1280];

/** SHOTS names a folder for pictures in three widths and both themes. */
async function looksGood(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("SHOTS");
  for (const theme of ["light", "dark"]) {
    await page.evaluate((name) => document.documentElement.dataset.theme = name, theme);
    for (const width of widths) {
      await page.setViewportSize({ width, height: 844 });
      assert.deepEqual(await overflows(page), [], `${name} ${width}`);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${theme}.png` });
    }
    assert.deepEqual(await violations(page), [], `${name} ${theme}`);
  }
}

async function signIn(page: Page, base: string, who: { email: string; password: string }) {
  await page.context().clearCookies();
  await page.goto(base);
  await page.getByLabel("Email").fill(who.email);
  await page.getByLabel("Password").fill(who.password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Whether the newest mail with the subject is read. */
async function isRead({ test, me }: Stage, subject: string): Promise<boolean> {
  const query = new URLSearchParams({ subject });
  const answer = await test.request(`/v1/api/emails?${query}`, { token: me.key });
  return (await answer.json()).data[0].is_read;
}

export const secondLook: Guarantees = {
  async "HTML mail opens as it was meant, with remote images blocked; a long link of a text is shortened"(
    { page, stage },
  ) {
    const link = `https://news.example.net/${"track-".repeat(60)}`;
    await stage.deliver(htmlMail(
      "Opens as it was meant",
      "<h2>An offer</h2><img src='https://pixel.example.net/1.gif' width=200 height=40>",
    ));
    await stage.deliver(plain("Has a long link", `Look: ${link}\n`));
    await stage.test.settle();
    await openThread(page, stage, "Opens as it was meant");
    await page.frameLocator("iframe").getByRole("heading", { name: "An offer" }).waitFor();
    // A short message has a low frame, and nothing of it is cut.
    const frame = page.locator("iframe");
    await eventually("a low frame", async () => (await frame.boundingBox())!.height < 200);
    const hidden = await frame.evaluate((node) => {
      const { scrollHeight, clientHeight } = (node as HTMLIFrameElement).contentDocument!
        .documentElement;
      return scrollHeight - clientHeight;
    });
    assert.equal(hidden, 0);
    await page.getByText("1 remote image not loaded").waitFor();
    await page.getByRole("button", { name: "Load once" }).waitFor();
    await page.getByRole("button", { name: "Text", exact: true }).click();
    await page.locator("iframe").waitFor({ state: "detached" });
    await openThread(page, stage, "Has a long link");
    const shown = page.locator(".text a");
    assert.equal(await shown.getAttribute("href"), link);
    assert.ok((await shown.innerText()).length <= 60);
    await looksGood(page, "long-link");
  },

  async "opening marks as read only for who has chosen it; u marks unread, Shift i read, and the side bar counts"(
    { page, stage },
  ) {
    const { mailbox_id } = await mailbox(stage.test, stage.me, "counted-box");
    const { test, me, base } = stage;
    const sent = await test.request("/v1/api/emails/send", {
      token: me.key,
      json: {
        mailbox_id: stage.mailboxId,
        to: [`counted-box@${stage.address.split("@")[1]}`],
        subject: "Counted as unread",
        body_text: "Hello.",
      },
    });
    assert.equal(sent.status, 201);
    await test.settle();
    await page.goto(`${base}/app/mail/${mailbox_id}`);
    const count = page.locator(".side a", { hasText: "counted-box" }).locator(".count");
    await count.getByText("1", { exact: true }).waitFor();
    const open = async () => {
      await rows(page).first().getByRole("link").click();
      await page.locator(".message-body").first().waitFor();
    };
    await open();
    await page.waitForTimeout(300);
    assert.equal(await isRead(stage, "Counted as unread"), false);
    await page.keyboard.press("Shift+I");
    await count.waitFor({ state: "detached" });
    assert.equal(await isRead(stage, "Counted as unread"), true);
    await page.keyboard.press("u");
    await page.waitForURL(`**/app/mail/${mailbox_id}`);
    await count.getByText("1", { exact: true }).waitFor();

    await page.goto(`${base}/app/usage`);
    await page.getByLabel("Opening a message marks it as read").check();
    await page.goto(`${base}/app/mail/${mailbox_id}`);
    await open();
    await count.waitFor({ state: "detached" });
    await page.keyboard.press("u");
    await count.getByText("1", { exact: true }).waitFor();

    // In a list of unread mail the open one stays, and j goes on from there.
    for (const n of [1, 2, 3]) await stage.deliver(plain(`Read in turn ${n}`));
    await page.goto(`${base}/app/mail/${stage.mailboxId}?is_read=false`);
    const row = (n: number) => rows(page).filter({ hasText: `Read in turn ${n}` });
    await row(3).getByRole("link").click();
    for (const n of [3, 2, 1]) {
      await page.getByRole("heading", { level: 1, name: `Read in turn ${n}` }).waitFor();
      await eventually("it is read", () => isRead(stage, `Read in turn ${n}`));
      await page.locator(".row.open:not(.unread)").getByText(`Read in turn ${n}`).first().waitFor();
      if (n < 3) await row(n + 1).waitFor({ state: "detached" });
      await page.keyboard.press("j");
    }
  },

  async "what was sent has no read state: its keys and buttons are of the mail that came"(
    { page, stage },
  ) {
    const { test, me, base, mailboxId } = stage;
    const json = {
      ...{ mailbox_id: mailboxId, to: ["ada@example.net"], subject: "Has no read state" },
      body_text: "Hello.",
    };
    await test.request("/v1/api/emails/send", { token: me.key, json });
    await test.settle();
    await page.goto(`${base}/app/mail/all?direction=outbound`);
    await rows(page).filter({ hasText: "Has no read state" }).getByRole("checkbox").check();
    await page.getByText("1 selected").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Mark as/ }).count(), 0);
    await page.keyboard.press("u");
    await page.waitForTimeout(300);
    assert.equal(await isRead(stage, "Has no read state"), true);
    await rows(page).filter({ hasText: "Has no read state" }).getByRole("link").click();
    await page.locator(".message-body").first().waitFor();
    await page.getByRole("button", { name: "Labels" }).first().waitFor();
    assert.equal(await page.getByRole("button", { name: /^Mark as/ }).count(), 0);
  },

  async "a message is forwarded inline with its files, or attached"({ page, stage }) {
    const parts = [
      "Content-Type: text/plain\n\nSee the file.\n",
      'Content-Type: text/plain\nContent-Disposition: attachment; filename="list.txt"\n\nabc\n',
    ];
    const body = [...parts.map((each) => `--b\n${each}`), "--b--"].join("\n");
    await stage.deliver(plain(
      "Goes on to others",
      body,
      "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n",
    ));
    await stage.test.settle();
    await openThread(page, stage, "Goes on to others");
    const dialog = page.getByRole("dialog", { name: "Forward" });
    const forward = async (to: string, choose: () => Promise<unknown>) => {
      await page.keyboard.press("f");
      await dialog.getByLabel("To", { exact: true }).fill(to);
      await dialog.getByRole("textbox", { name: "Your words" }).fill("For you.");
      await choose();
      await dialog.getByRole("button", { name: "Send", exact: true }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await page.getByRole("button", { name: "Forward" }).click();
    await dialog.getByText("With its 1 attachment").waitFor();
    await looksGood(page, "forward");
    await page.keyboard.press("Escape");
    await forward("inline@example.net", async () => {});
    await forward("bare@example.net", () => dialog.getByLabel("With its 1 attachment").uncheck());
    await forward("whole@example.net", () => dialog.getByLabel("Attached unchanged").check());
    const query = new URLSearchParams({ subject: "Fwd: Goes on to others" });
    const { data } =
      await (await stage.test.request(`/v1/api/emails?${query}`, { token: stage.me.key })).json();
    const files: Record<string, string[]> = {};
    for (const { email_id, to } of data) {
      const answer = await stage.test.request(`/v1/api/emails/${email_id}`, {
        token: stage.me.key,
      });
      const { attachments } = (await answer.json()).data;
      files[to[0]] = attachments.map(({ filename }: { filename: string }) => filename);
    }
    assert.deepEqual(files, {
      "inline@example.net": ["list.txt"],
      "bare@example.net": [],
      "whole@example.net": ["Goes on to others.eml"],
    });
  },

  async "a webhook can be of some mailboxes"(
    { page, stage: { base, mailboxId, address, ...stage } },
  ) {
    await mailbox(stage.test, stage.me, "not-of-the-hook");
    await page.goto(`${base}/app/webhooks`);
    await page.getByRole("button", { name: "Add webhook" }).click();
    await page.getByLabel("URL").fill("http://127.0.0.1:9/of-one-mailbox");
    await page.getByLabel("Only these").check();
    await page.getByLabel("Only these").scrollIntoViewIfNeeded();
    await page.getByLabel(address).check();
    await looksGood(page, "webhook-mailboxes");
    await page.getByRole("dialog").getByRole("button", { name: "Add webhook" }).click();
    await page.getByRole("button", { name: "I have stored it" }).click();
    await page.getByText(/ · 1 mailbox/).waitFor();
    const { data } = await (await page.request.get(`${base}/api/webhooks`)).json();
    const made = data.find(({ url }: { url: string }) => url.endsWith("of-one-mailbox"));
    assert.deepEqual(made.mailbox_ids, [mailboxId]);
  },

  async "the reminder to confirm an address stands on every page, and where a send was refused"(
    { page, stage },
  ) {
    const { base } = stage;
    let must = true;
    await page.route("**/api/account", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data) body.data.mustConfirmEmail = must;
      await route.fulfill({ response, json: body });
    });
    const reminder = page.getByRole("main").getByRole("region", { name: "Confirm your address" });
    for (const path of ["mail/all", "search", "webhooks", "people", "usage"]) {
      await page.goto(`${base}/app/${path}`);
      await reminder.waitFor();
      assert.equal(await reminder.count(), 1, path);
    }
    await looksGood(page, "confirm");
    must = false;
    await reminder.getByRole("button", { name: "Send the link again" }).click();
    await reminder.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.route("**/api/emails/send", (route) => {
      must = true;
      const error = { code: "EMAIL_NOT_VERIFIED", message: "Confirm the address first." };
      return route.fulfill({ status: 403, json: { success: false, error } });
    });
    await openList(page, stage);
    await page.keyboard.press("c");
    const dialog = page.getByRole("dialog", { name: "New message" });
    await dialog.getByLabel("To", { exact: true }).fill("a@example.net");
    await dialog.getByLabel("Subject").fill("Refused");
    await dialog.getByLabel("Text").fill("Hello.");
    await dialog.getByRole("button", { name: "Send", exact: true }).click();
    await dialog.getByText("Confirm the address first.").waitFor();
    await dialog.getByRole("button", { name: "Send the link again" }).waitFor();
  },

  async "the guide stays beside the first mail until it is closed; in production it names no operator's token"(
    { page, stage: { base, test } },
  ) {
    const newcomer = await account(test);
    await mailbox(test, newcomer, "guided-one");
    let hint: string | null = null;
    await page.route("**/api/account", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data) body.data.inboundHint = hint;
      await route.fulfill({ response, json: body });
    });
    await signIn(page, base, newcomer);
    await page.getByRole("heading", { name: "Write to it" }).waitFor();
    assert.equal(await page.getByText("INBOUND_TOKEN").count(), 0);
    await looksGood(page, "guide");
    await page.setViewportSize({ width: 1280, height: 844 });
    hint = "By SMTP.";
    await page.reload();
    await page.getByText("INBOUND_TOKEN").waitFor();
    await page.getByRole("button", { name: "Send the first mail" }).click();
    await rows(page).filter({ hasText: "Hello from Letterbox" }).first().waitFor();
    await page.getByRole("heading", { name: "Mail comes in" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Mail comes in" }).waitFor();
    await looksGood(page, "guide-goes-on");
    await page.setViewportSize({ width: 390, height: 844 });
    await rows(page).first().getByRole("link").waitFor();
    const close = page.getByRole("button", { name: "Close the guide" });
    await close.scrollIntoViewIfNeeded();
    await rows(page).first().getByRole("link").click();
    await page.locator(".message-body").first().waitFor();
    assert.equal(await close.count(), 0);
    await page.goBack();
    await close.waitFor();
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole("button", { name: "Close the guide" }).click();
    await page.locator(".glance").waitFor();
    await page.reload();
    await page.locator(".glance").waitFor();
  },

  async "the overview says how many mails are found by words only"({ page, stage }) {
    await page.route("**/api/attention", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data) body.data.pending_vectors = 1_234;
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${stage.base}/app/mail/all`);
    await page.locator(".glance").getByText("1234 mails are found by words only, yet").waitFor();
    await looksGood(page, "words-only");
    await page.unroute("**/api/attention");
  },

  async "the charts show new mail without a reload"({ page, stage }) {
    await page.goto(`${stage.base}/app/usage`);
    const mail = page.getByRole("figure", { name: "Mail", exact: true });
    await mail.getByText(/received \d/).waitFor();
    const received = async () => Number(/received (\d+)/.exec(await mail.innerText())![1]);
    const before = await received();
    await stage.deliver(plain("Seen in a chart"));
    await eventually("one more", async () => await received() > before);
    await looksGood(page, "usage");
  },

  async "of many mailboxes the side bar finds one by typing"({ page, stage }) {
    const boxes = Array.from({ length: 40 }, (_, n) => ({
      mailbox_id: `m${n}`,
      // The last has the name of the first, on another domain.
      email_address: n === 39
        ? "desk-number-0@own.example"
        : `desk-number-${n}@${stage.address.split("@")[1]}`,
      local_part: `desk-number-${n}`,
      domain: stage.address.split("@")[1],
      email_count: n,
      last_email_date: null,
      unread_count: n % 3,
    }));
    await page.route(
      "**/api/mailboxes",
      (route) => route.fulfill({ json: { success: true, mailboxes: boxes } }),
    );
    await openList(page, stage);
    const links = page.locator(".side .box");
    await eventually("all of them", async () => await links.count() === 40);
    await links.last().getByText("desk-number-0@own.example").waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      if (width === 390) await page.getByRole("button", { name: "Menu" }).click();
      const find = await page.getByRole("searchbox", { name: "Find an address" }).boundingBox();
      const side = await page.locator(".side").boundingBox();
      assert.ok(find!.x + find!.width < side!.x + side!.width, "the field is not cut");
      const folder = Deno.env.get("SHOTS");
      if (folder) await page.screenshot({ path: `${folder}/forty-${width}.png` });
    }
    assert.deepEqual(await violations(page), []);
    const find = page.getByRole("searchbox", { name: "Find an address" });
    await find.fill("number-37");
    await eventually("the one", async () => await links.count() === 1);
    await links.first().getByText("desk-number-37").waitFor();
    await find.press("Enter");
    await page.waitForURL("**/app/mail/m37");
    await eventually("all of them again", async () => await links.count() === 40);
    // Opened from the menu of a phone, the mail is in view.
    assert.equal(await page.locator(".menu-open").count(), 0);
    const unread = boxes.reduce((sum, { unread_count }) => sum + unread_count, 0);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole("link", { name: `All mail ${unread} unread` }).waitFor();
  },

  async "a mailbox has a name, a signature and mail of unused addresses, in a dialog that fits"(
    { page, stage: { base, address } },
  ) {
    await page.route("**/api/mailboxes/*", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      // As of a domain of one's own.
      if (body.mailbox) body.mailbox.domain = "a-rather-long-name-of.mail.example.com";
      await route.fulfill({ response, json: body });
    });
    await page.goto(`${base}/app/mailboxes`);
    await page.getByRole("button", { name: `Settings of ${address}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Takes mail to every unused address").waitFor();
    await looksGood(page, "signature");
  },
};
