import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { attachmentContents, parseBody } from "../../../../mime/body/parse_body.ts";
import { decompressedRtf } from "../../../../mime/body/tnef/rtf_compression.ts";
import { messageOfTnef } from "../../../../mime/body/tnef/tnef_message.ts";
import {
  attribute,
  compressedRtf,
  file,
  mailWith,
  messageFile,
  messageProperties,
  tnef,
} from "./tnef_fixture.ts";

const data = Buffer.from("Two chairs,\r\noak\n");
const binary = (bytes: Uint8Array) => ({ type: 0x102, bytes });

Deno.test("the files in winmail.dat are attachments, byte for byte, and so is winmail.dat", () => {
  const bytes = tnef(
    file("Stühle.txt", data),
    file("", Buffer.alloc(0)),
    file("b.bin", Buffer.of(0, 10, 13)),
  );
  const raw = mailWith(bytes, "See the files.");
  const { text, attachments, problem } = parseBody(raw);
  assert.equal(problem, null);
  assert.equal(text.trim(), "See the files.");
  assert.deepEqual(
    attachments.map(({ attachmentId, filename, size }) => [attachmentId, filename, size]),
    [["att_2_1", "Stühle.txt", 17], ["att_2_2", null, 0], ["att_2_3", "b.bin", 3], [
      "att_2",
      "winmail.dat",
      bytes.length,
    ]],
  );
  const contents = attachmentContents(raw, attachments.map((each) => each.attachmentId));
  assert.deepEqual(contents.map((each) => Buffer.from(each!)), [
    ...[data, Buffer.alloc(0), Buffer.of(0, 10, 13), bytes],
  ]);
  assert.equal(attachments[0].sha256, createHash("sha256").update(data).digest("hex"));
});

Deno.test("the text of winmail.dat is that of a mail that has none: plain, HTML or RTF", () => {
  const html =
    "{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\fonttbl{\\f0 Arial;}}{\\*\\htmltag64 <p>}" +
    "\\htmlrtf {\\par\\htmlrtf0 Zwei St\\'fchle {\\*\\htmltag84 &amp;}\\htmlrtf &\\htmlrtf0  Tisch" +
    "{\\*\\htmltag72 </p>}}";
  const rtf = (source: string) => messageProperties([[0x1009, binary(compressedRtf(source))]]);
  for (
    const [attributes, text, hasHtml] of [
      [[messageProperties([[0x1000, "Zwei Stühle"]])], "Zwei Stühle", false],
      [[attribute(1, 0x2800c, Buffer.from("Two chairs\0"))], "Two chairs", false],
      [
        [messageProperties([[0x1013, binary(Buffer.from("<p>Two <b>chairs</b></p>"))]])],
        "Two chairs",
        true,
      ],
      [[rtf("{\\rtf1\\ansi Two\\par chairs}")], "Two\nchairs", false],
      [[rtf(html)], "Zwei Stühle & Tisch", true],
      [
        [
          attribute(1, 0x69007, Buffer.of(0xe3, 4, 0, 0, 0, 0, 0, 0)),
          attribute(1, 0x2800c, Buffer.from("c4e2e020f1f2f3ebe000", "hex")),
        ],
        "Два стула",
        false,
      ],
    ] as [Buffer[], string, boolean][]
  ) {
    const body = parseBody(mailWith(tnef(...attributes)));
    assert.equal(body.text.trim(), text);
    assert.equal(body.html !== null, hasHtml, text);
    assert.equal(parseBody(mailWith(tnef(...attributes), "Own text")).text.trim(), "Own text");
  }
});

