import type { Context } from "hono";
import { z } from "zod";
import { invalidField } from "../../domain/core/errors.ts";
import { knownNames } from "../../domain/core/nearest_name.ts";
import { validationError } from "../../domain/core/operation.ts";
import { maxCharsField } from "../../domain/mail/read/budget.ts";
import { queryOf, typedQuery } from "../http/query.ts";
import { refuseUnknown, shown } from "../http/unknown_fields.ts";
import { type Tool, tools, toolsOf } from "./tools.ts";

/** The parameters of the URL of the MCP server. */
export const connectionInput = z.object({
  toolset: z.enum(["full"]).optional().describe(
    "`full`: all tools, not only the eight of the standard toolset",
  ),
  tools: z.string().optional().describe(
    "Names of tools with commas between them: exactly these of the full toolset, in its order. Not together with toolset",
  ),
  structured: z.enum(["off"]).optional().describe(
    "`off`: tools have no outputSchema and results no structuredContent, for clients that hand a result to the model twice",
  ),
  max_chars: maxCharsField.describe(
    "Default of max_chars for the tools of this connection; without it 60,000",
  ),
});

/** Characters of a tool's answer without `max_chars`: 15,000 tokens. Clients cut off at 25,000. */
const usualMaxChars = 60_000;

/** The choices of a client in its URL. */
export interface Connection {
  /** The tools that it asked for; its key may be allowed fewer. */
  tools: readonly Tool[];
  /** Whether results have `structuredContent`. */
  structured: boolean;
  /** The budget of a call without `max_chars`. */
  maxChars: number;
}

/** Throws VALIDATION_ERROR for a parameter that is not known, is given twice or has another value. */
export function connectionOf(c: Context): Connection {
  const query = queryOf(c);
  refuseUnknown(connectionInput, query);
  const parsed = connectionInput.safeParse(typedQuery(connectionInput, query));
  if (!parsed.success) throw validationError(parsed.error);
  const { toolset = "standard", tools, structured, max_chars = usualMaxChars } = parsed.data;
  if (tools !== undefined && query.toolset !== undefined) {
    throw invalidField("tools", "cannot be given with toolset: it chooses from all tools");
  }
  return {
    tools: tools === undefined ? toolsOf(toolset) : namedTools(tools),
    structured: structured !== "off",
    maxChars: max_chars,
  };
}

/** The tools of a list of names. Throws VALIDATION_ERROR for an unknown, an empty and a repeated name. */
function namedTools(list: string): readonly Tool[] {
  const known = tools.map(({ operation }) => operation.name);
  const names = new Set<string>();
  for (const name of list.split(",")) {
    if (name === "") {
      throw invalidField("tools", "has an empty name: put a comma between two names");
    }
    if (!known.includes(name)) {
      const instead = knownNames(name, known, "tools", (each) => `\`${each}\``);
      throw invalidField("tools", `\`${shown(name)}\` is not a tool; ${instead}`);
    }
    if (names.has(name)) throw invalidField("tools", `has \`${name}\` twice`);
    names.add(name);
  }
  return tools.filter(({ operation }) => names.has(operation.name));
}
