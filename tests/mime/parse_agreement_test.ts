import assert from "node:assert/strict";
import PostalMime, { type Address } from "postal-mime";
import { attachmentContents, parseBody } from "../../mime/body/parse_body.ts";
import { parseHead } from "../../mime/headers/parse_head.ts";
import { fixture } from "./fixture.ts";

/** The fixtures of which we read more than postal-mime, with the reason. */
const better: Record<string, string> = {
  bare_cr: "takes the whole message for one header field",
  boundary_never_comes: "loses the text",
  charset_cp850: "decodes as windows-1252",
  charset_utf7: "decodes as windows-1252",
  date_without_zone: "depends on the zone of the machine",
  encoded_words: "keeps a line end in a subject",
  flowed: "leaves quote marks inside a joined quote",
  folded_ids: "takes a person for a message, comments for a part of an id",
  header_raw_latin1: "replaces raw eight-bit characters in fields",
  html_charset_in_meta: "ignores what HTML declares",
  html_only: "has no text of HTML",
  inline_image: "has no text of HTML",
  line_ends_in_attachment: "rewrites line ends",
  calendar: "rewrites line ends",
  nested_message: "rewrites line ends",
  missing_boundary_parameter: "loses the text",
  no_empty_line: "loses the text",
  no_header: "loses the first paragraph",
  nul_bytes: "keeps NUL in text",
  quoted_printable: "keeps white space that was added on the way",
  rfc2231_filename: "keeps the folders of a path",
  smime_encrypted: "has no text",
  smime_signed: "has no text",
  smime_signed_ber: "has no text",
  text_enriched: "has no text",
};

const names = [...Deno.readDirSync(new URL("../fixtures/mail/", import.meta.url))]
  .map(({ name }) => name.replace(/\.eml$/, "")).filter((name) => !(name in better));

for (const name of names) {
  Deno.test(`parseHead() and parseBody() agree with postal-mime on ${name}.eml`, async () => {
    const raw = fixture(name);
    const theirs = await PostalMime.parse(raw, { forceRfc822Attachments: true });
    const { messageId, subject, from, to, cc, dateMs } = parseHead(raw);
    assert.deepEqual({ messageId, subject, from, to, cc, dateMs }, {
      messageId: theirs.messageId ?? null,
      subject: theirs.subject ?? "",
      from: flat(theirs.from ? [theirs.from] : [])[0] ?? null,
      to: flat(theirs.to ?? []),
      cc: flat(theirs.cc ?? []),
      dateMs: theirs.date && !Number.isNaN(Date.parse(theirs.date))
        ? Date.parse(theirs.date)
        : null,
    });
    const ours = parseBody(raw);
    assert.equal(oneLine(ours.text), oneLine(theirs.text ?? ""));
    assert.equal(ours.html?.trimEnd(), theirs.html?.trimEnd());
    assert.deepEqual(
      ours.attachments.map(({ filename, contentType, attachmentId }) => [
        filename,
        contentType,
        new Uint8Array(attachmentContents(raw, [attachmentId])[0] ?? []),
      ]),
      theirs.attachments.map(({ filename, mimeType, content }) => [
        filename,
        mimeType,
        new Uint8Array(content as ArrayBuffer),
      ]),
    );
  });
}

const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

function flat(addresses: Address[]) {
  return addresses.flatMap((each) => each.group ?? [each]).filter((each) => each.address)
    .map(({ address, name }) => ({ address, name }));
}
