import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { User } from "../../domain/accounts/user.ts";
import { countActivity, countSearchTime } from "../../domain/activity/counters.ts";
import * as keys from "../../domain/store/keys.ts";
import { eventually } from "../eventually.ts";
import { looks, overflows, violations } from "./axe_pages.ts";
import { findChromium, launchChromium } from "./chromium.ts";
import { openProfile, openStage, type Stage, visit } from "./stage.ts";

const chromium = findChromium();
const reason = chromium ? "" : " (ignored: no Chromium found; CHROME_PATH names one)";
const hourMs = 3_600_000;

/** Three days of activity, counted as the service counts it. */
async function countSome({ test: { service: { database } }, me }: Stage): Promise<void> {
  const now = Date.now();
  // A plan with limits, whose use is drawn.
  await database.transact(async (tx) => {
    const user = await tx.get<User>(keys.user(me.userId));
    tx.set(keys.user(me.userId), { ...user, plan: "pro" });
  });
  await database.transact((tx) => {
    for (let hour = 0; hour < 72; hour++) {
      const at = now - hour * hourMs;
      for (let n = 0; n <= hour % 7; n++) countActivity(tx, me.userId, "received", at);
      if (hour % 3 === 0) countActivity(tx, me.userId, "sent", at);
      if (hour % 5 === 0) countActivity(tx, me.userId, "delivered", at);
      if (hour % 11 === 0) countActivity(tx, me.userId, "failed", at);
      if (hour % 9 === 0) {
        countActivity(tx, me.userId, "searches", at);
        countSearchTime(tx, me.userId, 20 + hour, at);
      }
    }
  });
}

const chart = (page: Page, name: string) => page.getByRole("figure", { name });

/** Whether uPlot has drawn in the colour of the line: the pixels of its canvas that are not transparent. */
async function inked(page: Page, name: string): Promise<number> {
  const canvas = chart(page, name).locator("canvas");
  await canvas.waitFor();
  return await canvas.evaluate((node) => {
    const { width, height } = node as HTMLCanvasElement;
    const pixels = (node as HTMLCanvasElement).getContext("2d")!.getImageData(0, 0, width, height);
    return pixels.data.filter((value, n) => n % 4 === 3 && value > 0).length;
  });
}

