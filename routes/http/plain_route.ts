import type { z } from "zod";
import type { ErrorCode } from "../../domain/core/errors.ts";
import type { Scope } from "../../domain/core/caller.ts";

/**
 * What the OpenAPI document says of a route that is no row of a table, because it does not speak JSON on both sides:
 * declared beside its mount, listed in routes/app.ts. A served route that is neither is refused by a test.
 */
export interface PlainRoute {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Hono pattern: `/v1/api/emails/:messageId/raw`. */
  path: string;
  /** snake_case; the document's operationId. */
  name: string;
  title: string;
  description: string;
  /** Who may call: `provider` proves itself in the body or its own header, `operator` and `inbound` by their tokens. */
  access: "account" | "operator" | "inbound" | "provider" | "everybody";
  scope?: Scope;
  /** Path parameters and request headers, each with what it means. */
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
    /** Of a JSON answer; absent: text or bytes. */
    schema?: z.ZodType;
    /** Another content type that the same answer may have. */
    alsoAs?: string;
    headers?: Record<string, string>;
    example?: unknown;
  };
  /** What it answers besides that and the errors, in a form of its own; without a schema it has no body. */
  others?: { status: number; description: string; schema?: z.ZodType; example?: unknown }[];
  errors: readonly ErrorCode[];
  /** Codes that this route answers with statuses of its own, as the other side wants it. */
  statuses?: Partial<Record<ErrorCode, readonly number[]>>;
  /** The failure bodies of these codes have no `success` (SPEC.md, Emails (REST)). */
  bareErrors?: readonly ErrorCode[];
}
