import assert from "node:assert/strict";
import { nightly } from "../nightly.ts";
import { overflows, violations } from "./axe_pages.ts";
import { findChromium } from "./chromium.ts";
import { wanted } from "./in_browser.ts";
import { crowd } from "./lifelike/crowd.ts";
import { places } from "./shots/places.ts";
import { inStudio, opened, show } from "./shots/studio.ts";

const widths = [1280, 768, 320];
/** Each theme with the rules that it can break. */
const themes = [["light", undefined], ["dark", ["color-contrast"]]] as const;

nightly(
  "axe finds nothing in any picture, from 320 to 1280 px, light and dark, and nothing is wider than its box",
  () =>
    inStudio(async (studio) => {
      const crowded = await crowd(studio.account);
      const page = await opened(studio, 1280, 844, "light");
      const wrong: string[] = [];
      const look = async (name: string) => {
        for (const width of widths) {
          await page.setViewportSize({ width, height: 844 });
          for (const [colorScheme, rules] of themes) {
            await page.emulateMedia({ colorScheme });
            const found = await violations(page, rules && [...rules]);
            wrong.push(...found.map((each) => `${name}, ${width} px, ${colorScheme}: ${each}`));
          }
          wrong.push(...(await overflows(page)).map((each) => `${name}, ${width} px: ${each}`));
        }
      };
      for (const place of places.filter(({ name }) => name.includes(wanted))) {
        await page.setViewportSize({ width: 1280, height: 844 });
        await page.emulateMedia({ colorScheme: "light" });
        try {
          await show(page, studio, place, crowded);
          await look(place.name);
        } catch (error) {
          wrong.push(`${place.name}: ${error}`);
        }
      }
      assert.ok(places.length >= 24);
      assert.deepEqual(wrong, []);
    }),
  findChromium() === null,
);
