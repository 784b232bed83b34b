import assert from "node:assert/strict";
import { emailEffects } from "../../../../domain/mail/lifecycle/email.ts";
import { sourceFiles } from "../../../architecture/imports.ts";

const raw = { blobId: "b", size: 70, chunks: 2, sha256: "" };
const inbound = { direction: "inbound", raw } as const;

Deno.test("an email counts once in its mailbox, from its commit to its deletion", () => {
  const counts = (...events: Parameters<typeof emailEffects>[0][]) =>
    events.flatMap(emailEffects).flatMap((each) =>
      "count" in each && each.count === "mailbox" ? [each.by] : []
    );
  for (const direction of ["inbound", "outbound"] as const) {
    const email = { direction, raw };
    assert.deepEqual(
      counts({ is: "stored", email }, "marked", { is: "deleted", email }, {
        ...{ is: "purged", raw, isSent: direction === "outbound" },
      }),
      [1, -1],
    );
    const [, activity] = emailEffects({ is: "stored", email });
    const what = direction === "inbound" ? "received" : "sent";
    assert.deepEqual(activity, { count: "activity", what });
    const [, ofImport] = emailEffects({ is: "stored", email: { ...email, importId: "i" } });
    assert.deepEqual(ofImport, { count: "activity", what: "imported" });
  }
});

Deno.test("the bytes of a deleted email are removed by a job, of one that is being sent by the end of its sending", () => {
  const after = (status?: "queued" | "sent") =>
    emailEffects({ is: "deleted", email: { ...inbound, status } }).map((each) =>
      "job" in each ? each.job : "change" in each ? each.change : Object.keys(each)[0]
    );
  assert.deepEqual(after(), ["count", "email.deleted", "unindex_email", "purge_email"]);
  assert.deepEqual(after("sent"), after());
  assert.deepEqual(after("queued"), ["count", "email.deleted", "unindex_email", "keepUnsent"]);
});

Deno.test("a purged email gives its bytes and its storage back, and a sent one the states of its recipients", () => {
  const given = [{ release: raw }, { count: "storage", bytes: -70 }];
  assert.deepEqual(emailEffects({ is: "purged", raw, isSent: false }), given);
  assert.deepEqual(emailEffects({ is: "purged", raw, isSent: true }), [
    ...given,
    { forget: "recipients" },
  ]);
});

/** Who may write a row: a path that wrote it elsewhere could forget what follows from it. */
const writers: readonly [row: RegExp, files: readonly string[]][] = [
  [
    /\b(?:set|delete)\(keys\.(?:email|emailDetails|emailByThread)\(/,
    ["domain/mail/record/write_email.ts"],
  ],
  [/(?<!function )\bwriteEmail\(tx/, [
    "domain/mail/lifecycle/apply.ts",
    "domain/indexing/process_email.ts",
  ]],
  [/(?<!function )\bwriteRow\(tx/, ["domain/mail/lifecycle/apply.ts"]],
  [/(?<!function )\bcountInMailbox\(tx/, ["domain/mail/lifecycle/apply.ts"]],
  [/\bkeys\.draft\([^)]*\), written/, ["domain/mail/lifecycle/apply.ts"]],
];

Deno.test("one file writes the rows of an email, and one adds, marks and deletes it with all that follows", async () => {
  const sources = [...await sourceFiles()].filter(([path]) => path.startsWith("domain/"));
  for (const [row, files] of writers) {
    const found = sources.filter(([, text]) => row.test(text)).map(([path]) => path);
    assert.deepEqual(found.toSorted(), files.toSorted(), String(row));
  }
});
