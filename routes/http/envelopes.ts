import { z } from "zod";

/** How an output becomes a body, and the schema of that body for the OpenAPI document. */
export interface Envelope {
  /** `input` returns the parsed input, for fields that the output does not repeat. */
  // deno-lint-ignore no-explicit-any -- the route table pairs each envelope with its operation's output
  body(output: any, input: () => Record<string, unknown>): Record<string, unknown>;
  schema(output: z.ZodType): z.ZodType;
}

export const success = z.literal(true);

/** `{success: true, data}`, the usual body. */
export const inData: Envelope = {
  body: (data) => ({ success: true, data }),
  schema: (data) => z.object({ success, data }),
};

/** `{success: true, data}`, whose data is one field of the output; a tool shows the field by its name. */
export function fieldInData(field: string): Envelope {
  return {
    body: (output) => ({ success: true, data: output[field] }),
    schema: (output) => z.object({ success, data: (output as z.ZodObject).shape[field] }),
  };
}

/** The output without `success`. */
export const bareBody: Envelope = { body: (output) => output, schema: (output) => output };

/** `{success: true, ...output}`. */
export const besideSuccess: Envelope = {
  body: (output) => ({ success: true, ...output }),
  schema: withSuccess,
};

export function withSuccess(output: z.core.$ZodType): z.ZodType {
  if (output instanceof z.ZodUnion) return z.union(output.options.map(withSuccess));
  return z.object({ success }).extend((output as z.ZodObject).shape);
}

/** `{success: true, data: [...], meta}`: one field of the output is the list, the rest is `meta`. */
export function listIn(field: string): Envelope {
  return {
    body: ({ [field]: data, ...meta }) => ({ success: true, data, meta }),
    schema: (output) => {
      const { [field]: data, ...meta } = (output as z.ZodObject).shape;
      return z.object({ success, data, meta: z.object(meta) });
    },
  };
}

const pageMeta = z.object({
  limit: z.int().describe("The limit of the request, or the default"),
  has_more: z.boolean(),
  next_cursor: z.string().nullable().describe(
    "The cursor of the next page; null on the last",
  ),
}).meta({ id: "PageMeta" });

/** The same for a page of a list: `meta` is `limit`, `has_more` and `next_cursor`. */
export function pageIn(field: string): Envelope {
  const list = listIn(field);
  return {
    body: (output, input) => {
      const { meta, ...body } = list.body(output, input);
      return { ...body, meta: { limit: input().limit, ...Object(meta) } };
    },
    schema: (output) => {
      const { data } = (list.schema(output) as z.ZodObject).shape;
      return z.object({ success, data, meta: pageMeta });
    },
  };
}
