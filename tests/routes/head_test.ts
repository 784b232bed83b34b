import assert from "node:assert/strict";
import { createApp } from "../../routes/app.ts";
import { account, data, deliver, mailbox, message, testService } from "../service.ts";

Deno.test("HEAD answers the status, the headers and the Content-Length of GET", async () => {
  await using test = await testService({ instances: 1 });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  const raw = message(
    { "Content-Type": "multipart/mixed; boundary=b" },
    "--b\n\ntext\n--b\nContent-Type: application/pdf; name=a.pdf\n\n%PDF\n--b--\n",
  );
  const { email_id } = await deliver(test, box.email_address, raw);
  await test.settle();
  const email = `/v1/api/emails/${email_id}`;
  const { attachment_ids } = await data(test.request(email, { token: owner.key }));
  const app = createApp(test.service);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => app.fetch(request, info),
  );
  const ask = async (method: string, path: string, more: Record<string, string> = {}) => {
    const authorization = `Bearer ${owner.key}`;
    const headers = { authorization, "accept-encoding": "identity", ...more };
    const url = `http://127.0.0.1:${server.addr.port}${path}`;
    return await fetch(url, { method, headers });
  };
  const seen = async (answer: Response) => {
    const headers = [...answer.headers]
      .filter(([name]) => !/^(?:date|x-request-id|x-ratelimit-remaining)$/.test(name));
    return { status: answer.status, headers, bytes: (await answer.bytes()).length };
  };
  const paths = [
    ["/v1/api/health", 200],
    ["/v1/api/emails", 200],
    [email, 200],
    [`${email}/attachments/${attachment_ids[0]}`, 200],
    [`${email}/raw`, 200],
    ["/openapi.json", 200],
    ["/docs", 200],
    ["/app/", 200],
    ["/v1/api/nothing", 404],
    ["/v1/api/emails/nothing", 404],
    ["/v1/api/search", 405],
  ] as const;
  for (const [path, status] of paths) {
    const got = await seen(await ask("GET", path));
    assert.equal(got.status, status, path);
    const length = got.headers.find(([name]) => name === "content-length")?.[1];
    assert.ok(length === undefined || Number(length) === got.bytes && got.bytes > 0, path);
    assert.deepEqual(await seen(await ask("HEAD", path)), { ...got, bytes: 0 }, path);
  }
  const stream = await ask("HEAD", "/v1/api/events");
  assert.deepEqual([stream.status, stream.headers.get("content-length")], [200, null]);
  const etag = (await seen(await ask("GET", "/docs"))).headers.find(([name]) => name === "etag")!;
  const unchanged = await ask("HEAD", "/docs", { "if-none-match": etag[1] });
  assert.deepEqual([unchanged.status, unchanged.headers.get("content-length")], [304, null]);
  await server.shutdown();
});
