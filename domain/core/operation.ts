import { z } from "zod";
import { type ErrorCode, ServiceError } from "./errors.ts";
import { requireRole } from "./roles/least_role.ts";
import type { Service } from "./service.ts";
import { type Caller, type Guest, hasScope, type Scope } from "./caller.ts";

/** A transaction of the store. */
type Tx = Parameters<Parameters<Service["database"]["transact"]>[0]>[0];

/**
 * A capability of the service. REST routes, MCP tools and the OpenAPI document are derived from operations.
 * `C` is Caller if the operation needs an account, and Guest if not (health, register, login).
 */
export interface Operation<
  I extends z.ZodType = z.ZodType,
  O extends z.ZodType = z.ZodType,
  C = Caller,
> {
  /** snake_case; for an MCP tool also the name of the tool. */
  name: string;
  /** A short line for a list. */
  title: string;
  /** For a person or model that has never seen the service: what it does, when to use it, what it returns. */
  description: string;
  /** The scope that a limited key must have, or all that it must have; null: any credential is enough. */
  scope: Scope | readonly Scope[] | null;
  input: I;
  output: O;
  /**
   * The errors it may return besides UNAUTHORIZED, RATE_LIMIT_EXCEEDED, INTERNAL_ERROR, SERVICE_UNAVAILABLE, and
   * FORBIDDEN for a role or a missing scope.
   */
  errors: readonly ErrorCode[];
  run(service: Service, caller: C, input: z.output<I>, call: OperationCall): Promise<z.input<O>>;
  /** Absent in operations without an account, which leave no row. */
  audit?: Audited;
  /** How many emails an answer holds. Absent: one for what reads, null for what changes. */
  emailsIn?(output: z.output<O>): number;
  /**
   * Its output consists of rows that this service wrote. In production the schema checks about one answer in a hundred,
   * because the check is a quarter of the work of a page of 50; elsewhere it checks every answer. The output must have
   * no field that its schema lacks: a test compares both.
   */
  sampled?: true;
  /**
   * Shortens the output so that its JSON has at most `maxChars` UTF-16 code units. Absent: the output has no budget.
   */
  fit?(output: z.output<O>, maxChars: number, input: z.output<I>): z.output<O>;
}

/**
 * The row of a call in the audit (docs/specification.md "Audit"). `read`: it reads mail; its row is written within 2 s.
 * `change`: it sends or changes something, and writes its row in its own commit with `call.audit(facts, tx)`. `none`:
 * no row.
 */
export type Audited = "read" | "change" | "none";

/** What a call was about, for its row of the audit. Absent is null. */
export interface AuditFacts {
  mailboxId?: string | null;
  emailId?: string | null;
  /** How many emails the call changed or sent. */
  count?: number | null;
}

/** What an operation knows of its call. */
export interface OperationCall extends Call {
  /**
   * Sets the facts of the call's row in the audit. With `tx` the row is written in that commit; several commits of a
   * call write the same row, and the last facts count. With null the call has no row.
   */
  audit(facts: AuditFacts | null, tx?: Tx): void;
}

/** How an operation is called. */
export interface Call {
  surface: "rest" | "mcp" | "smtp";
  /** Returns the signal that is aborted once the client has left. Few operations need it, and making it costs 4 µs. */
  signal?(): AbortSignal;
  /**
   * For operations that wait. Throws UNAUTHORIZED if the caller's credential has ended since. Absent: it does not end.
   */
  confirm?(): Promise<void>;
  /**
   * Counts bytes of the answer before they are read, and waits for room in the memory of all answers. Throws
   * SERVICE_UNAVAILABLE if there is none. To be called before anything changes. Absent: nothing is counted.
   */
  reserve?(bytes: number): Promise<void>;
  /** Waits for the turn of the account in which a large answer is checked, fitted and made. Absent: it needs none. */
  turn?(): Promise<void>;
  /** The budget of the answer if the input has no `max_chars`. Absent: the answer is whole. */
  maxChars?: number;
  /** Length of what REST or MCP puts around the JSON of this output, in UTF-16 code units. Absent: 0. */
  around?(output: unknown): number;
  /** Shows an image beside the output. Absent: the surface shows none. */
  show?(image: { contentType: string; content: Uint8Array }): void;
  /** Shows a link to a file beside the output. Absent: the surface shows none. */
  link?(file: { url: string; name: string; contentType: string; size: number }): void;
  /** `short`: URLs of more than 120 characters are shortened in texts. */
  longUrls?: "short" | "keep";
}

