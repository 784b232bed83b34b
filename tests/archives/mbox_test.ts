import assert from "node:assert/strict";
import fc from "fast-check";
import { rounds } from "../nightly.ts";
import { mboxMessages, mmdfMessages } from "../../archives/mbox.ts";
import { mboxEntry } from "../../commands/mbox.ts";
import { concatBytes } from "../../domain/core/bytes.ts";

const encoder = new TextEncoder();
const at = new Date("2026-11-20T10:00:00.000Z");

/** The bytes in small pieces: no line may be lost at a boundary. */
async function* inPieces(bytes: Uint8Array, size: number) {
  for (let i = 0; i < bytes.length; i += size) {
    yield await Promise.resolve(bytes.slice(i, i + size));
  }
}

function entryOf(raw: Uint8Array, sender: string): Uint8Array {
  return concatBytes([...mboxEntry(raw, sender, at)]);
}

const mostBytes = 100_000;

async function readAll(text: string, size = 7, read = mboxMessages): Promise<string[]> {
  const found: string[] = [];
  for await (const { raw } of read(inPieces(encoder.encode(text), size), mostBytes)) {
    found.push(raw ? new TextDecoder().decode(raw) : "too large");
  }
  return found;
}

Deno.test("mboxEntry() quotes lines that would begin a message, at any depth, and ends with an empty line", () => {
  const entry = entryOf(encoder.encode("A: b\r\n\r\nFrom me\r\n>From you\r\n"), "a@x.net");
  assert.equal(
    new TextDecoder().decode(entry),
    "From a@x.net Fri Nov 20 10:00:00 2026\nA: b\r\n\r\n>From me\r\n>>From you\r\n\n",
  );
});

Deno.test("mboxEntry() keeps the From line intact whatever the sender is", () => {
  const entry = entryOf(encoder.encode("A: b\n"), "a b\nFrom c");
  assert.ok(new TextDecoder().decode(entry).startsWith("From MAILER-DAEMON Fri"));
});

Deno.test("mboxMessages() reads what other programs write: LF or CRLF, with and without the empty line at the end", async () => {
  const one = "From a@x.net Fri Nov 20 10:00:00 2026\nA: 1\n\nText\n";
  const two = "From b@x.net Fri Nov 20 10:00:00 2026\r\nA: 2\r\n\r\n>From here\r\n";
  assert.deepEqual(await readAll(`${one}\n${two}`), [
    "A: 1\n\nText\n",
    "A: 2\r\n\r\nFrom here\r\n",
  ]);
  assert.deepEqual(await readAll(`${one}\n`), ["A: 1\n\nText\n"]);
  assert.deepEqual(await readAll(""), []);
});

Deno.test("mboxMessages() reads the lines between the messages as Thunderbird writes them", async () => {
  const today = "From \r\nA: 1\r\n\r\n>From \r\nText\r\n\r\nFrom \r\nA: 2\r\n\r\nText\r\n\r\n";
  assert.deepEqual(await readAll(today), [
    "A: 1\r\n\r\nFrom \r\nText\r\n",
    "A: 2\r\n\r\nText\r\n",
  ]);
  const older = "From - Mon Nov 23 10:00:00 2026";
  const both = `${older}\nA: 1\n\nText\n${older}\nA: 2\n\nText\n\nFrom \nA: 3\n\nText\nFrom \n`;
  assert.deepEqual(await readAll(both), [
    "A: 1\n\nText\n",
    "A: 2\n\nText\n",
    "A: 3\n\nText\nFrom \n",
  ]);
  const other = "From a@x.net Fri Nov 20 10:00:00 2026\nA: 1\n\nText\n\nFrom \nhere\n";
  assert.deepEqual(await readAll(other), ["A: 1\n\nText\n\nFrom \nhere\n"]);
});

Deno.test("mboxMessages() takes the first line for the beginning of a message whatever it says", async () => {
  assert.deepEqual(await readAll("From ann\nA: 1\n\nText\n"), ["A: 1\n\nText\n"]);
});

Deno.test("mboxMessages() reads a sentence that begins with From as text", async () => {
  const mbox = "From a@x.net Fri Nov 20 10:00:00 2026\nA: 1\n\nFrom now on\n\nFrom the start\n";
  assert.deepEqual(await readAll(mbox), ["A: 1\n\nFrom now on\n\nFrom the start\n"]);
});

