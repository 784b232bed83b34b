import type { z } from "zod";
import type { ErrorCode } from "../../domain/core/errors.ts";
import { type Io, type JsonSchema, namedSchemasOf } from "../http/json_schema.ts";

const place = "#/components/schemas/";

/** The named schemas of a document, collected while it is made. */
export class Components {
  private readonly byName = new Map<string, JsonSchema>();
  private readonly bodies = new Map<z.ZodType, string>();
  private readonly errors = new Map<ErrorCode, JsonSchema>();

  /** Returns the JSON schema; each part with an `id` becomes a component and a reference to it. */
  of(schema: z.ZodType, io: Io): JsonSchema {
    const { schema: shown, named } = namedSchemasOf(schema, io, place);
    for (const [name, each] of Object.entries(named)) this.named(name, each);
    return shown;
  }

  /**
   * The name of a request body, after the first operation with this input. Operations with the same input share its
   * schema.
   */
  bodyName(input: z.ZodType, operation: string): string {
    const name = this.bodies.get(input) ?? `${pascal(operation)}Request`;
    this.bodies.set(input, name);
    return name;
  }

  /** The schema of an error, made once: nearly every operation has the same ones. */
  error(code: ErrorCode, make: () => JsonSchema): JsonSchema {
    const made = this.errors.get(code) ?? make();
    this.errors.set(code, made);
    return made;
  }

  /** Adds a schema by name and returns a reference to it. Throws if another schema has the name. */
  named(name: string, schema: JsonSchema): JsonSchema {
    const before = this.byName.get(name);
    if (before && JSON.stringify(before) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are called ${name}`);
    }
    this.byName.set(name, schema);
    return { $ref: place + name };
  }

  /** All of them, sorted by name. */
  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.byName].sort(([a], [b]) => a < b ? -1 : 1));
  }
}

/** The name of a type: `CreateMailbox` for `create_mailbox`, `MailboxQuota` for `MAILBOX_QUOTA`. */
export function pascal(name: string): string {
  return name.toLowerCase().replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
