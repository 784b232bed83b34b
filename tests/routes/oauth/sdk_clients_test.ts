import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { account, data, mailbox } from "../../service.ts";
import type { ToolClient } from "../mcp/mcp_clients.ts";
import { allow, world } from "./behind_a_port.ts";

interface AuthTransport {
  finishAuth(answer: string | URLSearchParams): Promise<void>;
}
interface Sdk {
  Client: new (info: { name: string; version: string }) => ToolClient & {
    connect(transport: unknown): Promise<void>;
  };
  Transport: new (url: URL, options: unknown) => AuthTransport;
}

const sdks: Record<string, () => Promise<Sdk>> = {
  "@modelcontextprotocol/client": () =>
    Promise.resolve({ Client, Transport: StreamableHTTPClientTransport } as unknown as Sdk),
  "@modelcontextprotocol/sdk": async () => {
    // The type checker cannot resolve its subpaths, so the name is made at run time.
    const sdk = "@modelcontextprotocol/sdk";
    const { Client } = await import(`${sdk}/client/index.js`);
    const { StreamableHTTPClientTransport } = await import(`${sdk}/client/streamableHttp.js`);
    return { Client, Transport: StreamableHTTPClientTransport };
  },
};

/** What a client of an SDK keeps, in memory. */
class Provider {
  asked: URL | null = null;
  // deno-lint-ignore no-explicit-any -- the types differ between the SDKs
  kept: Record<string, any> = {};
  readonly redirectUrl = "http://127.0.0.1:33418/callback";
  readonly clientMetadata = {
    client_name: "SDK test",
    redirect_uris: ["http://127.0.0.1/callback"],
    token_endpoint_auth_method: "none",
  };
  state = () => "the-state";
  clientInformation = () => this.kept.client;
  saveClientInformation = (client: unknown) => void (this.kept.client = client);
  tokens = () => this.kept.tokens;
  saveTokens = (tokens: unknown) => void (this.kept.tokens = tokens);
  redirectToAuthorization = (url: URL) => void (this.asked = url);
  saveCodeVerifier = (verifier: string) => void (this.kept.verifier = verifier);
  codeVerifier = () => this.kept.verifier;
  saveDiscoveryState = (state: unknown) => void (this.kept.discovery = state);
  discoveryState = () => this.kept.discovery;
  invalidateCredentials = (what: string) => void (what !== "client" && delete this.kept.tokens);
}

for (const [name, load] of Object.entries(sdks)) {
  // SPEC: oauth.clients
  Deno.test(`${name} logs in by the URL alone, calls a tool, refreshes over a restart, and is revoked`, async () => {
    await using it = await world();
    const owner = await account(it.test);
    const { email_address } = await mailbox(it.test, owner);
    const sdk = await load();
    const authProvider = new Provider();
    const connected = async () => {
      const client = new sdk.Client({ name: "tests", version: "1" });
      await client.connect(new sdk.Transport(it.url, { authProvider }));
      return client;
    };
    const first = new sdk.Transport(it.url, { authProvider });
    const client = new sdk.Client({ name: "tests", version: "1" });
    await assert.rejects(client.connect(first), /Unauthorized/);
    const answer = await allow(it.test, owner, authProvider.asked!);
    await first.finishAuth(sdk.Client as unknown === Client ? answer : answer.get("code")!);
    assert.equal(authProvider.kept.tokens.token_type, "Bearer");
    const one = await connected();
    const { tools } = await one.listTools();
    assert.equal(tools.length, 8);
    const boxes = await one.callTool({ name: "list_mailboxes", arguments: {} });
    assert.match(JSON.stringify(boxes), new RegExp(email_address));
    await one.close();

    const before = authProvider.kept.tokens;
    it.test.clock.advance(3_600_001);
    await using next = await it.replace();
    const two = await connected();
    assert.equal((await two.listTools()).tools.length, 8);
    assert.notEqual(authProvider.kept.tokens.refresh_token, before.refresh_token);
    await two.close();

    authProvider.asked = null;
    const headers = { cookie: owner.cookie };
    const [{ grant_id, client_name }] = await data(next.request("/api/apps", { headers }));
    assert.equal(client_name, "SDK test");
    await data(next.request(`/api/apps/${grant_id}`, { method: "DELETE", headers }));
    await assert.rejects(connected());
    assert.ok(authProvider.asked, "it asks the person again");
  });
}
