import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { parseBody } from "../../../mime/body/parse_body.ts";
import { message } from "../fixture.ts";

Deno.test("parseBody() gives the beginnings of attached texts, decoded", () => {
  const part = (type: string, content: string) =>
    `--b\nContent-Type: ${type}; name=a\n\n${content}\n`;
  const html = part("text/html", "<b>bold</b>").replace(
    "\n\n",
    "\nContent-Disposition: attachment\n\n",
  );
  const body = parseBody(message(
    `Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n${part("text/csv", "a,b")}${html}` +
      `${part("application/pdf", "%PDF")}${part("application/json", "{}")}--b--\n`,
  ));
  assert.equal(body.text, "hello");
  assert.deepEqual(body.attachedTexts, ["a,b", "bold", "{}"]);
});

Deno.test("parseBody() gives the texts of files that only their names tell to be text", () => {
  const part = (type: string, name: string, content: string) =>
    `--b\nContent-Type: ${type}; name="${name}"\nContent-Disposition: attachment\n\n${content}\n`;
  const body = parseBody(Buffer.from(
    "Content-Type: multipart/mixed; boundary=b\n\n--b\n\nhello\n" +
      part("application/vnd.ms-excel", "a.csv", "a,b") +
      part("application/octet-stream", "b.log", "log") +
      part("application/octet-stream", "c.htm", "<meta charset=koi8-r><b>\xf0</b>") +
      part("application/ics", "d", "BEGIN:VCALENDAR") +
      // None of these is a text.
      part("application/octet-stream", "e.txt", "NUL \0") +
      part("application/octet-stream", "f.bin", "bin") +
      part("application/pdf", "g.txt", "%PDF") +
      part("text/rtf", "h.txt", "{\\rtf1 x}") +
      part("message/partial", "i.txt", "x") + "--b--\n",
    "latin1",
  ));
  assert.deepEqual(body.attachedTexts, ["a,b", "log", "П", "BEGIN:VCALENDAR"]);
});

Deno.test("a calendar is unfolded before it is read and searched, in a body and as an attachment", () => {
  const lines =
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY:Quarterly plan\r\n ning meeting\\, G\xc3\r\n " +
    "\xbcnter\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";
  const body = parseBody(Buffer.from(
    `Content-Type: text/calendar; name=a.ics\r\nContent-Disposition: attachment\r\n\r\n${lines}`,
    "latin1",
  ));
  assert.equal(body.text, "What: Quarterly planning meeting, Günter");
  assert.match(body.attachedTexts[0], /^SUMMARY:Quarterly planning meeting, Günter\r?$/m);
});
