import { definitions, tryReadSettings } from "../../domain/core/settings.ts";
import { checkDisk } from "./disk_checks.ts";
import { checkDns } from "./dns_checks.ts";
import { type Deployment, type Finding, ok, wrong } from "./finding.ts";
import { checkProviders } from "./provider_checks.ts";
import { checkService } from "./service_checks.ts";
import { checkListener, checkRelay } from "./smtp_checks.ts";

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
  const checks = [checkService, checkDns, checkListener, checkRelay, checkProviders, checkDisk];
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
  const secrets = secretNames.flatMap((
    name,
  ) => [env[name] ?? "", ...(env[name] ?? "").split(/[,:]/)]);
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
