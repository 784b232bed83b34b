import { cpuSecondsOf } from "../process.ts";
import { type Figure, figureOf } from "../figure.ts";
import { load, median } from "../load.ts";
import { benchMessages, small } from "../mail.ts";
import type { BenchOptions } from "../options.ts";
import { inTurn } from "../sides.ts";
import { startInstances } from "./several.ts";

/** How many messages a run sends: three processes take four seconds. */
const messagesOfRun = 400;
/** Messages that each process is sent before, for every account: then its rows are in memory, and shards are taken. */
const warming = 4;

/** Processes, and connections in all. */
interface Case {
  processes: number;
  connections: number;
}

/** What one run measured. */
interface Run {
  /** Mails a second. */
  acknowledged: number;
  findable: number;
  p50: number;
  /** Commits that lost a race, of 100 mails. */
  conflicts: number;
  /** Processor time of one process, cores. */
  cores: number;
  /** Accounts whose counters are exact afterwards. */
  exact: number;
  accounts: number;
}

/**
 * Mail to several processes on one remote database, compared with one: to one account over two, and to four accounts over
 * three. Eight connections in all, and eight to each process. Afterwards the counters must be exact.
 */
export async function measureThroughput(options: BenchOptions): Promise<Figure[]> {
  const { rounds = 2, say } = options;
  const messages = await benchMessages({ ...options, messages: options.messages ?? messagesOfRun });
  const figures: Figure[] = [];
  let exact = 0, accountsSeen = 0;
  for (const [processes, accounts] of [[2, 1], [3, 4]]) {
    const one: Case = { processes: 1, connections: 8 };
    const shared: Case = { processes, connections: 8 };
    const each: Case = { processes, connections: 8 * processes };
    const runs = new Map<Case, Run[]>([[one, []], [shared, []], [each, []]]);
    for (let round = 0; round < rounds; round++) {
      for (const which of inTurn([...runs.keys()], round)) {
        const run = await oneRun(which, accounts, messages);
        runs.get(which)!.push(run);
        exact += run.exact;
        accountsSeen += run.accounts;
        say(
          `round ${round + 1} of ${rounds}, ${which.processes} on ${accounts}, ` +
            `${which.connections} connections: ${run.acknowledged.toFixed(0)}/s acknowledged ` +
            `(p50 ${run.p50.toFixed(0)} ms), ${run.findable.toFixed(0)}/s findable, ` +
            `${run.conflicts.toFixed(1)} lost races of 100 mails, ${
              run.cores.toFixed(2)
            } cores each`,
        );
      }
    }
    const what = `${processes} processes on ${
      accounts === 1 ? "one account" : `${accounts} accounts`
    }`;
    const of = (which: Case, name: "acknowledged" | "findable" | "p50" | "conflicts") =>
      runs.get(which)!.map((run) => run[name]);
    const note = (which: Case) =>
      `p50 ${median(of(which, "p50")).toFixed(0)} ms, ` +
      `${median(of(which, "conflicts")).toFixed(1)} lost races of 100 mails`;
    for (const [which, where] of [[each, "to each"], [shared, "in all"]] as const) {
      for (
        const [until, name] of [["acknowledged", "acknowledged"], [
          "until findable",
          "findable",
        ]] as const
      ) {
        figures.push(figureOf(
          `${what}, compared with one: ${until}, 8 connections ${where}`,
          "/s",
          { ours: of(which, name), bare: of(one, name) },
          `${note(which)}; one: ${note(one)}`,
        ));
      }
    }
  }
  figures.push({
    name: "accounts whose usage, storage and mailbox counts equal what was sent",
    ours: exact,
    unit: `of ${accountsSeen}`,
  });
  return [...figures, await quotaIsExact()];
}

async function oneRun(
  { processes, connections }: Case,
  accounts: number,
  messages: Uint8Array[],
): Promise<Run> {
  await using instances = await startInstances(processes);
  for (let n = 0; n < accounts; n++) await instances.open();
  const { owners, remote } = instances;
  await instances.warm(warming);
  await remote.order({ clear: true });
  const cpu = () => instances.processes.reduce((sum, { pid }) => sum + cpuSecondsOf(pid), 0);
  const cpuBefore = cpu();
  const startedAt = performance.now();
  const { p50, seconds } = await load(
    messages.length,
    connections,
    (n, connection) => instances.send(messages[n], connection % processes, owners[n % accounts]),
  );
  const cores = (cpu() - cpuBefore) / seconds / processes;
  const { costs } = await remote.order({});
  await instances.settled();
  const findableSeconds = (performance.now() - startedAt) / 1_000;
  const exact = await Promise.all(owners.map((owner) => instances.isExact(owner)));
  return {
    acknowledged: messages.length / seconds,
    findable: messages.length / findableSeconds,
    p50,
    conflicts: costs.conflicts * 100 / messages.length,
    cores,
    exact: exact.filter((each) => each).length,
    accounts,
  };
}

/** Sends an account more emails than its plan takes, over three processes at once. */
async function quotaIsExact(): Promise<Figure> {
  const room = 60;
  const emailsPerMonth = { emailsPerMonth: room, emailsPerDay: null };
  await using instances = await startInstances(3, {
    PLAN_OVERRIDES: JSON.stringify({ free: emailsPerMonth }),
  });
  const owner = await instances.open("free");
  await load(80, 8, (_, connection) => instances.send(small(), connection % 3, owner));
  return {
    name: "emails taken of 80 that come over three processes at once, with room for 60",
    ours: await instances.isExact(owner) ? owner.sent.emails : NaN,
    unit: `of ${room}`,
  };
}
