import type { z } from "zod";
import type { ErrorCode } from "../../domain/core/errors.ts";
import type { Scope } from "../../domain/core/caller.ts";
import { emailId } from "../../domain/core/email_id.ts";
import type { RouteGroup } from "./families.ts";

/**
 * The documentation of a route whose request or answer is not JSON, so that it has no row in a table. It is next to the
 * route's mount, and routes/app.ts lists it. A test fails for a served route without a row or this.
 */
export interface PlainRoute extends RouteGroup {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Hono pattern: `/v1/api/emails/:messageId/raw`. */
  path: string;
  /** snake_case; the document's operationId. */
  name: string;
  title: string;
  description: string;
  /** Who can call it. `provider`: the body or a special header is the proof; `operator`, `inbound`: their tokens. */
  access: "account" | "operator" | "inbound" | "provider" | "everybody";
  scope?: Scope;
  parameters?: {
    in: "path" | "header" | "query";
    name: string;
    description: string;
    /** Absent: any text. */
    schema?: z.ZodType;
    required?: boolean;
    example?: string;
  }[];
  body?: { contentType: string; description: string; schema?: z.ZodType; example?: unknown };
  success: {
    status: 200 | 201 | 202;
    description: string;
    contentType: string;
    /** The schema of a JSON answer; absent: text or bytes. */
    schema?: z.ZodType;
    /** Another content type that the same answer may have. */
    alsoAs?: string;
    /** The JSON of the answer if a parameter selects JSON. */
    json?: { schema: z.ZodType; example: unknown };
    headers?: Record<string, string>;
    example?: unknown;
  };
  /** Further answers of another form; one without a schema has no body. */
  others?: { status: number; description: string; schema?: z.ZodType; example?: unknown }[];
  errors: readonly ErrorCode[];
  /** Codes that this route answers with other statuses, because the provider requires it. */
  statuses?: Partial<Record<ErrorCode, readonly number[]>>;
  /** The failure bodies of these codes have no `success`. */
  bareErrors?: readonly ErrorCode[];
}

/** The path parameter of routes about one email. */
export const emailIdParameter = {
  in: "path",
  name: "messageId",
  description: "email_id of a list, search, thread or event",
  schema: emailId,
  example: "0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a",
} as const;
