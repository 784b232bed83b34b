#!/usr/bin/env node
// letterbox-mcp: a stdio bridge to `/v1/mcp`, for MCP clients without HTTP.
import process from "node:process";
import { parseArgs } from "node:util";
import { Bridge } from "./mcp_bridge.ts";

const help =
  `letterbox-mcp --url BASE_URL --key KEY [--toolset full | --tools NAMES] [--structured off] [--max-chars N]

A stdio bridge to the MCP server of a Letterbox service.

  --url        where the service is, such as http://localhost:8000; default: LETTERBOX_URL
  --key        API key; default: LETTERBOX_API_KEY, which others on the machine cannot read
  --toolset    full: every tool; default: the eight that an agent needs most
  --tools      names of tools with commas between them: exactly these
  --structured off: results have text alone, for clients that hand a model both
  --max-chars  the most characters of an answer of a tool, 2000 to 1000000

In a client's configuration:

  {"mcpServers": {"letterbox": {"command": "letterbox-mcp",
    "env": {"LETTERBOX_URL": "http://localhost:8000", "LETTERBOX_API_KEY": "lbx_..."}}}}`;

function wrong(message: string): never {
  process.stderr.write(`letterbox-mcp: ${message}\n`);
  process.exit(2);
}

function settings() {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({
      options: {
        url: text,
        key: text,
        toolset: text,
        tools: text,
        structured: text,
        "max-chars": text,
        help: { type: "boolean", short: "h" },
      },
    });
    return values;
  } catch (error) {
    return wrong((error as Error).message.split("\n")[0]);
  }
}

const values = settings();
if (values.help) {
  console.log(help);
} else {
  const base = values.url || process.env.LETTERBOX_URL;
  const key = values.key || process.env.LETTERBOX_API_KEY;
  if (!base) wrong("give --url, or set LETTERBOX_URL");
  if (!key) wrong("give --key, or set LETTERBOX_API_KEY");
  if (!/^https?:\/\/[^\s]+$/.test(base)) wrong("the URL must begin with http:// or https://");
  if (!/^[\x21-\x7e]+$/.test(key)) wrong("the key has blanks or line ends");
  const url = new URL(`${base.replace(/\/+$/, "")}/v1/mcp`);
  for (const name of ["toolset", "tools", "structured", "max-chars"] as const) {
    const value = values[name];
    if (value !== undefined) url.searchParams.set(name.replace("-", "_"), value);
  }

  // The client has gone: nobody reads more answers.
  process.stdout.on("error", () => process.exit(0));
  const bridge = new Bridge(url.href, key, (message) =>
    new Promise((done) => {
      process.stdout.write(`${JSON.stringify(message)}\n`, () => done());
    }));
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  process.stdin.on("data", (bytes: Uint8Array) => {
    const [rest, ...lines] = decoder.decode(bytes, { stream: true }).split("\n");
    pieces.push(rest);
    for (const line of lines) {
      bridge.take(pieces.join(""));
      pieces = [line];
    }
  });
  process.stdin.on("end", async () => {
    bridge.take(pieces.join(""));
    await bridge.settled();
    process.exit(0);
  });
}
