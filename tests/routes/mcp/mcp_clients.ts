import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

export interface ToolResult {
  isError?: boolean;
  structuredContent?: unknown;
  content: { type: string; text?: string }[];
}

/** What the clients of both SDKs have in common. */
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

/** The real clients that meet the service: the present SDK in both eras, and the one before it. */
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
    // Its subpaths do not resolve for the type checker: imported by a name that only the run knows.
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
