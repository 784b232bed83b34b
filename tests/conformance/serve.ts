import { createApp } from "../../routes/app.ts";
import { account, deliver, mailbox, message, testService } from "../service.ts";

/** A whole service on loopback for external programs. Adds the key to every request, because some programs cannot. */
export async function serveWithKey() {
  let answer: Deno.ServeHandler<Deno.NetAddr> = () => new Response(null, { status: 503 });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => answer(request, info),
  );
  // The programs send Origin with this name, so BASE_URL must have it.
  const base = `http://localhost:${server.addr.port}`;
  const test = await testService({ env: { BASE_URL: base } });
  const owner = await account(test);
  const box = await mailbox(test, owner);
  await deliver(test, box.email_address, message({ Subject: "Your order" }, "ZX-48213"));
  await test.settle();
  const app = createApp(test.service);
  answer = (request, info) => {
    const headers = new Headers(request.headers);
    if (!headers.has("authorization")) headers.set("authorization", `Bearer ${owner.key}`);
    return app.fetch(new Request(request, { headers }), info);
  };
  return {
    base,
    key: owner.key,
    accessToken: owner.accessToken,
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await test[Symbol.asyncDispose]();
    },
  };
}
