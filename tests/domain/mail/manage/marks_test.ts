import assert from "node:assert/strict";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../../service.ts";
import { eventually } from "../../../eventually.ts";

type Answer = { status: number; body: Record<string, unknown> };

async function ask(
  test: TestService,
  token: string,
  method: string,
  path: string,
  json?: object,
): Promise<Answer> {
  const answer = await test.request(path, { method, token, ...(json ? { json } : {}) });
  return { status: answer.status, body: await answer.json() };
}

async function changesOf(test: TestService, owner: TestAccount, after: string) {
  const path = `/v1/api/changes?after=${after}`;
  const answer = await test.request(path, { token: owner.key });
  const { data: changes, meta } = await answer.json();
  return { events: changes.map((each: { event: string }) => each.event), cursor: meta.next_cursor };
}

Deno.test("PATCH marks an email and answers its record; marks that change nothing add no row to the changes", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  await test.settle();
  const path = `/v1/api/emails/${email_id}`;
  const [listed] = await data(test.request("/v1/api/emails", { token: owner.key }));
  assert.deepEqual([listed.is_read, listed.labels, listed.automated], [false, [], false]);
  // Reading does not mark it.
  assert.equal((await data(test.request(path, { token: owner.key }))).is_read, false);
  const { cursor } = await changesOf(test, owner, "now");
  const patch = async (json: object) =>
    await data(test.request(path, { method: "PATCH", token: owner.key, json }));
  const marked = await patch({ is_read: true, add_labels: ["Work", "a:1_-"] });
  assert.deepEqual(marked, { ...listed, is_read: true, labels: ["a:1_-", "work"] });
  assert.deepEqual(await patch({ add_labels: ["work"], is_read: true }), marked);
  assert.deepEqual(await patch({ add_labels: [] }), marked);
  const both = await patch({ add_labels: ["x", "y"], remove_labels: ["X", "work", "unknown"] });
  assert.deepEqual(both.labels, ["a:1_-", "y"]);
  assert.deepEqual((await changesOf(test, owner, cursor)).events, [
    "email.updated",
    "email.updated",
  ]);
  const full = await data(test.request(path, { token: owner.key }));
  const thread = await data(
    test.request(`/v1/api/threads/${full.thread_id}`, { token: owner.key }),
  );
  const found = await ask(test, owner.key, "POST", "/v1/api/search", { query: "hello" });
  for (const one of [full, thread.thread[0], (found.body.results as unknown[])[0]]) {
    assert.deepEqual([one.is_read, one.labels, one.automated], [true, ["a:1_-", "y"], false]);
  }
});

Deno.test("a malformed mark is 400 and names the field; foreign and unknown mail is 404; the scope is emails:write", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const box = await mailbox(test, owner);
  const { email_id } = await deliver(test, box.email_address, message());
  const path = `/v1/api/emails/${email_id}`;
  const codeOf = ({ status, body }: Answer) => {
    const { code, details } = body.error as { code: string; details?: object };
    return [status, code, Object.keys(details ?? {})[0]];
  };
  const labels = (count: number, first = 0) =>
    Array.from({ length: count }, (_, n) => `l${String(n + first).padStart(2, "0")}`);
  for (
    const [json, field] of [
      [{}, "body"],
      [{ is_read: "maybe" }, "is_read"],
      [{ add_labels: ["has space"] }, "add_labels.0"],
      [{ add_labels: [""] }, "add_labels.0"],
      [{ add_labels: ["x".repeat(65)] }, "add_labels.0"],
      [{ remove_labels: ["é"] }, "remove_labels.0"],
      // The Kelvin sign, whose lower case is `k`.
      [{ add_labels: ["\u212A"] }, "add_labels.0"],
      [{ add_labels: labels(33) }, "add_labels"],
      [{ isread: true }, "isread"],
      [{ is_read: true, delete: true }, "delete"],
    ] as const
  ) {
    const answer = await ask(test, owner.key, "PATCH", path, json);
    assert.deepEqual(codeOf(answer), [400, "VALIDATION_ERROR", field], JSON.stringify(json));
  }
  assert.deepEqual(
    codeOf(await ask(test, owner.key, "GET", "/v1/api/emails?label=%E2%84%AA")),
    [400, "VALIDATION_ERROR", "label"],
  );
  const patch = (json: object) => ask(test, owner.key, "PATCH", path, json);
  assert.equal((await patch({ add_labels: labels(32) })).status, 200);
  assert.equal((await patch({ add_labels: ["one-more"], is_read: true })).status, 400);
  const kept = await data(test.request(path, { token: owner.key }));
  assert.deepEqual([kept.is_read, kept.labels], [false, labels(32)]);
  const swapped = await patch({ add_labels: ["one-more"], remove_labels: ["l00"] });
  assert.equal(swapped.status, 200);
  const key = async (scopes: string[]) =>
    (await data(
      test.request("/v1/api/keys", { token: owner.key, json: { name: "k", scopes } }),
    )).apiKey;
  const reader = await key(["emails:read"]), writer = await key(["emails:write"]);
  for (
    const [method, at, json] of [
      ["PATCH", path, { is_read: true }],
      ["DELETE", path, undefined],
      ["POST", "/v1/api/emails/batch", { email_ids: [email_id], is_read: true }],
    ] as const
  ) {
    const refused = await ask(test, reader, method, at, json);
    assert.equal(refused.status, 403);
    const { details } = refused.body.error as { details: object };
    assert.deepEqual(details, { required_scope: "emails:write" });
    if (method === "POST") continue;
    assert.equal((await ask(test, stranger.key, method, at, json)).status, 404);
  }
  assert.equal((await ask(test, writer, "PATCH", path, { is_read: true })).status, 200);
  assert.equal((await ask(test, writer, "DELETE", path)).status, 200);
  assert.equal((await ask(test, writer, "DELETE", path)).status, 404);
  assert.equal((await ask(test, writer, "PATCH", path, { is_read: true })).status, 404);
});

