import assert from "node:assert/strict";
import { loadMailauth } from "../../../adapters/sender_checks/mailauth_parts.ts";
import { readMessage } from "../../../adapters/sender_checks/message_reader.ts";
import { ownMs } from "../../own_time.ts";
import { nightly } from "../../nightly.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

async function* cutAt(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(raw: Uint8Array, pieceBytes: number) {
  const options = {
    resolver: () => Promise.resolve([]),
    strict: true as const,
    curTime: new Date(0),
  };
  const clock = { elapsed: () => performance.now() };
  const pieces = cutAt(raw, pieceBytes);
  return await readMessage(await loadMailauth(), pieces, { ...options, sender: "" }, clock);
}

Deno.test("if a header is too long to verify, its authors are read, and nothing of the body, wherever it is cut", async () => {
  for (const lineEnd of ["\r\n", "\n"]) {
    const header = [
      "Subject: long",
      ...Array.from({ length: 9_000 }, (_, n) => `X-${n}: filler`),
      "From: Ada <ada@a.example>",
      "X-Last: last",
    ].join(lineEnd) + lineEnd;
    const raw = bytesOf(`${header}${lineEnd}From: eve@evil.example${lineEnd}${lineEnd}text`);
    const end = bytesOf(header).length;
    for (let pieceBytes = end - 4; pieceBytes <= end + 4; pieceBytes++) {
      const { authors, fromFields } = await read(raw, pieceBytes);
      assert.deepEqual([authors, fromFields], [["ada@a.example"], 1]);
    }
  }
});

nightly("a header of megabytes is read once, however many pieces it has", async () => {
  const raw = bytesOf("From: ada@a.example\r\n" + "X: y\r\n".repeat(2 ** 20 * 5 / 6) + "\r\ntext");
  const before = ownMs();
  await read(raw, 2 ** 12);
  const took = ownMs() - before;
  // 0.1 s; 2 s and more if each piece started again.
  assert.ok(took < 1_000, `${took} ms`);
});