Deno.test("mboxMessages() returns what mboxEntry() wrote byte for byte, except for a missing final line end", async () => {
  const piece = fc.constantFrom(
    "From ",
    ">",
    "From a 10:00 2026",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "x",
    "\u00e9",
  );
  const raw = fc.array(piece, { maxLength: 12 }).map((pieces) => encoder.encode(pieces.join("")));
  await fc.assert(
    fc.asyncProperty(fc.array(raw, { maxLength: 4 }), fc.integer({ min: 1, max: 9 }), async (
      messages,
      size,
    ) => {
      const whole = concatBytes(messages.map((each) => entryOf(each, "a@x.net")));
      const back: Uint8Array[] = [];
      for await (const { raw } of mboxMessages(inPieces(whole, size), mostBytes)) back.push(raw!);
      assert.equal(back.length, messages.length);
      messages.forEach((message, i) => {
        assert.deepEqual(back[i].subarray(0, message.length), message);
        assert.ok(back[i].length - message.length <= 1);
      });
    }),
    rounds(100, 300),
  );
});

const line = "From a@x.net Fri Nov 20 10:00:00 2026\n";

// SPEC: files.mbox
Deno.test("mboxMessages() goes by a Content-Length that leads to the next message or the end, and then unquotes nothing", async () => {
  const inner = `From here\n\n${line}A: no message\n\n>From there\n`;
  const one = `A: 1\nContent-Length: ${inner.length}\n\n${inner}`;
  const two = "A: 2\n\n>From two\n";
  for (const size of [1, 7, 1_000]) {
    assert.deepEqual(await readAll(`${line}${one}\n${line}${two}`, size), [
      one,
      "A: 2\n\nFrom two\n",
    ]);
    assert.deepEqual(await readAll(`${line}${two}\n${line}${one}`, size), [
      "A: 2\n\nFrom two\n",
      one,
    ]);
  }
  const windows = one.replaceAll("\n", "\r\n").replace(
    /Length: \d+/,
    `Length: ${inner.replaceAll("\n", "\r\n").length}`,
  );
  const from = line.replace("\n", "\r\n");
  assert.deepEqual(await readAll(`${from}${windows}\r\n${from}A: 2\r\n\r\n`, 50), [
    windows,
    "A: 2\r\n",
  ]);
});

// SPEC: files.mbox
Deno.test("mboxMessages() does not believe a Content-Length of a sender that leads elsewhere", async () => {
  for (const length of ["3", "5", "90", "99999999999", "-1", "x", "1e3"]) {
    const one = `A: 1\nContent-Length: ${length}\n\n>From one\n`;
    assert.deepEqual(await readAll(`${line}${one}\n${line}A: 2\n\ntwo\n\n${line}A: 3\n\n`), [
      one.replace(">From", "From"),
      "A: 2\n\ntwo\n",
      "A: 3\n",
    ]);
  }
});

// SPEC: files.mmdf
Deno.test("mmdfMessages() reads what Python and mail systems write", async () => {
  const mark = "\x01\x01\x01\x01\n";
  const plain = `${mark}A: 1\n\none\n${mark}${mark}A: 2\n\nFrom two\n${mark}`;
  const expected = ["A: 1\n\none\n", "A: 2\n\nFrom two\n"];
  assert.deepEqual(await readAll(plain, 3, mmdfMessages), expected);
  const python = `${mark}${line}A: 1\n\none\n\n${mark}\n${mark}${line}A: 2\n\nFrom two\n\n${mark}`;
  assert.deepEqual(await readAll(python, 3, mmdfMessages), expected);
  const windows = plain.replaceAll("\n", "\r\n");
  assert.deepEqual(
    await readAll(windows, 5, mmdfMessages),
    expected.map((each) => each.replaceAll("\n", "\r\n")),
  );
});

// SPEC: files.large
Deno.test("a message that is too large is passed over, and the next is read; long lines cost linear time", async () => {
  const large = `A: 1\n\n${"x".repeat(mostBytes)}\n`;
  assert.deepEqual(await readAll(`${line}${large}\n${line}A: 2\n\ntwo\n`, 10_000), [
    "too large",
    "A: 2\n\ntwo\n",
  ]);
  const long = `A: 1\n\n${"x".repeat(50_000)}From \n${">".repeat(5_000)}From\n`;
  assert.deepEqual(await readAll(`${line}${long}`, 4_000), [long]);
});
