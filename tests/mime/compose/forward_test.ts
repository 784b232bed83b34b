import assert from "node:assert/strict";
import { forwardBodies, forwardSubject } from "../../../mime/compose/forward.ts";
import { nightly } from "../../nightly.ts";

Deno.test("a forward has one prefix, whatever prefixes the subject had", () => {
  const subjects: Record<string, string> = {
    "Figures": "Fwd: Figures",
    "Fwd: FW: Re: Figures": "Fwd: Figures",
    "WG: AW: Figures": "Fwd: Figures",
    "": "Fwd:",
    "Forward: march": "Fwd: Forward: march",
  };
  for (const [subject, forwarded] of Object.entries(subjects)) {
    assert.equal(forwardSubject(subject), forwarded);
  }
});

Deno.test("a forward of plain text has no HTML, and line breaks of a header stay in its line", () => {
  const mail = {
    to: [],
    cc: ["c@x.net"],
    date: 0,
    text: "Body",
    html: null,
    subject: "a\r\nBcc: b",
  };
  assert.deepEqual(forwardBodies({ ...mail, from: "ann@x.net" }, {}), {
    text:
      "---------- Forwarded message ----------\nFrom: ann@x.net\nDate: Thu, 01 Jan 1970 00:00:00 GMT\nSubject: a Bcc: b\nTo: \nCc: c@x.net\n\nBody",
  });
});

nightly("HTML with a million tags is forwarded in linear time", () => {
  const html = `<body ${"<body ".repeat(300_000)}`;
  const begun = performance.now();
  forwardBodies({ from: "a@b.c", to: [], cc: [], date: 0, subject: "", text: "", html }, {});
  assert.ok(performance.now() - begun < 20_000);
});
