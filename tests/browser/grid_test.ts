import assert from "node:assert/strict";
import { nightly } from "../nightly.ts";
import { overflows, violations } from "./axe_pages.ts";
import { findChromium } from "./chromium.ts";
import { crowd } from "./lifelike/crowd.ts";
import { places } from "./shots/places.ts";
import { inStudio, opened, show } from "./shots/studio.ts";

const widths = [1280, 768, 390, 320];
const themes = ["light", "dark"];

nightly(
  "axe finds nothing in any picture, from 320 to 1280 px, light and dark, and nothing is wider than its box",
  () =>
    inStudio(async (studio) => {
      const crowded = await crowd(studio.account);
      const page = await opened(studio, 1280, 844, "light");
      const wrong: string[] = [];
      for (const place of places) {
        await page.setViewportSize({ width: 1280, height: 844 });
        await show(page, studio, place, crowded);
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          for (const theme of themes) {
            await page.emulateMedia({ colorScheme: theme as "light" | "dark" });
            const found = [...await violations(page), ...await overflows(page)];
            wrong.push(...found.map((each) => `${place.name}, ${width} px, ${theme}: ${each}`));
          }
        }
      }
      assert.ok(places.length >= 24);
      assert.deepEqual(wrong, []);
    }),
  findChromium() === null,
);
