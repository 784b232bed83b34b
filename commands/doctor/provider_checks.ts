import { clockFinding, ok, unknown, whyNoAnswer, wrong } from "./finding.ts";
import type { Deployment, Finding } from "./finding.ts";

interface Question {
  /** The setting of the address, and of the key. */
  setting: string;
  key: string;
  url: string;
  token?: string;
}

/** Settings without which STRIPE_SECRET_KEY is of no use. */
const withStripe = [
  "STRIPE_WEBHOOK_SECRET",
  "STRIPE_PRICE_PRO",
  "STRIPE_PRICE_ENTERPRISE",
] as const;

/** Checks that each configured provider answers and accepts its key. Each request only reads. */
export async function checkProviders(deployment: Deployment): Promise<Finding[]> {
  const { settings } = deployment;
  const findings: Finding[] = [];
  const questions: Question[] = [];
  if (settings.OPENAI_API_KEY || settings.OPENAI_BASE_URL) {
    const base = settings.OPENAI_BASE_URL ?? "https://api.openai.com/v1";
    questions.push({
      setting: "OPENAI_BASE_URL",
      key: "OPENAI_API_KEY",
      url: `${base}/models`,
      token: settings.OPENAI_API_KEY,
    });
  }
  if (settings.UPSTASH_VECTOR_REST_URL && settings.UPSTASH_VECTOR_REST_TOKEN) {
    questions.push({
      setting: "UPSTASH_VECTOR_REST_URL",
      key: "UPSTASH_VECTOR_REST_TOKEN",
      url: `${settings.UPSTASH_VECTOR_REST_URL}/info`,
      token: settings.UPSTASH_VECTOR_REST_TOKEN,
    });
  }
  if (settings.STRIPE_SECRET_KEY) {
    for (const name of withStripe) {
      if (!settings[name]) findings.push(wrong(name, "it is not set, and STRIPE_SECRET_KEY is"));
    }
    questions.push({
      setting: "STRIPE_API_BASE",
      key: "STRIPE_SECRET_KEY",
      url: `${settings.STRIPE_API_BASE ?? "https://api.stripe.com"}/v1/prices?limit=1`,
      token: settings.STRIPE_SECRET_KEY,
    });
  }
  const answers = await Promise.all(questions.map((each) => ask(deployment, each)));
  return [...findings, ...answers.flat()];
}

/** What a status other than 401 and 403 means for the address and the key. */
function answerFinding(setting: string, key: string, url: string, status: number): Finding {
  const { host, pathname } = new URL(url);
  if (status >= 200 && status < 300) return ok(key, `${host} answers and takes the key`);
  // It limits requests, or makes embeddings and has no list of models.
  if (status === 429 || status === 404 && pathname.endsWith("/models")) {
    const question = `whether it takes the key is not known, and the path may be wrong`;
    return unknown(setting, `${host} answers ${status} for ${pathname}: ${question}`);
  }
  return wrong(setting, `${host} answers ${status} for ${pathname}`);
}

async function ask(
  { clock, patienceMs }: Deployment,
  { setting, key, url, token }: Question,
): Promise<Finding[]> {
  const { host } = new URL(url);
  const askedAt = clock.now();
  try {
    const answer = await fetch(url, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    await answer.body?.cancel();
    const date = Date.parse(answer.headers.get("date") ?? "");
    const clocks = Number.isNaN(date)
      ? []
      : [clockFinding(setting, host, date, (askedAt + clock.now()) / 2)];
    if (answer.status === 401 || answer.status === 403) {
      const problem = token ? "refuses the key" : "wants a key, and none is set";
      return [wrong(key, `${host} ${problem}: ${answer.status}`), ...clocks];
    }
    return [answerFinding(setting, key, url, answer.status), ...clocks];
  } catch (error) {
    return [wrong(setting, `${host} does not answer: ${whyNoAnswer(error)}`)];
  }
}
