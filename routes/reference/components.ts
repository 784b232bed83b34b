import type { z } from "zod";
import { type Io, type JsonSchema, namedSchemasOf } from "../http/json_schema.ts";

const place = "#/components/schemas/";

/** The named schemas of one document, collected while it is made: what refers to one puts it here. */
export class Components {
  private readonly byName = new Map<string, JsonSchema>();

  /** A schema in which each part that has an `id` is a reference to the component of that name. */
  of(schema: z.ZodType, io: Io): JsonSchema {
    const { schema: shown, named } = namedSchemasOf(schema, io, place);
    for (const [name, each] of Object.entries(named)) this.named(name, each);
    return shown;
  }

  /** Puts a schema under a name and returns the reference to it. Throws if another schema has the name. */
  named(name: string, schema: JsonSchema): JsonSchema {
    const before = this.byName.get(name);
    if (before && JSON.stringify(before) !== JSON.stringify(schema)) {
      throw new Error(`two schemas are called ${name}`);
    }
    this.byName.set(name, schema);
    return { $ref: place + name };
  }

  /** All of them, in the order of their names. */
  get schemas(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.byName].sort(([a], [b]) => a < b ? -1 : 1));
  }
}

/** `create_mailbox` and `MAILBOX_QUOTA` as types are called: `CreateMailbox`, `MailboxQuota`. */
export function pascal(name: string): string {
  return name.toLowerCase().replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
