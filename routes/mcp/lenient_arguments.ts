import { invalidField } from "../../domain/core/errors.ts";
import { allValues, parseJsonText, type ValuesLeft } from "../http/bodies/json_text.ts";
import type { JsonSchema } from "../http/json_schema.ts";

/**
 * Arguments of a tool as clients send them: models write every argument, with `null` or `""` for those that they do not
 * want, and some clients write numbers and lists as text. REST has programmers, and takes none of this.
 */
export type ReadArguments = (given: object) => Record<string, unknown>;

/** Arguments that may be empty: a mail without a subject, an empty file. */
const texts = new Set(["subject", "body_text", "body_html", "content"]);

/** The other ways to give a file: beside them an empty `content` is no file. */
const fileIds = ["upload_id", "email_id", "attachment_id"];

/**
 * Arguments without which a call does more than was asked: it sends, or sends other words, or sends now. Those in
 * `neverNull` are not left out as `null` either.
 */
const neverEmpty = new Set(["dry_run", "content_hash", "send_at"]);
const neverNull = new Set(["dry_run", "content_hash"]);

/** What a schema takes. */
interface Taken {
  /** Of JSON Schema; `number` for integers. Empty: anything. */
  types: ReadonlySet<string>;
  /** Of an array. */
  items: Taken | null;
  /** Of an object, in all its forms. */
  fields: ReadonlyMap<string, { taken: Taken; isRequired: boolean }>;
}

interface Reading {
  values: ValuesLeft;
  keepsEmpty: boolean;
}

/**
 * The reader of a tool's arguments. By their schema:
 *
 * - `null` for an optional one that takes no null is absent, and so is `""` for an optional one; not in a tool that
 *   `keepsEmpty`, where `""` is a value.
 * - A number, a boolean, an array or an object as JSON text is read if the schema takes one and takes no text. An array is
 *   read also beside text: recipients.
 *
 * The same in objects and lists. Unknown arguments stay as they are. The cost is linear; all texts of a call may have as
 * many values as a body. The reader throws VALIDATION_ERROR for an empty guard, such as `dry_run`.
 */
export function argumentReader(schema: JsonSchema, { keepsEmpty = false } = {}): ReadArguments {
  const taken = takenBy([schema]);
  return (given) => fieldsOf(given, taken, { values: allValues(), keepsEmpty });
}

function takenBy(schemas: JsonSchema[]): Taken {
  const forms = schemas.flatMap(formsOf);
  const items = forms.flatMap((form) => form.items === undefined ? [] : [form.items as JsonSchema]);
  const objects = forms.filter(({ properties }) => properties !== undefined);
  const schemasOf = (name: string): JsonSchema[] =>
    objects.flatMap(({ properties = {} }) =>
      Object.hasOwn(properties, name) ? [properties[name]] : []
    );
  const names = new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)));
  const isOpen = forms.some(({ type }) => type === undefined);
  return {
    types: new Set(
      isOpen ? [] : forms.map(({ type }) => type === "integer" ? "number" : `${type}`),
    ),
    items: items.length > 0 ? takenBy(items) : null,
    fields: new Map([...names].map((name) => [name, {
      taken: takenBy(schemasOf(name)),
      isRequired: objects.every(({ required }) => required?.includes(name)),
    }])),
  };
}

function formsOf(schema: JsonSchema): JsonSchema[] {
  const choice = (schema.anyOf ?? schema.oneOf) as JsonSchema[] | undefined;
  return choice ? choice.flatMap(formsOf) : [schema];
}

function fieldsOf(given: object, { fields }: Taken, reading: Reading): Record<string, unknown> {
  const read: [string, unknown][] = [];
  for (const [name, value] of Object.entries(given)) {
    const field = fields.get(name);
    const isText = texts.has(name) && !(name === "content" && hasFileId(given));
    const keepsEmpty = isText || reading.keepsEmpty;
    if (field && !field.isRequired && isLeftOut(name, value, field.taken, keepsEmpty)) continue;
    read.push([name, field ? valueOf(value, field.taken, reading) : value]);
  }
  // Not by assignment: an argument can have the name `__proto__`.
  return Object.fromEntries(read);
}

function hasFileId(given: object): boolean {
  return fileIds.some((name) => Object(given)[name]);
}

/** Whether a value of an optional argument means that it is absent. */
function isLeftOut(
  name: string,
  value: unknown,
  { types }: Taken,
  keepsEmpty: boolean,
): boolean {
  if (value === null) {
    if (types.size === 0 || types.has("null")) return false;
    if (neverNull.has(name)) throw emptyGuard(name);
    return true;
  }
  if (value !== "" || keepsEmpty) return false;
  if (neverEmpty.has(name)) throw emptyGuard(name);
  return true;
}

function emptyGuard(name: string) {
  return invalidField(name, "must not be empty: give a value, or leave it out");
}

function valueOf(given: unknown, taken: Taken, reading: Reading): unknown {
  const value = typeof given === "string" ? parsed(given, taken, reading.values) : given;
  const { items } = taken;
  if (Array.isArray(value)) {
    return items ? value.map((each) => valueOf(each, items, reading)) : value;
  }
  return typeof value === "object" && value !== null ? fieldsOf(value, taken, reading) : value;
}

/** The value of a JSON text if one of its kind is taken; else the text. */
function parsed(text: string, { types }: Taken, values: ValuesLeft): unknown {
  const kind = kindOf(text);
  if (kind === null || !types.has(kind) || (types.has("string") && kind !== "array")) return text;
  // Once there are too many: an error for each of 40,000 further texts took two seconds.
  if (values.left < 0) return text;
  try {
    return parseJsonText(text, values);
  } catch {
    return text;
  }
}

/** What a text is if it is JSON, by its first character; null: nothing that is read. */
function kindOf(text: string): string | null {
  const first = /[^ \t\r\n]/.exec(text)?.[0] ?? "";
  if (first === "[") return "array";
  if (first === "{") return "object";
  if (first === "t" || first === "f") return "boolean";
  return /[-\d]/.test(first) ? "number" : null;
}
