import type { Context } from "hono";
import { z } from "zod";
import { validationError } from "../../domain/core/operation.ts";
import { queryOf } from "../http/query.ts";
import { refuseUnknown } from "../http/unknown_fields.ts";
import type { Toolset } from "./tools.ts";

/** The parameters of the URL of the MCP server. */
export const connectionInput = z.object({
  toolset: z.enum(["full"]).optional().describe(
    "`full`: all tools, not only the eight of the standard toolset",
  ),
});

/** What a client chooses with its URL. */
export interface Connection {
  toolset: Toolset;
}

/** Throws VALIDATION_ERROR for a parameter that is not known, is given twice or has another value. */
export function connectionOf(c: Context): Connection {
  const query = queryOf(c);
  refuseUnknown(connectionInput, query);
  const parsed = connectionInput.safeParse(query);
  if (!parsed.success) throw validationError(parsed.error);
  return { toolset: parsed.data.toolset ?? "standard" };
}
