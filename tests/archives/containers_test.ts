import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import {
  fileOf,
  fromLine,
  gzipOf,
  itemsOf,
  mail,
  shortOf,
  sourceOf,
  tarOf,
  zipOf,
} from "./sources.ts";

// SPEC: files.bombs
Deno.test("an archive that unpacks to much more than mail does is refused, alone and in a folder", async () => {
  const much = new Uint8Array(70 * 2 ** 20).fill(0x78);
  const bombs = {
    "bomb.zip": zipOf({ "a.mbox": Buffer.concat([Buffer.from(fromLine), much]) }),
    "bomb.gz": gzipOf(Buffer.concat([Buffer.from(fromLine), much])),
    "bomb.tgz": gzipOf(tarOf([{ path: "a.eml", content: much }])),
  };
  const reason = "unpacks to more than 200 times its size: it is not read on";
  for (const [name, bytes] of Object.entries(bombs)) {
    await assert.rejects(itemsOf(fileOf(name, bytes)), { message: reason }, name);
    assert.deepEqual(await shortOf(sourceOf({ [name]: bytes, "b.eml": mail("b") })), [
      `box | refused: ${reason}`,
      "box | Subject: b",
    ]);
  }
});

// SPEC: files.bombs
Deno.test("entries that share their bytes are counted each, so a small zip cannot become a large one", async () => {
  const zip = zipOf({ "a.mbox": fromLine + "x".repeat(8 * 2 ** 20) });
  const end = zip.length - 22, view = new DataView(zip.buffer);
  const start = view.getUint32(end + 16, true);
  const entry = zip.subarray(start, end), count = 60;
  const directory = Buffer.concat(Array(count).fill(entry));
  const last = zip.slice(end);
  new DataView(last.buffer).setUint32(12, directory.length, true);
  const bomb = new Uint8Array(Buffer.concat([zip.subarray(0, start), directory, last]));
  const told = await shortOf(fileOf("bomb.zip", bomb));
  assert.match(told.at(-1)!, /refused: unpacks to more than 200 times its size/);
  assert.ok(told.length < 12, `${told.length} entries were unpacked`);
});

// SPEC: files.bombs
Deno.test("an archive in an archive is refused by name, and what stands beside it is read", async () => {
  const inner = { "inner.zip": zipOf({ "a.eml": mail("a") }), "b.eml": mail("b") };
  const entries = Object.entries(inner).map(([path, content]) => ({ path, content }));
  for (const bytes of [zipOf(inner), gzipOf(tarOf(entries))]) {
    const items = await itemsOf(fileOf("outer.zip", bytes));
    assert.deepEqual(items.map(({ kind, name }) => [kind, name]), [
      ["refused", "outer.zip/inner.zip"],
      ["message", "outer.zip/b.eml"],
    ]);
  }
});

// SPEC: files.paths
Deno.test("a path of an archive leads nowhere; links and devices are left out", async () => {
  const names = ["../../etc/a.eml", "/root/b.eml", "C:\\windows\\c.eml"];
  const zip = zipOf(Object.fromEntries(names.map((name) => [name, mail("x")])));
  const shown = (await itemsOf(fileOf("a.zip", zip))).map(({ name }) => name);
  assert.deepEqual(shown, ["a.zip/etc/a.eml", "a.zip/root/b.eml", "a.zip/windows/c.eml"]);
  const tar = tarOf([
    { path: "../../etc/a.eml", content: mail("a") },
    { path: "link.eml", kind: "2" },
    { path: "hard.eml", kind: "1" },
    { path: "device", kind: "3" },
    { path: "pipe", kind: "6" },
  ]);
  assert.deepEqual(await shortOf(fileOf("a.tgz", gzipOf(tar))), [
    "etc | Subject: a",
    ...Array(4).fill("a.tgz | left out: no mail"),
  ]);
  const link = zipOf({ "link.eml": "/etc/passwd" });
  const at = Buffer.from(link).indexOf("PK\x01\x02");
  link[at + 5] = 3;
  new DataView(link.buffer).setUint32(at + 38, 0o120777 * 2 ** 16, true);
  assert.deepEqual(await shortOf(fileOf("a.zip", link)), ["a.zip | left out: no mail"]);
});

// SPEC: files.damaged
Deno.test("an archive that breaks off or is damaged is refused; what came before stays", async () => {
  const letters = Array.from({ length: 60_000 }, (_, n) => String.fromCharCode(33 + n * n % 89));
  const mbox = Array(3).fill(`${fromLine}${mail("a", `X: ${letters.join("")}`)}\n`).join("");
  const gz = gzipOf(mbox), zip = zipOf({ "a.mbox": mbox });
  const tgz = gzipOf(
    tarOf([{ path: "1.eml", content: mail("1") }, { path: "a.mbox", content: mbox }]),
  );
  await assert.rejects(itemsOf(fileOf("a.zip", zip.slice(0, -100))), /breaks off/);
  const halfTgz = await shortOf(fileOf("a.tgz", tgz.slice(0, -100)));
  assert.equal(halfTgz[0], "a.tgz | Subject: 1");
  assert.equal(halfTgz.at(-1), "a.tgz | refused: is damaged or breaks off");
  const halfGz = await shortOf(sourceOf({ "a.gz": gz.slice(0, -20) }));
  assert.equal(halfGz.at(-1), "box | refused: is damaged or breaks off");
  const halfTar = tarOf([{ path: "1.eml", content: mail("1") }, {
    path: "2.eml",
    content: mail("2"),
  }]);
  assert.deepEqual(
    (await shortOf(fileOf("a.tar", halfTar.slice(0, 1_600)))).at(-1),
    "a.tar | refused: breaks off",
  );
  // A bit that still unpacks to text of the same length.
  const flipped = zipOf({ "a.mbox": mbox }, 0);
  new DataView(zip.buffer).setUint32(Buffer.from(zip).indexOf("PK\x01\x02") + 16, 1, true);
  assert.equal((await shortOf(fileOf("a.zip", zip))).at(-1), "a.zip | refused: is damaged");
  assert.equal((await shortOf(fileOf("b.zip", flipped))).length, 3);
});

Deno.test("names in older encodings, long names and 64-bit sizes are read; what needs a password or another method is named", async () => {
  const zip = zipOf({ "a.eml": mail("a") });
  const latin = Buffer.from(
    Buffer.from(zip).toString("latin1").replaceAll("a.eml", "\xe9.eml"),
    "latin1",
  );
  assert.deepEqual((await itemsOf(fileOf("a.zip", latin))).map(({ name }) => name), [
    "a.zip/é.eml",
  ]);
  const long = `${"folder/".repeat(30)}ü.eml`;
  const record = ` path=${long}\n`;
  const length = new TextEncoder().encode(record).length + 3;
  for (
    const before of [
      { path: "x", kind: "x", content: `${length}${record}` },
      { path: "././@LongLink", kind: "L", content: `${long}\0` },
    ]
  ) {
    const tar = tarOf([before, { path: "short.eml", content: mail("a") }]);
    assert.deepEqual((await itemsOf(fileOf("a.tar", tar))).map(({ name }) => name), [
      `a.tar/${long}`,
    ]);
  }
  const locked = zip.slice(), other = zip.slice(), at = Buffer.from(zip).indexOf("PK\x01\x02");
  locked[at + 8] |= 1;
  other[at + 10] = 14;
  assert.deepEqual(await shortOf(fileOf("a.zip", locked)), ["a.zip | refused: is encrypted"]);
  assert.match(
    (await shortOf(fileOf("a.zip", other)))[0],
    /is packed with method 14, not with deflate/,
  );
});
