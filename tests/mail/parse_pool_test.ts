import assert from "node:assert/strict";
import { attachmentContent, parseBody } from "../../domain/mail/parse_body.ts";
import { createParsePool, LARGE_MESSAGE_BYTES } from "../../domain/mail/parse_pool.ts";
import { fixture, message } from "./fixture.ts";

const large = message(
  "Subject: large\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n" +
    `Content-Type: application/x; name=a\n\n${"0123456789abcdef\n".repeat(40_000)}\n--b--\n`,
);

const source = (raw: Uint8Array) => ({ size: raw.length, load: () => Promise.resolve(raw) });

Deno.test("attachment() gives the decoded bytes, and null for one that is not there", async () => {
  const pool = createParsePool();
  try {
    const content = await pool.attachment(source(large), "att_2");
    assert.deepEqual(content, new Uint8Array(attachmentContent(large, "att_2") ?? []));
    assert.ok(content && content.length > LARGE_MESSAGE_BYTES);
    assert.equal(await pool.attachment(source(large), "att_3"), null);
  } finally {
    pool.close();
  }
});

Deno.test("parse() loads large messages one after the other, and goes on where a load fails", async () => {
  const pool = createParsePool();
  let loaded = 0, most = 0;
  const slow = (fails: boolean) => ({
    size: large.length,
    load: async () => {
      most = Math.max(most, ++loaded);
      await new Promise((done) => setTimeout(done, 1));
      loaded--;
      if (fails) throw new Error("gone");
      return large;
    },
  });
  try {
    const [one, two, three] = await Promise.allSettled(
      [slow(false), slow(true), slow(false)].map((each) => pool.parse(each)),
    );
    assert.deepEqual([one.status, two.status, three.status], [
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    assert.equal(most, 1);
  } finally {
    pool.close();
  }
});

Deno.test("parse() gives the same for a large message as the main thread does", async () => {
  const pool = createParsePool();
  try {
    const bodies = await Promise.all([pool.parse(source(large)), pool.parse(source(large))]);
    assert.deepEqual(bodies, [parseBody(large), parseBody(large)]);
  } finally {
    pool.close();
  }
});

Deno.test("parse() leaves the caller's bytes as they are", async () => {
  const pool = createParsePool();
  try {
    const copy = large.slice();
    await pool.parse(source(large));
    assert.deepEqual(large, copy);
  } finally {
    pool.close();
  }
});

Deno.test("parse() starts no Worker for small messages", async () => {
  let started = 0;
  const pool = createParsePool({
    startWorker: () => {
      started++;
      throw new Error("no Worker here");
    },
  });
  const body = await pool.parse(source(fixture("plain")));
  assert.equal(body.text, "Grüße from the plain text.\n");
  assert.equal(started, 0);
});

Deno.test("parse() works where the platform has no Workers", async () => {
  const without = createParsePool({ startWorker: null });
  assert.equal((await without.parse(source(large))).text, "hello");
  const refused = createParsePool({
    startWorker: () => {
      throw new Error("not supported");
    },
  });
  assert.equal((await refused.parse(source(large))).text, "hello");
});

Deno.test("parse() says so when a message takes too long, and parses the next one", async () => {
  let started = 0;
  const silent = new URL("data:text/javascript,onmessage = () => {}");
  const real = new URL("../../domain/mail/parse_worker.ts", import.meta.url);
  const pool = createParsePool({
    deadlineMs: 3000,
    startWorker: () => new Worker(started++ === 0 ? silent : real, { type: "module" }),
  });
  try {
    const [late, next] = await Promise.all([pool.parse(source(large)), pool.parse(source(large))]);
    assert.equal(late.problem, "the message could not be parsed in time");
    assert.equal(late.truncated, true);
    assert.equal(next.text, "hello");
    assert.equal(started, 2);
  } finally {
    pool.close();
  }
});

Deno.test("close() gives back what waits", async () => {
  const silent = new URL("data:text/javascript,onmessage = () => {}");
  const pool = createParsePool({ startWorker: () => new Worker(silent, { type: "module" }) });
  const waiting = [pool.parse(source(large)), pool.parse(source(large))];
  await Promise.resolve();
  pool.close();
  const problems = (await Promise.all(waiting)).map(({ problem }) => problem);
  assert.deepEqual(problems, ["the service was stopping", "the service was stopping"]);
});
