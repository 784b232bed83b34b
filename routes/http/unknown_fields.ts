import { z } from "zod";
import { invalidField } from "../../domain/core/errors.ts";
import { knownNames } from "../../domain/core/nearest_name.ts";

/**
 * Throws VALIDATION_ERROR for a parameter that the schema does not have: if a misspelt filter were ignored, the answer
 * would have everything. The error names the nearest known parameter, or all if none is near. `elsewhere`: fields of the
 * schema that are not taken here, because the path has them.
 */
export function refuseUnknown(
  schema: z.ZodType,
  given: Record<string, unknown>,
  elsewhere: readonly string[] = [],
): void {
  const names = Object.keys(given);
  if (names.length === 0) return;
  const shape = shapeOf(schema);
  refuseUnknownNames(Object.keys(shape).filter((field) => !elsewhere.includes(field)), names);
  for (const name of names) refuseUnknownInItems(name, shape[name], given[name]);
}

export function refuseUnknownNames(
  known: readonly string[],
  given: readonly string[],
  within = "",
): void {
  for (const field of given) {
    if (known.includes(field)) continue;
    const instead = knownNames(field, known, "parameters", (name) => `\`${name}\``);
    throw invalidField(within + shown(field), `is not a parameter; ${instead}`);
  }
}

/** Does the same for the objects of a list, such as `attachments`. */
function refuseUnknownInItems(name: string, schema: z.core.$ZodType, items: unknown): void {
  const item = Array.isArray(items) ? itemOf(schema) : null;
  if (item === null) return;
  for (const [n, each] of (items as unknown[]).entries()) {
    if (typeof each !== "object" || each === null || Array.isArray(each)) continue;
    refuseUnknownNames(Object.keys(item.shape), Object.keys(each), `${name}.${n}.`);
  }
}

/** The schema of the items of a list if they are objects. */
function itemOf(schema: z.core.$ZodType): z.ZodObject | null {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return itemOf(schema.def.innerType);
  }
  const item = schema instanceof z.ZodArray ? schema.element : null;
  return item instanceof z.ZodObject ? item : null;
}

/** The fields of an input, in their order. */
export function shapeOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> {
  if (schema instanceof z.ZodObject) return schema.shape;
  if (schema instanceof z.ZodPipe) return shapeOf(schema.in);
  if (schema instanceof z.ZodUnion) return Object.assign({}, ...schema.options.map(shapeOf));
  if (schema instanceof z.ZodIntersection) {
    return { ...shapeOf(schema.def.left), ...shapeOf(schema.def.right) };
  }
  throw new Error(`an input is an object, not a ${schema._zod.def.type}`);
}

const shownChars = 40;

/** A name that a client gave, for a message: its beginning. */
export function shown(field: string): string {
  return field.length > shownChars ? `${field.slice(0, shownChars)}…` : field;
}
