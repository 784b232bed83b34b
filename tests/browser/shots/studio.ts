import type { Browser, BrowserContext, Page } from "playwright-core";
import { UsageError } from "../../../commands/command_line.ts";
import { findChromium, launchChromium } from "../chromium.ts";
import { type LifelikeAccount, lifelikeAccount } from "../lifelike/account.ts";
import { type Crowd, crowd } from "../lifelike/crowd.ts";
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
  await show(page, studio, places.find(({ name }) => name === "thread")!);
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
  const names = chosen.only?.split(",");
  const crowded = await crowd(studio.account);
  await Deno.mkdir(folder, { recursive: true });
  for (const theme of themes) {
    for (const width of chosen.widths?.split(",").map(Number) ?? widths) {
      const page = await opened(studio, width, width < 700 ? 844 : 800, theme);
      for (const place of places.filter(({ name }) => names?.includes(name) ?? true)) {
        await show(page, studio, place, crowded);
        await page.screenshot({ path: `${folder}/${place.name}-${width}-${theme}.png` });
      }
      await page.context().close();
    }
  }
}

/** A page of a new browser profile, signed in as the demonstration account. */
export async function opened(
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
  await signIn(context, base, account.cookie);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return page;
}

/** Opens a place, with the cookie of its person. Without a crowd it must be one of the demonstration account. */
export async function show(
  page: Page,
  { base, account }: Studio,
  { path, as, then }: Place,
  { places, newcomer }: Crowd = { places: {}, newcomer: "" },
): Promise<void> {
  // A session has 300 requests a minute, and a place takes about ten.
  if (Object.keys(places).length > 0) await account.test.advance(3_000);
  await page.clock.setFixedTime(account.test.clock.now());
  const context = page.context();
  await context.clearCookies();
  if (as !== "nobody") await signIn(context, base, as ? newcomer : account.cookie);
  const named = path.replace(/\{(\w+)\}/g, (_, name) => places[name]);
  await page.goto(named.startsWith("/") ? base + named : `${base}/app/${named}`);
  await still(page);
  await then?.(page);
  await still(page);
}

async function signIn(context: BrowserContext, base: string, cookie: string): Promise<void> {
  const [name, value] = cookie.split("=");
  await context.addCookies([{ name, value, url: base, httpOnly: true, sameSite: "Lax" }]);
}

/** Until nothing is loading and nothing moves. */
async function still(page: Page): Promise<void> {
  await page.locator(".boot, .skeleton").first().waitFor({ state: "detached" }).catch(() => {});
  await page.waitForTimeout(250);
}
