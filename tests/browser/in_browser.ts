import { findChromium, launchChromium } from "./chromium.ts";
import { lifelikeMail, messageOf } from "./lifelike/mail.ts";
import type { Guarantees } from "./scene.ts";
import { openProfile, openStage, visit } from "./stage.ts";

const chromium = findChromium();
const reason = chromium ? "" : " (ignored: no Chromium found; CHROME_PATH names one)";

/** A part of a name, to run these alone: `deno task test:browser -- keys`. */
export const wanted = Deno.args.find((each) => !each.startsWith("-")) ?? "";

/** Runs guarantees one after the other, with one service and one profile of a browser; each has a page of its own. */
export function inBrowser(title: string, guarantees: Guarantees): void {
  Deno.test({
    name: `${title}${reason}`,
    ignore: chromium === null,
    sanitizeOps: false,
    sanitizeResources: false,
  }, async (t) => {
    await using stage = await openStage();
    const browser = await launchChromium(chromium!);
    try {
      for (const [n] of lifelikeMail.entries()) {
        await stage.deliver(messageOf(n, stage.address, Date.now()));
      }
      await stage.test.settle();
      const profile = await openProfile(browser);
      for (const [name, run] of Object.entries(guarantees)) {
        if (!name.includes(wanted)) continue;
        await t.step(name, async () => {
          const { page, complaints } = await visit(profile, stage, {
            signedIn: !name.includes("sign in"),
          });
          try {
            await run({ page, stage, complaints });
          } finally {
            // A request that a guarantee holds or repeats may be on its way.
            await page.unrouteAll({ behavior: "ignoreErrors" });
            for (const each of profile.pages().slice(1)) await each.close();
          }
        });
      }
    } finally {
      await browser.close();
    }
  });
}
