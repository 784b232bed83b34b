import { startOfHolder } from "../../domain/store/file_holder.ts";
import { storeFile } from "../store_file.ts";
import { clockFinding, ok, unknown, whyNoAnswer, wrong } from "./finding.ts";
import type { Deployment, Finding } from "./finding.ts";

interface Health {
  status: string;
  version: string;
  timestamp: string;
  uptime_seconds: number;
}

/**
 * Checks that the service answers at BASE_URL, that its clock is right, and that it is the process that holds the
 * store.
 */
export async function checkService(deployment: Deployment): Promise<Finding[]> {
  const { settings: { BASE_URL }, clock, patienceMs } = deployment;
  if (!BASE_URL) return [];
  const askedAt = clock.now();
  let health: Health | null, other: string;
  try {
    const answer = await fetch(`${BASE_URL}/v1/api/health`, {
      redirect: "manual",
      signal: AbortSignal.timeout(patienceMs),
    });
    const body = await answer.json().catch(() => null);
    if (answer.status === 503 && body?.error?.code) {
      return [wrong("BASE_URL", `the service at ${BASE_URL} is down: see its log`)];
    }
    health = typeof body?.data?.uptime_seconds === "number" ? body.data : null;
    other = otherAnswer(answer);
  } catch (error) {
    return [wrong("BASE_URL", `${BASE_URL} does not answer: ${whyNoAnswer(error)}`)];
  }
  const heardAt = clock.now();
  if (!health) return [wrong("BASE_URL", `${BASE_URL} ${other}`)];
  const findings = [
    health.status === "ok"
      ? ok("BASE_URL", `${BASE_URL} is answered by release ${health.version}`)
      : wrong("BASE_URL", `the service at ${BASE_URL} is ${health.status}: see its log`),
  ];
  const { protocol, hostname } = new URL(BASE_URL);
  if (protocol === "http:" && !/^(localhost|127\..*|\[::1\])$/.test(hostname)) {
    findings.push(wrong("BASE_URL", "it is http: passwords and mail travel in the clear"));
  }
  const theirs = Date.parse(health.timestamp);
  findings.push(clockFinding("BASE_URL", "the service", theirs, (askedAt + heardAt) / 2));
  return [...findings, ...await checkHolder(deployment, health)];
}

/** What an answer that is not of this service means for BASE_URL. */
function otherAnswer({ status, headers }: Response): string {
  const location = headers.get("location");
  if (status >= 300 && status < 400 && location) return `redirects, and must be where it leads to`;
  if (status >= 500) return `is a proxy that does not reach the service: ${status}`;
  return `is answered by another program: ${status}`;
}

/** Compares the start time of the service that answers with the one that the holder of the store wrote next to it. */
async function checkHolder(
  { settings }: Deployment,
  { timestamp, uptime_seconds }: Health,
): Promise<Finding[]> {
  const { BASE_URL } = settings;
  const store = storeFile(settings);
  if (store === null) return [];
  let startedAt: number | null;
  try {
    startedAt = await startOfHolder(store);
  } catch {
    return [unknown("KV_PATH", `the lock of ${store} cannot be read by this user`)];
  }
  if (startedAt === null) {
    const other = `the one that answers at ${BASE_URL} has another store`;
    return [wrong("KV_PATH", `no service holds ${store}: ${other}`)];
  }
  const uptime = Math.floor((Date.parse(timestamp) - startedAt) / 1_000);
  if (uptime === uptime_seconds) {
    return [ok("KV_PATH", `the service at ${BASE_URL} holds ${store}`)];
  }
  const two = `the one that holds ${store} is not the one that answers at ${BASE_URL}`;
  return [wrong("KV_PATH", `two processes: ${two}`)];
}
