import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Its places on Debian, Ubuntu and macOS, and in Chrome's own packages. */
const usualPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** The path of a Chromium: `CHROME_PATH`, else the first of the usual places; null if there is none. */
export function findChromium(): string | null {
  const named = Deno.env.get("CHROME_PATH");
  if (named) return named;
  return usualPlaces.find((path) => existsSync(path)) ?? null;
}

/** A browser without windows. In a container root may not use the sandbox, and /dev/shm is small. */
export function launchChromium(path: string): Promise<Browser> {
  return chromium.launch({
    executablePath: path,
    headless: true,
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    timeout: 60_000,
  });
}
