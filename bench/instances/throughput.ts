import { cpuSecondsOf } from "../process.ts";
import { type Figure, figureOf } from "../figure.ts";
import { median } from "../load.ts";
import { benchMessages, small } from "../mail.ts";
import type { BenchOptions } from "../options.ts";
import { inTurn } from "../sides.ts";
import { startInstances } from "./several.ts";

/** How many messages a run sends: three processes take four seconds. */
const messagesOfRun = 400;
/** Messages that each process is sent before, for every account: then its rows are in memory, and lanes are taken. */
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
    const figure = (name: string, which: Case, pick: (run: Run) => number) => {
      const of = (key: Case) => runs.get(key)!.map(pick);
      const note = (key: Case) => {
        const noted = (pick: (run: Run) => number) => median(runs.get(key)!.map(pick));
        return `p50 ${noted((run) => run.p50).toFixed(0)} ms, ${
          noted((run) => run.conflicts).toFixed(1)
        } lost races of 100 mails`;
      };
      const both = { ours: of(which), bare: of(one) };
      figures.push(
        figureOf(
          `${what}, compared with one: ${name}`,
          "/s",
          both,
          `${note(which)}; one: ${note(one)}`,
        ),
      );
    };
    figure("acknowledged, 8 connections to each", each, (run) => run.acknowledged);
    figure("until findable, 8 connections to each", each, (run) => run.findable);
    figure("acknowledged, 8 connections in all", shared, (run) => run.acknowledged);
    figure("until findable, 8 connections in all", shared, (run) => run.findable);
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
  let next = 0;
  const times: number[] = [];
  await Promise.all(Array.from({ length: connections }, async (_, connection) => {
    while (next < messages.length) {
      const n = next++;
      const from = performance.now();
      await instances.send(messages[n], connection % processes, owners[n % accounts]);
      times.push(performance.now() - from);
    }
  }));
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const acknowledgedSeconds = seconds();
  const cores = (cpu() - cpuBefore) / acknowledgedSeconds / processes;
  const { costs } = await remote.order({});
  await instances.settled();
  const findableSeconds = seconds();
  const exact = await Promise.all(owners.map((owner) => instances.isExact(owner)));
  return {
    acknowledged: messages.length / acknowledgedSeconds,
    findable: messages.length / findableSeconds,
    p50: median(times),
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
  await Promise.all(Array.from({ length: 8 }, async (_, connection) => {
    for (let n = 0; n < 10; n++) {
      await instances.send(small(), connection % 3, owner);
    }
  }));
  return {
    name: "emails taken of 80 that come over three processes at once, with room for 60",
    ours: await instances.isExact(owner) ? owner.sent.emails : NaN,
    unit: `of ${room}`,
  };
}
