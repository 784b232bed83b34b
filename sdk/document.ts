import { served } from "../routes/app.ts";
import { openApiDocument } from "../routes/reference/openapi.ts";

type Json = Record<string, unknown>;

/**
 * The part of the OpenAPI document from which the SDKs are made: the routes that an API key may call, the webhooks,
 * their successful answers, and the schemas of these. Examples, headers and failures are left out.
 */
export function documentOfTheSdks(): Json & { paths: Record<string, Json> } {
  const whole = openApiDocument(served, { baseUrl: "http://localhost", version: "1" });
  const paths = Object.fromEntries(
    Object.entries(whole.paths as Record<string, Json>)
      .filter(([path]) => path.startsWith("/v1/api/"))
      .map(([path, operations]) => [path, withSuccessAlone(operations)]),
  );
  const webhooks = withSuccessAlone(whole.webhooks as Json);
  const { schemas: all } = whole.components as Record<string, Json>;
  const schemas: Json = { ErrorCode: all.ErrorCode };
  const collect = (value: unknown) => {
    for (const [, name] of JSON.stringify(value).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      if (Object.hasOwn(schemas, name)) continue;
      schemas[name] = all[name];
      collect(all[name]);
    }
  };
  collect([paths, webhooks]);
  const sorted = Object.fromEntries(Object.entries(schemas).sort(([a], [b]) => a < b ? -1 : 1));
  const { openapi, info } = whole;
  return { openapi, info, paths, webhooks, components: { schemas: sorted } };
}

function withSuccessAlone(operations: Json): Json {
  return JSON.parse(JSON.stringify(operations), function (key, value) {
    if (key === "example" || key === "examples" || key === "headers") return undefined;
    if (key !== "responses") return value;
    return Object.fromEntries(Object.entries(value).filter(([status]) => status.startsWith("2")));
  });
}
