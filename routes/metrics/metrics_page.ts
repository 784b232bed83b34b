import { label, metricText } from "../../domain/core/metrics/series.ts";
import type { Service } from "../../domain/core/service.ts";
import { within } from "../../domain/core/work/within.ts";
import type { DeadCounts, JobCounts } from "../../domain/store/job_counts.ts";

/** The longest time that a scrape waits for the database, ms. */
const deadMs = 1_000;

/** The page of metrics. While the database or the index does not answer, its lines are absent. */
export async function metricsPage(service: Service): Promise<string> {
  const { clock, database, jobs, metrics, version } = service;
  const dead = await within(clock, jobs.countDead(database), deadMs).catch(() => null);
  const waiting = await within(clock, waitingEmails(service), deadMs).catch(() => null);
  const counts = jobs.counts();
  return [
    metrics.text,
    ...jobsText(counts, dead),
    metricText(
      "letterbox_index_backlog_emails",
      "gauge",
      "Stored emails that search does not find by their words yet.",
      [["", backlog(counts)]],
    ),
    waiting === null ? "" : metricText(
      "letterbox_embedding_waiting_emails",
      "gauge",
      "Stored emails that wait for vectors of the encoders of this machine.",
      [["", waiting]],
    ),
    metricText("process_resident_memory_bytes", "gauge", "Resident memory.", [
      ["", Deno.memoryUsage().rss],
    ]),
    metricText("letterbox_build_info", "gauge", "1, with the version of the program.", [
      [label("version", version), 1],
    ]),
  ].join("");
}

/** null without encoders of this machine. */
async function waitingEmails({ semantic }: Service): Promise<number | null> {
  return await semantic?.waitingInAll() ?? null;
}

function jobsText(counts: JobCounts, dead: DeadCounts | null): string[] {
  const all = [...counts];
  // A kind without dead jobs has a line too: a series that begins at 1 has never risen.
  const kinds = dead ? new Set([...counts.keys(), ...dead.keys()]) : [];
  const rows: [string, number][] = [
    ...all.flatMap(([kind, { waiting, running }]): [string, number][] => [
      [stateOf(kind, "waiting"), waiting],
      [stateOf(kind, "running"), running],
    ]),
    ...[...kinds].map((kind): [string, number] => [stateOf(kind, "dead"), dead?.get(kind) ?? 0]),
  ];
  return [
    metricText(
      "letterbox_jobs",
      "gauge",
      "Background jobs of this process; dead ones of all.",
      rows,
    ),
    metricText(
      "letterbox_job_oldest_age_seconds",
      "gauge",
      "How long the oldest job that is due or was tried has not ended.",
      all.map(([kind, { oldestMs }]) => [label("kind", kind), oldestMs / 1_000]),
    ),
  ];
}

function stateOf(kind: string, state: string): string {
  return `${label("kind", kind)},${label("state", state)}`;
}

function backlog(counts: JobCounts): number {
  const ofKind = (kind: "process_email" | "process_large_email") => {
    const { waiting = 0, running = 0 } = counts.get(kind) ?? {};
    return waiting + running;
  };
  return ofKind("process_email") + ofKind("process_large_email");
}
