import type { Context, Hono } from "hono";
import { z } from "zod";
import { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { mcpChallenge } from "./mcp_challenge.ts";
import { connectionInput, connectionOf } from "./connection.ts";
import { inNamedType, namedTypes } from "./answer_type.ts";
import { type Tool, tools, toolsOf } from "./tools.ts";
import { sameOrigin } from "../http/access.ts";
import { families } from "../http/families.ts";
import { readMcpMessage } from "./mcp_message.ts";
import { createMcpServer, type McpServer } from "./mcp_server.ts";
import { requestFacts } from "../http/failures.ts";
import { countMcpCall } from "../http/rate_limit.ts";
import type { PlainRoute } from "../http/plain_route.ts";
import { requireCaller } from "../http/rest.ts";
import { callOf, sendBody } from "../http/answers/send_body.ts";
import type { Env } from "../http/env.ts";

const mcpPath = families.mcp.path;

const bothTypes = "application/json, text/event-stream";

const namesOf = (some: readonly Tool[]) =>
  some.map(({ operation }) => `\`${operation.name}\``).join(", ");
const standardNames = namesOf(toolsOf("standard"));
const furtherNames = namesOf(tools.filter(({ toolsets }) => !toolsets.includes("standard")));

export const mcpRoute: PlainRoute = {
  family: "mcp",
  tag: "MCP",
  method: "POST",
  path: mcpPath,
  name: "mcp",
  title: "MCP server",
  description:
    "Model Context Protocol over Streamable HTTP, stateless, for clients of the revisions 2025-03-26 to 2026-07-28. A request holds one JSON-RPC message " +
    "(a batch is refused in every revision); the answer is JSON or an event stream. The tools: " +
    standardNames + ". With `?toolset=full` these come after them: " + furtherNames +
    ". A key with scopes is shown only the tools that it may call. A failed tool returns a result with isError and the codes of this document; a message that breaks the protocol gets a JSON-RPC error.",
  access: "account",
  parameters: [
    ...Object.entries(connectionInput.shape).map(([name, schema]) => ({
      in: "query" as const,
      name,
      description: schema.description ?? "",
      schema,
    })),
    {
      in: "header",
      name: "Accept",
      description:
        "Names application/json, text/event-stream or both: the answer has a type that is named",
      required: true,
      example: "application/json, text/event-stream",
    },
    {
      in: "header",
      name: "MCP-Protocol-Version",
      description: "The negotiated revision",
      example: "2025-11-25",
    },
  ],
  body: {
    contentType: "application/json",
    description: "A JSON-RPC 2.0 message",
    schema: z.looseObject({ jsonrpc: z.literal("2.0"), method: z.string() }),
    example: { jsonrpc: "2.0", id: 1, method: "tools/list" },
  },
  success: {
    status: 200,
    description: "The JSON-RPC answer",
    contentType: "application/json",
    schema: z.looseObject({ jsonrpc: z.literal("2.0") }),
    alsoAs: "text/event-stream",
  },
  others: [
    { status: 202, description: "A notification or a response was accepted; the body is empty" },
    rpcFailure(400, "Not JSON, no JSON-RPC request, or headers that contradict the body", -32700),
    rpcFailure(404, "No such method (revision 2026-07-28; earlier revisions answer 200)", -32601),
    rpcFailure(406, "Accept names neither application/json nor text/event-stream", -32000),
  ],
  errors: ["FORBIDDEN", "VALIDATION_ERROR", "REQUEST_TIMEOUT", "PAYLOAD_TOO_LARGE"],
};

function rpcFailure(status: number, description: string, code: number) {
  return {
    status,
    description,
    schema: z.looseObject({
      jsonrpc: z.literal("2.0"),
      error: z.looseObject({ code: z.int(), message: z.string() }),
    }),
    example: { jsonrpc: "2.0", id: null, error: { code, message: description } },
  };
}

/** `POST /v1/mcp`: stateless Streamable HTTP for all revisions of the protocol (docs/specification.md "MCP"). */
export function mountMcp(app: Hono<Env>, service: Service): void {
  let server: Promise<McpServer> | null = null;
  app.all(mcpPath, async (c) => {
    const origin = c.req.header("origin");
    if (origin !== undefined && !sameOrigin(origin, service.settings.BASE_URL)) {
      throw new ServiceError("FORBIDDEN", "This origin may not call the MCP server.");
    }
    if (c.req.method !== "POST") {
      c.header("Allow", "POST");
      throw new ServiceError("METHOD_NOT_ALLOWED");
    }
    if (service.settings.MCP_OAUTH === "on") c.set("challenge", () => mcpChallenge(c, service));
    requireCaller(c);
    const connection = connectionOf(c);
    const message = await readMcpMessage(c, service);
    if (message === "batch") return noBatch(c);
    // The body can take long to arrive, and the key may have been revoked meanwhile.
    await c.get("confirmCaller")();
    const caller = requireCaller(c);
    const { parsedBody } = message;
    if (parsedBody === undefined) return rpcError(c, -32700, "Parse error: not valid JSON");
    if (mediaType(c) !== "application/json") {
      return rpcError(c, -32600, "The Content-Type must be application/json");
    }
    const tool = calledTool(parsedBody);
    if (message.claim !== null && tool !== message.claim) {
      return rpcError(c, -32600, "The message calls another tool than its beginning does");
    }
    if (message.refusal && tool === null) throw message.refusal;
    // Counted before the answer begins: its headers show the requests left.
    const refusal = message.counted || tool === null
      ? message.refusal
      : await countMcpCall(c, service, caller);
    server ??= createMcpServer(service);
    const accept = c.req.header("accept");
    const named = namedTypes(accept);
    const headers = new Headers(c.req.raw.headers);
    // The SDK refuses every other Accept.
    if (named.length > 0 || /^(\*\/\*)?$/.test(accept ?? "")) headers.set("accept", bothTypes);
    const request = new Request(c.req.raw.url, {
      method: "POST",
      headers,
      signal: c.req.raw.signal,
    });
    let refused: ServiceError | null = null;
    const response = await (await server).fetch(request, {
      caller,
      connection,
      refusal,
      parsedBody,
      facts: requestFacts(c),
      known: callOf(c, service),
      uncount: () => c.get("uncount")?.(),
      refuse: (error) => refused = error,
    });
    const answered = await response.bytes();
    if (refused) throw refused;
    // A large body stays in memory until the answer is complete, so its share of the memory budget is held until then.
    const changed = tools.some(({ operation, readOnly }) => operation.name === tool && !readOnly);
    const made = inNamedType(response, answered, named);
    const sent = sendBody(c, made.body, 200, { changed });
    return withHeadersOf(c, new Response(sent.body, made));
  });
}

function mediaType(c: Context): string {
  return (c.req.header("content-type") ?? "").split(";")[0].trim().toLowerCase();
}

/** A JSON-RPC error with HTTP 400 (docs/specification.md "MCP"). */
function rpcError(c: Context, code: number, message: string): Response {
  return c.json({ jsonrpc: "2.0", id: null, error: { code, message } }, 400);
}

/** The tool that a message calls, "" if it has no name; null if the message calls none. */
function calledTool(message: unknown): string | null {
  const { method, params } = Object(message);
  if (method !== "tools/call") return null;
  const { name } = Object(params);
  return typeof name === "string" ? name : "";
}

const noBatch = (c: Context) =>
  rpcError(c, -32600, "Batches are not supported: send one message in each request");

function withHeadersOf(c: Context, response: Response): Response {
  const headers = new Headers(response.headers);
  c.res.headers.forEach((value, name) => headers.set(name, value));
  return new Response(response.body, { status: response.status, headers });
}
