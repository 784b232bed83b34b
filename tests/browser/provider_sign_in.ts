import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { oidcProvider } from "../../adapters/identity_provider/oidc.ts";
import { client, startOidcProvider } from "../identity_provider/oidc_provider.ts";
import { findMemberByEmail } from "../../domain/accounts/member.ts";
import { providerEnv } from "../identity_provider/browser.ts";
import { account, type TestService, testService } from "../service.ts";
import { freePort } from "../service_process.ts";
import { challenge, register } from "../routes/oauth/connect.ts";
import { looks, overflows, violations } from "./axe_pages.ts";
import type { Guarantees } from "./scene.ts";
import { serving } from "./stage.ts";

const name = "Example & Co";

/** A service whose people sign in at oidc-provider. Ada has an account; her provider knows Eve too, whom nobody knows here. */
async function place(env: Record<string, string> = {}) {
  const port = freePort();
  const base = `http://localhost:${port}`;
  const redirectUri = `${base}/api/auth/oidc/callback`;
  const people = [
    { sub: "1", email: "", email_verified: true, name: "Ada" },
    { sub: "2", email: "eve@example.org", email_verified: true, name: "Eve" },
  ];
  const provider = await startOidcProvider(redirectUri, people);
  const identityProvider = oidcProvider({
    ...{ issuer: provider.issuer, clientId: client.id, clientSecret: client.secret },
    ...{ name, redirectUri, allowInsecure: true, clock: { elapsed: () => 0, now: Date.now } },
  });
  const test: TestService = await testService({
    ...{ instances: 1, parts: { identityProvider } },
    env: { ...providerEnv, BASE_URL: base, REGISTRATION: "closed", ...env },
  });
  const me = await account(test);
  people[0].email = me.email;
  const { stop } = serving(test.service, port);
  return {
    ...{ base, test, me },
    async [Symbol.asyncDispose]() {
      await stop();
      await test[Symbol.asyncDispose]();
      await provider[Symbol.asyncDispose]();
    },
  };
}

const button = (page: Page) => page.getByRole("link", { name: `Sign in with ${name}` });

