import assert from "node:assert/strict";
import { isNight } from "../nightly.ts";
import { account, mailbox } from "../service.ts";
import { overflows, violations } from "./axe_pages.ts";
import { connectedApp, type Guarantees, plain } from "./scene.ts";

export const apps: Guarantees = {
  async "a connected app shows what it may do and where; Disconnect asks, and ends its token at once"(
    { page, stage },
  ) {
    const { base, test, me } = stage;
    const box = await mailbox(test, me, "given-away");
    const token = await connectedApp(stage, "Clerk", {
      redirectUri: "cursor://anysphere.cursor-mcp/callback",
      scopes: ["emails:read", "emails:send"],
      mailboxIds: [box.mailbox_id],
    });
    const status = async () => (await test.request("/v1/api/emails", { token })).status;
    assert.equal(await status(), 200);
    await page.goto(`${base}/app/apps`);
    const row = page.getByRole("row").filter({ hasText: "Clerk" });
    await row.waitFor();
    for (
      const text of [
        "cursor://anysphere.cursor-mcp",
        "Read mail, its attachments and its codes",
        "Send and answer mail",
        "given-away",
      ]
    ) await row.getByText(text, { exact: true }).waitFor();
    assert.equal(await row.locator("time").count(), 2, "connected, and last used");
    await row.getByRole("button", { name: "Disconnect Clerk" }).click();
    const dialog = page.getByRole("dialog", { name: "Disconnect app" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    assert.equal(await status(), 200);
    await row.getByRole("button", { name: "Disconnect Clerk" }).click();
    await dialog.getByRole("button", { name: "Disconnect" }).click();
    await page.getByText("App disconnected").waitFor();
    await row.waitFor({ state: "detached" });
    assert.equal(await status(), 401);
  },

  async "an app of the longest name with every scope fits into the page, and is reached by keys and from the menu"(
    { page, stage },
  ) {
    const { base, test, me } = stage;
    const boxes = [];
    for (const letter of "wxyz") boxes.push(await mailbox(test, me, letter.repeat(64)));
    await connectedApp(stage, "N".repeat(100), {
      redirectUri: `https://${"h".repeat(63)}.${"i".repeat(63)}.example/callback`,
      scopes: ["emails:read", "emails:send", "webhooks:write", "audit:read"],
      mailboxIds: boxes.map(({ mailbox_id }) => mailbox_id),
    });
    await page.goto(`${base}/app/keys`);
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("c");
    await page.waitForURL("**/app/apps");
    await page.getByText("N".repeat(100)).waitFor();
    await page.getByText("and 1 more").waitFor();
    const wrong: string[] = [];
    for (const width of [320, 390, 768, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      wrong.push(...(await overflows(page)).map((each) => `${width} px: ${each}`));
      if (!isNight && width !== 320) continue;
      wrong.push(...(await violations(page)).map((each) => `${width} px: ${each}`));
    }
    assert.deepEqual(wrong, []);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole("button", { name: "Menu" }).click();
    const link = page.getByRole("link", { name: "Connected apps" });
    assert.equal(await link.getAttribute("aria-current"), "page");
  },

  async "sign in: with no app connected the page names the URL that an agent needs, and so does an empty mailbox"(
    { page, stage },
  ) {
    const { base, test } = stage;
    const newcomer = await account(test);
    const { mailbox_id } = await mailbox(test, newcomer, "of-no-app");
    await page.goto(`${base}/app/apps`);
    await page.getByLabel("Email").fill(newcomer.email);
    await page.getByLabel("Password").fill(newcomer.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "No app is connected" }).waitFor();
    const url = `${base}/v1/mcp`;
    await page.getByText(url, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Copy" }).click();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), url);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${base}/app/mail/${mailbox_id}`);
    await page.getByText(url, { exact: true }).waitFor();
  },

  async "the readers of a mail name the app, and say when it is disconnected"({ page, stage }) {
    const { base, test } = stage;
    const emailId = await stage.deliver(plain("Read by an app"));
    const token = await connectedApp(stage, "Reader");
    const read = await test.request(`/v1/api/emails/${emailId}`, { token });
    assert.equal(read.status, 200);
    await test.service.audit.flush();
    const readers = async () => {
      await page.goto(`${base}/app/email/${emailId}`);
      await page.getByRole("button", { name: "Seen by" }).click();
      return page.locator(".message-body").getByRole("table");
    };
    await (await readers()).getByText("Reader", { exact: true }).waitFor();
    const { data } = await (await page.request.get(`${base}/api/apps`)).json();
    const app = data.find((each: { client_name: string }) => each.client_name === "Reader");
    const ended = await page.request.delete(`${base}/api/apps/${app.grant_id}`);
    assert.equal(ended.status(), 200);
    await (await readers()).getByText("An app that is disconnected").waitFor();
  },
};
