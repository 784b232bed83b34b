import type { Browser, Page } from "playwright-core";
import { UsageError } from "../../../commands/command_line.ts";
import { findChromium, launchChromium } from "../chromium.ts";
import { type LifelikeAccount, lifelikeAccount } from "../lifelike/account.ts";
import { freePort } from "../../service_process.ts";
import { serving } from "../stage.ts";
import { type Place, places } from "./places.ts";

/** The picture shows this moment, so that a new picture differs only if the dashboard has changed. */
const now = Date.parse("2026-11-20T14:32:00Z");
const widths = [320, 390, 768, 1280, 1920];
const themes = ["light", "dark"] as const;

/** A browser, and the demonstration account behind a port. */
interface Studio {
  browser: Browser;
  account: LifelikeAccount;
  base: string;
}

/** Runs `work` with a browser and the account. Throws UsageError if there is no Chromium. */
export async function inStudio(work: (studio: Studio) => Promise<void>): Promise<void> {
  const chromium = findChromium();
  if (!chromium) throw new UsageError("deno task screenshots needs a Chromium: CHROME_PATH");
  const port = freePort(), base = `http://localhost:${port}`;
  await using account = await lifelikeAccount(base, now);
  const { stop } = serving(account.test.service, port);
  const browser = await launchChromium(chromium);
  try {
    await work({ browser, account, base });
  } finally {
    await browser.close();
    await stop();
  }
}

/** The list with a conversation: the picture of the dashboard in the README. */
export async function readmePicture(studio: Studio): Promise<void> {
  const page = await opened(studio, 1280, 800, "light");
  const path = new URL("../../../docs/dashboard.png", import.meta.url).pathname;
  const [place] = places.filter(({ name }) => name === "thread");
  await show(page, studio, place);
  await page.screenshot({ path });
  const { size } = await Deno.stat(path);
  console.log(`docs/dashboard.png: ${Math.ceil(size / 1024)} KB`);
}

/** Writes `NAME-WIDTH-THEME.png` of every place, or of those that are chosen, into a folder. */
export async function everyPage(
  studio: Studio,
  folder: string,
  chosen: { only?: string; widths?: string },
): Promise<void> {
  const names = chosen.only?.split(",") ?? places.map(({ name }) => name);
  await Deno.mkdir(folder, { recursive: true });
  for (const theme of themes) {
    for (const width of chosen.widths?.split(",").map(Number) ?? widths) {
      const page = await opened(studio, width, width < 700 ? 844 : 800, theme);
      // The session has 300 requests a minute.
      await studio.account.test.advance(61_000);
      for (const place of places.filter(({ name }) => names.includes(name))) {
        await show(page, studio, place);
        await page.screenshot({ path: `${folder}/${place.name}-${width}-${theme}.png` });
      }
      await page.context().close();
    }
  }
}

async function opened(
  { browser, account, base }: Studio,
  width: number,
  height: number,
  colorScheme: "light" | "dark",
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
  });
  const [name, value] = account.cookie.split("=");
  await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: "Lax" }]);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await page.clock.setFixedTime(now);
  return page;
}

/** Opens a place. `quotes` in its path is the id of that mailbox. */
async function show(page: Page, { base, account }: Studio, { path, then }: Place): Promise<void> {
  await page.goto(`${base}/app/${path.replace("/quotes", `/${account.mailboxes.quotes}`)}`);
  await still(page);
  await then?.(page);
  await still(page);
}

/** Until nothing is loading and nothing moves. */
async function still(page: Page): Promise<void> {
  await page.locator(".boot, .skeleton").first().waitFor({ state: "detached" }).catch(() => {});
  await page.waitForTimeout(250);
}
