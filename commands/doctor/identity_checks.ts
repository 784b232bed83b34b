import { type Deployment, type Finding, ok, whyNoAnswer, wrong } from "./finding.ts";

const setting = "OIDC_ISSUER";

/** Checks that the metadata of the provider with which people sign in can be read, as the first sign-in reads it. */
export async function checkIdentityProvider(
  { settings, patienceMs }: Deployment,
): Promise<Finding[]> {
  const { OIDC_ISSUER: issuer } = settings;
  if (!issuer) return [];
  const { host } = new URL(issuer);
  const url = new URL(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  try {
    const answer = await fetch(url, {
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    const text = await answer.text();
    const { status } = answer;
    if (status !== 200) return [wrong(setting, `${host} answers ${status} for ${url.pathname}`)];
    const problem = problemOf(issuer, metadataIn(text));
    return problem === null
      ? [ok(setting, `the metadata of ${host} can be read`)]
      : [wrong(setting, `the metadata of ${host} ${problem}`)];
  } catch (error) {
    return [wrong(setting, `${host} does not answer: ${whyNoAnswer(error)}`)];
  }
}

/** Why nobody can sign in with these metadata (OpenID Connect Discovery, 4.3); null if one can. */
function problemOf(issuer: string, metadata: Record<string, unknown> | null): string | null {
  if (!metadata) return "is no JSON object";
  const named = URL.parse(String(metadata.issuer))?.href;
  if (named !== new URL(issuer).href) return `names ${named ?? "no URL"} as issuer`;
  const lacking = ["authorization_endpoint", "token_endpoint", "jwks_uri"].filter((name) =>
    typeof metadata[name] !== "string"
  );
  return lacking.length > 0 ? `lacks ${lacking.join(", ")}` : null;
}

function metadataIn(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text);
    return value !== null && typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
