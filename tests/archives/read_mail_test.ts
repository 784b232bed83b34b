import assert from "node:assert/strict";
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

// SPEC: files.folders
Deno.test("a Maildir comes with the folders of Maildir++ and with nested ones, a label each; tmp and what is no mail are left out", async () => {
  const source = sourceOf({
    ".Sent/cur/1:2,S": mail("sent"),
    ".Work.Clients/new/2": mail("clients"),
    ".Entw&APw-rfe/cur/3:2,": mail("draft"),
    ".INBOX.Caf&AOk-/cur/4:2,": mail("café"),
    "Nested/Old/cur/5:2,": mail("nested"),
    "cur/6:2,": mail("inbox"),
    "cur/7:2,": "no header at all",
    "new/8": mail("new"),
    "tmp/9": mail("unfinished"),
    "subscriptions": "Sent\n",
  });
  assert.deepEqual(await shortOf(source), [
    "Sent | Subject: sent",
    "Work/Clients | Subject: clients",
    "Entwürfe | left out: drafts",
    "Café | Subject: café",
    "Nested/Old | Subject: nested",
    "INBOX | Subject: inbox",
    "INBOX | no header at all",
    "INBOX | Subject: new",
    "INBOX | left out: no mail",
    "box | left out: no mail",
  ]);
  const states = (await itemsOf(source, ["drafts"])).flatMap((item) =>
    item.kind === "message" ? [[item.state.labels.join(), item.state.direction]] : []
  );
  assert.deepEqual(states, [
    ["sent", "outbound"],
    ["work:clients", null],
    ["drafts", null],
    ["cafe", null],
    ["nested:old", null],
    ["", null],
    ["", null],
    ["", null],
  ]);
});

// SPEC: files.sources
Deno.test("a folder of any kinds is read, each file as what it is; of Outlook's stores and other files it says that they were left out", async () => {
  const source = sourceOf({
    "1.eml": mail("eml"),
    "2.EML": "no field, but a message\n",
    "Archives.sbd/2020": `${fromLine}${mail("thunderbird")}`,
    "Inbox.mbox/mbox": `${fromLine}${mail("apple")}`,
    "Inbox.mbox/table_of_contents": "\0\0",
    "old.mmdf": `\x01\x01\x01\x01\n${mail("mmdf")}\x01\x01\x01\x01\n`,
    "notes.txt": mail("notes"),
    "picture.eml": "\x89PNG\r\n\0\0",
    "a.pst": "!BDN",
    "b.msg": "x",
    "c.olm": "PK\x03\x04",
    "d.dat": Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    "empty": "",
    "more.zip": zipOf({ "3.eml": mail("zipped") }),
    "list.mbox.gz": gzipOf(`${fromLine}${mail("gzipped")}`),
  });
  assert.deepEqual(await shortOf(source), [
    "box | Subject: eml",
    "box | no field, but a message",
    "Archives.sbd/2020 | Subject: thunderbird",
    "Inbox.mbox/mbox | Subject: apple",
    "box | left out: no mail",
    "old.mmdf | Subject: mmdf",
    ...Array(7).fill("box | left out: no mail"),
    "more.zip | Subject: zipped",
    "list.mbox | Subject: gzipped",
  ]);
});

// SPEC: files.refused
Deno.test("a file that is no mail is refused in one sentence, a store of Outlook by its name and by its bytes", async () => {
  const ole = Uint8Array.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  const refusals: [string, string | Uint8Array, RegExp][] = [
    ["a.pst", "!BDN", /^is a store of Outlook, which only Outlook reads: export/],
    ["renamed.mbox", "!BDN\0", /^is a store of Outlook/],
    ["b.ost", "", /^is a store of Outlook/],
    ["c.msg", "x", /^is a message of Outlook/],
    ["renamed.eml", ole, /^is a message of Outlook/],
    ["d.olm", zipOf({ "a.eml": mail("x") }), /^is an archive of Outlook for Mac/],
    ["e.pdf", "%PDF-1.7\n", /^is no mail: neither mbox/],
    ["f.txt", "Dear Ann,\n\nSubject: x\n", /^is no mail/],
    ["g.yaml", "name: x\n", /^is no mail/],
    ["h.eml", "\x89PNG\r\n\0", /^is no mail/],
    ["i.mbox", "", /^is no mail/],
    ["j.babyl", "BABYL OPTIONS:\nVersion: 5\n", /^is no mail/],
  ];
  for (const [name, content, reason] of refusals) {
    await assert.rejects(itemsOf(fileOf(name, content)), { message: reason }, name);
  }
  assert.deepEqual(await shortOf(fileOf("message", mail("one"))), ["message | Subject: one"]);
});

