import type { Service } from "../domain/core/service.ts";
import type { Job } from "../domain/store/jobs.ts";
import type { Worker } from "./worker.ts";

/** A job that was at work at two deaths of a process runs alone: at the next death it is known to be the cause. */
const aloneAfterDeaths = 2;
/** After three it is not run again. */
const mostDeaths = 3;

/** The jobs that a process had when it died, while they run again: one of them may be the cause. */
export class Suspects {
  private readonly marked = new Set<Job>();

  /** Those at work whose rows are marked so. */
  get atWork(): Job[] {
    return [...this.marked];
  }

  /** Runs jobs. If one of them was left by a process that died, its row is marked first. */
  async run(service: Service, worker: Worker, jobs: Job[]): Promise<void> {
    const { setAside } = worker;
    const suspects = jobs.filter(({ deaths = 0 }) => deaths > 0);
    if (!setAside || suspects.length === 0) return await worker.run(service, jobs);
    const [job] = jobs;
    if ((job.deaths ?? 0) >= mostDeaths) return await setAside(service, job);
    await service.jobs.markAtWork(service.database, suspects, true);
    for (const each of suspects) this.marked.add(each);
    try {
      await worker.run(service, jobs);
    } finally {
      for (const each of suspects) this.marked.delete(each);
    }
  }
}

export function mustBeAlone({ setAside }: Worker, { deaths = 0 }: Job): boolean {
  return setAside !== undefined && deaths >= aloneAfterDeaths;
}
