import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";
import { data } from "../service.ts";
import { looks, overflows, violations } from "./axe_pages.ts";
import { type Guarantees, newSession, plain } from "./scene.ts";
import type { Stage } from "./stage.ts";

const html = "<p>Dear Ada,</p><p>the price is <b>120 EUR</b>.</p>";
const attachments = [{
  ...{ filename: "terms.txt", content_type: "text/plain", content: btoa("Net 30.") },
}];

const ask = ({ test, me }: Stage, method: string, path: string, json?: unknown) =>
  data(test.request(`/v1/api${path}`, { method, token: me.key, json }));

/** A reply to a new mail that waits, because its mailbox asks about every mail. */
async function heldReply(stage: Stage, subject: string, more: Record<string, unknown> = {}) {
  const policy = { approval: "always" };
  const set = await stage.test.request(`/v1/api/mailboxes/${stage.mailboxId}/policy`, {
    ...{ method: "PUT", token: await newSession(stage), json: policy },
  });
  assert.equal(set.status, 200);
  const emailId = await stage.deliver(plain(subject, "What is the price of the red one?"));
  const body_text = "Dear Ada,\n\nthe price is 120 EUR. It holds until Friday.\n\nThe shop";
  const draft = await ask(stage, "POST", `/emails/${emailId}/reply`, { body_text, ...more });
  assert.equal(draft.status, "pending_approval");
  return draft as { draft_id: string; approval_url: string };
}

