import assert from "node:assert/strict";
import { account, deliver, mailbox, message, testService } from "../service.ts";

// SPEC: search.rest, mcp.search_emails, mcp.search_ranked, search.identifiers, general.envelope
Deno.test("POST /v1/api/search answers results with every field, best first, total and pending", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const mails = [
    ["Order ZX-48213", "The order ZX-48213 ships on Monday."],
    ["Shipping", "Every order ships on Monday, as ever."],
    ["Lunch", "At noon?"],
  ];
  const ids = [];
  for (const [n, [subject, text]] of mails.entries()) {
    const date = `Fri, 20 Nov 2026 0${n}:00:00 +0000`;
    ids.push(
      (await deliver(test, box.email_address, message({ Subject: subject, Date: date }, text)))
        .email_id,
    );
  }
  await test.settle();
  const answer = await test.request("/v1/api/search", {
    token: owner.key,
    json: { query: "order ZX-48213" },
  });
  const body = await answer.json();
  const [first, second] = body.results;
  assert.equal(answer.status, 200);
  assert.deepEqual(body, {
    success: true,
    results: [
      {
        email_id: ids[0],
        thread_id: first.thread_id,
        mailbox_id: box.mailbox_id,
        subject: "Order ZX-48213",
        from: "ada@example.net",
        date: "2026-11-20T00:00:00.000Z",
        ...{ is_read: false, labels: [], automated: false, auth_verdict: "none" },
        snippet: first.snippet,
        score: first.score,
        found_by: ["identifier", "words"],
      },
      {
        email_id: ids[1],
        thread_id: second.thread_id,
        mailbox_id: box.mailbox_id,
        subject: "Shipping",
        from: "ada@example.net",
        date: "2026-11-20T01:00:00.000Z",
        ...{ is_read: false, labels: [], automated: false, auth_verdict: "none" },
        snippet: second.snippet,
        score: second.score,
        found_by: ["words"],
      },
    ],
    total: 2,
    pending: 0,
  });
  assert.match(first.snippet, /ZX-48213/);
  assert.ok(first.score > second.score && second.score >= 0 && first.score <= 1);
});

