import assert from "node:assert/strict";
import type { FileSource } from "../../../domain/ports/attachment_text.ts";
import type { TextKind } from "../../../mime/body/attachment_kinds.ts";
import { deflateSync } from "node:zlib";
import { attachmentTexts } from "../../../adapters/attachment_text/attachment_texts.ts";
import { systemClock } from "../../../domain/core/clock.ts";
import { docx, pdf, pdfOf, zip } from "./files.ts";

const program = (code: string) => () =>
  new Worker(`data:text/javascript,${encodeURIComponent(code)}`, { type: "module" });

const file = (kind: TextKind, bytes: Uint8Array, userId = "user"): FileSource => ({
  userId,
  kind,
  load: () => Promise.resolve(bytes),
});

Deno.test("files are read in a Worker one after another; a broken one does not end it", async () => {
  const texts = attachmentTexts(systemClock);
  try {
    const read = await Promise.all([
      texts.read(file("pdf", pdf("first"))),
      texts.read(file("docx", new Uint8Array(10))),
      texts.read(file("docx", docx("<w:p><w:r><w:t>third</w:t></w:r></w:p>"))),
    ]);
    assert.deepEqual(read, ["first", null, "third"]);
  } finally {
    texts.close();
  }
});

Deno.test("a file that takes too long or too much memory has no text, and the next one is read", async () => {
  // It waits and does not spin, because Deno does not stop a loop in a Worker that was ended.
  const hangs =
    "onmessage = () => { postMessage('begun'); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); }";
  let started = 0;
  let used = 0;
  const late = attachmentTexts(systemClock, {
    deadlineMs: 300,
    startWorker: () => program(started++ === 0 ? hangs : reads)(),
  });
  const reads = "onmessage = () => { postMessage('begun'); postMessage({ text: 'read' }); }";
  const large = attachmentTexts(systemClock, {
    startWorker: () => program(started++ === 2 ? hangs : reads)(),
    memory: () => used += 200 * 1024 * 1024,
  });
  try {
    assert.equal(await late.read(file("pdf", new Uint8Array(1))), null);
    assert.equal(await late.read(file("pdf", new Uint8Array(1))), "read");
    assert.equal(await large.read(file("pdf", new Uint8Array(1))), null);
  } finally {
    late.close();
    large.close();
  }
});

Deno.test("a service that stops rejects the file at work and later ones with SERVICE_UNAVAILABLE", async () => {
  const texts = attachmentTexts(systemClock, { startWorker: program("onmessage = () => {}") });
  const waiting = assert.rejects(texts.read(file("pdf", new Uint8Array(1))), {
    code: "SERVICE_UNAVAILABLE",
  });
  // The thread has the file.
  await new Promise((done) => setTimeout(done, 10));
  texts.close();
  await waiting;
  await assert.rejects(texts.read(file("pdf", new Uint8Array(1))), { code: "SERVICE_UNAVAILABLE" });
});

Deno.test("without Workers only texts are read, because reading other kinds could not be stopped", async () => {
  const texts = attachmentTexts(systemClock, { startWorker: null });
  assert.equal(await texts.read(file("text", new TextEncoder().encode("plain"))), "plain");
  assert.equal(await texts.read(file("pdf", pdf("first"))), null);
});

Deno.test("bombs have no text or only the part that fits, and the process continues", async () => {
  const texts = attachmentTexts(systemClock);
  const blanks = new Uint8Array(80 * 1024 * 1024).fill(0x20);
  const many = `<w:p><w:r><w:t>${"word ".repeat(2_000_000)}</w:t></w:r></w:p>`;
  try {
    assert.equal(await texts.read(file("docx", zip({ "word/document.xml": blanks }))), null);
    assert.equal(await texts.read(file("pdf", pdfOf(deflateSync(blanks), "FlateDecode"))), null);
    const long = await texts.read(file("docx", docx(many)));
    assert.ok(long && long.length > 900_000 && long.length <= 1_000_000, String(long?.length));
  } finally {
    texts.close();
  }
});

Deno.test("accounts take turns: the file of another comes after the one at work, and waiting files are not loaded", async () => {
  const texts = attachmentTexts(systemClock, {
    startWorker: program(`onmessage = async () => {
      postMessage("begun");
      await new Promise((done) => setTimeout(done, 50));
      postMessage({ text: "read" });
    }`),
  });
  const order: string[] = [];
  let loaded = 0;
  const read = (userId: string) =>
    texts.read({
      ...file("pdf", new Uint8Array(1), userId),
      load: () => {
        loaded++;
        return Promise.resolve(new Uint8Array(1));
      },
    }).then(() => order.push(userId));
  const flood = Array.from({ length: 10 }, () => read("a"));
  await flood[0];
  assert.ok(loaded <= 2, `${loaded} are loaded`);
  await Promise.all([read("b"), read("b"), ...flood]);
  assert.deepEqual(order.slice(0, 3), ["a", "a", "b"]);
  assert.equal(order.slice(0, 6).filter((each) => each === "b").length, 2);
  texts.close();
});
