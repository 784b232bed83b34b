import assert from "node:assert/strict";
import { oauthPaths } from "../routes/oauth/oauth_routes.ts";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

/** The parts of the OpenAPI document that the check reads. */
export interface Documented {
  paths: Record<string, Record<string, { responses: Record<string, Answered> }>>;
  components: Record<string, Record<string, unknown>>;
}
interface Answered {
  headers?: Record<string, unknown>;
  content?: Record<string, { schema: Record<string, unknown>; examples?: object }>;
}

/** The answers so far in this process: `GET /v1/api/emails 200`, `GET /v1/api/emails 401 UNAUTHORIZED`. */
export const answered = new Set<string>();

/** The answers that the document allows, in the form of `answered`. */
export function documentedAnswers({ paths }: Documented): string[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const what = `${method.toUpperCase()} ${path} ${status}`;
        const codes = Object.keys(content?.["application/json"]?.examples ?? {});
        return codes.length > 0 ? codes.map((code) => `${what} ${code}`) : [what];
      })
    )
  );
}

/** Statuses that belong to no operation: an unknown path, another method. */
const anywhere = new Map([[404, "NOT_FOUND"], [405, "METHOD_NOT_ALLOWED"]]);

/** A cancelled half of a cloned body ends only with the other half, so nobody waits for it. */
function abandon(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** Checks answers against the OpenAPI document that the same service serves. */
export class Contract {
  private readonly ajv: Ajv2020;
  private readonly validators = new Map<string, ValidateFunction>();
  private readonly routes: { template: string; pattern: RegExp }[];

  private readonly document: Documented;

  constructor(document: Record<string, unknown>) {
    this.document = document as unknown as Documented;
    this.ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      logger: false,
      validateSchema: false,
    });
    this.ajv.addSchema(document, "openapi");
    this.routes = Object.keys(this.document.paths)
      // A fixed path wins over one with a parameter in its place.
      .sort((a, b) => a.split("{").length - b.split("{").length)
      .map((template) => ({
        template,
        pattern: new RegExp(`^${template.replace(/[.]/g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`),
      }));
  }

  private templateOf(pathname: string): string | undefined {
    return this.routes.find((each) => each.pattern.test(pathname))?.template;
  }

  /** Throws if an answer does not match the document. */
  async check(method: string, path: string, response: Response): Promise<void> {
    // The MCP server is documented without the slash.
    const pathname = new URL(path, "http://localhost").pathname.replace(/(?<=^\/v1\/mcp)\/$/, "");
    // What RFCs and the service's own metadata describe; tests/routes/oauth checks it.
    if (oauthPaths.includes(pathname)) return;
    // The copies for sessions are documented with their route of v1.
    const template = this.templateOf(pathname) ?? this.templateOf(`/v1${pathname}`);
    const verb = method === "HEAD" ? "get" : method.toLowerCase();
    const operation = template && this.document.paths[template][verb];
    const what = `${method} ${template ?? pathname} ${response.status}`;
    const type = (response.headers.get("content-type") ?? "").split(";")[0];
    if (!operation) {
      const code = anywhere.get(response.status);
      // A family refuses a missing credential before it looks for the route.
      const early = [401, 403, 429, 503].includes(response.status);
      assert.ok(code || early, `${what}: not in the OpenAPI document`);
      const body = method === "HEAD" ? null : await response.json();
      if (code && body) assert.equal(body.error.code, code, what);
      if (response.status === 405) assert.ok(response.headers.get("allow"), `${what}: no Allow`);
      return;
    }
    answered.add(what);
    const expected = operation.responses[response.status];
    assert.ok(expected, `${what}: this status is not in the OpenAPI document`);
    for (const [name, header] of Object.entries(expected.headers ?? {})) {
      const has = response.headers.has(name) ||
        (header as { required?: boolean }).required === false;
      assert.ok(has, `${what}: the header ${name} is missing`);
    }
    if (method === "HEAD") return abandon(response);
    const content = Object.keys(expected.content ?? {});
    if (content.length === 0) return assert.equal(await response.text(), "", `${what}: has a body`);
    const isDeclared = content.includes(type) || content.includes("*/*");
    assert.ok(isDeclared, `${what}: the content type is ${type}, not ${content}`);
    if (type !== "application/json") return abandon(response);
    const body = await response.json();
    const validate = this.validator(template, verb, response.status);
    const valid = validate(body);
    assert.ok(
      valid,
      `${what}: ${this.ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 2_000)}`,
    );
    const code = (body as { error?: { code?: string } }).error?.code;
    if (code) answered.add(`${what} ${code}`);
  }

  private validator(template: string, verb: string, status: number): ValidateFunction {
    const pointer = ["paths", template, verb, "responses", String(status), "content"]
      .concat("application/json", "schema")
      .map((part) => encodeURIComponent(part.replace(/~/g, "~0").replace(/\//g, "~1")))
      .join("/");
    let validate = this.validators.get(pointer);
    if (!validate) {
      validate = this.ajv.compile({ $ref: `openapi#/${pointer}` });
      this.validators.set(pointer, validate);
    }
    return validate;
  }
}
