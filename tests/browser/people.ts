import assert from "node:assert/strict";
import { looks, overflows, violations } from "./axe_pages.ts";
import { connectedApp, type Guarantees, heldDraft, newSession } from "./scene.ts";

const password = "a long password of Bea";

export const people: Guarantees = {
  async "invitation, role, approval, removal: two people at once, each with a browser of their own"(
    { page, stage },
  ) {
    const { base, test } = stage;
    const draftId = await heldDraft(stage, "held-for-bea", "For Bea to decide");
    await connectedApp(stage, "App of the owner");
    await page.goto(`${base}/app/people`);
    await page.getByRole("button", { name: "Invite a person" }).click();
    const invite = page.getByRole("dialog", { name: "Invite a person" });
    await invite.getByLabel("Email").fill("bea@example.org");
    await invite.getByLabel("Role").selectOption("viewer");
    await invite.getByRole("button", { name: "Invite a person" }).click();
    const shown = page.getByRole("dialog", { name: "bea@example.org is invited" });
    const link = await shown.getByText("/app/join?token=").innerText();
    await shown.getByRole("button", { name: "I have stored it" }).click();

    const other = await page.context().browser()!.newContext();
    try {
      const bea = await other.newPage();
      await bea.goto(`${base}${new URL(link).pathname}${new URL(link).search}`);
      await bea.getByRole("heading", { name: "Join an account" }).waitFor();
      await bea.getByLabel("Name").fill("Bea");
      await bea.getByLabel("Password").fill(password);
      await bea.getByRole("button", { name: "Join" }).click();
      await bea.getByRole("region", { name: "Message list" }).locator("li").first().waitFor();
      assert.ok(!bea.url().includes("token"));

      // A viewer is shown nothing that the role does not allow.
      for (
        const [path, name] of [
          ["mail/all", "Write"],
          ["mailboxes", "New mailbox"],
          ["keys", "Create key"],
          ["webhooks", "Add a webhook"],
          ["domains", "Add a domain"],
          ["people", "Invite a person"],
          ["usage", "Delete"],
          ["drafts", "Approve"],
          ["drafts", "Edit"],
          ["apps", "Disconnect"],
        ]
      ) {
        await bea.goto(`${base}/app/${path}`);
        await bea.getByRole("navigation", { name: "Main" }).waitFor();
        await bea.locator("#main :is(h1, .tabs)").first().waitFor();
        await bea.waitForLoadState("networkidle").catch(() => {});
        assert.equal(await bea.locator("#main").getByRole("button", { name }).count(), 0, path);
      }

      await bea.getByText("allowed by Test Account").waitFor();
      await bea.goto(`${base}/app/waiting/${draftId}`);
      await bea.getByText("Your role in this account is viewer").waitFor();

      // The owner makes her an approver; she approves.
      await page.reload();
      const row = page.locator(".people li").filter({ hasText: "bea@example.org" });
      await row.getByRole("button", { name: "Change Bea" }).click();
      const change = page.getByRole("dialog", { name: "Change Bea" });
      await change.getByLabel("Role").selectOption("approver");
      await change.getByRole("button", { name: "Save" }).click();
      await row.getByText("Approver", { exact: true }).waitFor();
      await bea.goto(`${base}/app/drafts`);
      const draft = bea.getByRole("region", { name: "For Bea to decide" });
      await draft.getByRole("button", { name: "Approve" }).click();
      await draft.waitFor({ state: "detached" });
      await page.goto(`${base}/app/drafts?status=sent`);
      await page.getByRole("region", { name: "For Bea to decide" })
        .getByText("Approved by Bea").waitFor();

      // Removal ends her session at once.
      await page.goto(`${base}/app/people`);
      await row.getByRole("button", { name: "Remove Bea" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await row.waitFor({ state: "detached" });
      await test.settle();
      await bea.goto(`${base}/app/drafts`);
      await bea.getByRole("heading", { name: "Sign in" }).waitFor();
      await bea.goto(`${base}${new URL(link).pathname}${new URL(link).search}`);
      await bea.getByLabel("Name").fill("Bea");
      await bea.getByLabel("Password").fill(password);
      await bea.getByRole("button", { name: "Join" }).click();
      await bea.getByText(/ask the person who invited you/).waitFor();
    } finally {
      await other.close();
    }
  },

  async "people and join are right for axe in both themes, and fit 390 px"({ page, stage }) {
    const { base, test } = stage;
    const invited = await test.request("/api/members", {
      token: await newSession(stage),
      json: { email: `${"long".repeat(12)}@${"example".repeat(6)}.example.org`, role: "admin" },
    });
    assert.equal(invited.status, 201);
    const wrong: string[] = [];
    for (const { theme, width } of looks([1280, 390])) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 800 });
      const look = async (what: string) => {
        const place = `${what} ${theme} ${width}`;
        wrong.push(...(await violations(page)).map((each) => `${place}: ${each}`));
        wrong.push(...(await overflows(page)).map((each) => `${place}: ${each}`));
      };
      await page.goto(`${base}/app/join?token=x`);
      await page.locator(".sign-card form").first().waitFor();
      await look("join");
      await page.goto(`${base}/app/people`);
      await page.locator(".people li").first().waitFor();
      await look("people");
      await page.getByRole("button", { name: /^Change / }).first().click();
      await page.getByRole("dialog").waitFor();
      await look("dialog");
    }
    assert.deepEqual(wrong, []);
  },
};
