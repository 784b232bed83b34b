import assert from "node:assert/strict";
import { importByToken, importMail } from "../../imports.ts";
import {
  account,
  data,
  deliver,
  mailbox,
  message,
  type TestAccount,
  type TestService,
  testService,
} from "../../service.ts";

async function emailsOf(test: TestService, owner: TestAccount, query = "") {
  return await data(test.request(`/v1/api/emails?limit=100${query}`, { token: owner.key }));
}

async function one(test: TestService, owner: TestAccount, emailId: string) {
  return await data(test.request(`/v1/api/emails/${emailId}`, { token: owner.key }));
}

const at = (text: string) => new Date(text).toISOString();

// SPEC: import
Deno.test("an imported email has the state of its source and its label, by key, session and inbound token", async () => {
  await using test = await testService();
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const state = {
    "received-at": "2019-03-02T12:00:00+01:00",
    labels: "Invoices, q:2",
    read: "1",
  };
  const raw = (n: number) =>
    message({ Subject: `Old ${n}`, Date: "Fri, 01 Mar 2019 10:00:00 +0000" });
  const ids = [
    await importMail(test, owner.key, box, raw(1), state),
    await importByToken(test, box.email_address, raw(2), state),
  ].map(({ status, disposition, recipient, email_id }) => {
    assert.deepEqual([status, disposition, recipient], [200, "accepted", box.email_address]);
    return email_id;
  });
  const bySession = await data(test.request(`/api/mailboxes/${box.mailbox_id}/import`, {
    method: "POST",
    headers: { cookie: owner.cookie, "content-type": "message/rfc822", "x-import-labels": "q:2" },
    body: raw(3),
  }));
  assert.equal(bySession.results[0].disposition, "accepted");
  await test.settle();
  for (const id of ids) {
    const email = await one(test, owner, id);
    assert.equal(email.received_at, "2019-03-02T11:00:00.000Z");
    assert.equal(email.date, "2019-03-01T10:00:00.000Z");
    assert.deepEqual(email.labels, ["imported", "invoices", "q:2"]);
    assert.equal(email.is_read, true);
    assert.equal(email.direction, "inbound");
    assert.deepEqual(email.auth, {
      ...{
        verdict: "none",
        spf: "none",
        dkim: "none",
        dmarc: "none",
        domain: null,
        source: "none",
      },
    });
  }
  assert.equal((await emailsOf(test, owner, "&is_read=false")).length, 1);
});
