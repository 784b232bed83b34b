import type { Tool as ListedTool } from "@modelcontextprotocol/server";
import { z } from "zod";
import { invalidField, ServiceError } from "../../domain/core/errors.ts";
import {
  type Call,
  perform,
  requireAllowed,
  ScopeError,
  scopesOf,
  validationError,
} from "../../domain/core/operation.ts";
import { isAllowed } from "../../domain/core/roles/least_role.ts";
import type { Service } from "../../domain/core/service.ts";
import { getLinks } from "../../domain/mail/read/get_links.ts";
import { argumentReader, type ReadArguments } from "./lenient_arguments.ts";
import { type Tool, tools } from "./tools.ts";
import { largeBodyBytes } from "../http/bodies/body.ts";
import { refuseUnknown } from "../http/unknown_fields.ts";
import { errorBody, type RequestFacts, toServiceError } from "../http/failures.ts";
import { isFree } from "../http/rate_limit.ts";
import { type JsonSchema, jsonSchemaOf } from "../http/json_schema.ts";
import { instructionsFor } from "./instructions.ts";
import type { Connection } from "./connection.ts";
import { type Caller, grantableScopes, hasScope } from "../../domain/core/caller.ts";

/** One authenticated request. */
export interface McpCall {
  caller: Caller;
  connection: Connection;
  /** Why no tool may run now. */
  refusal: ServiceError | null;
  parsedBody: unknown;
  facts: RequestFacts;
  /** What the operation knows of the request. */
  known: Partial<Call>;
  /** Puts the call back into the request windows. */
  uncount(): void;
  /** Makes the failure the HTTP answer, in place of the tool's result. */
  refuse(error: ServiceError): void;
}

/** A call that the SDK accepts. */
interface TakenCall extends McpCall {
  /** The tool that it calls. */
  called?: string;
  /** Its arguments as the client sent them: the SDK's copy lacks an argument with the name `__proto__`. */
  given?: object;
  /** `arguments` of a tools/call that are not an object; the SDK would refuse them with its own error. */
  wrongArguments?: unknown;
}

export interface McpServer {
  fetch(request: Request, call: McpCall): Promise<Response>;
}

/**
 * The tools as an MCP server for all revisions of the protocol. It is stateless. The SDK is loaded with the first call: it
 * takes most of the start-up time.
 */
export async function createMcpServer(service: Service): Promise<McpServer> {
  const { createMcpHandler, McpServer } = await import("@modelcontextprotocol/server");
  const registered = tools.map(registeredTool);
  const sdk = createMcpHandler((context) => {
    const call = context.authInfo?.extra?.call as TakenCall;
    const inToolset = registered.filter(({ tool }) => call.connection.tools.includes(tool));
    const shown = new Set(
      inToolset.filter(({ tool }) => mayCall(call.caller, tool))
        .map(({ tool }) => tool.operation.name),
    );
    const server = new McpServer(
      { name: "letterbox", title: "Letterbox", version: service.version },
      { instructions: instructionsFor(shown), capabilities: { tools: { listChanged: false } } },
    );
    // If the key may not call the tool, the answer names the missing scope.
    const called = inToolset.find(({ tool }) => tool.operation.name === call.called);
    const offered = inToolset.filter(({ tool }) => shown.has(tool.operation.name));
    for (const each of called ? [called] : offered) {
      // Without a schema: the operation validates, so that errors have the service's form.
      server.registerTool(each.tool.operation.name, {}, () => callTool(service, call, each));
    }
    const { structured } = call.connection;
    // In place of the SDK's list, which has no `ttlMs` in revisions before 2026-07-28.
    server.server.setRequestHandler("tools/list", () => ({
      tools: offered.map(({ tool, listed, outputSchema }) => ({
        ...listed,
        description: descriptionOf(tool, shown),
        ...structured && { outputSchema },
      })),
      ...listFreshness,
    }));
    return server;
  }, {
    maxRequestBodySize: largeBodyBytes,
    onerror: (error) => service.log.debug("mcp.error", { error: error.name }),
  });
  return {
    fetch: (request, given) => {
      const call = taken(given);
      return sdk.fetch(request, {
        // The SDK passes this to the factory above. The token was checked before, and no tool reads it.
        authInfo: { token: "", clientId: call.caller.userId, scopes: [], extra: { call } },
        parsedBody: call.parsedBody,
      });
    },
  };
}

