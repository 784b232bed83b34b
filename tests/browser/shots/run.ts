// deno task screenshots [--all DIR]: the picture of the README, or every page of the dashboard in every width
import type { Browser, Page } from "playwright-core";
import { command, runCommandLine, UsageError } from "../../../commands/command_line.ts";
import { findChromium, launchChromium } from "../chromium.ts";
import { type LifelikeAccount, lifelikeAccount } from "../lifelike/account.ts";
import { freePort, serving } from "../stage.ts";
import { type Place, places } from "./places.ts";

/** The picture shows this moment, so that making it again changes it only if the dashboard has changed. */
const now = Date.parse("2026-11-20T14:32:00Z");
const widths = [320, 390, 768, 1280, 1920];
const themes = ["light", "dark"] as const;

const program = command({
  description:
    "Makes docs/dashboard.png of the demonstration account with a week of lifelike mail, in memory. With --all: " +
    "a picture of every page at 320, 390, 768, 1280 and 1920 px, light and dark, in a folder.",
  args: {
    all: { type: "string", description: "the folder" },
    only: { type: "string", description: "with --all: the names of the pages, with commas" },
    widths: { type: "string", description: "with --all: the widths, with commas" },
  },
  async run({ all, only, widths: chosen }) {
    const chromium = findChromium();
    if (!chromium) throw new UsageError("deno task screenshots needs a Chromium: CHROME_PATH");
    const port = freePort();
    await using account = await lifelikeAccount(`http://localhost:${port}`, now);
    const { stop } = serving(account.test.service, port);
    const browser = await launchChromium(chromium);
    const studio = { browser, account, base: `http://localhost:${port}` };
    try {
      if (all === undefined) await readmePicture(studio);
      else {
        await everyPage(studio, all, {
          names: only?.split(",") ?? places.map(({ name }) => name),
          widths: chosen?.split(",").map(Number) ?? widths,
        });
      }
    } finally {
      await browser.close();
      await stop();
    }
  },
});

interface Studio {
  browser: Browser;
  account: LifelikeAccount;
  base: string;
}

/** The list with a conversation: what the README says of the dashboard, in one picture. */
async function readmePicture(studio: Studio): Promise<void> {
  const page = await opened(studio, 1280, 800, "light");
  const path = new URL("../../../docs/dashboard.png", import.meta.url).pathname;
  const [place] = places.filter(({ name }) => name === "thread");
  await show(page, studio, place);
  await page.screenshot({ path });
  const { size } = await Deno.stat(path);
  console.log(`docs/dashboard.png: ${Math.ceil(size / 1024)} KB`);
}

async function everyPage(
  studio: Studio,
  folder: string,
  chosen: { names: string[]; widths: number[] },
): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const theme of themes) {
    for (const width of chosen.widths) {
      const page = await opened(studio, width, width < 700 ? 844 : 800, theme);
      // The session has 300 requests a minute.
      await studio.account.test.advance(61_000);
      for (const place of places.filter(({ name }) => chosen.names.includes(name))) {
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

/** Until nothing is on its way and nothing moves. */
async function still(page: Page): Promise<void> {
  await page.locator(".boot, .skeleton").first().waitFor({ state: "detached" }).catch(() => {});
  await page.waitForTimeout(250);
}

await runCommandLine("deno task screenshots", program, Deno.args);
