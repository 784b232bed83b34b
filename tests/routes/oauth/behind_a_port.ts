import assert from "node:assert/strict";
import { allowApp, readAuthorize } from "../../../domain/apps/authorize.ts";
import { findClient } from "../../../domain/apps/clients.ts";
import { createApp } from "../../../routes/app.ts";
import { type TestAccount, type TestService, testService } from "../../service.ts";

/** The service behind a port, whose process can be replaced. */
export async function world() {
  let app: ReturnType<typeof createApp> | undefined;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request, info) => app!.fetch(request, info),
  );
  const base = `http://127.0.0.1:${server.addr.port}`;
  const env = { BASE_URL: base };
  const test = await testService({ env, instances: 1, exclusive: false });
  app = createApp(test.service);
  return {
    test,
    base,
    url: new URL(`${base}/v1/mcp`),
    /** Another process on the same store takes the requests. */
    async replace(): Promise<TestService> {
      const next = await testService({
        ...{ env, kv: test.kv, exclusive: false },
        parts: { clock: test.clock },
      });
      app = createApp(next.service);
      return next;
    },
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      await test[Symbol.asyncDispose]();
    },
  };
}

/** What the person's browser brings back. */
export async function allow(
  { service }: TestService,
  owner: TestAccount,
  url: URL,
): Promise<URLSearchParams> {
  assert.equal(url.href.split("?")[0], `${service.settings.BASE_URL}/oauth/authorize`);
  const params = Object.fromEntries(url.searchParams);
  const client = await findClient(service, params.client_id, owner.userId);
  assert.ok(client);
  const secret = owner.accessToken;
  const caller = await service.credentials.callerOf({ kind: "access", secret });
  const read = readAuthorize(service, caller!, client, params);
  assert.ok("request" in read, JSON.stringify(read));
  const { request } = read;
  const chosen = { scopes: request.scopes, mailboxIds: null };
  const code = await allowApp(service, caller!, request, chosen);
  return new URLSearchParams({ code, state: params.state, iss: service.settings.BASE_URL });
}
