import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../eventually.ts";
import { hostileHtml } from "../mime/html/hostile_html.ts";
import { type Guarantees, htmlMail, openThread } from "./scene.ts";
import type { Stage } from "./stage.ts";

/** How long to wait, in ms, for a request at the receiver that should get none. */
const graceMs = 400;

/** A host on loopback that hostile mail names: it must get no request. */
function receiver() {
  const seen: { path: string; headers: Headers }[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push({ path: new URL(request.url).pathname, headers: request.headers });
    return new Response(pixel, { headers: { "content-type": "image/gif" } });
  });
  return {
    seen,
    paths: () => seen.map(({ path }) => path),
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

const pixel = Uint8Array.fromBase64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7");

/** The fixtures of the sanitiser, and some that need a browser. Code that runs changes the title and requests `url`. */
function fixtures(url: string): string[] {
  const run = `parent.document.title=1;new/**/Image().src="${url}/ran"`.replaceAll('"', "`");
  return [
    ...hostileHtml,
    "<script>fetch('https://evil.example/fetched')</script>",
    "<img src=https://evil.example/plain.png>",
    "<body background=https://evil.example/body.png onload=alert(1)><p>a</p>",
    "<style>@font-face{font-family:x;src:url(https://evil.example/x.woff)}p{font-family:x}</style><p>a</p>",
    "<link rel=preload as=image href=https://evil.example/p><link rel=dns-prefetch href=//evil.example/>",
    "<svg><image href=https://evil.example/i.png /><use href=https://evil.example/u.svg#a /></svg>",
    "<a href=https://evil.example/ ping=https://evil.example/ping>a</a><p autofocus tabindex=0 onfocus=alert(1)>b</p>",
  ].map((each) =>
    each.replaceAll("https://evil.example", url).replaceAll("//evil.example", url.slice(5))
      .replaceAll("alert(1)", run)
  );
}

/** Shows each address in a frame of the page, as the dashboard does, and waits until all have loaded. */
async function showFrames(page: Page, addresses: string[], sandboxed = true): Promise<void> {
  await page.evaluate(`Promise.all(${JSON.stringify(addresses)}.map((src) =>
    new Promise((loaded) => {
      const frame = document.createElement("iframe");
      if (${sandboxed}) {
        frame.sandbox = "allow-same-origin allow-popups allow-popups-to-escape-sandbox";
      }
      frame.onload = loaded;
      frame.src = src;
      document.body.append(frame);
    })))`);
  await page.waitForTimeout(graceMs);
}

const addressOf = ({ base }: Stage, emailId: string) => `${base}/api/emails/${emailId}/html`;

export const hostileMail: Guarantees = {
  async "hostile HTML runs no script and loads nothing from other hosts"(
    { page, stage },
  ) {
    await using other = receiver();
    const emailIds: string[] = [];
    for (const [n, html] of fixtures(other.url).entries()) {
      emailIds.push(await stage.deliver(htmlMail(`Hostile ${n}`, html)));
    }
    await stage.test.settle();
    await page.goto(`${stage.base}/app/keys`);
    await page.getByRole("table").waitFor();
    const title = await page.title();
    await showFrames(page, emailIds.map((each) => addressOf(stage, each)));
    assert.equal(page.frames().length, emailIds.length + 1);
    assert.deepEqual(other.paths(), []);
    assert.equal(await page.title(), title);
  },

  async "without the sanitiser the policy and the sandbox hold alone, and without these the fixtures do harm"(
    { page, stage },
  ) {
    await using other = receiver();
    const harmful = fixtures(other.url);
    const emailId = await stage.deliver(htmlMail("Harmless", "<p>Hello.</p>"));
    await stage.test.settle();
    const { ["content-security-policy"]: policy } =
      (await page.request.get(addressOf(stage, emailId))).headers();
    assert.match(policy, /sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox$/);
    let headers: Record<string, string> = { "content-security-policy": policy };
    stage.hooks.instead = ({ url }) => {
      const [, n] = /emails\/(\d+)\/html$/.exec(url) ?? [];
      if (n === undefined) return null;
      const body = `<!DOCTYPE html><html><body>${harmful[Number(n)]}</body></html>`;
      return new Response(body, { headers: { ...headers, "content-type": "text/html" } });
    };
    using cleanup = new DisposableStack();
    cleanup.defer(() => stage.hooks.instead = () => null);
    const addresses = harmful.map((_, n) => addressOf(stage, String(n)));
    const open = async () => {
      await page.goto(`${stage.base}/app/keys`);
      await page.getByRole("table").waitFor();
    };
    await open();
    const title = await page.title();
    await showFrames(page, addresses);
    assert.deepEqual(other.paths(), [], "in the frame");
    assert.equal(await page.title(), title);
    // Opened directly: there is no frame whose sandbox could help.
    for (const address of addresses) await page.goto(address);
    await page.waitForTimeout(graceMs);
    assert.deepEqual(other.paths(), [], "alone");
    // The control: the same fixtures without the two protections.
    headers = {};
    await open();
    await showFrames(page, addresses, false);
    await eventually("the fixtures do what they are made for", () => other.seen.length > 5);
    assert.notEqual(await page.title(), title);
  },

  async "remote images are asked for after Load once alone, and are blocked again on the next visit"(
    { page, stage },
  ) {
    await using other = receiver();
    await stage.deliver(htmlMail(
      "With remote images",
      `<style>@import url(${other.url}/import.css); p { background: url(${other.url}/style.png) }</style>
<p style="background:url(${other.url}/inline.png)">Look:</p>
<img src="${other.url}/a.png" alt="a"><img src="${other.url}/b.png" srcset="${other.url}/b2.png 1x" alt="b">`,
    ));
    await stage.test.settle();
    const open = async () => {
      await openThread(page, stage, "With remote images");
      await page.getByRole("button", { name: "HTML" }).click();
      await page.frameLocator("iframe").getByText("Look:").waitFor();
      await page.getByText("2 remote images not loaded").waitFor();
    };
    await open();
    await page.waitForTimeout(graceMs);
    assert.deepEqual(other.paths(), []);
    await page.getByRole("button", { name: "Load once" }).click();
    await eventually("both images are asked for", () => other.seen.length >= 2);
    await page.waitForTimeout(graceMs);
    const paths = new Set(other.paths());
    assert.ok(paths.isSubsetOf(new Set(["/a.png", "/b.png", "/b2.png"])), [...paths].join());
    for (const { headers } of other.seen) {
      assert.deepEqual([headers.get("cookie"), headers.get("referer")], [null, null]);
    }
    const { length } = other.seen;
    await open();
    await page.waitForTimeout(graceMs);
    assert.equal(other.seen.length, length);
  },

  async "a link of a mail opens outside without opener and referrer; keys work from inside the frame"(
    { page, stage },
  ) {
    await using other = receiver();
    await stage.deliver(htmlMail("With a link", `<p><a href="${other.url}/page">Read on</a></p>`));
    await stage.test.settle();
    await openThread(page, stage, "With a link");
    await page.getByRole("button", { name: "HTML" }).click();
    const opened = page.context().waitForEvent("page");
    await page.frameLocator("iframe").getByRole("link", { name: "Read on" }).click();
    const outside = await opened;
    await outside.waitForURL(`${other.url}/page`);
    assert.equal(await outside.evaluate("globalThis.opener"), null);
    const [{ headers }] = other.seen;
    assert.deepEqual([headers.get("cookie"), headers.get("referer")], [null, null]);
    await outside.close();
    await page.frameLocator("iframe").locator("body").click();
    await page.keyboard.press("u");
    await page.waitForURL("**/app/mail/all");
  },
};
