import assert from "node:assert/strict";
import { account, mailbox, testService } from "../../service.ts";

/** Properties that every object inherits. */
const names = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

Deno.test("a name that every object has is unknown as a parameter, a field, an argument of a tool, or a field of an attachment", async () => {
  await using test = await testService();
  const { key: token } = await account(test);
  const box = await mailbox(test, { key: token } as never);
  const refused = async (response: Response, name: string) => {
    assert.equal(response.status, 400, name);
    const { error } = await response.json();
    assert.equal(error.code, "VALIDATION_ERROR");
    assert.ok(error.message.includes(name), error.message);
    assert.ok(Object.keys(error.details).some((field) => field.includes(name)));
  };
  for (const name of names) {
    for (const path of ["/v1/api/emails", "/v1/api/threads/x", "/v1/api/drafts"]) {
      await refused(await test.request(`${path}?${name}=x`, { token }), name);
      await refused(await test.request(`${path}?limit=1&${name}`, { token }), name);
    }
    const send = (body: string) =>
      test.request("/v1/api/emails/send", {
        method: "POST",
        token,
        headers: { "content-type": "application/json" },
        body,
      });
    const mail = `"mailbox_id": "${box.mailbox_id}", "to": "a@b.example", "body_text": "x"`;
    await refused(await send(`{${mail}, "${name}": {"bcc": "c@d.example"}}`), name);
    const file = `{"filename": "a.txt", "content": "", "${name}": 1}`;
    await refused(await send(`{${mail}, "attachments": [${file}]}`), name);
    await refused(await test.request(`/v1/mcp?${name}=x`, { token, json: {} }), name);
    const called = await test.request("/v1/mcp", {
      method: "POST",
      token,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list_emails",
        "arguments": {"${name}": "x"}}}`,
    });
    const text = await called.text();
    assert.ok(text.includes("VALIDATION_ERROR") && text.includes(name), text);
  }
});

Deno.test("a label, a subject and the name of an attachment can be a name that every object has", async () => {
  await using test = await testService();
  const owner = await account(test);
  const { mailbox_id, email_address } = await mailbox(test, owner);
  for (const name of names) {
    const sent = await test.request("/v1/api/emails/send", {
      token: owner.key,
      json: {
        mailbox_id,
        to: email_address,
        subject: name,
        body_text: name,
        attachments: [{ filename: `a.${name}`, content: "" }],
      },
    });
    assert.equal(sent.status, 201);
    const { email_id } = (await sent.json()).data;
    const marked = await test.request(`/v1/api/emails/${email_id}`, {
      method: "PATCH",
      token: owner.key,
      json: { add_labels: [name] },
    });
    assert.deepEqual((await marked.json()).data.labels, [name.toLowerCase()]);
    const found = await test.request(`/v1/api/emails?label=${name}&subject=${name}`, {
      token: owner.key,
    });
    assert.equal((await found.json()).data.length, 1);
  }
});
