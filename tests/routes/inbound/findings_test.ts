import assert from "node:assert/strict";
import { sendgridFindings, sesFindings } from "../../../routes/inbound/providers/findings.ts";

Deno.test("the verdicts of an SES receipt become words of RFC 8601; others say nothing", () => {
  assert.deepEqual(sesFindings({ spf: "PASS", dkim: "FAIL", dmarc: "GRAY" }), {
    spf: "pass",
    dkim: [{ domain: null, result: "fail" }],
    dmarc: "none",
  });
  assert.deepEqual(sesFindings({ spf: "PROCESSING_FAILED", dkim: "GRAY" }), {
    spf: "temperror",
    dkim: [],
  });
  assert.deepEqual(sesFindings({ spf: "DISABLED", dkim: "constructor" }), {});
});

Deno.test("SendGrid's SPF and dkim fields are read, whatever else stands there", () => {
  assert.deepEqual(sendgridFindings("pass", "{@mail.example.com : pass, @Other.example : fail}"), {
    spf: "pass",
    dkim: [
      { domain: "mail.example.com", result: "pass" },
      { domain: "other.example", result: "fail" },
    ],
  });
  assert.deepEqual(sendgridFindings("SoftFail", "none"), { spf: "softfail" });
  assert.deepEqual(sendgridFindings("yes", "{}"), { dkim: [] });
  assert.deepEqual(
    sendgridFindings("", "{@a b : pass, @c.example : very well, d.example : pass}"),
    {
      dkim: [],
    },
  );
  const many = Array.from({ length: 50 }, (_, n) => `@d${n}.example : pass`).join(", ");
  assert.equal(sendgridFindings("", `{${many}}`).dkim?.length, 8);
});