Deno.test("a message in winmail.dat is a file with header, text and files, nested at most ten deep", () => {
  const inner = tnef(
    messageProperties([
      [0x0037, "Käufe"],
      [0x0c1a, "Mo Lind"],
      [0x5d01, "mo@example.org"],
      [
        0x0e04,
        "Vera Holt",
      ],
      [0x0039, { type: 0x40, bytes: Buffer.from("80e1c4925f6ec201", "hex") }],
      [0x1000, "Two chairs"],
    ]),
    file("a.txt", data),
  );
  const raw = mailWith(tnef(messageFile("Käufe", inner)), "See");
  const [{ attachmentId, filename, contentType }] = parseBody(raw).attachments;
  assert.deepEqual([filename, contentType], ["Käufe.eml", "message/rfc822"]);
  const [message] = attachmentContents(raw, [attachmentId]);
  assert.match(
    Buffer.from(message!).toString(),
    /^MIME-Version: 1.0\r\nFrom: "Mo Lind" <mo@example.org>\r\nTo: Vera Holt\r\nSubject: Käufe\r\nDate: Tue, 08 Oct 2002/,
  );
  const read = parseBody(message!);
  assert.equal(read.text, "Two chairs");
  assert.deepEqual(read.attachments.map((each) => each.filename), ["a.txt"]);

  let nested = inner;
  for (let depth = 0; depth < 40; depth++) nested = tnef(messageFile("x", nested));
  const whole = messageOfTnef(nested, 500)!;
  assert.equal(
    Buffer.from(whole).toString("latin1").split("Content-Type: message/rfc822").length,
    11,
  );
});

Deno.test("winmail.dat that is cut off or damaged is read as far as it goes, and never throws", () => {
  const whole = tnef(
    messageProperties([[0x1000, "Two chairs"], [0x1009, binary(compressedRtf("{\\rtf1 Two}"))]]),
    file("a.txt", data),
    messageFile("x", tnef(file("b.txt", data))),
  );
  for (let end = 0; end < whole.length; end++) {
    assert.equal(parseBody(mailWith(whole.subarray(0, end))).problem, null);
    const damaged = Buffer.from(whole);
    damaged[end] ^= 0xff;
    assert.equal(parseBody(mailWith(damaged)).problem, null);
  }
});

Deno.test("winmail.dat gives as many files as a mail may have, and RTF of four megabytes", () => {
  const many = tnef(...Array.from({ length: 700 }, (_, n) => file(`${n}`, data)));
  const { attachments, truncated } = parseBody(mailWith(many));
  assert.deepEqual([attachments.length, truncated], [500, true]);
  // Each reference of two bytes gives 16.
  const tokens = Buffer.alloc(
    17 * 100_000,
    Buffer.from("ff010e010e010e010e010e010e010e010e", "hex"),
  );
  const head = Buffer.from("00000000ffffffff4c5a467500000000", "hex");
  const rtf = Buffer.concat([head, tokens]);
  assert.equal(decompressedRtf(rtf, 4 * 2 ** 20)!.length, 4 * 2 ** 20);
  const bombs = tnef(
    ...Array.from(
      { length: 20 },
      () => messageFile("x", tnef(messageProperties([[0x1009, binary(rtf)]]))),
    ),
  );
  assert.ok(messageOfTnef(bombs, 500)!.length < 20 * rtf.length);
});

Deno.test("compressed RTF refers to what was written and to what every text begins with", () => {
  // The example of [MS-OXRTFCP], section 4.1.2.
  const example =
    "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af36c0065007720776f726c6402a0";
  const bytes = Buffer.from(example, "hex");
  assert.match(
    Buffer.from(decompressedRtf(bytes, 1_000)!).toString("latin1"),
    /^\{\\rtf1\\ansi\\ansicpg125/,
  );
  assert.equal(decompressedRtf(Buffer.from("nothing of the kind"), 100), null);
  const stored = Buffer.from(
    "000000000700000" + "04d454c4100000000" + Buffer.from("{\\rtf1}").toString("hex"),
    "hex",
  );
  assert.equal(Buffer.from(decompressedRtf(stored, 100)!).toString(), "{\\rtf1}");
});
