import assert from "node:assert/strict";
import {
  compareRecords,
  requiredRecords,
  verificationFailure,
  verificationToken,
} from "../../../domain/custom_domains/records.ts";

const expectedRecords = {
  txt: verificationToken("letterbox-verify", "0a1b2c"),
  mx: "mx.agents.example",
};
const mx = (...exchanges: string[]) => exchanges.map((exchange) => ({ preference: 10, exchange }));

Deno.test("verificationToken() is the prefix, an equals sign and the token", () => {
  assert.equal(expectedRecords.txt, "letterbox-verify=0a1b2c");
});

Deno.test("compareRecords() finds the TXT record among others, whole, in any case", () => {
  for (
    const [txt, verified] of [
      [["v=spf1 -all", "letterbox-verify=0a1b2c"], true],
      [["Letterbox-Verify=0A1B2C"], true],
      [[" letterbox-verify=0a1b2c "], true],
      [["letterbox-verify=0a1b2c3"], false],
      [["xletterbox-verify=0a1b2c"], false],
      [["letterbox-verify=0a1b2c another"], false],
      [["0a1b2c"], false],
      [["letterbox-verify=other"], false],
      [[], false],
    ] as const
  ) {
    assert.deepEqual(
      compareRecords(expectedRecords, { txt: [...txt], mx: [] }),
      { verified, mxConfigured: false },
      String(txt),
    );
  }
});

Deno.test("compareRecords() finds the MX host in any case, with or without a final dot, and no other host", () => {
  for (
    const [exchanges, configured] of [
      [["MX.Agents.Example."], true],
      [["backup.example", "mx.agents.example"], true],
      [["mx.agents.example.evil.example"], false],
      [["x.mx.agents.example"], false],
      [[""], false],
      [[], false],
    ] as const
  ) {
    assert.deepEqual(
      compareRecords(expectedRecords, { txt: [], mx: mx(...exchanges) }),
      { verified: false, mxConfigured: configured },
      String(exchanges),
    );
  }
});

Deno.test("requiredRecords() shows both records with the status of each", () => {
  assert.deepEqual(requiredRecords(expectedRecords, { verified: true, mxConfigured: false }), [
    {
      type: "TXT",
      name: "@",
      value: "letterbox-verify=0a1b2c",
      required: true,
      status: "valid",
    },
    {
      type: "MX",
      name: "@",
      value: "mx.agents.example",
      priority: 10,
      required: true,
      status: "missing",
    },
  ]);
});

Deno.test("verificationFailure() has the expected records, the found ones and instructions", () => {
  assert.deepEqual(
    verificationFailure("own.example", expectedRecords, {
      txt: ["v=spf1 -all"],
      mx: mx("other.example"),
    }),
    {
      expected_txt_record: "letterbox-verify=0a1b2c",
      instructions: "Publish a TXT record at own.example with the value letterbox-verify=0a1b2c " +
        "and an MX record at own.example with priority 10 and the host mx.agents.example, " +
        "then verify again. A change in DNS can take until the old record's time to live has passed.",
      found_txt_records: ["v=spf1 -all"],
      expected_mx_record: "mx.agents.example",
      found_mx_records: ["other.example"],
    },
  );
  const partial = verificationFailure("own.example", expectedRecords, {
    txt: [expectedRecords.txt],
    mx: [],
  });
  assert.equal(partial.instructions.includes("TXT"), false);
});

Deno.test("verificationFailure() shows only a part of a zone with a thousand records", () => {
  const shown = verificationFailure("own.example", expectedRecords, {
    txt: Array.from({ length: 1000 }, (_, n) => `${n} ${"x".repeat(5_000)}`),
    mx: mx(...Array.from({ length: 1000 }, (_, n) => `mx${n}.example`)),
  });
  assert.equal(shown.found_txt_records.length, 20);
  assert.equal(shown.found_mx_records.length, 20);
  assert.ok(JSON.stringify(shown).length < 10_000);
});
