import assert from "node:assert/strict";
import { parseBody } from "../../domain/mail/parse_body.ts";
import { createParsePool } from "../../domain/mail/parse_pool.ts";
import { fixture, message } from "./fixture.ts";

const large = message(
  "Subject: large\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n" +
    `Content-Type: application/x; name=a\n\n${"0123456789abcdef\n".repeat(20_000)}\n--b--\n`,
);

Deno.test("parse() gives the same for a large message as the main thread does", async () => {
  const pool = createParsePool();
  try {
    const bodies = await Promise.all([pool.parse(large), pool.parse(large)]);
    assert.deepEqual(bodies, [parseBody(large), parseBody(large)]);
  } finally {
    pool.close();
  }
});

Deno.test("parse() leaves the caller's bytes as they are", async () => {
  const pool = createParsePool();
  try {
    const copy = large.slice();
    await pool.parse(large);
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
  const body = await pool.parse(fixture("plain"));
  assert.equal(body.text, "Grüße from the plain text.\n");
  assert.equal(started, 0);
});

Deno.test("parse() works where the platform has no Workers", async () => {
  const without = createParsePool({ startWorker: null });
  assert.equal((await without.parse(large)).text, "hello");
  const refused = createParsePool({
    startWorker: () => {
      throw new Error("not supported");
    },
  });
  assert.equal((await refused.parse(large)).text, "hello");
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
    const [late, next] = await Promise.all([pool.parse(large), pool.parse(large)]);
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
  const waiting = [pool.parse(large), pool.parse(large)];
  await Promise.resolve();
  pool.close();
  const problems = (await Promise.all(waiting)).map(({ problem }) => problem);
  assert.deepEqual(problems, ["the service was stopping", "the service was stopping"]);
});
