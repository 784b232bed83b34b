import assert from "node:assert/strict";
import { load, LoadClient, median } from "../../bench/load.ts";

const size = 200_000;

/** Answers with its request's body, in one piece or in chunks of odd sizes. */
function echo(): { base: string; connections: Set<string> } & AsyncDisposable {
  const connections = new Set<string>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    async (request, info) => {
      connections.add(String((info.remoteAddr as Deno.NetAddr).port));
      const body = await request.bytes();
      const { pathname } = new URL(request.url);
      if (pathname === "/missing") return new Response("no such thing", { status: 404 });
      if (pathname === "/whole") return new Response(body);
      return new Response(ReadableStream.from((async function* () {
        for (let at = 0; at < body.length; at += 7_001) {
          yield body.slice(at, at + 7_001);
          await new Promise((next) => setTimeout(next, 0));
        }
      })()));
    },
  );
  return {
    base: `http://127.0.0.1:${server.addr.port}`,
    connections,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("the load client reads whole and chunked answers of any size, on as many connections as are busy", async () => {
  await using server = echo();
  using client = new LoadClient(server.base);
  const sent = crypto.getRandomValues(new Uint8Array(size % 65_536));
  for (const path of ["/whole", "/chunked"]) {
    for (const body of [sent, new Uint8Array(size).fill(13), new Uint8Array(0), sent]) {
      assert.deepEqual((await client.ask({ method: "POST", path, body })).slice(), body.slice());
    }
  }
  assert.equal(server.connections.size, 1);
  let done = 0;
  await load(40, 4, async (n) => {
    const body = new TextEncoder().encode(`number ${n}`);
    assert.deepEqual((await client.ask({ method: "POST", path: "/chunked", body })).slice(), body);
    done++;
  });
  assert.equal(done, 40);
  assert.equal(server.connections.size, 4);
});

Deno.test("another status than the expected one is an error with the text of the answer", async () => {
  await using server = echo();
  using client = new LoadClient(server.base);
  await assert.rejects(
    client.ask({ method: "GET", path: "/missing" }),
    new Error("GET /missing 404 no such thing"),
  );
  const any = await client.ask({ method: "GET", path: "/missing", status: null });
  assert.equal(new TextDecoder().decode(any), "no such thing");
});

Deno.test("the median of an even number of values is between the two in the middle", () => {
  assert.equal(median([5, 1, 3]), 3);
  assert.equal(median([4, 1, 2, 100]), 3);
});
