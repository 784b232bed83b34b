import assert from "node:assert/strict";
import { violations } from "./axe_pages.ts";
import { findChromium, launchChromium } from "./chromium.ts";
import { openProfile, openStage, visit } from "./stage.ts";

const chromium = findChromium();
const reason = chromium ? "" : " (ignored: no Chromium found; CHROME_PATH names one)";

Deno.test({
  name: `why something failed, in a browser${reason}`,
  ignore: chromium === null,
  sanitizeOps: false,
  sanitizeResources: false,
}, async (t) => {
  await using stage = await openStage();
  const { base, test, me } = stage;
  const receiver = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("no such customer: 4711", { status: 422 }),
  );
  const browser = await launchChromium(chromium!);
  const call = async (path: string, json: unknown) => {
    const answer = await fetch(`${base}${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${me.key}`, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
    assert.ok(answer.ok, `${path} ${answer.status}`);
    return (await answer.json()).data;
  };
  try {
    const { page, complaints } = await visit(await openProfile(browser), stage);
    await t.step("a delivery shows where it went, what was sent and what came back", async () => {
      const url = `http://127.0.0.1:${receiver.addr.port}/hook`;
      const hook = await call("/v1/api/webhooks", { url, events: ["email.received"] });
      await stage.deliver("From: Ada <ada@example.net>\nSubject: Order 4711\n\nHello.\n");
      await page.goto(`${base}/app/webhooks/${hook.webhook_id}`);
      await page.getByText("The receiver answered 422.").first().click();
      await page.getByText("no such customer: 4711").waitFor();
      assert.match(
        await page.getByRole("figure").filter({ hasText: "What was sent" }).innerText(),
        /"subject": "Order 4711"/,
      );
      assert.ok(await page.getByRole("definition").filter({ hasText: url }).isVisible());
      assert.deepEqual(await violations(page), []);
    });
    await t.step(
      "a search without results counts what would match without each filter",
      async () => {
        await test.settle();
        await page.goto(`${base}/app/search?q=order&from=bob`);
        await page.getByText("Without the filter “From”: 1 match").or(
          page.getByRole("listitem").filter({ hasText: "Without the filter “From”: 1 match" }),
        ).first().waitFor();
        assert.deepEqual(await violations(page), []);
      },
    );
    await t.step(
      "a stopped reply loop is shown among what needs attention, and its conversation says why",
      async () => {
        const email = await stage.deliver("From: robot@example.net\nSubject: Ping\n\nPing.\n");
        for (let n = 0; n < 12; n++) {
          await call(`/v1/api/emails/${email}/reply`, { body_text: "Pong." });
        }
        await page.goto(`${base}/app/mail/all`);
        await page.getByRole("link", {
          name: /A conversation was stopped.*12 mails to robot@example.net/,
        }).click();
        await page.getByText("This looks like two programs that answer each other").waitFor();
        assert.deepEqual(await violations(page), []);
      },
    );
    assert.deepEqual(complaints, []);
    await t.step("a quota that is used up shows its meter", async () => {
      const error = {
        ...{ code: "FORBIDDEN", message: "The plan's searches of this month are used up." },
        details: { limit: 100, used: 100, plan: "free" },
      };
      await page.route(
        "**/api/search",
        (route) => route.fulfill({ status: 403, json: { success: false, error } }),
      );
      await page.goto(`${base}/app/search?q=order`);
      const problem = page.getByRole("alert").filter({ hasText: error.message });
      await problem.getByRole("link", { name: "100 of 100" }).waitFor();
      assert.deepEqual(await violations(page), []);
    });
  } finally {
    await browser.close();
    await receiver.shutdown();
  }
});
