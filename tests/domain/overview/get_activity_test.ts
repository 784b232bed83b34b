import assert from "node:assert/strict";
import { account, data, deliver, FakeClock, mailbox, message, testService } from "../../service.ts";
import { eventually } from "../../eventually.ts";
import { ScriptedTarget } from "../webhooks/scripted_target.ts";

const none = {
  received: 0,
  sent: 0,
  imported: 0,
  delivered: 0,
  failed: 0,
  searches: 0,
  search_p95_ms: null,
};

// SPEC: dashboard.activity
Deno.test("GET /api/activity: two instances count mail, deliveries and searches exactly, each account its own", async () => {
  const clock = new FakeClock();
  const target = new ScriptedTarget(clock);
  await using test = await testService({
    instances: 2,
    parts: { clock, webhookTarget: target },
  });
  const owner = await account(test), quiet = await account(test);
  const box = await mailbox(test, owner);
  const hour = "2026-11-20T10:00:00.000Z";
  const ask = async (query: string, { cookie } = owner) =>
    await data(test.request(`/api/activity?${query}`, { headers: { cookie } }));
  const day = "from=2026-11-20&to=2026-11-20&step=hour";
  assert.equal((await ask(day)).length, 24);
  assert.ok((await ask(day)).every((each: typeof none) => each.received === 0));

  const url = "https://hooks.example.com/mail";
  await test.request("/v1/api/webhooks", {
    token: owner.key,
    json: { url, events: ["email.received"] },
  });
  await Promise.all(
    Array.from(
      { length: 20 },
      (_, n) => deliver(test, box.email_address, message({ Subject: `No ${n}` })),
    ),
  );
  await deliver(test, "nobody-here@agents.test", message());
  await test.settle();
  target.reply = () => 500;
  await deliver(test, box.email_address, message({ Subject: "Fails" }));
  for (let n = 0; n < 3; n++) {
    const json = {
      mailbox_id: box.mailbox_id,
      to: ["ada@example.net"],
      subject: "S",
      body_text: "B",
    };
    const sent = await test.request("/v1/api/emails/send", { token: owner.key, json });
    assert.equal(sent.status, 201);
  }
  for (let n = 0; n < 4; n++) {
    const json = { query: "number" };
    assert.equal((await test.request("/v1/api/search", { token: owner.key, json })).status, 200);
  }
  const refused = { query: "number", mailbox_id: "none" };
  await test.request("/v1/api/search", { token: owner.key, json: refused });
  await test.settle();
  await test.advance(2_000);
  const found = await eventually("the time of the searches", async () => {
    const ofHour = (await ask(day)).find(({ at }: { at: string }) => at === hour);
    return ofHour.search_p95_ms !== null && ofHour;
  });
  const { search_p95_ms, ...counted } = found;
  assert.deepEqual(counted, {
    ...{ at: hour, received: 21, sent: 3, imported: 0, delivered: 20, failed: 0, searches: 4 },
  });
  assert.ok(Number.isInteger(search_p95_ms) && search_p95_ms >= 1);
  await test.advance(3_600_000);
  const rows = await ask(day);
  assert.deepEqual(
    rows.filter(({ failed }: typeof none) => failed > 0).length,
    1,
    "one delivery failed at its last attempt",
  );
  const [today] = await ask("from=2026-11-20T23:00:00Z&to=2026-11-21T00:00:00Z&step=day");
  const { search_p95_ms: _, ...whole } = today;
  assert.deepEqual(whole, { ...counted, at: "2026-11-20T00:00:00.000Z", failed: 1 });
  assert.deepEqual(await ask("from=2026-11-20&to=2026-11-20&step=day", quiet), [
    { at: "2026-11-20T00:00:00.000Z", ...none },
  ]);

  const gone = await test.request("/api/account", {
    method: "DELETE",
    headers: { cookie: owner.cookie, origin: "http://localhost:8000" },
    json: { confirm_email: owner.email, password: owner.password },
  });
  assert.equal(gone.status, 200);
  await test.advance(120_000);
  assert.deepEqual(await Array.fromAsync(test.kv.list({ prefix: ["activity"] })), []);
});

Deno.test("GET /api/activity takes at most 750 steps, in order, by name, and sessions alone", async () => {
  await using test = await testService();
  const { cookie, key } = await account(test);
  const ask = async (query: string) => {
    const answer = await test.request(`/api/activity?${query}`, { headers: { cookie } });
    return { status: answer.status, body: await answer.json() };
  };
  const at = (hours: number) => new Date(Date.UTC(2026, 9, 25) + hours * 3_600_000).toISOString();
  const fits = await ask(`from=${at(0)}&to=${at(750)}&step=hour`);
  assert.deepEqual([fits.status, fits.body.data.length], [200, 750]);
  assert.equal((await ask("from=2024-11-01&to=2026-11-20&step=day")).body.data.length, 750);
  const offset = encodeURIComponent("2026-11-20T12:30:00+02:00");
  assert.deepEqual(
    (await ask(`from=${offset}&to=2026-11-20T12:00:00Z&step=hour`)).body.data.map(
      (each: { at: string }) => each.at,
    ),
    ["2026-11-20T10:00:00.000Z", "2026-11-20T11:00:00.000Z"],
  );
  assert.deepEqual((await ask("from=1970-01-01&to=1970-01-02&step=day")).body.data, []);
  for (
    const [query, field] of [
      [`from=${at(0)}&to=${at(750.5)}&step=hour`, "step"],
      ["from=2026-11-20&to=2026-11-19&step=day", "to"],
      ["from=2026-11-20&to=2026-11-20T00:00:00Z&step=day", "to"],
      ["from=2026-11-20&to=2026-11-21", "step"],
      ["from=2026-11-20&to=2026-11-21&step=minute", "step"],
      ["to=2026-11-21&step=day", "from"],
      ["from=yesterday&to=2026-11-21&step=day", "from"],
      ["from=2026-02-30&to=2026-03-01&step=day", "from"],
      ["from=2026-11-20&to=2026-11-21&step=day&mailbox_id=x", "mailbox_id"],
    ]
  ) {
    const { status, body } = await ask(query);
    assert.deepEqual([status, body.error.code], [400, "VALIDATION_ERROR"], query);
    assert.ok(JSON.stringify(body.error.details).includes(field), query);
  }
  const path = "/api/activity?from=2026-11-20&to=2026-11-21&step=day";
  assert.equal((await test.request(path)).status, 401);
  assert.equal((await test.request(path, { token: key })).status, 401);
  assert.equal((await test.request(path.replace("/api", "/v1/api"), { token: key })).status, 404);
});