const shots = Deno.env.get("SHOTS");
const shoot = async (page: Page, name: string) => {
  if (!shots) return;
  await page.screenshot({ path: `${shots}/${name}.png` });
  await page.getByRole("button", { name: "Approve" }).scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${shots}/${name}_end.png` });
};

const card = (page: Page, subject: string) => page.getByRole("region", { name: `Re: ${subject}` });

/** Ends what waits, so that the next guarantee begins with nothing. */
async function endAll(stage: Stage) {
  for (const { draft_id } of await ask(stage, "GET", "/drafts?status=pending_approval")) {
    await ask(stage, "DELETE", `/drafts/${draft_id}`);
  }
}

export const waiting: Guarantees = {
  async "the link of a notice makes a person sign in, and leads to the draft with all that is needed to decide"(
    { page, stage },
  ) {
    const { me } = stage;
    const { approval_url } = await heldReply(stage, "Price", { body_html: html, attachments });
    await page.goto(approval_url);
    await page.getByLabel("Email").fill(me.email);
    await page.getByLabel("Password").fill(me.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    const shown = card(page, "Price");
    await shown.waitFor();
    assert.equal(page.url(), approval_url);
    const text = await shown.innerText();
    for (
      const part of [
        ...[stage.address, "ada@example.net", "the price is 120 EUR. It holds until Friday."],
        "This mailbox asks a person about every mail.",
      ]
    ) assert.ok(text.includes(part), `${part} in ${text}`);
    await shown.frameLocator("iframe").getByText("120 EUR").waitFor();
    const downloads = page.waitForEvent("download");
    await shown.getByRole("link", { name: "terms.txt" }).click();
    assert.equal(await Deno.readTextFile(await (await downloads).path()), "Net 30.");
    const answered = page.getByRole("region", { name: "It answers this mail" });
    await answered.getByText("What is the price of the red one?").waitFor();
    await answered.getByRole("link", { name: "Open the conversation" }).click();
    await page.getByRole("heading", { level: 1, name: "Price" }).waitFor();
    await endAll(stage);
  },

  async "what changed since it was last seen is shown once, also while the page is open"(
    { page, stage },
  ) {
    const { draft_id, approval_url } = await heldReply(stage, "Offer");
    const live = page.waitForResponse("**/api/events");
    await page.goto(approval_url);
    await card(page, "Offer").waitFor();
    await live;
    const changes = page.getByRole("region", { name: "Changed since you last saw it" });
    assert.equal(await changes.count(), 0);
    await ask(stage, "PATCH", `/drafts/${draft_id}`, {
      body_text: "Dear Ada,\n\nthe price is 90 EUR. It holds until Friday.\n\nThe shop",
      cc: ["boss@example.net"],
    });
    await changes.waitFor();
    assert.equal(await changes.locator("del").innerText(), "120");
    assert.deepEqual(await changes.locator("ins").allInnerTexts(), ["boss@example.net", "90 "]);
    await shoot(page, "waiting_changed");
    await page.reload();
    await card(page, "Offer").getByText("90 EUR").waitFor();
    assert.equal(await changes.count(), 0);
    await page.goto("about:blank");
    await ask(stage, "PATCH", `/drafts/${draft_id}`, { body_html: html });
    await page.goto(approval_url);
    await changes.getByText("The HTML is different.").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    assert.equal(await page.evaluate("JSON.stringify({...localStorage})"), "{}");
    await endAll(stage);
  },

  async "a person edits it, approves by a key, and has the next one; rejects that with a reason, and has the list"(
    { page, stage },
  ) {
    const first = await heldReply(stage, "First", { body_html: html });
    const second = await heldReply(stage, "Second");
    await page.goto(second.approval_url);
    await card(page, "Second").waitFor();
    // The list of those that wait comes by itself.
    await page.locator('[aria-keyshortcuts="j"]').waitFor();
    await page.keyboard.press("j");
    await card(page, "First").waitFor();
    await page.keyboard.press("k");
    await card(page, "Second").waitFor();
    await page.keyboard.press("j");
    await card(page, "First").waitFor();
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: "Edit draft" });
    await dialog.getByLabel("Text").fill("Dear Ada,\n\n110 EUR.");
    await dialog.getByLabel("To", { exact: true }).fill("not an address");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByRole("alert").waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByLabel("To", { exact: true }).fill("ada@example.net");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await card(page, "First").getByText("110 EUR.").waitFor();
    assert.equal(await page.getByText("Changed since you last saw it").count(), 0);
    assert.equal(await card(page, "First").locator("iframe").count(), 0);
    await page.keyboard.press("Shift+A");
    await card(page, "Second").waitFor();
    await page.getByRole("status").getByText("Approved.").waitFor();
    const sent = await ask(stage, "GET", `/drafts/${first.draft_id}`);
    assert.deepEqual([sent.status, sent.body_text], ["sent", "Dear Ada,\n\n110 EUR."]);
    await page.keyboard.press("Shift+R");
    await page.getByLabel("Reason").fill("Too cheap");
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await page.getByText("Nothing waits for you").waitFor();
    assert.equal(new URL(page.url()).pathname, "/app/drafts");
    const rejected = await ask(stage, "GET", `/drafts/${second.draft_id}`);
    assert.deepEqual([rejected.status, rejected.reject_reason], ["rejected", "Too cheap"]);
  },

  async "one that another person has decided meanwhile says so and by whom; one that is gone says so"(
    { page, stage },
  ) {
    const { draft_id, approval_url } = await heldReply(stage, "Meanwhile");
    await page.goto(approval_url);
    await card(page, "Meanwhile").waitFor();
    const rejecting = await stage.test.request(`/v1/api/drafts/${draft_id}/reject`, {
      ...{ token: await newSession(stage), json: { reason: "Not now" } },
    });
    assert.equal(rejecting.status, 200);
    await page.getByText("It was rejected by Test Account.").waitFor();
    await page.getByText("Rejected: Not now").waitFor();
    assert.equal(await page.getByRole("button", { name: "Approve" }).count(), 0);
    await page.goto(`${stage.base}/app/waiting/none`);
    await page.getByRole("alert").waitFor();
  },

  async "the page has no finding of axe in both themes at 390 and 1280 px, and nothing is wider than its box"(
    { page, stage },
  ) {
    const long = {
      body_html: html,
      attachments,
      cc: [`${"a".repeat(60)}@${"b".repeat(60)}.example`],
    };
    const { draft_id, approval_url } = await heldReply(stage, "Looks", long);
    await heldReply(stage, "Another");
    await page.goto(approval_url);
    await card(page, "Looks").waitFor();
    await ask(stage, "PATCH", `/drafts/${draft_id}`, { subject: `Re: Looks ${"x".repeat(200)}` });
    await page.getByRole("region", { name: "Changed since you last saw it" }).waitFor();
    await page.frameLocator("iframe").getByText("120 EUR").waitFor();
    for (const { theme, width } of looks([390, 1280])) {
      await page.evaluate(`document.documentElement.dataset.theme = "${theme}"`);
      await page.setViewportSize({ width, height: 844 });
      await eventually("no finding", async () => (await violations(page)).length === 0)
        .catch(async () => assert.deepEqual(await violations(page), [], `${theme} ${width}`));
      assert.deepEqual(await overflows(page), [], `${theme} ${width}`);
      await shoot(page, `waiting_${theme}_${width}`);
    }
    await endAll(stage);
  },
};
