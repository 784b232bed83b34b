import assert from "node:assert/strict";
import { isFirstUse } from "../../../domain/mail/receive/signed_once.ts";
import { systemClock } from "../../../domain/core/clock.ts";
import { readForm } from "../../../routes/inbound/providers/form_bytes.ts";
import { isSignedBySendgrid } from "../../../routes/inbound/providers/sendgrid.ts";
import { percentDecode } from "../../../mime/text/hex.ts";
import { account, mailbox, testService } from "../../service.ts";
import {
  formPost,
  mailgunFields,
  providerEnv,
  sendgridPost,
  sendgridPublicKey,
} from "./provider_posts.ts";
import { ownMs } from "../../own_time.ts";
import { nightly } from "../../nightly.ts";

const MiB = 2 ** 20;
const encoder = new TextEncoder();

/** `text` repeated, `size` bytes in all. */
function filled(text: string, size = 40 * MiB): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  const piece = encoder.encode(text);
  bytes.set(piece);
  for (let at = piece.length; at < size; at *= 2) bytes.copyWithin(at, 0, at);
  return bytes;
}

/** Runs `work` and returns the longest time in ms for which it blocked the event loop. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let longest = 0, last = ownMs(), done = false;
  const watch = (async () => {
    while (!done) {
      await new Promise((next) => setTimeout(next, 0));
      const now = ownMs();
      longest = Math.max(longest, now - last);
      last = now;
    }
  })();
  await work().finally(() => done = true);
  await watch;
  return longest;
}

const urlencoded = "application/x-www-form-urlencoded";
const multipart = "multipart/form-data; boundary=";
const dashes = "-".repeat(60);
const posts: [string, string, Uint8Array<ArrayBuffer>][] = [
  ["a value of escapes", urlencoded, filled("a%41")],
  ["a value of pluses", urlencoded, filled("a=+++")],
  ["nothing but separators", urlencoded, filled("&")],
  ["a name without end", urlencoded, filled("a")],
  ["a signature without end", urlencoded, filled("signature=a&token=%41&timestamp=1&signature=")],
  ["boundaries without end", multipart + "x", filled("--x\r\n")],
  ["empty parts", multipart + "x", filled("--x\r\n\r\n\r\n")],
  [
    "a header without end",
    multipart + "x",
    filled("--x\r\naaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
  ],
  ["bytes almost like the boundary", multipart + dashes + "x", filled(`\r\n${dashes}--`)],
  ["dashes", multipart + dashes + "x", filled("-")],
];

for (const [what, type, body] of posts) {
  nightly(`an unsigned form of 40 MiB blocks other work for at most 250 ms: ${what}`, async () => {
    await using test = await testService({ env: providerEnv, instances: 1 });
    const held = await longestHold(async () => {
      const form = await readForm(type, body, systemClock);
      for (const name of ["timestamp", "token", "signature"]) await form?.text(name, 300);
    });
    assert.ok(held < 250, `${held} ms`);
    const headers = { "content-type": type };
    const answer = await test.request("/inbound/mailgun", { method: "POST", headers, body });
    assert.ok([400, 401].includes(answer.status), String(answer.status));
  });
}

nightly(
  "a signed value of 40 MiB of escapes and the signature over 60 MiB block other work for at most 250 ms",
  async () => {
    const escapes = new Uint8Array(39 * MiB + 5);
    escapes.set(encoder.encode("m="));
    escapes.set(filled("%41", 39 * MiB), 5);
    escapes.set(encoder.encode("%%%"), 2);
    let decoded = new Uint8Array();
    const decoding = await longestHold(async () => {
      const form = await readForm(urlencoded, escapes, systemClock);
      decoded = new Uint8Array(await form!.bytes("m"));
    });
    assert.ok(decoding < 250, `${decoding} ms`);
    assert.equal(decoded.length, 3 + 13 * MiB);
    assert.ok(decoded.subarray(3).every((byte) => byte === 0x41));
    const now = Date.now();
    const { headers, body } = sendgridPost({ to: "a@b.test", raw: filled("x", 60 * MiB), now });
    const [timestamp, signature] = ["timestamp", "signature"].map((name) =>
      headers[`x-twilio-email-event-webhook-${name}`]
    );
    let turns = 0;
    const ticks = setInterval(() => turns++, 0);
    assert.ok(
      await isSignedBySendgrid({ timestamp, signature }, body, sendgridPublicKey, systemClock),
    );
    clearInterval(ticks);
    assert.ok(turns >= 10, `${turns} turns`);
  },
);

Deno.test("the message of a first signature is hashed in slices, with turns for other work between them", async () => {
  await using test = await testService({ instances: 1 });
  const raw = filled("x", 50 * MiB);
  const first = (content: (string | Uint8Array)[]) =>
    isFirstUse(test.service, "mailgun", "token", content, 60_000);
  let turns = 0;
  const ticks = setInterval(() => turns++, 0);
  assert.equal(await first(["a@b.test", raw]), true);
  clearInterval(ticks);
  assert.ok(turns >= 10, `${turns} turns`);
  assert.equal(await first(["a@b.test", raw]), true);
  for (const place of [0, MiB - 1, MiB, raw.length - 1]) {
    raw[place] ^= 1;
    assert.equal(await first(["a@b.test", raw]), false, String(place));
    raw[place] ^= 1;
  }
  assert.equal(await first(["a@b.test", raw.subarray(1)]), false);
  assert.equal(await first(["c@b.test", raw]), false);
});

nightly("a Mailgun message of 40 MiB blocks other work for at most 250 ms", async () => {
  await using test = await testService({ env: providerEnv, instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  let raw = new Uint8Array();
  const holds = [];
  // A freeze in only one round comes from another process of this machine.
  for (const round of [1, 2, 3]) {
    raw = filled(`Subject: ${round}\r\n\r\nline\r\n`);
    const fields = mailgunFields({ to: box.email_address, raw, now: test.clock.now() });
    const { path, headers, body } = formPost("/inbound/mailgun", fields);
    holds.push(
      await longestHold(async () => {
        const answer = await test.request(path, { method: "POST", headers, body });
        assert.equal(answer.status, 200);
      }),
    );
    await test.settle();
  }
  assert.ok(Math.min(...holds) < 250, `${holds} ms`);
  const [row] = (await (await test.request("/v1/api/arrivals", { token: owner.key })).json()).data;
  assert.deepEqual([row.disposition, row.size], ["accepted", raw.length]);
});

Deno.test("an escape is decoded at every border between the slices of a large value", async () => {
  for (const lead of [0, 1, 2, 3]) {
    const value = encoder.encode("x".repeat(MiB - lead) + "%C3%A9+%%41%zz%4");
    const body = new Uint8Array([...encoder.encode("m="), ...value]);
    const form = await readForm(urlencoded, body, systemClock);
    assert.deepEqual(await form!.bytes("m"), percentDecode(value, 0x20));
    const text = await form!.text("m");
    assert.equal(text, "x".repeat(MiB - lead) + "é %A%zz%4");
    assert.equal(await form!.text("m", 300), "");
  }
});

Deno.test("bytes with nothing to decode are returned without a copy", () => {
  const bytes = encoder.encode("plain+text");
  assert.equal(percentDecode(bytes), bytes);
  assert.notEqual(percentDecode(bytes, 0x20), bytes);
});

Deno.test("a boundary is found at every border between the windows of the search", async () => {
  for (let length = 4080; length < 4110; length++) {
    const content = "v".repeat(length);
    const { headers, body } = formPost("/", { a: content, b: "second", c: content.repeat(300) });
    const form = await readForm(headers["content-type"], body, systemClock);
    assert.equal(await form!.text("a"), content);
    assert.equal(await form!.text("b"), "second");
    assert.equal((await form!.bytes("c")).length, length * 300);
  }
});

Deno.test("the header of a part must end within 16 KiB", async () => {
  const part = (padding: number) =>
    encoder.encode(
      `--x\r\nX-Pad: ${
        "p".repeat(padding)
      }\r\nContent-Disposition: form-data; name="a"\r\n\r\nv\r\n--x--`,
    );
  const form = await readForm(multipart + "x", part(15_000), systemClock);
  assert.equal(await form!.text("a"), "v");
  assert.equal(await readForm(multipart + "x", part(17_000), systemClock), null);
});
