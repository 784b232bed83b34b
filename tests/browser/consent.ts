import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";
import { challenge, exchange, register } from "../routes/oauth/connect.ts";
import { account, mailbox } from "../service.ts";
import { looks, overflows, violations } from "./axe_pages.ts";
import type { Guarantees } from "./scene.ts";
import type { Stage } from "./stage.ts";

const title = "Connect an app to your mail";

/** An app on loopback: where it is answered, and the answers that came. */
function startApp(then: () => Response = () => new Response("You can close this window.")) {
  const came: URL[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const url = new URL(request.url);
    if (url.pathname !== "/callback") return new Response("The app.");
    came.push(url);
    return then();
  });
  const home = `http://127.0.0.1:${server.addr.port}/`;
  return {
    home,
    redirectUri: `${home}callback`,
    came,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** Registers an app. Returns its id, and the URL that it opens in a browser. */
async function asking(
  { base, test }: Stage,
  redirectUri: string,
  { name = "Reading Agent", scope = "emails:read emails:send search" } = {},
) {
  const clientId = await register(test, { client_name: name, redirect_uris: [redirectUri] });
  const url = `${base}/oauth/authorize?${new URLSearchParams({
    response_type: "code",
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    code_challenge_method: "S256",
    state: "of-the-app",
    scope,
  })}`;
  return { clientId, url };
}

const signIn = async (page: Page, { me }: Stage) => {
  await page.getByLabel("Email").fill(me.email);
  await page.getByLabel("Password").fill(me.password);
  await page.getByRole("button", { name: "Sign in" }).click();
};

export const consent: Guarantees = {
  async "the consent page passes axe in light, dark and on a phone; its targets are 44 px high; nothing overflows"(
    { page, stage, complaints },
  ) {
    const { test, me } = stage;
    await mailbox(test, me, "c".repeat(64));
    const name = "W".repeat(100);
    const { url } = await asking(stage, `https://${"h".repeat(63)}.example/callback`, { name });
    const pages: [string, () => Promise<unknown>][] = [
      ["question", () => page.goto(url)],
      ["mailboxes", () => page.getByLabel("Only these").check()],
      ["again", () => page.getByRole("button", { name: "Allow" }).click()],
      ["unknown client", () => page.goto(url.replace(/client_id=[^&]*/, "client_id=nobody"))],
      ["unknown redirect", () => page.goto(url.replace(".example", `.${"e".repeat(300)}.example`))],
    ];
    const wrong: string[] = [];
    for (const [what, open] of pages) {
      await page.setViewportSize({ width: 1280, height: 800 });
      await open();
      for (const { theme, width } of looks([1280, 390])) {
        await page.emulateMedia({ colorScheme: theme });
        await page.setViewportSize({ width, height: 844 });
        const found = await violations(page);
        wrong.push(...found.map((each) => `${what}, ${theme}, ${width} px: ${each}`));
      }
      for (const width of [320, 390, 768, 1280]) {
        await page.setViewportSize({ width, height: 844 });
        wrong.push(...(await overflows(page)).map((each) => `${what}, ${width} px: ${each}`));
      }
      await page.setViewportSize({ width: 390, height: 844 });
      for (const target of await page.locator("label, button, input[type=search]").all()) {
        const box = await target.boundingBox();
        if (box && box.height < 44) {
          wrong.push(`${what}: ${box.height} px: ${await target.innerText()}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
    // The browser reports that the answer was a 400.
    assert.deepEqual(complaints.filter((each) => !/ 400 /.test(each)), []);
    await page.emulateMedia({ colorScheme: null });
    const [light, dark] = await Promise.all(
      (["light", "dark"] as const).map(async (colorScheme) => {
        const other = await page.context().newPage();
        await other.emulateMedia({ colorScheme });
        await other.goto(url);
        return await other.evaluate("getComputedStyle(document.body).backgroundColor");
      }),
    );
    assert.notEqual(light, dark);
  },

  async "without a script one chooses a scope and a mailbox, and the app gets exactly these"(
    { page, stage },
  ) {
    await using app = startApp();
    const { test, me } = stage;
    const { clientId, url } = await asking(stage, app.redirectUri);
    const { mailbox_id, email_address } = await mailbox(test, me, "for-the-app");
    const context = await page.context().browser()!.newContext({
      ...{ javaScriptEnabled: false, viewport: { width: 390, height: 844 } },
    });
    try {
      await context.addCookies(await page.context().cookies());
      const plain = await context.newPage();
      await plain.goto(url);
      await plain.getByRole("heading", { level: 1, name: title }).waitFor();
      await plain.getByText("Reading Agent", { exact: true }).waitFor();
      await plain.getByText(me.email, { exact: true }).waitFor();
      const box = plain.getByRole("checkbox", { name: email_address });
      assert.equal(await box.count(), 0, "with all mailboxes there is nothing to choose");
      await plain.getByLabel("Only these").check();
      await plain.getByRole("button", { name: "Allow" }).click();
      await plain.getByRole("alert").getByText("No mailbox is ticked").waitFor();
      await box.check();
      await plain.getByLabel("Send and answer mail").uncheck();
      await plain.getByRole("button", { name: "Allow" }).click();
      await plain.waitForURL(`${app.redirectUri}**`);
    } finally {
      await context.close();
    }
    const [{ searchParams }] = app.came;
    assert.equal(searchParams.get("state"), "of-the-app");
    assert.equal(searchParams.get("iss"), stage.base);
    const code = searchParams.get("code")!;
    const taken = await exchange(test, clientId, code, { redirect_uri: app.redirectUri });
    assert.equal(taken.status, 200);
    const answer = await page.request.get(`${stage.base}/api/apps`);
    const [{ scopes, mailbox_ids, client_name }] = (await answer.json()).data.slice(-1);
    assert.deepEqual(scopes, ["emails:read", "search"]);
    assert.deepEqual(mailbox_ids, [mailbox_id]);
    assert.equal(client_name, "Reading Agent");
  },

  async "with the keyboard alone one denies, and the app hears it"({ page, stage }) {
    await using app = startApp();
    const { url } = await asking(stage, app.redirectUri);
    await page.goto(url);
    const deny = page.getByRole("button", { name: "Deny" });
    const isReached = () => deny.evaluate((node) => node === node.ownerDocument.activeElement);
    for (let n = 0; n < 20 && !await isReached(); n++) await page.keyboard.press("Tab");
    const outline = await deny.evaluate((node) =>
      node.ownerDocument.defaultView!.getComputedStyle(node).outlineStyle
    );
    assert.equal(outline, "solid", "the focus is seen");
    await page.keyboard.press("Enter");
    await page.waitForURL(`${app.redirectUri}**`);
    assert.equal(app.came[0].searchParams.get("error"), "access_denied");
  },

  async "Chrome lets the form go on to the app, and from there to another host"({ page, stage }) {
    await using end = startApp();
    await using app = startApp(() =>
      Response.redirect(`${end.home}done`.replace("127.0.0.1", "localhost"))
    );
    const { url } = await asking(stage, app.redirectUri);
    await page.goto(url);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL("**/done");
    assert.equal(app.came.length, 1);
  },

  async "Chrome lets the form go on to an editor's own scheme"({ page, stage, complaints }) {
    const { url } = await asking(stage, "cursor://anysphere.cursor-mcp/oauth/callback");
    await page.goto(url);
    const failed = page.waitForEvent("requestfailed");
    await page.getByRole("button", { name: "Allow" }).click();
    // No program has the scheme here, so the navigation ends; a policy that stops it complains.
    await failed;
    await page.evaluate("1");
    assert.deepEqual(complaints.filter((each) => /form-action/.test(each)), []);
  },

  async "no page frames the question"({ page, stage }) {
    const { url } = await asking(stage, "https://agent.example/callback");
    await using app = startApp();
    // Of the same site, so that the frame has the cookie.
    await page.goto(app.home.replace("127.0.0.1", "localhost"));
    await page.evaluate(`{
      const frame = document.createElement("iframe");
      frame.src = ${JSON.stringify(url)};
      document.body.append(frame);
    }`);
    await eventually("the frame was refused", async () => {
      const frame = page.frames().find((each) => each !== page.mainFrame());
      return frame?.url() === "chrome-error://chromewebdata/" &&
        !(await frame.content()).includes(title);
    });
  },

  async "sign in: an app's question waits for it, in a window that the app opened too, which hears how it ended"(
    { page, stage },
  ) {
    await using app = startApp();
    const { url } = await asking(stage, app.redirectUri);
    await page.goto(app.home);
    const [popup] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate(`void window.open(${JSON.stringify(url)})`),
    ]);
    await popup.getByText("An app asks to use your mail").waitFor();
    await signIn(popup, stage);
    await popup.getByRole("heading", { level: 1, name: title }).waitFor();
    assert.equal(popup.url(), url);
    await popup.getByRole("button", { name: "Allow" }).click();
    await popup.waitForURL(`${app.redirectUri}**`);
    assert.equal(await popup.evaluate("window.opener !== null"), true);
  },

  async "sign in: who makes an account for an app is led back to its question"({ page, stage }) {
    const { url } = await asking(stage, "https://agent.example/callback");
    await page.goto(url);
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.getByLabel("Name").fill("A newcomer");
    await page.getByLabel("Email").fill("newcomer@example.org");
    await page.getByLabel("Password").fill("correct horse battery staple");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    assert.equal(page.url(), url);
    await page.getByText("newcomer@example.org", { exact: true }).waitFor();
    await page.getByText("you have none yet").waitFor();
  },

  async "sign in: of sixty mailboxes one is found with the keyboard and given; axe finds nothing"(
    { page, stage },
  ) {
    await using app = startApp();
    const { test } = stage;
    const me = await account(test);
    for (let n = 0; n < 60; n++) await mailbox(test, me, `desk-number-${n}`);
    const { clientId, url } = await asking(stage, app.redirectUri);
    await page.goto(url);
    await signIn(page, { ...stage, me });
    await page.getByLabel("Only these").check();
    assert.equal(await page.getByRole("checkbox", { name: /^desk-number/ }).count(), 50);
    assert.deepEqual(await violations(page), []);
    await page.getByRole("searchbox", { name: "Part of an address" }).focus();
    await page.keyboard.type("Number-57");
    await page.keyboard.press("Enter");
    const box = page.getByRole("checkbox", { name: /^desk-number-57@/ });
    await box.focus();
    await page.keyboard.press("Space");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${app.redirectUri}**`);
    const code = app.came[0].searchParams.get("code")!;
    await exchange(test, clientId, code, { redirect_uri: app.redirectUri });
    const read = async (path: string) => await (await page.request.get(stage.base + path)).json();
    const { mailboxes } = await read("/api/mailboxes");
    const named = mailboxes.find(({ email_address }: { email_address: string }) =>
      email_address.startsWith("desk-number-57@")
    );
    const [{ mailbox_ids }] = (await read("/api/apps")).data;
    assert.deepEqual(mailbox_ids, [named.mailbox_id]);
  },

  async "sign in: it leads to no other address than an app's question"({ page, stage }) {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest()) asked.push(request.url());
    });
    for (
      const next of [
        ...["https://evil.example/", "//evil.example/oauth/authorize?", "/\\evil.example"],
        ...[
          "javascript:alert(1)",
          "/oauth/authorize",
          "/oauth/authorize/../../api/x?",
          "/app/keys",
        ],
        ...["https://evil.example/oauth/authorize?x", " /oauth/authorize?x", ""],
      ]
    ) {
      await page.context().clearCookies();
      const address = `${stage.base}/app/sign-in?${new URLSearchParams({ next })}`;
      await page.goto(address);
      asked.length = 0;
      await signIn(page, stage);
      await page.getByText("There is no such page").waitFor();
      assert.deepEqual(asked, [], next);
      assert.equal(page.url(), address);
    }
  },
};
