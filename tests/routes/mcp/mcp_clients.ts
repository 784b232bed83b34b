import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createApp } from "../../../routes/app.ts";
import type { TestService } from "../../service.ts";

export interface ToolResult {
  isError?: boolean;
  structuredContent?: unknown;
  content: { type: string; text?: string }[];
}

/** The methods that the clients of both SDKs share. */
export interface ToolClient {
  listTools(): Promise<{
    tools: {
      name: string;
      title?: string;
      description?: string;
      inputSchema: Record<string, unknown>;
      outputSchema?: Record<string, unknown>;
      annotations?: Record<string, unknown>;
    }[];
  }>;
  callTool(call: { name: string; arguments?: Record<string, unknown> }): Promise<ToolResult>;
  close(): Promise<void>;
}

interface OldSdk {
  Client: new (info: { name: string; version: string }) => ToolClient & {
    connect(transport: unknown): Promise<void>;
  };
  StreamableHTTPClientTransport: new (url: URL, options: unknown) => unknown;
}

const info = { name: "tests", version: "1.0.0" };

/** Real clients: the current SDK in both protocol eras, and the SDK before it. */
export const clients: Record<string, (url: string, key: string) => Promise<ToolClient>> = {
  "@modelcontextprotocol/client": async (url, key) => {
    const client = new Client(info);
    await client.connect(transport(url, key));
    return client as ToolClient;
  },
  "@modelcontextprotocol/client, version negotiation auto": async (url, key) => {
    const client = new Client(info, { versionNegotiation: { mode: "auto" } });
    await client.connect(transport(url, key));
    return client as ToolClient;
  },
  "@modelcontextprotocol/sdk": async (url, key) => {
    // The type checker cannot resolve its subpaths, so the name is made at run time.
    const sdk = "@modelcontextprotocol/sdk";
    const { Client: OldClient }: OldSdk = await import(`${sdk}/client/index.js`);
    const { StreamableHTTPClientTransport: OldTransport }: OldSdk = await import(
      `${sdk}/client/streamableHttp.js`
    );
    const client = new OldClient(info);
    await client.connect(new OldTransport(new URL(url), withKey(key)));
    return client;
  },
};

function transport(url: string, key: string) {
  return new StreamableHTTPClientTransport(new URL(url), withKey(key));
}

function withKey(key: string) {
  return { requestInit: { headers: { Authorization: `Bearer ${key}` } } };
}

/** Serves the app on loopback, for real clients. */
export function listen(test: TestService) {
  const app = createApp(test.service);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request, info) => app.fetch(request, info),
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}/v1/mcp`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