Deno.test({
  name: `the charts of the plan page in a browser${reason}`,
  ignore: chromium === null,
  sanitizeOps: false,
  sanitizeResources: false,
}, async (t) => {
  await using stage = await openStage();
  const browser = await launchChromium(chromium!);
  try {
    await countSome(stage);
    const { page, complaints } = await visit(await openProfile(browser), stage);
    await t.step(
      "they draw what the route answers, and their tables have the same numbers",
      async () => {
        const answers: string[] = [];
        page.on("response", (answer) => {
          if (answer.url().includes("/api/activity")) answers.push(answer.url());
        });
        await page.goto(`${stage.base}/app/usage`);
        for (
          const name of [
            "Used of the plan, this period",
            "Mail",
            "Webhook deliveries",
            "Searches",
            "Search time, ms",
          ]
        ) {
          assert.ok(await inked(page, name) > 500, name);
        }
        const mail = chart(page, "Mail");
        assert.match(await mail.innerText(), /Mail\s+received\s+sent/);
        await mail.getByText("Numbers").click();
        const rows = mail.getByRole("row");
        await rows.first().waitFor();
        const url = answers.find((each) => each.includes("step=hour"))!;
        const { data } = await (await page.request.get(url)).json();
        assert.equal(await rows.count(), data.length + 1);
        assert.deepEqual(
          (await rows.allInnerTexts()).slice(1).map((text) =>
            text.split("\t").slice(1).map(Number)
          ),
          data.map((each: { received: number; sent: number }) => [each.received, each.sent]),
        );
        const sum = data.reduce((all: number, each: { sent: number }) => all + each.sent, 0);
        assert.match(await mail.innerText(), new RegExp(`sent ${sum}, at most 1 an hour`));
      },
    );
    await t.step(
      "the span of 30 days has a point for each day; pointing at an hour shows its values",
      async () => {
        await page.getByRole("button", { name: "30 days" }).click();
        const rows = chart(page, "Mail").getByRole("row");
        await eventually("a row a day", async () => [32, 33].includes(await rows.count()));
        await chart(page, "Searches").locator(".u-over").hover();
        assert.match(await chart(page, "Searches").locator(".legend").innerText(), /searches\s*\d/);
      },
    );
    await t.step(
      "axe finds nothing, and nothing is too wide, light, dark and on a phone",
      async () => {
        const folder = Deno.env.get("SHOTS");
        for (const { theme, width } of looks(folder ? [320, 390, 768, 1280, 1920] : [320, 1280])) {
          await page.evaluate((name) => localStorage.setItem("theme", name), theme);
          await page.setViewportSize({ width, height: 844 });
          await page.reload();
          assert.ok(await inked(page, "Mail") > 300);
          assert.deepEqual(await overflows(page), [], `${theme} ${width}`);
          const below = await page.evaluate(() =>
            document.documentElement.scrollHeight - document.documentElement.clientHeight
          );
          assert.equal(below, 0, "the page scrolls in its pane");
          assert.deepEqual(await violations(page), []);
          if (!folder) continue;
          await page.locator(".activity").scrollIntoViewIfNeeded();
          await page.screenshot({ path: `${folder}/${theme}_${width}.png` });
        }
      },
    );
    await t.step(
      "the upgrade and the portal are shown only where plans are sold",
      async () => {
        let plan = "free", soldPlans = "";
        await page.route("**/api/billing/subscription", async (route) => {
          const response = await route.fetch();
          const body = await response.json();
          body.data.plan = plan;
          await route.fulfill({ response, json: body });
        });
        await page.route("**/app/usage", async (route) => {
          const response = await route.fetch();
          const body = (await response.text())
            .replace('data-sold-plans=""', `data-sold-plans="${soldPlans}"`);
          await route.fulfill({ response, body });
        });
        const shown = async () => {
          await page.reload();
          await page.getByText({ free: "Free", pro: "Pro" }[plan]!, { exact: true }).waitFor();
          const buttons = page.getByRole("main").getByRole("button");
          return (await buttons.allInnerTexts()).filter((each) => /Upgrade|portal/.test(each));
        };
        assert.deepEqual(await shown(), []);
        plan = "pro";
        assert.deepEqual(await shown(), []);
        soldPlans = "enterprise";
        assert.deepEqual(await shown(), ["Billing portal"]);
        plan = "free";
        assert.deepEqual(await shown(), []);
        soldPlans = "pro enterprise";
        assert.deepEqual(await shown(), ["Upgrade to Pro"]);
        await page.unrouteAll({ behavior: "wait" });
      },
    );
    await t.step(
      "nothing moves while they load, and a failed answer is shown and can be tried again",
      async () => {
        await page.setViewportSize({ width: 1280, height: 1600 });
        await page.route("**/api/activity?*", async (route) => {
          // What moves while they load is seen in this time.
          await new Promise((done) => setTimeout(done, 300));
          await route.continue();
        });
        await page.goto(`${stage.base}/app/keys`);
        await page.addInitScript(`globalThis.shifted = 0;
        new PerformanceObserver((list) => {
          for (const each of list.getEntries()) globalThis.shifted += each.value;
        }).observe({ type: "layout-shift", buffered: true });`);
        await page.goto(`${stage.base}/app/usage`);
        await inked(page, "Search time, ms");
        const shifted = Number(await page.evaluate("globalThis.shifted"));
        assert.ok(shifted < 0.01, `${shifted}`);
        await page.unroute("**/api/activity?*");
        let fails = true;
        await page.route("**/api/activity?*", (route) => fails ? route.abort() : route.continue());
        complaints.length = 0;
        await page.reload();
        const again = page.getByRole("main").getByRole("button", { name: "Try again" });
        await eventually("both problems", async () => await again.count() === 2);
        assert.ok(complaints.every((each) => each.includes("ERR_FAILED")), complaints.join());
        complaints.length = 0;
        fails = false;
        for (const left of [1, 0]) {
          await again.first().click();
          await eventually("a problem less", async () => await again.count() === left);
        }
        await inked(page, "Mail");
      },
    );
    assert.deepEqual(complaints, []);
  } finally {
    await browser.close();
  }
});
