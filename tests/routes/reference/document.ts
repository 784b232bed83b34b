import { testService } from "../../service.ts";

export interface SchemaNode {
  $ref?: string;
  type?: string;
  description?: string;
  properties?: Record<string, SchemaNode>;
  format?: string;
  pattern?: string;
  anyOf?: SchemaNode[];
  [keyword: string]: unknown;
}

interface Content {
  schema: SchemaNode;
  example?: unknown;
}

export interface DocumentedOperation {
  operationId: string;
  summary: string;
  description: string;
  parameters?: {
    name: string;
    in: string;
    description?: string;
    schema: SchemaNode;
    example?: string;
  }[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, DocumentedOperation>>;
  webhooks: Record<string, { post: DocumentedOperation }>;
  components: {
    schemas: Record<string, SchemaNode>;
    securitySchemes: Record<string, { description: string }>;
  };
}

/** The OpenAPI document of the service. */
export async function servedDocument(): Promise<OpenApi> {
  await using test = await testService();
  return await (await test.request("/openapi.json")).json();
}

/** Every operation of the document, also the webhooks. */
export function operationsOf({ paths, webhooks }: OpenApi): DocumentedOperation[] {
  return [...Object.values(paths), ...Object.values(webhooks)].flatMap((each) =>
    Object.values(each)
  );
}

/** Every object of the document with its path. */
export function* nodesOf(value: unknown, way = "#"): Generator<[string, SchemaNode]> {
  if (value === null || typeof value !== "object") return;
  if (!Array.isArray(value)) yield [way, value as SchemaNode];
  for (const [name, each] of Object.entries(value)) {
    // An example is not a schema.
    if (name === "example" || name === "examples") continue;
    yield* nodesOf(each, `${way}/${name.replace(/\//g, "~1")}`);
  }
}

export const refTo = (name: string) => `#/components/schemas/${name}`;
