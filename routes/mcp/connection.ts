import type { Context } from "hono";
import { z } from "zod";
import { validationError } from "../../domain/core/operation.ts";
import { maxCharsField } from "../../domain/mail/read/budget.ts";
import { queryOf, typedQuery } from "../http/query.ts";
import { refuseUnknown } from "../http/unknown_fields.ts";
import type { Toolset } from "./tools.ts";

/** The parameters of the URL of the MCP server. */
export const connectionInput = z.object({
  toolset: z.enum(["full"]).optional().describe(
    "`full`: all tools, not only the eight of the standard toolset",
  ),
  max_chars: maxCharsField.describe(
    "Default of max_chars for the tools of this connection; without it 60,000",
  ),
});

/** Characters of a tool's answer without `max_chars`: 15,000 tokens. Clients cut off at 25,000. */
const usualMaxChars = 60_000;

/** The choices of a client in its URL. */
export interface Connection {
  toolset: Toolset;
  /** The budget of a call without `max_chars`. */
  maxChars: number;
}

/** Throws VALIDATION_ERROR for a parameter that is not known, is given twice or has another value. */
export function connectionOf(c: Context): Connection {
  const query = queryOf(c);
  refuseUnknown(connectionInput, query);
  const parsed = connectionInput.safeParse(typedQuery(connectionInput, query));
  if (!parsed.success) throw validationError(parsed.error);
  const { toolset = "standard", max_chars = usualMaxChars } = parsed.data;
  return { toolset, maxChars: max_chars };
}
