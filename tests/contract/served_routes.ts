import { served } from "../../routes/app.ts";
import { inboundToken, operatorToken, type TestAccount } from "../service.ts";

/** One served route with a path that can be asked: its parameters are ids that nobody has. */
export interface Asked {
  method: string;
  path: string;
  pattern: RegExp;
  access: "everybody" | "account" | "operator" | "inbound" | "provider";
  /** Reads a JSON body, of at most so many bytes. */
  json: { maxBytes: number } | null;
}

const mebibyte = 2 ** 20;

/** Every route of the service, from the table that the OpenAPI document is made of. */
export const routes: Asked[] = [
  ...(["open", "account", "operator"] as const).flatMap((table) =>
    served[table].map(({ method, path, input, maxBodyBytes }) => ({
      ...asked(method, path),
      access: table === "open" ? "everybody" as const : table,
      json: input === "json" ? { maxBytes: maxBodyBytes ?? mebibyte } : null,
    }))
  ),
  ...served.plain.map(({ method, path, access }) => ({
    ...asked(method, path),
    access,
    json: null,
  })),
];

function asked(method: string, path: string) {
  return {
    method,
    path: path.replace(/:\w+/g, "nobody-has-it"),
    pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`),
  };
}

/** The routes under SPEC.md's two bases: what says "API response" means these. */
export const apiRoutes = routes.filter(({ path }) => /^\/(v1|api)\//.test(path));

/** A credential that the route takes. */
export function tokenFor({ path, access }: Asked, owner: TestAccount): string | undefined {
  if (access === "operator") return operatorToken;
  if (access === "inbound") return inboundToken;
  if (path.startsWith("/v1/")) return owner.key;
  return path.startsWith("/api/") ? owner.accessToken : undefined;
}
