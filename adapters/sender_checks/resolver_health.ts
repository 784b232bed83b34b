import type { Clock } from "../../domain/core/clock.ts";
import type { Dns, Lookup } from "../../domain/ports/dns.ts";

/** If questions fail and none is answered for this time, the resolver is probed. */
const suspectAfterMs = 5_000;

/**
 * Whether the resolver answers. Questions about the domains of senders do not show it: a stranger's DNS can be silent.
 * So when they fail, the resolver is asked for a name of the operator; any answer, also that it does not exist, shows
 * that it works.
 */
export class ResolverHealth {
  private answeredAt: number;
  private probing = false;
  private down = false;

  constructor(
    private readonly dns: Dns,
    private readonly clock: Pick<Clock, "elapsed">,
    private readonly probe: string,
  ) {
    this.answeredAt = clock.elapsed();
  }

  get isDown(): boolean {
    return this.down;
  }

  /** To be called with each answer of the resolver, or its absence. */
  note(answer: Lookup): void {
    if (answer.kind !== "unavailable") {
      this.answeredAt = this.clock.elapsed();
      this.down = false;
      return;
    }
    if (this.probing || this.clock.elapsed() - this.answeredAt <= suspectAfterMs) return;
    this.probing = true;
    this.dns.lookUp(this.probe, "A").then(({ kind }) => {
      this.probing = false;
      this.down = kind === "unavailable";
      if (!this.down) this.answeredAt = this.clock.elapsed();
    }, () => this.probing = false);
  }
}
