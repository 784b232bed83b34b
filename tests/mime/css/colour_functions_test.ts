import assert from "node:assert/strict";
import { colourFunction } from "../../../mime/css/colour_functions.ts";

/** Colours with the channels that CSS Color 4 and its tests name for them. */
const colours: Record<string, string> = {
  "rgb(255 50% none / 25%)": "255 128 0 0.25",
  "hsl(120 100% 25%)": "0 128 0 1",
  "hsl(120deg, 100%, 25%)": "0 128 0 1",
  "hsl(-240, 100%, 25%)": "0 128 0 1",
  "hsla(240, 100%, 50%, .5)": "0 0 255 0.5",
  "hsl(38.824 100% 50%)": "255 165 0 1",
  "hwb(194 0% 0%)": "0 195 255 1",
  "hwb(194 0% 0% / .5)": "0 195 255 0.5",
  "hwb(90deg 100% 100%)": "128 128 128 1",
  "lab(46.2775% -47.5621 48.5837)": "0 128 0 1",
  "lab(50% 50 0)": "193 78 121 1",
  "lch(46.2775% 67.9892 134.3912)": "0 128 0 1",
  "lch(120 200 10)": "255 255 255 1",
  "oklab(51.975% -0.1403 0.10768)": "0 128 0 1",
  "oklch(51.975% 0.17686 142.495)": "0 128 0 1",
  "oklch(0 0.3 20)": "0 0 0 1",
  "color(srgb 0 .50196 0)": "0 128 0 1",
  "color(srgb-linear 0 0.21586 0)": "0 128 0 1",
  "color(rec2020 100% 100% 100% / 1)": "255 255 255 1",
};

Deno.test("a colour that is written as a function has the channels of CSS Color 4", () => {
  for (const [text, channels] of Object.entries(colours)) {
    assert.equal(colourFunction(text)?.join(" "), channels, text);
  }
});

Deno.test("a colour that is made from another one, or whose space is not known, is not guessed", () => {
  const others = [
    "",
    "red",
    "hsl(",
    "hsl(0 0%)",
    "hsl(0 0% 100%",
    "hsl(0 0% 100% / 1 / 1)",
    "hsl(0 0% 100px)",
    "hsl(from white h s l)",
    "rgb(var(--x) 0 0)",
    "color(display-p3 0 1 0)",
    "color(--mine 1 1 1)",
    "color-mix(in srgb, white, white)",
    "var(--white)",
  ];
  for (const text of others) assert.equal(colourFunction(text), null, text);
});
