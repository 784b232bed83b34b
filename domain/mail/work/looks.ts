import { growingCache } from "../../core/work/growing_cache.ts";
import type { Service } from "../../core/service.ts";

/** Expectations that are remembered; each is two ids. */
const maxRemembered = 20_000;

/** What this process remembers of looking for the mail of expectations, so that no look begins again from the start. */
class Looks {
  /** By expectation: the email up to which all mail was judged and did not meet it. */
  readonly judged = growingCache<string, { emailId: string }>(maxRemembered);
  private readonly atWork = new Map<string, { now: Promise<void>; next: Promise<void> | null }>();

  /** Runs `work` after the run that is at work for this subject. All who call meanwhile share that next run. */
  shared(subject: string, work: () => Promise<void>): Promise<void> {
    const known = this.atWork.get(subject);
    if (known) {
      known.next ??= known.now.catch(() => {}).then(() => this.begin(subject, work));
      return known.next;
    }
    return this.begin(subject, work);
  }

  private begin(subject: string, work: () => Promise<void>): Promise<void> {
    const run = { now: work(), next: null };
    this.atWork.set(subject, run);
    const end = () => {
      if (this.atWork.get(subject) === run) this.atWork.delete(subject);
    };
    run.now.then(end, end);
    return run.now;
  }
}

const looks = new WeakMap<Service, Looks>();

export function looksOf(service: Service): Looks {
  let known = looks.get(service);
  if (!known) looks.set(service, known = new Looks());
  return known;
}
