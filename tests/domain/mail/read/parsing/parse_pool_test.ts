import assert from "node:assert/strict";
import { attachmentContents, parseBody } from "../../../../../mime/body/parse_body.ts";
import { systemClock } from "../../../../../domain/core/clock.ts";
import {
  createParsePool,
  type ParseSource,
} from "../../../../../domain/mail/read/parsing/parse_pool.ts";
import { fixture, message } from "../../../../mime/fixture.ts";
import { largeMessageBytes } from "../../../../../mime/body/parse_question.ts";
import { ownMs } from "../../../../own_time.ts";

const silent = new URL("data:text/javascript,onmessage = () => {}");
/** Reports that it has begun, and never answers. */
const stuck = new URL(
  "data:text/javascript,onmessage = () => { postMessage('begun'); " +
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }",
);
const real = new URL("../../../../../mime/body/parse_worker.ts", import.meta.url);

const large = message(
  "Subject: large\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n--b\n" +
    `Content-Type: application/x; name=a\n\n${"0123456789abcdef\n".repeat(40_000)}\n--b--\n`,
);

const source = (raw: Uint8Array, userId = "one") => ({
  userId,
  size: raw.length,
  load: () => Promise.resolve(raw),
});

Deno.test("attachment() gives the decoded bytes, and null for one that is not there", async () => {
  const pool = createParsePool(systemClock);
  try {
    const [content] = await pool.attachments(source(large), ["att_2"]);
    assert.deepEqual(content, new Uint8Array(attachmentContents(large, ["att_2"])[0] ?? []));
    assert.ok(content && content.length > largeMessageBytes);
    assert.deepEqual(await pool.attachments(source(large), ["att_3"]), [null]);
  } finally {
    pool.close();
  }
});

