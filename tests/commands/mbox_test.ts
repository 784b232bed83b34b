import assert from "node:assert/strict";
import fc from "fast-check";
import { mboxEntry, readMbox } from "../../commands/mbox.ts";
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

async function readAll(text: string, size = 7): Promise<string[]> {
  const found: string[] = [];
  for await (const raw of readMbox(inPieces(encoder.encode(text), size))) {
    found.push(new TextDecoder().decode(raw));
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

Deno.test("readMbox() reads what other programs write: LF or CRLF, with and without the empty line at the end", async () => {
  const one = "From a@x.net Fri Nov 20 10:00:00 2026\nA: 1\n\nText\n";
  const two = "From b@x.net Fri Nov 20 10:00:00 2026\r\nA: 2\r\n\r\n>From here\r\n";
  assert.deepEqual(await readAll(`${one}\n${two}`), [
    "A: 1\n\nText\n",
    "A: 2\r\n\r\nFrom here\r\n",
  ]);
  assert.deepEqual(await readAll(`${one}\n`), ["A: 1\n\nText\n"]);
  assert.deepEqual(await readAll(""), []);
});

Deno.test("readMbox() reads the lines between the messages as Thunderbird writes them", async () => {
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

Deno.test("readMbox() leaves out what is marked as deleted in a folder of Thunderbird, and only there", async () => {
  const mail = (status: string, subject: string) =>
    `X-Mozilla-Status: ${status}\r\nX-Mozilla-Status2: 00000000\r\nA: ${subject}\r\n\r\nX-Mozilla-Status: 0008\r\n`;
  const kept = [mail("0001", "1"), mail("0011", "3")];
  const all = [kept[0], mail("0009", "2"), kept[1], mail("0008", "4")];
  assert.deepEqual(await readAll(all.map((each) => `From \r\n${each}\r\n`).join("")), kept);
  const other = all.map((each) => `From a@x.net Fri Nov 20 10:00:00 2026\r\n${each}\r\n`);
  assert.deepEqual(await readAll(other.join("")), all);
  const text = "A: 1\n\nText\nFrom - 10:00 to 12:00, 2026\n";
  assert.deepEqual(await readAll(`From a@x.net Fri Nov 20 10:00:00 2026\n${text}`), [text]);
});

Deno.test("readMbox() takes the first line for the beginning of a message whatever it says", async () => {
  assert.deepEqual(await readAll("From ann\nA: 1\n\nText\n"), ["A: 1\n\nText\n"]);
});

Deno.test("readMbox() reads a sentence that begins with From as text", async () => {
  const mbox = "From a@x.net Fri Nov 20 10:00:00 2026\nA: 1\n\nFrom now on\n\nFrom the start\n";
  assert.deepEqual(await readAll(mbox), ["A: 1\n\nFrom now on\n\nFrom the start\n"]);
});

Deno.test("readMbox() returns what mboxEntry() wrote byte for byte, except for a missing final line end", async () => {
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
      for await (const message of readMbox(inPieces(whole, size))) back.push(message);
      assert.equal(back.length, messages.length);
      messages.forEach((message, i) => {
        assert.deepEqual(back[i].subarray(0, message.length), message);
        assert.ok(back[i].length - message.length <= 1);
      });
    }),
    { numRuns: 300 },
  );
});
