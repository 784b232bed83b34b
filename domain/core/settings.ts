import { z } from "zod";
import { type Definition, definitions } from "./settings/definitions.ts";
import { contradictions, hasPath } from "./settings/rules.ts";

/** How the program was started: `dev` has a default for every setting, `start` (production) requires some. */
export type Mode = "dev" | "start";

type Definitions = typeof definitions;
type Name = keyof Definitions;
type Sure =
  | "PORT"
  | "HOST"
  | "BASE_URL"
  | "SHARED_DOMAINS"
  | "MX_HOST"
  | "VERIFY_PREFIX"
  | "DISALLOWED_EMAIL_NAME"
  | "OWN_DOMAIN_NAMES"
  | "FREE_MAX_CUSTOM_DOMAINS"
  | "ANONYMOUS_REQUESTS_PER_MINUTE"
  | "WEBHOOK_ALLOW_INSECURE"
  | "REGISTRATION"
  | "PASSWORD_LOGIN"
  | "EMAIL_VERIFICATION"
  | "ADDRESS_HOLD_DAYS"
  | "EMBEDDING_MODEL"
  | "LOG_LEVEL"
  | "LOG_FORMAT";
type Value<N extends Name> = z.output<Definitions[N]["schema"]>;

/** The settings as the program reads them; those with a default are always present. */
export type Settings = { [N in Sure]: Value<N> } & { [N in Exclude<Name, Sure>]?: Value<N> } & {
  mode: Mode;
};

/** Thrown at the start. The message has a line with the reason for each wrong setting. */
export class SettingsError extends Error {}

/** Reads the settings from the environment. Throws SettingsError with every setting that is wrong or missing. */
export function readSettings(
  mode: Mode,
  env: Record<string, string | undefined> = Deno.env.toObject(),
): Settings {
  const { settings, wrong } = tryReadSettings(mode, env);
  if (wrong.length > 0) throw new SettingsError(wrong.join("\n"));
  return settings as Settings;
}

/** The settings that are valid, and a line with the reason for each that is wrong or missing. */
export function tryReadSettings(
  mode: Mode,
  env: Record<string, string | undefined>,
): { settings: Partial<Settings>; wrong: string[] } {
  const settings: Record<string, unknown> = { mode };
  const wrong: string[] = [];
  const onDeploy = Boolean(env.DENO_DEPLOYMENT_ID);
  for (const [name, definition] of Object.entries(definitions) as [Name, Definition][]) {
    let text: string | undefined = env[name] || undefined;
    if (text === undefined && mode === "start" && definition.required) {
      wrong.push(`${name} must be set in production: ${definition.meaning}`);
      continue;
    }
    if (name === "KV_PATH" && onDeploy) text ??= "";
    if (name === "BASE_URL") text ??= `http://localhost:${env.PORT || definitions.PORT.fallback}`;
    if (name === "EMAIL_VERIFICATION" && mode === "start" && env.SMTP_URL) text ??= "required";
    text ??= (mode === "start" ? definition.productionFallback : undefined) ?? definition.fallback;
    if (!text) continue;
    const parsed = definition.schema.safeParse(text);
    if (parsed.success) settings[name] = parsed.data;
    else wrong.push(`${name} is not valid: ${complaintOf(parsed.error)}`);
  }
  // With a path unset means off.
  if (!env.MCP_OAUTH && hasPath(settings)) delete settings.MCP_OAUTH;
  wrong.push(...contradictions(settings));
  return { settings, wrong };
}

/** Whether Deno Deploy runs this process. There the program starts without a command. */
export function onDeploy(): boolean {
  return Boolean(Deno.env.get("DENO_DEPLOYMENT_ID"));
}

/** The first problem; inside a JSON setting with its place. */
function complaintOf(error: z.ZodError): string {
  const [{ path, message }] = error.issues;
  return path.length > 0 ? `${path.join(".")}: ${message}` : message;
}