/** A tool with what is made of its schemas once. */
interface RegisteredTool {
  tool: Tool;
  input: z.ZodType;
  readArguments: ReadArguments;
  /** Its entry in a list, without what differs by client. */
  listed: Pick<ListedTool, "name" | "title" | "inputSchema" | "annotations">;
  outputSchema: ListedTool["outputSchema"];
}

function registeredTool(tool: Tool): RegisteredTool {
  const input = inputOf(tool);
  const { name, title } = tool.operation;
  const schema = jsonSchemaOf(input, "input");
  const inputSchema = forModels(schema) as ListedTool["inputSchema"];
  return {
    tool,
    input,
    readArguments: argumentReader(schema, tool),
    listed: { name, title, inputSchema, annotations: annotations(tool) },
    outputSchema: jsonSchemaOf(resultOf(tool), "output") as ListedTool["outputSchema"],
  };
}

/** The schema of the arguments. */
function inputOf({ operation: { input }, longUrls }: Tool): z.ZodType {
  return longUrls ? (input as z.ZodObject).extend(longUrlsInput.shape) : input;
}

/**
 * Without `const` and `contentEncoding`: Gemini refuses every request whose functions have a keyword that it does not
 * know. The descriptions say the same, and the operation checks the values.
 */
function forModels(schema: JsonSchema): JsonSchema {
  const isRefused = (key: string) => key === "const" || key === "contentEncoding";
  return JSON.parse(JSON.stringify(schema, (key, value) =>
    // A property of that name would be an object.
    isRefused(key) && typeof value !== "object" ? undefined : value));
}

/** How long a client may keep a list of tools: it changes with the version. It is that of a key (SEP-2549). */
const listFreshness = { ttlMs: 24 * 60 * 60 * 1_000, cacheScope: "private" as const };

/** An argument that only tools have. */
const longUrlsInput = z.object({
  long_urls: z.enum(["short", "keep"]).optional().describe(
    "short: a URL of more than 120 characters is shown as its host, the beginning of its path and `…[link 7]`, whose number is n of get_links; keep: whole. " +
      "Default: short if get_links is served, else keep",
  ),
});

/** The schema of a result. */
function resultOf({ operation: { output }, resultIn }: Tool): z.ZodType {
  return resultIn === undefined ? asObject(output) : z.object({ [resultIn]: output });
}

/**
 * Strict clients refuse a choice at the top of a schema: an output of several forms is shown as one form with all their
 * fields.
 */
function asObject(output: z.ZodType): z.ZodType {
  if (!(output instanceof z.ZodUnion)) return output;
  const forms = output.options as z.ZodObject[];
  const names = new Set(forms.flatMap(({ shape }) => Object.keys(shape)));
  return z.object(Object.fromEntries([...names].map((name) => {
    const found = forms.flatMap(({ shape }) => shape[name] ?? []) as z.ZodType[];
    const field = found.length === 1 ? found[0] : z.union(found);
    return [name, found.length === forms.length ? field : field.optional()];
  })));
}

/** Whether the caller may call the tool. An app may ask the person for every scope that can be granted, not for a role. */
function mayCall(caller: Caller, { operation }: Tool): boolean {
  return isAllowed(caller, operation.name) &&
    scopesOf(operation).every((scope) =>
      hasScope(caller, scope) || (caller.grantId !== undefined && grantableScopes.includes(scope))
    );
}

/** The description for a client that is shown these tools. */
function descriptionOf({ operation, besides = {} }: Tool, shown: ReadonlySet<string>): string {
  const more = Object.entries(besides).filter(([name]) => shown.has(name)).map(([, text]) => text);
  return [operation.description, ...more].join(" ");
}

