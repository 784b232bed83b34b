import type { ArgsDef } from "citty";
import { type Figure, figureOf } from "./figure.ts";
import { type Ask, atConnections, load, median } from "./load.ts";
import { attachment, benchMessages, repeated } from "./mail.ts";
import type { BenchOptions } from "./options.ts";
import { fill, inTurn, type Side, sidesOf, type Target } from "./sides.ts";

export const description =
  "Lists, emails, searches and health of a filled mailbox, at 1 and 8 connections; five rounds";
export const comparable = true;
const parts = ["health", "mailboxes", "lists", "emails", "raw", "large", "searches"] as const;
export const options = {
  kind: { type: "enum", options: [...parts], description: "one kind of read" },
} satisfies ArgsDef;

/** How many emails the searched account has. */
const searchedEmails = 10_000;
const largeBytes = 10_000_000;
const warmUp = 50;

/** One kind of read, with its number of requests in a round. */
interface Kind {
  part: typeof parts[number];
  name: string;
  connections: number;
  requests: number;
  ask(target: Filled, i: number): Ask | null;
}

interface Filled extends Target {
  ids: string[];
  largeId: string;
}

const kinds: Kind[] = [
  ...[1, 8].map((connections): Kind => ({
    part: "health",
    name: "health, compared with an empty route",
    connections,
    requests: 2_000,
    ask: (target) => target.empty(),
  })),
  {
    part: "mailboxes",
    name: "mailboxes, compared with one kv.get",
    connections: 8,
    requests: 2_000,
    ask: (target) => target.mailboxes(),
  },
  ...[1, 8].map((connections): Kind => ({
    part: "lists",
    name: "page of 50, compared with one kv.list of the same bytes",
    connections,
    requests: 400,
    ask: (target) => target.page(),
  })),
  ...[1, 8].map((connections): Kind => ({
    part: "emails",
    name: "one email with its text, compared with its record and its first chunk",
    connections,
    requests: 1_000,
    ask: (target, i) => target.email(target.ids[i * 7 % target.ids.length]),
  })),
  {
    part: "raw",
    name: "raw, compared with its chunks",
    connections: 8,
    requests: 1_000,
    ask: (target, i) => target.raw(target.ids[i * 7 % target.ids.length]),
  },
  {
    part: "large",
    name: "raw of 10 MB, compared with its chunks",
    connections: 1,
    requests: 20,
    ask: (target) => target.large(target.largeId),
  },
  ...[1, 8].map((connections): Kind => ({
    part: "searches",
    name: `search of ${searchedEmails.toLocaleString("en")} emails`,
    connections,
    requests: 400,
    ask: (target, i) => target.search(`meeting order ${i % 50}`),
  })),
];

/** Both sides are filled with the same mail and keep running; each kind of read is measured on them in turn. */
export async function run(options: BenchOptions & { kind?: string }): Promise<Figure[]> {
  const { rounds = 5, kind: only, say } = options;
  const messages = await benchMessages(options);
  const [ourSide, otherSide] = sidesOf(options);
  const needed = kinds.filter(({ part }) => !only || part === only);
  const withLarge = needed.some(({ part }) => part === "large");
  const start = (side: Side) => (say(`filling ${side.name}`), filled(side, messages, withLarge));
  await using ours = await start(ourSide);
  await using other = await start(otherSide);
  await samePage(ours, other);
  await rest();
  const figures: Figure[] = [];
  let isTopped = false;
  for (const kind of needed) {
    if (kind.part === "searches" && !isTopped) {
      isTopped = true;
      const count = options.messages ?? searchedEmails;
      const more = repeated(messages, Math.max(count, messages.length)).slice(messages.length);
      for (const target of [ours, other]) {
        if (!target.search("") || more.length === 0) continue;
        say(`filling up to ${count} emails`);
        await fill(target, more, messages.length);
      }
      await rest();
    }
    figures.push(await measured(kind, [ours, other], rounds));
    const { name, ours: rate, unit } = figures.at(-1)!;
    say(`${name}: ${rate.toFixed(0)} ${unit}`);
  }
  figures.push({
    name: "resident after all reads",
    ours: ours.server.residentMB(),
    bare: other.server.residentMB(),
    unit: "MB",
  });
  return figures;
}

/**
 * A service that has had no work for two to four seconds collects its garbage, and is slower for a while. The side that is
 * filled first would do so while the other is filled: its pages were 0.92 as fast as those of the same version.
 */
const rest = () => new Promise<void>((done) => setTimeout(done, 5_000));

async function measured(
  { part, name, connections, requests, ask }: Kind,
  targets: [Filled, Filled],
  rounds: number,
): Promise<Figure> {
  const sides = targets.filter((target) => ask(target, 0) !== null);
  const seen = sides.map(() => ({ rates: [] as number[], cpuSeconds: 0 }));
  const p50: number[] = [], p95: number[] = [];
  const once = async (target: Filled, count: number) =>
    await load(count, connections, async (i) => {
      await target.client.ask(ask(target, i)!);
    });
  for (const target of sides) await once(target, Math.min(warmUp, requests));
  for (let round = 0; round < rounds; round++) {
    for (const target of inTurn(sides, round)) {
      const before = target.server.cpuSeconds();
      const times = await once(target, requests);
      const side = seen[sides.indexOf(target)];
      side.cpuSeconds += target.server.cpuSeconds() - before;
      side.rates.push(requests / times.seconds);
      if (target !== targets[0]) continue;
      p50.push(times.p50);
      p95.push(times.p95);
    }
  }
  const inUnit = (values?: number[]) =>
    part === "large" ? values?.map((each) => each * largeBytes / 1e6) : values;
  const [ours, other] = seen;
  const cpu = seen.map(({ cpuSeconds }) => cpuSeconds * 1_000 / rounds / requests);
  const beside = other ? ` (${cpu[1].toFixed(2)}: ${(cpu[0] / cpu[1]).toFixed(2)} times)` : "";
  return figureOf(
    `${name}, ${atConnections(connections)}`,
    part === "large" ? "MB/s" : "/s",
    { ours: inUnit(ours.rates)!, bare: inUnit(other?.rates) },
    `p50 ${median(p50).toFixed(2)} ms, p95 ${median(p95).toFixed(2)} ms; ` +
      `processor ${cpu[0].toFixed(2)} ms a request${beside}`,
  );
}

async function filled(side: Side, messages: Uint8Array[], withLarge: boolean): Promise<Filled> {
  const target = await side.start();
  const largeId = withLarge ? (await fill(target, [attachment(largeBytes)], -1))[0] : "";
  return { ...target, ids: await fill(target, messages), largeId };
}

/** The bare side gets the rows of the service's first page, so that its list answers the same bytes. */
async function samePage(ours: Target, other: Target): Promise<void> {
  if (!other.givePage) return;
  const answer = await ours.client.ask(ours.page());
  await other.givePage(JSON.parse(new TextDecoder().decode(answer)).data);
}