export const providerSignIn: Guarantees = {
  async "with the provider's button people sign in, and are where they wanted to be"({ page }) {
    await using service = await place();
    await page.goto(`${service.base}/app/keys`);
    await button(page).click();
    await page.getByRole("link", { name: "Ada" }).click();
    await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
    assert.equal(page.url(), `${service.base}/app/keys`);
  },

  async "on its way to an app the sign in with the provider leads back to the question"({ page }) {
    await using service = await place();
    const redirect = "https://agent.example/callback";
    const clientId = await register(service.test, { redirect_uris: [redirect] });
    const asked = new URLSearchParams({
      ...{ response_type: "code", client_id: clientId, redirect_uri: redirect },
      ...{ code_challenge: challenge, code_challenge_method: "S256", state: "a&b" },
    });
    await page.goto(`${service.base}/oauth/authorize?${asked}`);
    await button(page).click();
    await page.getByRole("link", { name: "Ada" }).click();
    await page.getByRole("heading", { name: "Connect an app to your mail" }).waitFor();
    assert.equal(new URL(page.url()).search, `?${asked}`);
  },

  async "who cannot sign in reads whom to ask; the pages pass axe in light, dark and on a phone"(
    { page },
  ) {
    await using service = await place();
    const wrong: string[] = [];
    const look = async (what: string) => {
      for (const { theme, width } of looks([1280, 390])) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 844 });
        const found = [...await violations(page), ...await overflows(page)];
        wrong.push(...found.map((each) => `${what}, ${theme}, ${width} px: ${each}`));
        const folder = Deno.env.get("SHOTS");
        if (folder) await page.screenshot({ path: `${folder}/${what}-${width}-${theme}.png` });
      }
    };
    await page.goto(`${service.base}/app/sign-in`);
    await button(page).waitFor();
    await page.getByText("or with your password").waitFor();
    await look("sign-in");
    await button(page).click();
    await page.getByRole("link", { name: "Eve" }).click();
    await page.getByText("Nobody here has the address eve@example.org.").waitFor();
    await look("refused");
    assert.deepEqual(wrong, []);
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole("link", { name: "Sign in with your password" }).click();
    await page.getByLabel("Email").fill(service.me.email);
    await page.getByLabel("Password").fill(service.me.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("region", { name: "Message list" }).waitFor();
  },

  async "with PASSWORD_LOGIN=off the sign in page has the provider's button alone"({ page }) {
    await using service = await place({ PASSWORD_LOGIN: "off" });
    await page.goto(`${service.base}/app/`);
    await button(page).waitFor();
    assert.equal(await page.locator("input").count(), 0);
    assert.equal(await page.getByText("password").count(), 0);
    await button(page).click();
    await page.getByRole("link", { name: "Ada" }).click();
    await page.getByRole("region", { name: "Message list" }).waitFor();
    // No page asks for a password that nobody has.
    await page.goto(`${service.base}/app/reset?token=lbxo_old`);
    await page.getByText("Nobody has a password here.").waitFor();
    await button(page).waitFor();
    assert.equal(await page.locator("input").count(), 0);
    await page.goto(`${service.base}/app/usage`);
    const end = page.getByRole("button", { name: "Delete" });
    await end.waitFor();
    assert.equal(await page.getByRole("button", { name: "Change password" }).count(), 0);
    await service.test.advance(600_001);
    await end.click();
    const dialog = page.getByRole("dialog", { name: "Delete account" });
    assert.equal(await dialog.locator("input[type=password]").count(), 0);
    await dialog.getByLabel("Email").fill(service.me.email);
    await dialog.getByRole("button", { name: "Delete for ever" }).click();
    await dialog.getByRole("alert").getByText(/a sign-in of the last 10 minutes/).waitFor();
    await page.goto(`${service.base}/api/auth/oidc?next=/app/usage`);
    await end.click();
    await dialog.getByLabel("Email").fill(service.me.email);
    await dialog.getByRole("button", { name: "Delete for ever" }).click();
    await button(page).waitFor();
  },

  async "who signs in with the provider alone ends the account without a password"({ page }) {
    await using service = await place({ REGISTRATION: "open" });
    await page.goto(`${service.base}/app/usage`);
    await button(page).click();
    await page.getByRole("link", { name: "Eve" }).click();
    await page.getByRole("button", { name: "Change password" }).click();
    const change = page.getByRole("dialog", { name: "Change password" });
    await change.getByLabel("Current password").fill("none at all");
    await change.getByLabel("New password").fill("another long password");
    await change.getByRole("button", { name: "Change password" }).click();
    await change.getByRole("alert").getByText(/You have no password yet/).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Delete" }).click();
    const end = page.getByRole("dialog", { name: "Delete account" });
    await end.getByText(`Leave it empty if you only sign in with ${name}.`).waitFor();
    await end.getByLabel("Email").fill("eve@example.org");
    await end.getByRole("button", { name: "Delete for ever" }).click();
    await button(page).waitFor();
    assert.equal(await findMemberByEmail(service.test.service, "eve@example.org"), null);
  },

  async "an invited person joins by the sign in with the provider, also with PASSWORD_LOGIN=off"(
    { page },
  ) {
    await using service = await place({ PASSWORD_LOGIN: "off" });
    const { test, me, base } = service;
    const json = { email: "eve@example.org", role: "viewer" };
    const invited = await test.request("/api/members", { token: me.accessToken, json });
    const { invitation_url } = (await invited.json()).data;
    assert.ok(invitation_url.startsWith(`${base}/app/join?`));
    await page.goto(invitation_url);
    await button(page).waitFor();
    assert.equal(await page.locator("input").count(), 0);
    await button(page).click();
    await page.getByRole("link", { name: "Eve" }).click();
    await page.getByRole("region", { name: "Message list" }).waitFor();
    const people = await test.request("/api/members", { token: me.accessToken });
    const [, eve] = (await people.json()).data;
    assert.deepEqual([eve.name, eve.role, eve.status], ["Eve", "viewer", "active"]);
  },
};
