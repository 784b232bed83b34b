import { served } from "../../routes/app.ts";
import { families, type Family, takes } from "../../routes/http/families.ts";
import { inboundToken, operatorToken, type TestAccount } from "../service.ts";

/** A served route, with unknown ids in place of its path parameters. */
export interface Asked {
  method: string;
  path: string;
  pattern: RegExp;
  family: Family;
  access: "everybody" | "account" | "operator" | "inbound" | "provider";
  /** Largest JSON body in bytes, and whether it may be absent; null if the route reads none. */
  json: { maxBytes: number; optional?: boolean } | null;
}

const mebibyte = 2 ** 20;

/** Every route of the service, from the tables of the OpenAPI document. */
export const routes: Asked[] = [
  ...(["open", "account", "operator"] as const).flatMap((table) =>
    served[table].map(({ method, path, family, input, maxBodyBytes, bodyOptional }) => ({
      ...asked(method, path),
      family,
      access: table === "open" ? "everybody" as const : table,
      json: input === "json"
        ? { maxBytes: maxBodyBytes ?? mebibyte, optional: bodyOptional }
        : null,
    }))
  ),
  ...served.plain.map(({ method, path, family, access }) => ({
    ...asked(method, path),
    family,
    access,
    json: null,
  })),
  ...served.copies.map((copy) => ({
    ...asked(copy.method, copy.path),
    family: copy.family,
    access: "account" as const,
    json: "input" in copy && copy.input === "json"
      ? { maxBytes: copy.maxBodyBytes ?? mebibyte, optional: copy.bodyOptional }
      : null,
  })),
];

function asked(method: string, path: string) {
  return {
    method,
    path: path.replace(/:\w+/g, "nobody-has-it"),
    pattern: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`),
  };
}

/** The routes whose answers carry the rate-limit headers. */
export const apiRoutes = routes.filter(({ family }) => families[family].showsLimits);

/** A credential that the route takes. */
export function tokenFor({ family, access }: Asked, owner: TestAccount): string | undefined {
  if (access === "operator") return operatorToken;
  if (access === "inbound") return inboundToken;
  if (takes(family, "apiKey")) return owner.key;
  return takes(family, "session") ? owner.accessToken : undefined;
}