Deno.test("parse() loads the large messages of an account one after the other, and goes on if a load fails", async () => {
  const pool = createParsePool(systemClock);
  let loaded = 0, most = 0;
  const slow = (fails: boolean) => ({
    userId: "one",
    size: large.length,
    load: async () => {
      most = Math.max(most, ++loaded);
      // Another load that may begin meanwhile begins.
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

Deno.test("a message above 32 KiB is parsed, decoded, divided and read as a report in a Worker, a smaller one is not", async () => {
  let started = 0;
  const pool = createParsePool(systemClock, {
    startWorker: () => {
      started++;
      return new Worker(real, { type: "module" });
    },
  });
  const text = (bytes: number) => message(`Subject: x\n\n${"a".repeat(bytes)}`);
  const small = source(text(31 * 1024));
  try {
    const asked = (source: ParseSource) => [
      ...[pool.parse(source), pool.attachments(source, ["att_1"]), pool.report(source)],
      pool.segments(source, ""),
    ];
    await Promise.all(asked(small));
    assert.equal(started, 0);
    assert.equal((await pool.parse({ ...small, inWorker: true })).problem, null);
    assert.equal(started, 1);
    const over = source(text(33 * 1024), "two");
    await Promise.all(asked(over));
    assert.ok(started >= 1);
  } finally {
    pool.close();
  }
});

Deno.test("the large messages of one account use one Worker", async () => {
  let started = 0;
  const pool = createParsePool(systemClock, {
    startWorker: () => {
      started++;
      return new Worker(real, { type: "module" });
    },
  });
  const raw = message(`Subject: x\n\n${"a".repeat(33 * 1024)}`);
  try {
    await Promise.all([1, 2, 3].map(() => pool.parse(source(raw))));
    assert.equal(started, 1);
  } finally {
    pool.close();
  }
});

Deno.test("parse() returns the same for a large message as the main thread", async () => {
  const pool = createParsePool(systemClock);
  try {
    const bodies = await Promise.all([pool.parse(source(large)), pool.parse(source(large))]);
    assert.deepEqual(bodies, [parseBody(large), parseBody(large)]);
  } finally {
    pool.close();
  }
});

Deno.test("segments() divides the text that parse() returns, with the help of the subject, and is null if it takes too long", async () => {
  const note = "From: Ann <a@x.example>\nSent: 2 Nov 2026\nTo: Bob\nSubject: Rent\n\nPaid.";
  const mail = message(`Subject: x\n\nSee.\n\n${note}\n${"More.\n".repeat(8_000)}`);
  const pool = createParsePool(systemClock);
  try {
    const { text } = parseBody(mail);
    for (const [subject, origin] of [["FW: Rent", "forwarded"], ["Re: Rent", "quoted"]]) {
      const segments = await pool.segments(source(mail), subject);
      assert.deepEqual(segments?.map((each) => each.origin), ["new", origin]);
      assert.equal(segments?.map((each) => each.text).join(""), text);
    }
  } finally {
    pool.close();
  }
  const late = createParsePool(systemClock, {
    deadlineMs: 50,
    startWorker: () => new Worker(stuck, { type: "module" }),
  });
  try {
    assert.equal(await late.segments(source(mail), ""), null);
  } finally {
    late.close();
  }
});

Deno.test("parse() does not change the caller's bytes", async () => {
  const pool = createParsePool(systemClock);
  try {
    const copy = large.slice();
    await pool.parse(source(large));
    assert.deepEqual(large, copy);
  } finally {
    pool.close();
  }
});

Deno.test("a stored message is moved to the Worker and not copied, but never with a buffer that others use", async () => {
  const pool = createParsePool(systemClock);
  try {
    const whole = large.slice();
    assert.equal((await pool.parse({ ...source(whole), movable: true })).text, "hello");
    assert.equal(whole.byteLength, 0);
    const shared = new Uint8Array(large.length + 1);
    shared.set(large, 1);
    const view = shared.subarray(1);
    assert.equal((await pool.parse({ ...source(view), movable: true })).text, "hello");
    assert.deepEqual(view, large);
  } finally {
    pool.close();
  }
});

Deno.test("attachments() gives only the beginning of a file if no more is needed", async () => {
  const pool = createParsePool(systemClock);
  try {
    const [front] = await pool.attachments(source(large), ["att_2"], 10);
    assert.deepEqual(front, new TextEncoder().encode("0123456789"));
    assert.equal(front?.buffer.byteLength, 10);
  } finally {
    pool.close();
  }
});

Deno.test("parse() starts no Worker for small messages", async () => {
  let started = 0;
  const pool = createParsePool(systemClock, {
    startWorker: () => {
      started++;
      throw new Error("no Worker here");
    },
  });
  const body = await pool.parse(source(fixture("plain")));
  assert.equal(body.text, "Grüße from the plain text.\n");
  assert.equal(started, 0);
});

Deno.test("parse() works on a platform without Workers", async () => {
  const without = createParsePool(systemClock, { startWorker: null });
  assert.equal((await without.parse(source(large))).text, "hello");
  const refused = createParsePool(systemClock, {
    startWorker: () => {
      throw new Error("not supported");
    },
  });
  assert.equal((await refused.parse(source(large))).text, "hello");
});

Deno.test("parse() reports a message that takes too long, and parses the next one", async () => {
  let started = 0;
  const pool = createParsePool(systemClock, {
    deadlineMs: 3000,
    startWorker: () => new Worker(started++ === 0 ? stuck : real, { type: "module" }),
  });
  try {
    const [late, next] = await Promise.all([pool.parse(source(large)), pool.parse(source(large))]);
    assert.equal(late.problem, "The message could not be read within 3 seconds of work.");
    assert.equal(late.truncated, true);
    assert.equal(next.text, "hello");
    assert.equal(started, 2);
  } finally {
    pool.close();
  }
});

Deno.test("an account with any amount of mail that uses its whole deadline delays no other account", async () => {
  let stuckOnes = 0;
  const pool = createParsePool(systemClock, {
    deadlineMs: 6_000,
    startWorker: () => new Worker(stuckOnes++ === 0 ? stuck : real, { type: "module" }),
  });
  const hostile = Array.from({ length: 5 }, () => pool.parse(source(large, "hostile")));
  const ended = Promise.allSettled(hostile);
  try {
    const begun = ownMs();
    assert.equal((await pool.parse(source(large, "other"))).text, "hello");
    assert.ok(ownMs() - begun < 5_900);
    assert.equal(
      (await hostile[0]).problem,
      "The message could not be read within 6 seconds of work.",
    );
  } finally {
    pool.close();
    await ended;
  }
});

Deno.test("the deadline counts work only: a message that waits longer for its turn is parsed", async () => {
  let loads = 0;
  const pool = createParsePool(systemClock, { deadlineMs: 1_500 });
  const slowly = {
    ...source(large),
    load: async () => {
      // Longer than the deadline of a worker, which is real time.
      if (loads++ === 0) await new Promise((done) => setTimeout(done, 1_600));
      return large;
    },
  };
  try {
    const bodies = await Promise.all([pool.parse(slowly), pool.parse(slowly)]);
    assert.deepEqual(bodies.map(({ problem }) => problem), [null, null]);
  } finally {
    pool.close();
  }
});

Deno.test("if a Worker never starts it is SERVICE_UNAVAILABLE, and the message can be read later", async () => {
  const pool = createParsePool(systemClock, {
    deadlineMs: 50,
    startWorker: () => new Worker(silent, { type: "module" }),
  });
  await assert.rejects(pool.parse(source(large)), { code: "SERVICE_UNAVAILABLE" });
  pool.close();
});

Deno.test("close() rejects waiting and later calls with SERVICE_UNAVAILABLE", async () => {
  const pool = createParsePool(systemClock, {
    startWorker: () => new Worker(silent, { type: "module" }),
  });
  const waiting = [pool.parse(source(large)), pool.parse(source(large))];
  await Promise.resolve();
  pool.close();
  const ended = await Promise.allSettled([...waiting, pool.parse(source(large))]);
  const codes = ended.map((each) => each.status === "rejected" && each.reason.code);
  assert.deepEqual(codes, Array(3).fill("SERVICE_UNAVAILABLE"));
});

Deno.test("a question about a stored message that was late is answered at once the next time, and asked again after 15 minutes", async () => {
  let started = 0;
  let passedMs = 0;
  const pool = createParsePool({ ...systemClock, elapsed: () => passedMs }, {
    deadlineMs: 50,
    startWorker: () => {
      started++;
      return new Worker(stuck, { type: "module" });
    },
  });
  const head = { subject: "Your code", senderDomain: "shop.example" };
  const stored = { ...source(large), blobId: "blob_1" };
  const askAll = async () => [
    await pool.links(stored, head),
    await pool.verification(stored, head),
    await pool.segments(stored, ""),
    ...await pool.attachments(stored, ["att_2"]),
    (await pool.parse(stored)).problem,
    (await pool.safeHtml(stored, { remoteImages: false, attachmentBase: "" }))?.html,
  ];
  try {
    const first = await askAll();
    assert.equal(started, 6);
    assert.deepEqual(await askAll(), first);
    assert.equal(started, 6);
    // Those that waited for a turn meanwhile are not asked either.
    const other = { ...stored, blobId: "blob_2" };
    await Promise.all([1, 2, 3].map(() => pool.links(other, head)));
    assert.equal(started, 7);
    passedMs = 15 * 60_000;
    assert.equal(await pool.links(stored, head), null);
    assert.equal(started, 8);
  } finally {
    pool.close();
  }
});