function annotations({ operation, readOnly, openWorld, destructive, idempotent }: Tool) {
  return {
    title: operation.title,
    readOnlyHint: readOnly,
    destructiveHint: destructive ?? false,
    idempotentHint: idempotent ?? readOnly,
    openWorldHint: openWorld,
  };
}

/** Reads the name of the called tool, and moves `arguments` that are not an object out of the message. */
function taken(call: McpCall): TakenCall {
  const { method, params } = Object(call.parsedBody);
  if (method !== "tools/call") return call;
  const { name: called, arguments: args } = Object(params);
  if (args === undefined || isObject(args)) return { ...call, called, given: args };
  const parsedBody = {
    ...Object(call.parsedBody),
    params: { ...params, arguments: {} },
  };
  return { ...call, called, parsedBody, wrongArguments: args };
}

/** Takes `long_urls` out of the arguments. Throws VALIDATION_ERROR for another value than its two. */
function longUrlsOf(given: Record<string, unknown>, served: readonly Tool[]): "short" | "keep" {
  const parsed = longUrlsInput.safeParse(given);
  if (!parsed.success) throw validationError(parsed.error);
  delete given.long_urls;
  const hasLinks = served.some(({ operation }) => operation === getLinks);
  return parsed.data.long_urls ?? (hasLinks ? "short" : "keep");
}

/** Whether an app must ask the person again. It learns so by the HTTP status alone: a model would read a result. */
function asksForPerson(thrown: unknown): thrown is ServiceError {
  return thrown instanceof ScopeError ||
    (thrown instanceof ServiceError && thrown.code === "UNAUTHORIZED");
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function argumentsError(args: unknown): ServiceError {
  const kind = args === null ? "null" : Array.isArray(args) ? "array" : typeof args;
  return invalidField("arguments", `Invalid input: expected object, received ${kind}`);
}

/** Blocks of a result beside its text. */
interface Image {
  type: "image";
  data: string;
  mimeType: string;
}
interface Link {
  type: "resource_link";
  uri: string;
  name: string;
  mimeType: string;
  size: number;
}

async function callTool(
  service: Service,
  call: TakenCall,
  { tool, input, readArguments }: RegisteredTool,
) {
  try {
    if (call.refusal) throw call.refusal;
    if ("wrongArguments" in call) throw argumentsError(call.wrongArguments);
    requireAllowed(call.caller, tool.operation);
    const given = readArguments(call.given ?? {});
    refuseUnknown(input, given);
    const beside: (Image | Link)[] = [];
    const longUrls = tool.longUrls ? longUrlsOf(given, call.connection.tools) : undefined;
    const output = await perform(tool.operation, service, call.caller, given, {
      surface: "mcp",
      ...call.known,
      maxChars: call.connection.maxChars,
      around: () => tool.resultIn === undefined ? 0 : `{"${tool.resultIn}":}`.length,
      show: ({ contentType, content }) =>
        beside.push({ type: "image", data: content.toBase64(), mimeType: contentType }),
      link: ({ url, contentType, ...about }) =>
        beside.push({ type: "resource_link", uri: url, mimeType: contentType, ...about }),
      longUrls,
    }) as Record<string, unknown>;
    const result = tool.resultIn === undefined ? output : { [tool.resultIn]: output };
    return {
      content: [...beside, { type: "text" as const, text: JSON.stringify(result) }],
      ...call.connection.structured && { structuredContent: result },
    };
  } catch (thrown) {
    if (isFree(thrown)) call.uncount();
    if (call.caller.grantId !== undefined && asksForPerson(thrown)) call.refuse(thrown);
    // Text only: clients validate structuredContent against the output schema even in a failure.
    const error = errorBody(toServiceError(thrown, service.log, {
      ...call.facts,
      route: `${call.facts.route} ${tool.operation.name}`,
    }));
    return {
      isError: true,
      content: [{ type: "text" as const, text: JSON.stringify({ error }) }],
    };
  }
}