Deno.test("a batch answers for each email in the order asked, and one that fails does not stop the others", async () => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const box = await mailbox(test, owner), foreign = await mailbox(test, stranger);
  const ids: string[] = [];
  for (const to of [box, box, box, foreign]) {
    ids.push(
      (await deliver(test, to.email_address, message({ Subject: `${ids.length}` }))).email_id,
    );
  }
  const [one, two, three, other] = ids;
  const batch = (json: object) => ask(test, owner.key, "POST", "/v1/api/emails/batch", json);
  const missing = (email_id: string, code = "NOT_FOUND") => ({ email_id, ok: false, code });
  const many = Array.from({ length: 32 }, (_, n) => `l${n}`);
  await batch({ email_ids: [two], add_labels: many });
  const answer = await batch({
    email_ids: [one, other, two, "gone", "no email's"],
    add_labels: ["New"],
  });
  assert.deepEqual(answer, {
    status: 200,
    body: {
      success: true,
      data: [
        { email_id: one, ok: true },
        missing(other),
        missing(two, "VALIDATION_ERROR"),
        missing("gone"),
        missing("no email's"),
      ],
    },
  });
  const listed = async (query: string) =>
    (await data(test.request(`/v1/api/emails?${query}`, { token: owner.key })))
      .map(({ email_id }: { email_id: string }) => email_id);
  assert.deepEqual(await listed("label=NEW"), [one]);
  assert.deepEqual(await listed("is_read=false"), [three, two, one]);
  const deleted = await batch({ email_ids: [three, one, three, other], delete: true });
  assert.deepEqual(deleted.body.data, [
    { email_id: three, ok: true },
    { email_id: one, ok: true },
    missing(three),
    missing(other),
  ]);
  assert.deepEqual(await listed(""), [two]);
  for (
    const json of [
      { email_ids: [two] },
      { email_ids: [], is_read: true },
      { email_ids: Array(101).fill(two), is_read: true },
      { email_ids: [two], delete: true, is_read: true },
      { email_ids: [two], delete: false },
      { email_ids: [two], is_read: true, label: "x" },
    ]
  ) {
    const { status, body } = await batch(json);
    assert.equal(status, 400, JSON.stringify(body));
  }
  assert.deepEqual(await listed(""), [two]);
});

