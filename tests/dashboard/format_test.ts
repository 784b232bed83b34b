import assert from "node:assert/strict";
import {
  addressesOf,
  bandOf,
  bytes,
  hue,
  initial,
  quotaText,
  shortTime,
  shownName,
} from "../../dashboard/format.ts";

Deno.test("a time is as short as it can be", () => {
  const now = new Date(2026, 10, 22, 15, 30).getTime();
  const shown = (...date: [number, number, number, number, number]) =>
    shortTime(new Date(...date).toISOString(), now);
  assert.equal(shortTime(null, now), "never");
  assert.equal(shown(2026, 10, 22, 15, 30), "now");
  assert.equal(shown(2026, 10, 22, 15, 18), "12 min");
  assert.equal(shown(2026, 10, 22, 9, 5), "09:05");
  assert.equal(shown(2026, 10, 20, 9, 5), "Fri");
  assert.equal(shown(2026, 10, 3, 9, 5), "3 Nov");
  assert.equal(shown(2025, 10, 3, 9, 5), "3 Nov 2025");
});

Deno.test("bytes have one unit and at most one decimal", () => {
  assert.deepEqual([0, 1_023, 1_536, 1_048_576, 150 * 1_048_576].map(bytes), [
    "0 B",
    "1023 B",
    "1.5 KB",
    "1 MB",
    "150 MB",
  ]);
});

Deno.test("an avatar has the first letter or digit, and a hue for its address", () => {
  assert.deepEqual(["ada", "« éva »", "42", "!?"].map(initial), ["A", "É", "4", "?"]);
  assert.ok(["a@b.c", "", "x".repeat(1_000)].every((text) => hue(text) >= 0 && hue(text) < 8));
});

Deno.test("typed addresses are split at commas, semicolons and lines, and names stay", () => {
  assert.deepEqual(addressesOf("a@b.c; Ada Byron <ada@b.c>,\n d@e.f,,"), [
    "a@b.c",
    "Ada Byron <ada@b.c>",
    "d@e.f",
  ]);
  assert.deepEqual(addressesOf('"Byron, \\"Ada\\"; Countess" <ada@b.c>, d@e.f; "a@b.c, g@h.i'), [
    '"Byron, \\"Ada\\"; Countess" <ada@b.c>',
    "d@e.f",
    '"a@b.c',
    "g@h.i",
  ]);
});

Deno.test("the bands of a score begin at 0.5, 0.7 and 0.9", () => {
  const bands = [0.49, 0.5, 0.7, 0.9].map(bandOf);
  assert.deepEqual(bands, ["low", "mid", "very", "high"]);
});

Deno.test("the use of a quota is a number, for storage bytes", () => {
  assert.equal(quotaText(90, 100), "90 of 100");
  assert.equal(quotaText(10_000, 10_000), "10,000 of 10,000");
  assert.equal(quotaText(1.5 * 2 ** 30, 2 * 2 ** 30), "1.5 GB of 2 GB");
});

Deno.test("the name of a file is shown in the order of its letters", () => {
  assert.equal(shownName("invoice\u202efdp.exe"), "invoicefdp.exe");
  assert.equal(shownName("חשבונית 2026.pdf"), "חשבונית 2026.pdf");
});
