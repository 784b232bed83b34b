import assert from "node:assert/strict";
import { parseDate } from "../../../mime/headers/date_field.ts";

const ten = Date.UTC(2026, 10, 23, 10, 5, 15);

/** Dates without a zone that the runtime knows. */
const withoutZone: [string, number][] = [
  ["Mon, 23 Nov 2026 10:05:15", ten],
  ["Mon, 23 Nov 2026 10:05:15 AM", ten],
  ["11/23/2026 10:05:15 AM", ten],
  ["Mon, 23 Nov 2026 10:05:15 (JST)", ten],
  ["Mon, 23 Nov 2026 10:05:15 JST", ten],
  ["2026-11-23T10:05:15", ten],
  ["2026-11-23 10:05:15", ten],
  ["Mon Nov 23 10:05:15 2026", ten],
  ["Mon, 23 Nov 2026", Date.UTC(2026, 10, 23)],
];

Deno.test("a date without a zone is UTC, whatever the zone of the machine is", async () => {
  const module = import.meta.resolve("../../../mime/headers/date_field.ts");
  const script = `import { parseDate } from "${module}";
    console.log(JSON.stringify(${JSON.stringify(withoutZone)}.map(([text]) => parseDate(text))))`;
  // The runtime reads the zone once, at its start.
  const run = new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    env: { TZ: "America/New_York" },
  });
  const { stdout } = await run.output();
  const read = JSON.parse(new TextDecoder().decode(stdout));
  assert.deepEqual(read, withoutZone.map(([, ms]) => ms));
});

Deno.test("a zone in digits, with a name after it, or of RFC 822 counts", () => {
  for (
    const text of [
      "Mon, 23 Nov 2026 11:05:15 +0100",
      "Mon, 23 Nov 2026 11:05:15 +0100 (CET)",
      "Mon, 23 Nov 2026 05:05:15 EST",
      "Mon, 23 Nov 2026 10:05:15 UT",
      "Mon Nov 23 2026 11:05:15 GMT+0100 (Central European Standard Time)",
      "2026-11-23T11:05:15+01:00",
      "Mon, 23 Nov 2026 11:05:15 +0100 (MEZ (Berlin))",
      "Mon (a (b) c), 23 Nov 2026 11(h): 05  :  15 +0100",
      "Mon Nov 23 05:05:15 EST 2026",
      "Mon Nov 23 11:05:15 +0100 2026",
    ]
  ) assert.equal(parseDate(text), ten, text);
});

Deno.test("a date is null if ISO 8601 has no four digits for its year in UTC", () => {
  const last = "31 Dec 9999 23:59:59";
  assert.equal(parseDate(`${last} GMT`), Date.parse("9999-12-31T23:59:59.000Z"));
  for (const text of [`${last} -0001`, "Fri, 1 Jan 12026 10:00:00 +0000", "-000001-01-01T00:00Z"]) {
    assert.equal(parseDate(text), null, text);
  }
});

Deno.test("a year of three digits counts from 1900, one of two digits is of 1950 to 2049", () => {
  for (
    const [text, ms] of [
      ["Mon, 23 Nov 126 10:05:15 +0000", ten],
      ["23-Nov-126 10:05:15 GMT", ten],
      ["Mon, 23 Nov 26 10:05:15 +0000", ten],
      ["23 Nov 49 10:05:15 GMT", Date.UTC(2049, 10, 23, 10, 5, 15)],
      ["23 Nov 97 10:05:15 GMT", Date.UTC(1997, 10, 23, 10, 5, 15)],
    ] as const
  ) assert.equal(parseDate(text), ms, text);
});
