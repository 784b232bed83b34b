import { statfs } from "node:fs/promises";
import { systemClock } from "../../domain/core/clock.ts";
import type { Dns } from "../../domain/ports/dns.ts";
import { type Command, command } from "../command_line.ts";
import { examine } from "./doctor.ts";
import type { Finding } from "./finding.ts";

const patienceMs = 10_000;
const marks: Record<Finding["state"], string> = {
  ok: "ok     ",
  wrong: "MEND   ",
  unknown: "note   ",
};

/** `deno task doctor`: exits with 0 if nothing is wrong, else with 1. */
export function doctorCommand(openDns: (server: string | undefined) => Dns): Command {
  return command({
    description: "Checks a deployment from outside, with the settings of its environment",
    async run() {
      const findings = await examine(Deno.env.toObject(), (settings) => ({
        settings,
        dns: openDns(settings.DNS_SERVER),
        clock: systemClock,
        patienceMs,
        freeBytes,
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