// SPEC: files.archives
Deno.test("zip, tgz, tar.gz and gz give the same as the folder in them; the folder that was packed is no label", async () => {
  const files = {
    "cur/1:2,S": mail("one"),
    ".Work/new/2": mail("two"),
    "2020.mbox": `${fromLine}${mail("three")}\n${fromLine}${mail("four")}`,
  };
  const told = async (source: Parameters<typeof itemsOf>[0]) =>
    (await itemsOf(source)).map((item) =>
      item.kind === "message"
        ? [item.folder, item.raw.length, { ...item.state, receivedAt: 0 }]
        : item
    );
  const expected = await told(sourceOf(files));
  assert.deepEqual(expected.map((each) => Array.isArray(each) && each[0]), [
    "INBOX",
    "Work",
    "2020.mbox",
    "2020.mbox",
  ]);
  const packed = Object.entries(files).map(([path, content]) => ({ path: `md/${path}`, content }));
  const tar = tarOf([{ path: "md/", kind: "5" }, ...packed]);
  const inFolder = Object.fromEntries(packed.map(({ path, content }) => [path, content]));
  const archives = {
    "a.zip": zipOf(files),
    "b.zip": zipOf(files, 0),
    "c.zip": zipOf({ "md/": "", ...inFolder }),
    "d.tgz": gzipOf(tar),
    "e.tar.gz": gzipOf(tarOf(packed.map((each) => ({ ...each, path: each.path.slice(3) })))),
    "f.tar": tar,
  };
  for (const [name, bytes] of Object.entries(archives)) {
    assert.deepEqual(await told(fileOf(name, bytes)), expected, name);
  }
  const gz = await itemsOf(fileOf("2020.mbox.gz", gzipOf(files["2020.mbox"])));
  assert.deepEqual(gz.map((item) => item.kind === "message" && item.state.labels), [[], []]);
});

// SPEC: files.export
Deno.test("an export is read with its records, wherever they stand, and each of its bytes is checked", async () => {
  const id = "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a";
  const record = {
    email_id: id,
    received_at: "2020-03-02T10:00:00.000Z",
    is_read: true,
    labels: ["flagged", "imported", "q:2"],
    direction: "inbound",
  };
  const state = {
    receivedAt: Date.parse(record.received_at),
    isRead: true,
    direction: "inbound",
    labels: ["flagged", "q:2"],
    unwanted: [],
  };
  const raw = "From: box@x.net\n\nno line end";
  const lines = `${JSON.stringify(record)}\n`;
  const sha256 = new Uint8Array(
    await crypto.subtle.digest("SHA-256", new TextEncoder().encode(raw)),
  ).toHex();
  const manifest = `[\n${JSON.stringify({ email_id: id, sha256, size: raw.length })}\n]\n`;
  const mbox = {
    "mail.mbox": `${fromLine}${raw}\n\n`,
    "emails.jsonl": lines,
    "manifest.json": manifest,
  };
  const stream = `${
    JSON.stringify({ email: record, raw_base64: btoa(raw) })
  }\n{"next_cursor":null}\n`;
  const sources = [
    sourceOf(mbox),
    sourceOf(
      Object.fromEntries(Object.entries(mbox).map(([name, text]) => [`a@x.net/${name}`, text])),
    ),
    sourceOf({ [`${id}.eml`]: raw, "emails.jsonl": lines }),
    fileOf(
      "a.tgz",
      gzipOf(tarOf(Object.entries(mbox).map(([path, content]) => ({ path, content })))),
    ),
    fileOf("a.zip", zipOf(mbox)),
    fileOf("a.ndjson", stream),
  ];
  for (const source of sources) {
    const [message] = (await itemsOf(source)).filter((item) => item.kind === "message");
    assert.equal(new TextDecoder().decode(message.raw), raw);
    assert.deepEqual(message.state, state);
  }
  const other = await shortOf(sourceOf({ ...mbox, "mail.mbox": `${fromLine}${raw}!\n\n` }));
  assert.match(
    other[0],
    /refused: has a message 1 that does not match manifest.json: was it changed/,
  );
  const short = await shortOf(
    sourceOf({ ...mbox, "mail.mbox": `${fromLine}${raw}\n\n`.repeat(2) }),
  );
  assert.match(short[1], /refused: has a message 2 that does not match/);
  const lost = stream.replace(/"raw_base64":"[^"]*"/, '"raw_base64":null');
  assert.deepEqual(await shortOf(fileOf("a.ndjson", lost)), [
    "a.ndjson | refused: had no bytes any more",
  ]);
  const cut = await shortOf(fileOf("a.ndjson", stream.split("\n")[0]));
  assert.deepEqual(cut.slice(1), [
    "a.ndjson | refused: breaks off: its last line has no next_cursor",
  ]);
});

Deno.test("how far the reading is rises to the size of all files", async () => {
  const files = { "1.eml": mail("a"), "2.zip": zipOf({ "b.eml": mail("b") }), "3.eml": mail("c") };
  const positions = (await itemsOf(sourceOf(files))).map(({ position }) => position);
  const sizes = Object.values(files).map(({ length }) => length);
  assert.deepEqual(positions, [sizes[0], sizes[0] + sizes[1], sizes[0] + sizes[1] + sizes[2]]);
});