// SPEC: mcp.search_filters, mcp.search_limits, search.invalid, search.foreign_mailbox, error.validation
Deno.test("each filter narrows a search, limit and offset page it, and malformed input is refused", async (t) => {
  await using test = await testService();
  const owner = await account(test), stranger = await account(test);
  const one = await mailbox(test, owner), two = await mailbox(test, owner);
  const names = new Map<string, string>();
  const mails: [string, string, Record<string, string>][] = [
    ["a", one.email_address, {
      From: "Ada Lovelace <ada@example.net>",
      Subject: "Report of the engine",
      Date: "Tue, 17 Nov 2026 23:59:59 +0000",
    }],
    ["b", one.email_address, {
      From: "bob@shop.example",
      To: "desk@shop.example",
      Subject: "Invoice",
      Date: "Wed, 18 Nov 2026 12:00:00 +0000",
    }],
    ["c", two.email_address, {
      From: "carol@shop.example",
      Cc: "audit@example.org",
      Subject: "Minutes",
      Date: "Thu, 19 Nov 2026 12:00:00 +0000",
    }],
  ];
  for (const [name, to, fields] of mails) {
    const raw = message(fields, `The quarterly figures, copy ${name}.\n`);
    names.set((await deliver(test, to, raw)).email_id, name);
  }
  await test.settle();
  const search = async (json: object, token = owner.key) => {
    const answer = await test.request("/v1/api/search", { token, json });
    return { status: answer.status, body: await answer.json() };
  };
  const found = async (filter: object) => {
    const { body } = await search({ query: "quarterly figures", ...filter });
    return [body.results.map((each: { email_id: string }) => names.get(each.email_id)), body.total];
  };
  const filters: [object, string[]][] = [
    [{}, ["a", "b", "c"]],
    [{ mailbox_id: two.mailbox_id }, ["c"]],
    [{ from: "ada@example.net" }, ["a"]],
    [{ from: "shop.example" }, ["b", "c"]],
    [{ from: "lovelace" }, ["a"]],
    [{ to: "desk@shop.example" }, ["b"]],
    [{ to: "audit" }, ["c"]],
    [{ subject: "ENGINE" }, ["a"]],
    [{ date_from: "2026-11-18" }, ["b", "c"]],
    [{ date_to: "2026-11-17" }, ["a"]],
    [{ date_from: "2026-11-18T00:00:00Z", date_to: "2026-11-18T12:00:00.000Z" }, ["b"]],
    [{ from: "shop.example", subject: "minutes" }, ["c"]],
    [{ from: "nobody" }, []],
  ];
  for (const [filter, expected] of filters) {
    await t.step(`narrowed by ${JSON.stringify(Object.keys(filter))}`, async () => {
      const [ids, total] = await found(filter);
      assert.deepEqual([ids.sort(), total], [expected, expected.length]);
    });
  }

  await t.step("limit and offset page the same ranking; total stays", async () => {
    const [all] = await found({});
    assert.deepEqual(await found({ limit: 2 }), [all.slice(0, 2), 3]);
    assert.deepEqual(await found({ limit: 2, offset: 2 }), [all.slice(2), 3]);
    assert.deepEqual(await found({ offset: 3 }), [[], 3]);
  });

  const wrong: [object, string][] = [
    [{}, "query"],
    [{ query: " " }, "query"],
    [{ query: 7 }, "query"],
    [{ query: "x", limit: 0 }, "limit"],
    [{ query: "x", limit: 101 }, "limit"],
    [{ query: "x", limit: "ten" }, "limit"],
    [{ query: "x", offset: -1 }, "offset"],
    [{ query: "x", date_from: "soon" }, "date_from"],
    [{ query: "x", date_to: "2026-02-30" }, "date_to"],
    [{ query: "x", from: 5 }, "from"],
  ];
  for (const [json, field] of wrong) {
    await t.step(`${JSON.stringify(json)} is 400 naming ${field}`, async () => {
      const { status, body } = await search(json);
      assert.deepEqual([status, body.error.code], [400, "VALIDATION_ERROR"]);
      assert.deepEqual(Object.keys(body.error.details), [field]);
    });
  }

  await t.step(
    "a mailbox that is unknown or foreign is 404, and another account finds nothing",
    async () => {
      const json = { query: "figures", mailbox_id: one.mailbox_id };
      for (
        const [input, token] of [[json, stranger.key], [
          { ...json, mailbox_id: "x" },
          owner.key,
        ]] as const
      ) {
        const { status, body } = await search(input, token);
        assert.deepEqual([status, body.error], [404, {
          code: "NOT_FOUND",
          message: "There is no such mailbox.",
        }]);
      }
      const { body } = await search({ query: "quarterly figures" }, stranger.key);
      assert.deepEqual(body, { success: true, results: [], total: 0, pending: 0 });
    },
  );
});

// SPEC: search.pending
Deno.test("pending counts the mail that is not indexed yet", async () => {
  // One process, which is stopped before it indexes.
  await using test = await testService({ instances: 1 });
  const owner = await account(test), other = await account(test);
  const box = await mailbox(test, owner), foreign = await mailbox(test, other);
  await test.dispatcher.stop();
  await deliver(test, box.email_address, message({}, "one\n"));
  await deliver(test, box.email_address, message({}, "two\n"));
  await deliver(test, foreign.email_address, message());
  const json = { query: "one" };
  const { pending } = await (await test.request("/v1/api/search", { token: owner.key, json }))
    .json();
  assert.equal(pending, 2);
});

// SPEC: search.quota, limit.searches
Deno.test("above the plan's searches it is 403 with limit, used and plan; a refused search costs nothing", async () => {
  await using test = await testService({ plans: { free: { searchesPerMonth: 2 } } });
  const owner = await account(test, "free");
  const search = (json: object) => test.request("/v1/api/search", { token: owner.key, json });
  assert.equal((await search({ query: "x", limit: 0 })).status, 400);
  assert.equal((await search({ query: "x", mailbox_id: "x" })).status, 404);
  assert.equal((await search({ query: "x" })).status, 200);
  assert.equal((await search({ query: "x" })).status, 200);
  const refused = await search({ query: "x" });
  const { success, error: { message, ...error } } = await refused.json();
  assert.ok(message.length > 0);
  assert.deepEqual([refused.status, success, error], [403, false, {
    code: "FORBIDDEN",
    details: { limit: 2, used: 2, plan: "free" },
  }]);
});
