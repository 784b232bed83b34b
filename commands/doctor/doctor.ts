import { tryReadSettings } from "../../domain/core/settings.ts";
import { definitions } from "../../domain/core/settings/definitions.ts";
import { checkIdentityProvider } from "./identity_checks.ts";
import { checkProviders } from "./provider_checks.ts";
import { checkService } from "./service_checks.ts";
import { checkListener, checkRelay } from "./smtp_checks.ts";
import { dirname, resolve } from "node:path";
import { storeFile } from "../store_file.ts";
import { type Deployment, type Finding, ok, unknown, wrong } from "./finding.ts";
import { statfs } from "node:fs/promises";
import { embeddingsOf } from "../../domain/core/settings/embeddings.ts";
import { systemClock } from "../../domain/core/clock.ts";
import type { Dns } from "../../domain/ports/dns.ts";
import { type Command, command } from "../command_line.ts";

/** Settings whose values must not be in a report. */
const secretNames = Object.keys(definitions).filter((name) =>
  /TOKEN|SECRET|AUTH|KEY/.test(name) && !/_TLS_/.test(name)
);

/**
 * Runs all checks of a deployment with the settings of its environment. If one fails, or a setting is malformed, the
 * others still run. Nothing is changed and no mail is sent.
 */
export async function examine(
  env: Record<string, string | undefined>,
  deploymentOf: (settings: Deployment["settings"]) => Deployment,
): Promise<Finding[]> {
  const { settings, wrong: lines } = tryReadSettings("start", env);
  const findings = lines.map((line) => {
    const [, setting, text] = /^(\w+)(.*)$/s.exec(line)!;
    return wrong(setting, text.trim());
  });
  if (lines.length === 0) findings.push(ok("settings", "all are valid"));
  const deployment = deploymentOf(settings);
  const checks = [
    ...[checkService, checkDns, checkListener, checkRelay, checkProviders],
    ...[checkIdentityProvider, checkDisk, checkEncoders],
  ];
  const results = await Promise.all(
    checks.map((check) =>
      check(deployment).catch((error): Finding[] => [
        wrong(check.name, `the check failed: ${error instanceof Error ? error.name : "unknown"}`),
      ])
    ),
  );
  const hide = hiding(env);
  return [...findings, ...results.flat()].map((each) => ({ ...each, text: hide(each.text) }));
}