Deno.test("lists and search filter by label, read state and direction, and pages by offset count what passes", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const ids: string[] = [];
  for (let n = 0; n < 40; n++) {
    const raw = message({ Subject: `Report ${n}` }, `A report about turbines, ${n}.\n`);
    ids.push((await deliver(test, box.email_address, raw)).email_id);
  }
  const sent = await data(test.request("/v1/api/emails/send", {
    token: owner.key,
    json: {
      ...{ mailbox_id: box.mailbox_id, to: ["ada@example.net"], subject: "Report" },
      body_text: "All turbines are fine.",
    },
  }));
  await test.settle();
  const odd = ids.filter((_id, n) => n % 2 === 1);
  await ask(test, owner.key, "POST", "/v1/api/emails/batch", {
    email_ids: odd,
    ...{ is_read: true, add_labels: ["odd"] },
  });
  const list = async (query: string) =>
    (await data(test.request(`/v1/api/emails?${query}`, { token: owner.key })))
      .map(({ email_id }: { email_id: string }) => email_id);
  assert.deepEqual(await list("label=odd&limit=100&order=asc"), odd);
  assert.deepEqual(await list("label=odd&limit=3&offset=5&order=asc"), odd.slice(5, 8));
  assert.deepEqual(await list("is_read=true&limit=100"), [sent.email_id, ...odd.toReversed()]);
  assert.deepEqual(await list("label=odd&is_read=false"), []);
  assert.equal((await list("is_read=false&limit=100")).length, 20);
  const search = async (json: object) => {
    const query = { query: "turbines", limit: 100, ...json };
    const { body } = await ask(test, owner.key, "POST", "/v1/api/search", query);
    const results = body.results as { email_id: string }[];
    return { total: body.total, ids: results.map(({ email_id }) => email_id).sort() };
  };
  assert.equal((await search({})).total, 41);
  assert.deepEqual(await search({ label: "Odd" }), { total: 20, ids: odd });
  assert.deepEqual(await search({ direction: "outbound" }), { total: 1, ids: [sent.email_id] });
  assert.deepEqual(await search({ is_read: true, direction: "inbound", limit: 2 }), {
    ...{ total: 20, ids: (await search({ is_read: true, direction: "inbound", limit: 2 })).ids },
  });
  assert.equal((await search({ is_read: true, limit: 2 })).ids.length, 2);
  assert.equal((await search({ label: "none" })).total, 0);
});

Deno.test("records have `automated` and attachments, email.processed has `automated`; a reply follows the same rule", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const many = Array.from(
    { length: 400 },
    (_, n) =>
      `--b\nContent-Type: text/plain; name="a-rather-long-name-of-a-file-${n}.txt"\n` +
      "Content-Disposition: attachment\n\nx\n",
  ).join("");
  for (
    const [fields, automated] of [
      [{}, false],
      [{ "Auto-Submitted": "no" }, false],
      [{ "Auto-Submitted": "auto-replied" }, true],
      [{ Precedence: "bulk" }, true],
      [{ Precedence: "list" }, true],
      [{ "List-Id": "<dev.example.net>" }, true],
    ] as [Record<string, string>, boolean][]
  ) {
    const raw = message({ Subject: JSON.stringify(fields), ...fields });
    const { email_id } = await deliver(test, box.email_address, raw);
    const path = `/v1/api/emails/${email_id}`;
    const got = await data(test.request(path, { token: owner.key }));
    assert.equal(got.automated, automated, JSON.stringify(fields));
    const reply = { token: owner.key, json: { body_text: "Thanks" } };
    const sent = await data(test.request(`${path}/reply`, reply));
    const answered = await data(
      test.request(`/v1/api/emails/${sent.email_id}`, { token: owner.key }),
    );
    assert.deepEqual([answered.automated, answered.is_read], [automated, true]);
  }
  const mixed = { "Content-Type": 'multipart/mixed; boundary="b"', "MIME-Version": "1.0" };
  const { email_id } = await deliver(
    test,
    box.email_address,
    message(mixed, `${many}--b--\n`),
    { "x-envelope-from": "" },
  );
  await test.settle();
  // A busy machine may take longer to read 400 names than a list waits for them.
  const listed = await eventually("a list with the names", async () => {
    const path = "/v1/api/emails?has_attachments=true";
    const [email] = await data(test.request(path, { token: owner.key }));
    return email.attachments.length > 0 && email;
  });
  assert.deepEqual([listed.email_id, listed.automated], [email_id, true]);
  const names = listed.attachments.map((each: { filename: string }) => each.filename);
  assert.deepEqual(
    names,
    Array.from({ length: 400 }, (_, n) => `a-rather-long-name-of-a-file-${n}.txt`),
  );
  assert.deepEqual(
    listed.attachments.map((each: { attachment_id: string }) => each.attachment_id),
    listed.attachment_ids,
  );
});
