import type { Context } from "hono";
import type { ServiceError } from "../../domain/core/errors.ts";
import type { Service } from "../../domain/core/service.ts";
import { tools } from "./tools.ts";
import { bodyOf, largeBodyBytes, lengthOf, smallBodyBytes, tooLarge } from "../http/bodies/body.ts";
import { jsonSchemaOf } from "../http/json_schema.ts";
import { parseJson } from "../http/bodies/json_text.ts";
import { Pieces } from "../http/bodies/pieces.ts";
import { countMcpCall } from "../http/rate_limit.ts";
import { requireCaller } from "../http/rest.ts";
import type { Env } from "../http/env.ts";

/** A larger body counts as a request, whatever its method. Messages that call no tool are below 10 KiB. */
const countedBytes = 64 * 1024;

/** One message of a client. */
export interface McpMessage {
  /** undefined: not JSON. */
  parsedBody: unknown;
  /** Whether it was counted as a request because of its size. */
  counted: boolean;
  /** The error of that request, if it exceeded a window. */
  refusal: ServiceError | null;
  /** The tool for which a body above 1 MiB was accepted: the message must call it. */
  claim: string | null;
}

/** The tools that take attachments. Only their calls may exceed 1 MiB. */
const largeTools = tools.map(({ operation }) => operation)
  .filter(({ input }) => "attachments" in (jsonSchemaOf(input, "input").properties ?? {}))
  .map(({ name }) => name);

/** Their names as a call has them; a text of an argument cannot look so, because its quotes are escaped. */
const largeCall = new RegExp(`"name"\\s*:\\s*"(${largeTools.join("|")})"`);

/**
 * Reads a message. More than 1 MiB is read only if the beginning calls a tool that takes attachments. Throws
 * PAYLOAD_TOO_LARGE, and RATE_LIMIT_EXCEEDED for a message above 1 MiB that exceeds a window; it is not read to its end.
 * Returns "batch" for a JSON array, which counts as no request.
 */
export async function readMcpMessage(
  c: Context<Env>,
  service: Service,
): Promise<McpMessage | "batch"> {
  const caller = requireCaller(c);
  using pieces = new Pieces();
  let limit = smallBodyBytes, claim: string | null = null;
  let counted = false, refusal: ServiceError | null = null;
  const count = async () => {
    counted = true;
    refusal = await countMcpCall(c, service, caller);
  };
  if ((lengthOf(c) ?? 0) > largeBodyBytes) {
    await count();
    throw refusal ?? tooLarge(largeBodyBytes);
  }
  /** The first character that is no blank or byte order mark. */
  let first = "";
  for await (const piece of bodyOf(c)) {
    pieces.add(piece);
    first ||= new TextDecoder().decode(piece).trimStart().slice(0, 1);
    if (pieces.size > countedBytes && first === "[") return "batch";
    // As long as there are only blanks, the message can still be a batch.
    if (pieces.size > countedBytes && !counted && (first || pieces.size > limit)) {
      await count();
      const beginning = new TextDecoder().decode(pieces.whole().subarray(0, countedBytes));
      claim = largeCall.exec(beginning)?.[1] ?? null;
      if (claim) limit = largeBodyBytes;
    }
    if (pieces.size > smallBodyBytes && refusal) throw refusal;
    if (pieces.size > limit) throw tooLarge(limit);
  }
  if (pieces.size > countedBytes && !counted) await count();
  const parsedBody = parsed(pieces.whole());
  if (Array.isArray(parsedBody)) return "batch";
  return { parsedBody, counted, refusal, claim: pieces.size > smallBodyBytes ? claim : null };
}

function parsed(body: Uint8Array): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}