/** Replaces every secret of the settings in a text. */
function hiding(env: Record<string, string | undefined>): (text: string) => string {
  const values = secretNames.map((name) => env[name] ?? "");
  const secrets = values.flatMap((value) => [value, ...value.split(/[,:]/)]);
  const { password = "" } = URL.parse(env.SMTP_URL ?? "") ?? {};
  secrets.push(password, decoded(password));
  const longFirst = secrets.filter((each) => each.length >= 4).sort((a, b) => b.length - a.length);
  return (text) => longFirst.reduce((hidden, secret) => hidden.replaceAll(secret, "***"), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** With less than this, large messages or a merge of the index may not find room. */
const leastFreeBytes = 1_073_741_824;
const megabyte = 1_048_576;

/** Checks that the folder of the store can be written and has room, and that not everybody can read the store. */
async function checkDisk({ settings, freeBytes }: Deployment): Promise<Finding[]> {
  const store = storeFile(settings);
  if (store === null) return [];
  const folder = dirname(resolve(store));
  const written = await checkFolder(folder, store);
  const free = await freeBytes(folder).catch(() => null);
  if (free === null) {
    return [written, unknown("KV_PATH", `the free space of ${folder} is not known`)];
  }
  const space = `${Math.floor(free / megabyte)} MB`;
  const room = free < leastFreeBytes
    ? wrong("KV_PATH", `the disk of ${folder} is full: ${space} are free`)
    : ok("KV_PATH", `${space} of ${folder} are free`);
  return [written, room];
}

async function checkFolder(folder: string, store: string): Promise<Finding> {
  try {
    await Deno.remove(await Deno.makeTempFile({ dir: folder, prefix: ".letterbox-doctor-" }));
  } catch {
    const user = Deno.uid() === null ? "this user" : `the user ${Deno.uid()}`;
    const exists = await Deno.stat(folder).then(() => true, () => false);
    const reason = exists ? `cannot be written by ${user}` : "does not exist";
    return wrong("KV_PATH", `the folder ${folder} ${reason}`);
  }
  const mode = async (path: string) => (await Deno.stat(path).catch(() => null))?.mode ?? 0;
  // It is enough if the folder or the file keeps others out.
  if ((await mode(folder) & 0o001) && (await mode(store) & 0o004)) {
    return unknown("KV_PATH", `every user of the machine can read ${store}: chmod 700 ${folder}`);
  }
  return ok("KV_PATH", `${folder} can be written`);
}

/** Checks that MX_HOST has an address, and that the MX records of the shared domains name it. */
async function checkDns({ settings, dns }: Deployment): Promise<Finding[]> {
  const { MX_HOST, SHARED_DOMAINS = [] } = settings;
  const findings: Finding[] = [];
  if (MX_HOST) {
    const [v4, v6] = await Promise.all([dns.lookUp(MX_HOST, "A"), dns.lookUp(MX_HOST, "AAAA")]);
    const addresses = [v4, v6].flatMap((each) => each.kind === "records" ? each.records : []);
    if (addresses.length > 0) {
      findings.push(ok("MX_HOST", `${MX_HOST} has ${addresses.join(", ")}`));
    } else if (v4.kind === "unavailable") {
      const resolver = settings.DNS_SERVER ?? "the system's resolver";
      return [wrong("DNS_SERVER", `${resolver} does not answer about ${MX_HOST}: ${v4.reason}`)];
    } else findings.push(wrong("MX_HOST", `${MX_HOST} has no A and no AAAA record`));
  }
  const answers = await Promise.all(SHARED_DOMAINS.map((domain) => dns.mx(domain)));
  for (const [n, domain] of SHARED_DOMAINS.entries()) {
    const answer = answers[n];
    if (answer.kind === "unavailable") {
      // The DNS of one domain does not answer, or its signatures are wrong.
      const reason = `the MX record of ${domain} cannot be read: ${answer.reason}`;
      findings.push(wrong("SHARED_DOMAINS", reason));
      continue;
    }
    const named = answer.kind === "records" ? answer.records.map(({ exchange }) => exchange) : [];
    if (!MX_HOST) findings.push(unknown("SHARED_DOMAINS", `${domain}: MX_HOST is not known`));
    else if (named.includes(MX_HOST)) {
      findings.push(ok("SHARED_DOMAINS", `mail for ${domain} goes to ${MX_HOST}`));
    } else {
      const found = named.length > 0 ? `names ${named.join(", ") || "no host"}` : "is missing";
      findings.push(
        wrong("SHARED_DOMAINS", `the MX record of ${domain} ${found}, and MX_HOST is ${MX_HOST}`),
      );
    }
  }
  return findings;
}

/** Checks that the files of the encoders on this machine are whole. */
async function checkEncoders(
  { settings, memory, faultOfEncoders }: Deployment,
): Promise<Finding[]> {
  const embeddings = embeddingsOf(settings, memory);
  if (embeddings.by === "words" && embeddings.because) {
    return [unknown("EMBEDDINGS", `mail is found by words alone: ${embeddings.because}`)];
  }
  if (embeddings.by !== "builtin" && embeddings.by !== "folder") return [];
  const fault = await faultOfEncoders(embeddings);
  return [
    fault === null
      ? ok("EMBEDDINGS", "the files of the encoders are whole")
      : wrong("EMBEDDINGS", fault),
  ];
}

const patienceMs = 10_000;
const marks = { ok: "ok     ", wrong: "MEND   ", unknown: "note   " };

/** What the checks need of adapters. */
interface DoctorParts extends Pick<Deployment, "faultOfEncoders"> {
  openDns(server: string | undefined): Dns;
  memoryLimit(): number;
}

/** `deno task doctor`: exits with 0 if nothing is wrong, else with 1. */
export function doctorCommand(partsOf: () => Promise<DoctorParts>): Command {
  return command({
    description: "Checks a deployment from outside, with the settings of its environment",
    async run() {
      const { openDns, faultOfEncoders, memoryLimit } = await partsOf();
      const findings = await examine(Deno.env.toObject(), (settings) => ({
        settings,
        dns: openDns(settings.DNS_SERVER),
        clock: systemClock,
        patienceMs,
        freeBytes,
        faultOfEncoders,
        memory: memoryLimit(),
      }));
      for (const { state, setting, text } of findings) {
        console.log(`${marks[state]}${setting}: ${text}`);
      }
      Deno.exit(findings.some(({ state }) => state === "wrong") ? 1 : 0);
    },
  });
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
