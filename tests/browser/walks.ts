import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";
import { account, mailbox } from "../service.ts";
import { violations } from "./axe_pages.ts";
import { brokenWebhook, type Guarantees, heldDraft, newSession, plain, rows } from "./scene.ts";
import type { Stage } from "./stage.ts";
import { Tree } from "./tree.ts";

/** More than the controls of any page. */
const mostTabs = 80;

/** Presses Tab until the control has focus, like a person without a pointer. */
async function tabTo(page: Page, role: "button" | "link" | "textbox", name: string | RegExp) {
  const target = page.getByRole(role, { name }).first();
  await target.waitFor();
  for (let n = 0; n < mostTabs; n++) {
    if (await target.evaluate((node) => node === node.ownerDocument.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${role} ${name}`);
}

async function enterOn(page: Page, role: "button" | "link", name: string | RegExp) {
  await tabTo(page, role, name);
  await page.keyboard.press("Enter");
}

async function statusOf({ test, me }: Stage, draftId: string): Promise<string> {
  const answer = await test.request(`/v1/api/drafts/${draftId}`, { token: me.key });
  return (await answer.json()).data.status;
}

async function outbound({ test, me }: Stage, subject: string): Promise<number> {
  const query = new URLSearchParams({ subject, direction: "outbound" });
  const answer = await test.request(`/v1/api/emails?${query}`, { token: me.key });
  return (await answer.json()).data.length;
}

export const walks: Guarantees = {
  async "with the keyboard alone one can sign in, read, reply, approve, see why a delivery failed, and make a key"(
    { page, stage },
  ) {
    const { base, me, test } = stage;
    const draftId = await heldDraft(stage, "held-keys", "Held for the keyboard");
    const hook = await brokenWebhook(stage, "keyboard");
    await stage.deliver(plain("Read me with keys", "The van comes at nine."));
    await test.settle();
    await page.goto(base);
    await tabTo(page, "textbox", "Email");
    await page.keyboard.type(me.email);
    await tabTo(page, "textbox", "Password");
    await page.keyboard.type(me.password);
    await page.keyboard.press("Enter");
    await rows(page).first().waitFor();

    await page.keyboard.press("j");
    await page.keyboard.press("k");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Read me with keys" }).waitFor();
    await page.getByText("The van comes at nine.").last().waitFor();

    await page.keyboard.press("r");
    await page.getByLabel("Your reply").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Nine is fine.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Your agent").first().waitFor();
    assert.equal(await outbound(stage, "Re: Read me with keys"), 1);

    await enterOn(page, "link", /^Waiting for you/);
    await page.getByRole("region", { name: "Held for the keyboard" }).waitFor();
    await enterOn(page, "button", "Approve");
    await page.getByText(
      "Approved. Stored: without a relay it reaches only mailboxes of this service",
    ).waitFor();
    assert.equal(await statusOf(stage, draftId), "sent");

    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await enterOn(page, "link", new RegExp(`^${hook}`));
    await page.getByRole("listitem").filter({ hasText: /refused/i }).first().waitFor();

    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    await enterOn(page, "button", "Create key");
    await tabTo(page, "textbox", "Name");
    await page.keyboard.type("made by keys");
    await page.keyboard.press("Enter");
    const shown = page.getByRole("dialog", { name: "Key for made by keys" });
    const key = await shown.locator(".secret code").textContent();
    assert.equal((await test.request("/v1/api/mailboxes", { token: key! })).status, 200);
    await enterOn(page, "button", "I have stored it");
    await shown.waitFor({ state: "detached" });
  },

  async "on a phone, back from a message leads to its row"({ page, stage: { base } }) {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${base}/app/mail/all`);
    const link = rows(page).nth(3).getByRole("link");
    const address = await link.getAttribute("href");
    await link.click();
    await page.locator(".message-body").first().waitFor();
    await page.goBack();
    await page.locator(`.row a[href="${address}"]:focus`).waitFor();
  },

  async "after a row is removed with the keyboard the focus is in the next row, after the last one on the heading"(
    { page, stage },
  ) {
    const { base, test } = stage;
    const owner = await account(test);
    // Not the account that every other guarantee uses: its last key goes.
    await page.context().clearCookies();
    // What a key made ends with it.
    const token = await newSession({ ...stage, me: owner });
    for (const name of ["third", "second", "first"]) {
      const made = await test.request("/v1/api/keys", { token, json: { name } });
      assert.equal(made.status, 201);
    }
    await page.goto(`${base}/app/keys`);
    await page.getByLabel("Email").fill(owner.email);
    await page.getByLabel("Password").fill(owner.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    const buttons = page.getByRole("button", { name: /^Revoke ./ });
    await buttons.first().waitFor();
    const names = await buttons.evaluateAll((all) => all.map((each) => each.ariaLabel!));
    await buttons.first().focus();
    const revoke = async () => {
      await page.keyboard.press("Enter");
      await page.locator("dialog :focus").waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).press("Enter");
    };
    for (const name of names.slice(1)) {
      await revoke();
      await page.locator(`[aria-label="${name}"]:focus`).waitFor();
      assert.equal(await page.getByRole("dialog").count(), 0);
    }
    await revoke();
    await page.locator("h1:focus", { hasText: "API keys" }).waitFor();
  },

  async "with the accessibility tree alone one can sign in, read, reply, approve, see why a delivery failed, and make a key"(
    { page, stage },
  ) {
    const { base, me, test } = stage;
    const draftId = await heldDraft(stage, "held-tree", "Held for the tree");
    const hook = await brokenWebhook(stage, "tree");
    await stage.deliver(plain("Read me aloud", "The van comes at ten."));
    await test.settle();
    await page.goto(base);
    const tree = await Tree.of(page);
    await tree.type("Email", me.email);
    await tree.type("Password", me.password);
    await tree.press("button", "Sign in");

    // The newest mail is the first of the list.
    const list = ["region", "Message list"] as const;
    const { node } = await tree.find("link", /./, list);
    assert.match(node.name!.value, /^Ada\s*, unread.*Read me aloud/);
    await tree.press("link", /./, list);
    await tree.find("heading", "Read me aloud");
    const conversation = ["region", "Conversation"] as const;
    await tree.find("StaticText", "The van comes at ten.", conversation);

    await tree.press("button", "Reply");
    await tree.type("Your reply", "Ten is fine.");
    await tree.press("button", "Send");
    await tree.find("StaticText", "Your agent", conversation);
    assert.equal(await outbound(stage, "Re: Read me aloud"), 1);

    await tree.press("link", /^Waiting for you/);
    const draft = ["region", /^Held for the tree, waits for approval/] as const;
    assert.match(await tree.text(...draft), /new@example\.net.*A quote\./);
    await tree.press("button", "Approve", draft);
    await tree.find(
      "StaticText",
      "Approved. Stored: without a relay it reaches only mailboxes of this service",
    );
    await eventually(
      "the draft is sent",
      async () => (await statusOf(stage, draftId)) === "sent",
    );

    await tree.press("link", "Webhooks");
    await tree.press("link", new RegExp(`^${hook}`));
    await tree.find("heading", "Deliveries");
    await tree.find("StaticText", /refused/i, ["main", ""]);

    await tree.press("link", "API keys");
    await tree.press("button", "Create key");
    const form = ["dialog", "Create key"] as const;
    await tree.type(/^Name/, "made aloud", form);
    await tree.press("button", "Create key", form);
    const shown = ["dialog", "Key for made aloud"] as const;
    const key = /lbx_\w+/.exec(await tree.text(...shown))![0];
    assert.equal((await test.request("/v1/api/mailboxes", { token: key })).status, 200);
    await tree.press("button", "I have stored it", shown);
    await tree.find("cell", /made aloud/);
  },

  async "a new account leads in two clicks, one of them to sign in, to its first mail"(
    { page, stage: { base, test } },
  ) {
    const newcomer = await account(test);
    await mailbox(test, newcomer, "newcomer");
    await page.goto(base);
    await page.getByLabel("Email").fill(newcomer.email);
    await page.getByLabel("Password").fill(newcomer.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Send the first mail" }).click();
    await rows(page).filter({ hasText: "Hello from Letterbox" }).first().waitFor();
    const received = page.getByRole("link", { name: "Received" });
    await received.waitFor();
    const answer = await page.request.get(`${base}/api/emails?direction=inbound`);
    const [mail] = (await answer.json()).data;
    assert.equal(mail.subject, "Hello from Letterbox");
  },

  async "whoever may sign in may end the account, and ask for the link that confirms the address if it must be"(
    { page, stage: { base, test } },
  ) {
    const leaver = await account(test);
    await mailbox(test, leaver, "of-a-leaver");
    await page.route("**/api/account", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      if (body.data) body.data.mustConfirmEmail = true;
      await route.fulfill({ response, json: body });
    }, { times: 2 });
    await page.goto(`${base}/app/usage`);
    await page.getByLabel("Email").fill(leaver.email);
    await page.getByLabel("Password").fill(leaver.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Send the link again" }).click();
    await page.getByText("The address is confirmed already.").waitFor();
    await page.getByRole("region", { name: "Confirm your address" }).waitFor({
      state: "detached",
    });
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    const end = () => dialog.getByRole("button", { name: "Delete for ever" }).click();
    await dialog.getByLabel("Email").fill(leaver.email);
    await dialog.getByLabel("Password").fill("not the password");
    await end();
    await dialog.getByRole("alert").getByText("The password is wrong.").waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByLabel("Password").fill(leaver.password);
    await end();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    assert.equal((await test.request("/v1/api/mailboxes", { token: leaver.key })).status, 401);
  },
};