/** Declares an operation of an account holder. */
export function operation<I extends z.ZodType, O extends z.ZodType>(
  definition: Operation<I, O> & { audit: Audited },
): Operation<I, O> & { audit: Audited } {
  return definition;
}

/** Declares an operation that needs no credential; `guest` has the address of the client. */
export function openOperation<I extends z.ZodType, O extends z.ZodType>(
  definition: Operation<I, O, Guest>,
): Operation<I, O, Guest> {
  return definition;
}

/**
 * Checks role and scope, parses the input, puts ids in place of mailboxes' addresses, runs, parses the output, keeps it to its budget and notes the call for the audit.
 * Throws VALIDATION_ERROR (details: field -> message), FORBIDDEN with `required_role` or `required_scope`, or what `run` throws.
 */
export async function perform<I extends z.ZodType, O extends z.ZodType, C extends Caller | Guest>(
  operation: Operation<I, O, C>,
  service: Service,
  caller: C,
  input: unknown,
  call: Call = { surface: "rest" },
): Promise<z.output<O>> {
  requireAllowed(caller, operation);
  const parsed = operation.input.safeParse(input, {
    error: (issue) => issue.input === undefined ? "is required" : undefined,
  });
  if (!parsed.success) throw validationError(parsed.error);
  const asked = "userId" in caller
    ? await service.mailboxNames.withIds(caller, parsed.data)
    : parsed.data;
  const audited = operation.audit && operation.audit !== "none" && "userId" in caller
    ? service.audit.begin(caller, operation.name, call)
    : null;
  const audit = (facts: AuditFacts | null, tx?: Tx) => audited?.note(facts, tx);
  const made = await operation.run(service, caller, asked, { ...call, audit });
  await call.turn?.();
  const output = operation.sampled && !isSample(service)
    ? made as z.output<O>
    : operation.output.parse(made);
  const maxChars = (asked as { max_chars?: number }).max_chars ?? call.maxChars;
  const fitted = !operation.fit || maxChars === undefined
    ? output
    : operation.fit(output, maxChars - (call.around?.(output) ?? 0), asked);
  audited?.end(operation.emailsIn?.(fitted) ?? (operation.audit === "read" ? 1 : null));
  return fitted;
}

function isSample({ settings, clock }: Service): boolean {
  return settings.mode !== "start" || clock.now() % 100 === 0;
}

/** The scopes that a limited key must have, all of them. */
export function scopesOf({ scope }: Partial<Pick<Operation, "scope">>): readonly Scope[] {
  return typeof scope === "string" ? [scope] : scope ?? [];
}

/** The caller lacks a scope; `needed` are all that the call needs. */
export class ScopeError extends ServiceError {
  constructor(lacking: Scope, readonly needed: readonly Scope[]) {
    super("FORBIDDEN", `This credential lacks the scope ${lacking}.`, { required_scope: lacking });
  }
}

/** Throws FORBIDDEN if the role of the caller's person does not allow the operation, or the credential lacks a scope. */
export function requireAllowed(
  caller: Caller | Guest,
  { name, scope }: Pick<Operation, "name" | "scope">,
): void {
  if ("userId" in caller) requireRole(caller, name);
  requireScope(caller, scope);
}

/** Throws ScopeError if the caller's credential lacks the scope, or one of them. */
export function requireScope(caller: Caller | Guest, scope: Operation["scope"]): void {
  if (!("userId" in caller)) return;
  const needed = scopesOf({ scope });
  const lacking = needed.find((each) => !hasScope(caller, each));
  if (lacking) throw new ScopeError(lacking, needed);
}

/** A list of 99,000 wrong words made an answer of 10 MB, in a second in which nothing else ran. */
const maxNamedFields = 1000;

/** The first message for each field; a nested field is written `attachments.0.filename`. At most 1,000 fields. */
export function validationError(error: z.ZodError): ServiceError {
  const details = new Map<string, string>();
  for (const issue of error.issues) {
    const field = issue.path.join(".") ||
      (issue.code === "unrecognized_keys" ? issue.keys[0] : "body");
    if (details.has(field)) continue;
    if (details.size === maxNamedFields) break;
    details.set(field, issue.message);
  }
  const [[field, message]] = details;
  return new ServiceError(
    "VALIDATION_ERROR",
    `${field}: ${message}`,
    Object.fromEntries(details),
  );
}
