import assert from "node:assert/strict";
import { connect } from "node:http2";
import { eventually } from "../../eventually.ts";
import { Connections } from "../../../routes/http/connections.ts";
import { testService } from "../../service.ts";
import { freePort, startProcess } from "../../service_process.ts";

Deno.test("a connection of HTTP/2 has at most 8 requests in progress besides 64 of all; the others are 503, and others are answered", async () => {
  const dir = await Deno.makeTempDir();
  const service = startProcess({ dir, port: freePort() });
  try {
    assert.ok(await service.up);
    const client = connect(service.base);
    client.on("error", () => {});
    const statuses: number[] = [];
    // Their bodies do not end.
    for (let n = 0; n < 190; n++) {
      const request = client.request({
        ":method": "POST",
        ":path": "/api/auth/login",
        "content-type": "application/json",
        "content-length": "1000",
        // HTTP/1.1 has it, HTTP/2 may.
        host: "localhost",
      });
      request.on("error", () => {});
      request.on("response", ({ ":status": status }) => void statuses.push(Number(status)));
      request.write("{");
    }
    await eventually("the others are refused", () => statuses.length >= 190 - 64 - 8);
    assert.ok(statuses.every((status) => status === 503));
    assert.equal(statuses.length, 190 - 64 - 8);
    const answer = await fetch(`${service.base}/openapi.json`);
    assert.equal(answer.status, 200);
    await answer.body?.cancel();
    // What has ended makes room.
    client.destroy();
    const again = connect(service.base);
    const request = again.request({ ":path": "/openapi.json" });
    const status = await new Promise((done) =>
      request.on("response", ({ ":status": status }) => done(status))
    );
    assert.equal(status, 200);
    again.destroy();
  } finally {
    await service.kill();
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("many requests that begin at once go on one in a turn of the event loop: those of a client do not delay another's", async () => {
  await using test = await testService();
  const connections = new Connections(test.service);
  const begun: string[] = [];
  const request = async (address: string) => {
    await connections.turn({ clientAddress: address });
    begun.push(address);
  };
  const many = Array.from({ length: 500 }, () => request("many"));
  await Promise.resolve();
  assert.equal(begun.length, 64);
  const one = Array.from({ length: 5 }, () => request("one"));
  await Promise.all(one);
  assert.ok(begun.length <= 64 + 12, `${begun.length} before`);
  await Promise.all(many);
});
