import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { account, deliver, mailbox, message, testService } from "../../../service.ts";
import { post } from "../../mcp/post.ts";

for (const surface of ["REST", "MCP"]) {
  Deno.test(`large answers that are asked for at once over ${surface} are made one in a turn of the event loop`, async () => {
    await using test = await testService({ instances: 1 });
    const owner = await account(test);
    const { email_address } = await mailbox(test, owner);
    const { email_id } = await deliver(test, email_address, message({}, "word ".repeat(50_000)));
    await test.settle();
    const ask = async () => {
      if (surface === "REST") {
        const answer = await test.request(`/v1/api/emails/${email_id}`, { token: owner.key });
        return (await answer.text()).length;
      }
      const params = { name: "get_email", arguments: { email_id, max_chars: 500_000 } };
      const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
      return JSON.stringify((await post(test, owner.key, call)).body).length;
    };
    assert.ok(await ask() > 250_000);
    const { stringify } = JSON;
    let inTurn = 0, most = 0, isOver = false;
    const turns = (async () => {
      for (; !isOver; await setImmediate()) inTurn = 0;
    })();
    const asking = Array.from({ length: 20 }, ask);
    JSON.stringify = ((value: unknown, ...more: []) => {
      const text = stringify(value, ...more);
      if (text?.length > 250_000) most = Math.max(most, ++inTurn);
      return text;
    }) as typeof stringify;
    try {
      for (const length of await Promise.all(asking)) assert.ok(length > 250_000);
    } finally {
      JSON.stringify = stringify;
      isOver = true;
      await turns;
    }
    // MCP has the answer as a text and in a message, and the test writes the message again.
    const each = surface === "REST" ? 2 : 4;
    assert.ok(most > 0 && most <= each, `${most} in one turn`);
  });
}
