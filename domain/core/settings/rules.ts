import { isRemote } from "./embeddings.ts";

/** Settings by name, as far as they are set and valid. */
type Known = Readonly<Record<string, unknown>>;

const together = [
  ["UPSTASH_VECTOR_REST_URL", "UPSTASH_VECTOR_REST_TOKEN"],
  ["SMTP_LISTEN_TLS_KEY", "SMTP_LISTEN_TLS_CERT"],
  ["OIDC_ISSUER", "OIDC_CLIENT_ID"],
  ["OIDC_ISSUER", "OIDC_CLIENT_SECRET"],
] as const;

/** Settings that are valid each, but not with each other: a line for each reason. */
export function contradictions(settings: Known): string[] {
  const wrong = together.filter(([one, other]) =>
    Boolean(settings[one]) !== Boolean(settings[other])
  )
    .map(([one, other]) => `${one} and ${other} go together: set both or neither`);
  if (settings.MCP_OAUTH === "on" && hasPath(settings)) {
    wrong.push("MCP_OAUTH=on needs a BASE_URL without a path");
  }
  const isPlain = String(settings.OIDC_ISSUER).startsWith("http:");
  if (isPlain && settings.WEBHOOK_ALLOW_INSECURE === false) {
    wrong.push("OIDC_ISSUER must begin with https://; http needs WEBHOOK_ALLOW_INSECURE=1");
  }
  if (settings.PASSWORD_LOGIN === "off" && !settings.OIDC_ISSUER) {
    wrong.push("PASSWORD_LOGIN=off needs OIDC_ISSUER: nobody could sign in");
  }
  const hasService = settings.OPENAI_API_KEY || settings.OPENAI_BASE_URL;
  if (settings.EMBEDDINGS && settings.EMBEDDINGS !== "off") {
    wrong.push(...againstOwn(settings).map((why) => `EMBEDDINGS=${settings.EMBEDDINGS} ${why}`));
  } else if (settings.UPSTASH_VECTOR_REST_URL && !hasService) {
    wrong.push("UPSTASH_VECTOR_REST_URL needs embeddings: set OPENAI_API_KEY or OPENAI_BASE_URL");
  }
  return wrong;
}

/** Why the vectors cannot be made and kept on this machine. */
function againstOwn(settings: Known): string[] {
  const wrong: string[] = [];
  if (settings.OPENAI_API_KEY || settings.OPENAI_BASE_URL) {
    wrong.push("and OPENAI_API_KEY or OPENAI_BASE_URL exclude each other");
  }
  if (settings.UPSTASH_VECTOR_REST_URL) {
    wrong.push(
      "and UPSTASH_VECTOR_REST_URL exclude each other: its vectors stay in the embedded index",
    );
  }
  if (settings.DENO_DEPLOYMENT_ID) {
    wrong.push("does not run on Deno Deploy, which has no lasting disk: leave it unset");
  } else if (isRemote(settings.KV_PATH)) {
    wrong.push("needs a KV_PATH that is a file: its vectors stay on the disk beside it");
  }
  return wrong;
}

/** Whether BASE_URL has a path. Clients look for the authorization server at the root of its host (RFC 8414, 3). */
export function hasPath({ BASE_URL }: Known): boolean {
  return (URL.parse(String(BASE_URL))?.pathname ?? "/") !== "/";
}
