/** Why a scenario of the official suite does not apply to this server, which is stateless and has only tools. */
const reasons = {
  fixture: "calls tools of the suite's own by name",
  resources: "is for a server with resources: there are none",
  prompts: "is for a server with prompts: there are none",
  logging: "is for a server that sends log messages to its client",
  completion: "completes arguments of prompts and resources: there are none",
  asking: "has a tool of the suite's own ask its client for something, which no tool here does",
  sessions: "is about sessions, of which the server keeps none",
  headers: "needs a tool with x-mcp-header parameters: there is none",
  extension: "is of an extension (tasks, skills) that the server does not offer",
};

/** How a scenario runs: its revisions of the protocol, and the checks to skip. */
export interface Run {
  revisions: ("2025-11-25" | "2026-07-28")[];
  /** Checks that do not apply, and why. */
  except?: Record<string, keyof typeof reasons>;
}

const both: Run = { revisions: ["2025-11-25", "2026-07-28"] };
const earlier: Run = { revisions: ["2025-11-25"] };
const later: Run = { revisions: ["2026-07-28"] };

/** Every server scenario of the suite: how it runs, or why not. `run.ts` compares it with the suite's own list. */
export const scenarios: Record<string, Run | keyof typeof reasons> = {
  "server-initialize": earlier,
  "ping": earlier,
  "tools-list": both,
  "dns-rebinding-protection": both,
  "server-sse-multiple-streams": later,
  "http-header-validation": later,
  "input-required-result-unsupported-methods": later,
  "server-stateless": {
    ...later,
    except: {
      "sep-2575-server-rejects-undeclared-capability": "fixture",
      "sep-2575-missing-capability-http-400": "fixture",
      "sep-2575-http-server-no-independent-requests-on-stream": "fixture",
      "sep-2575-server-no-log-without-loglevel": "fixture",
    },
  },
  "caching": {
    ...later,
    except: {
      "sep-2549-prompts-list-caching-hints": "prompts",
      "sep-2549-resources-list-caching-hints": "resources",
      "sep-2549-resources-templates-list-caching-hints": "resources",
    },
  },
  "server-session-lifecycle": "sessions",
  "server-sse-polling": "sessions",
  "logging-set-level": "logging",
  "tools-call-with-logging": "logging",
  "completion-complete": "completion",
  "tools-call-simple-text": "fixture",
  "tools-call-image": "fixture",
  "tools-call-audio": "fixture",
  "tools-call-embedded-resource": "fixture",
  "tools-call-mixed-content": "fixture",
  "tools-call-error": "fixture",
  "tools-call-with-progress": "fixture",
  "json-schema-2020-12": "fixture",
  "tools-call-sampling": "asking",
  "tools-call-elicitation": "asking",
  "elicitation-sep1034-defaults": "asking",
  "elicitation-sep1330-enums": "asking",
  "input-required-result-basic-elicitation": "asking",
  "input-required-result-basic-sampling": "asking",
  "input-required-result-basic-list-roots": "asking",
  "input-required-result-request-state": "asking",
  "input-required-result-multiple-input-requests": "asking",
  "input-required-result-multi-round": "asking",
  "input-required-result-missing-input-response": "asking",
  "input-required-result-result-type": "asking",
  "input-required-result-tampered-state": "asking",
  "input-required-result-capability-check": "asking",
  "input-required-result-ignore-extra-params": "asking",
  "input-required-result-validate-input": "asking",
  "input-required-result-non-tool-request": "prompts",
  "http-custom-header-server-validation": "headers",
  "resources-list": "resources",
  "resources-read-text": "resources",
  "resources-read-binary": "resources",
  "resources-templates-read": "resources",
  "resources-subscribe": "resources",
  "resources-unsubscribe": "resources",
  "sep-2164-resource-not-found": "resources",
  "prompts-list": "prompts",
  "prompts-get-simple": "prompts",
  "prompts-get-with-args": "prompts",
  "prompts-get-embedded-resource": "prompts",
  "prompts-get-with-image": "prompts",
  "sep-2640-skills-directory": "extension",
  "sep-2640-skills-enumeration": "extension",
  "sep-2640-skills-manifest": "extension",
  "tasks-lifecycle": "extension",
  "tasks-capability-negotiation": "extension",
  "tasks-wire-fields": "extension",
  "tasks-request-state-removal": "extension",
  "tasks-mrtr-input": "extension",
  "tasks-request-headers": "extension",
  "tasks-dispatch-and-envelope": "extension",
  "tasks-status-notifications": "extension",
  "tasks-required-task-error": "extension",
  "tasks-mrtr-composition": "extension",
};

/** Every scenario of the suite for an authorization server, which runs all of them together: the second needs the first. */
export const ofAuthorization = [
  "authorization-server-metadata-endpoint",
  "authorization-code-grant",
];

/** Names that are only in the suite's lists or only in these tables. */
export function unaccounted(list: string): string[] {
  const named = (heading: string) => {
    const [, part = ""] = list.split(`${heading} (`);
    return Array.from(part.split("\n\n")[0].matchAll(/^ +- (\S+) \[/gm), ([, name]) => name);
  };
  const names = [...named("Server scenarios"), ...named("Authorization server scenarios")];
  const known = new Set([...Object.keys(scenarios), ...ofAuthorization]);
  return [...new Set(names).symmetricDifference(known)];
}

/**
 * Returns the failed checks of a scenario's report, without those that `run` skips. Null if no check succeeded: then
 * nothing was tested.
 */
export function failedChecks(report: string, run: Run): string[] | null {
  const checks = Array.from(
    report.matchAll(/\[([a-z0-9-]+) *\] (SUCCESS|FAILURE)/g),
    ([, name, end]) => ({ name, end }),
  );
  if (!checks.some(({ end }) => end === "SUCCESS")) return null;
  return checks.filter(({ name, end }) => end === "FAILURE" && !run.except?.[name])
    .map(({ name }) => name);
}

/** Whether a report says that each scenario of authorization servers passed: one that was skipped passed nothing. */
export function authorizationHolds(report: string): boolean {
  return ofAuthorization.every((name) =>
    new RegExp(`^✓ ${name}: [1-9]\\d* passed, 0 failed$`, "m").test(report)
  );
}
