import assert from "node:assert/strict";
import { personOf } from "../../domain/accounts/member.ts";
import { newResetLink } from "../../domain/accounts/new_password/reset_links.ts";
import { setPassword } from "../../domain/accounts/set_password.ts";
import { beginSession } from "../../domain/accounts/sessions.ts";
import { looks, overflows, violations } from "./axe_pages.ts";
import { type Guarantees, rows } from "./scene.ts";
import type { Page } from "playwright-core";

const next = "another long password";

/** The page has no finding of axe and no bar to scroll sideways, on a phone and a screen, in both themes. */
async function assertFit(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  for (const { theme, width } of looks([390, 1280])) {
    await page.emulateMedia({ colorScheme: theme });
    await page.setViewportSize({ width, height: 844 });
    assert.deepEqual(await violations(page), [], `${theme} ${width}`);
    assert.deepEqual(await overflows(page), [], `${theme} ${width}`);
    await shoot(page, `${theme}-${width}`);
  }
  await page.setViewportSize(size);
}

let shots = 0;

/** SHOTS names a folder for pictures of every page that is checked. */
async function shoot(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("SHOTS");
  if (folder) await page.screenshot({ path: `${folder}/${++shots}-${name}.png` });
}

export const passwords: Guarantees = {
  async "who has forgotten the password asks for a link at the sign in, and hears the same for every address"(
    { page, stage: { base, me }, complaints },
  ) {
    await page.goto(`${base}/app/`);
    await page.getByRole("button", { name: "Forgotten your password?" }).click();
    await page.getByRole("heading", { name: "Forgotten password" }).waitFor();
    const said = new Set<string>();
    for (const email of [me.email, "nobody@example.org"]) {
      await page.getByLabel("Email").fill(email);
      await page.getByRole("button", { name: "Send the link" }).click();
      const answer = page.getByRole("status").filter({ hasText: /\w/ });
      await answer.waitFor();
      said.add(await answer.innerText());
    }
    assert.equal(said.size, 1);
    await assertFit(page);
    await page.getByRole("button", { name: "Back to the sign-in" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await assertFit(page);
    assert.deepEqual(complaints.filter((each) => !each.includes("401")), []);
  },

  async "a link sets a new password, with which one can sign in; opened again it says what to do"(
    { page, stage: { base, me, test } },
  ) {
    const { link } = await newResetLink(test.service, personOf(me));
    await page.goto(link);
    await page.getByRole("heading", { name: "New password" }).waitFor();
    assert.equal(await page.title(), "New password · Letterbox");
    assert.equal(await page.locator(".boot").count(), 0, "the card is not below the first paint");
    await assertFit(page);
    const field = page.getByLabel("New password");
    await field.fill("password123");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("alert").getByText(/one of the most common passwords/).waitFor();
    await field.fill(next);
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("status").getByText("Your password is set.").waitFor();
    assert.equal(page.url(), `${base}/app/reset`);
    await assertFit(page);
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel("Email").fill(me.email);
    await page.getByLabel("Password", { exact: true }).fill(next);
    await page.getByRole("button", { name: "Sign in" }).click();
    await rows(page).first().waitFor();

    // The browser is signed in now.
    await page.goto(link);
    await page.getByLabel("New password").fill("yet another password");
    await page.getByRole("button", { name: "Set the password" }).click();
    await page.getByRole("alert").getByText(/older than 30 minutes: ask for another/).waitFor();
    await assertFit(page);
    await setPassword(test.service, personOf(me), me.password);
  },

  async "the password is changed under the account; this browser stays signed in, and others do not"(
    { page, stage: { base, me, test } },
  ) {
    const other = await beginSession(test.service, personOf(me));
    await page.goto(`${base}/app/usage`);
    await page.getByRole("button", { name: "Change password" }).click();
    const dialog = page.getByRole("dialog", { name: "Change password" });
    await dialog.getByLabel("Current password").fill("wrong");
    await dialog.getByLabel("New password").fill(next);
    await dialog.getByRole("button", { name: "Change password" }).click();
    await dialog.getByRole("alert").getByText(/current password is wrong/).waitFor();
    await assertFit(page);
    await dialog.getByLabel("Current password").fill(me.password);
    await dialog.getByRole("button", { name: "Change password" }).click();
    await page.getByText(/Password changed, \d+ other sessions? signed out/).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Plan and usage" }).waitFor();
    const answer = await test.request("/api/account", { token: other.accessToken });
    assert.equal(answer.status, 401);
    await setPassword(test.service, personOf(me), me.password);
  },
};
