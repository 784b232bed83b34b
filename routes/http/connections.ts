import { setImmediate } from "node:timers";
import { isTrustedPeer } from "../../domain/core/client_address.ts";
import type { Guest } from "../../domain/core/caller.ts";
import type { Service } from "../../domain/core/service.ts";
import { TimeSlices } from "../../domain/core/work/time_slices.ts";
import { trustedNetworks } from "./client.ts";

/**
 * Below this many open requests nobody is counted: to read the address of a connection takes 10 µs. And so many begin in one
 * turn of the event loop without waiting: 11,000 small ones over HTTP/2 took 3 s, in turns of 0.5 s.
 */
const fewRequests = 64;
/**
 * Open requests of one connection. HTTP/1.1 has one. `Deno.serve` also takes HTTP/2 without TLS, with 200 streams a
 * connection, and has no option against it: 190 on each of 60 connections took 1.6 GB.
 */
const mostOfConnection = 8;

/**
 * Counts the requests that are not answered to their end, by connection. Proxies of TRUSTED_PROXIES and the platform of Deno
 * Deploy are not counted: they send the requests of many clients over one connection.
 */
export class Connections {
  private open = 0;
  private begunInTurn = 0;
  private readonly counted = new Map<string, number>();

  constructor(private readonly service: Service) {}

  /**
   * A request begins; it ends by itself. False if its connection has too many. `env` is `Deno.ServeHandlerInfo`, or
   * absent.
   */
  enter(env: unknown): boolean {
    const { completed, remoteAddr } = this.infoOf(env);
    if (!completed) return true;
    const connection = remoteAddr && `${remoteAddr.hostname} ${remoteAddr.port}`;
    const before = connection ? this.counted.get(connection) ?? 0 : 0;
    if (before >= mostOfConnection) return false;
    this.open++;
    if (connection) this.counted.set(connection, before + 1);
    const leave = () => {
      this.open--;
      if (connection) this.leave(connection);
    };
    completed.then(leave, leave);
    return true;
  }

  /** Waits, if many requests have begun in this turn of the event loop. Clients take turns. */
  turn(guest: Guest): Promise<void> | void {
    if (this.begunInTurn === 0) setImmediate(() => this.begunInTurn = 0);
    // The address is read only then: see `fewRequests`.
    if (this.begunInTurn++ < fewRequests) return;
    return new TimeSlices(this.service.clock, guest.clientAddress).turn();
  }

  /** `remoteAddr` only if it is to be counted. */
  private infoOf(env: unknown): { completed?: Promise<void>; remoteAddr?: Deno.NetAddr } {
    const info = (env ?? {}) as Partial<Deno.ServeHandlerInfo<Deno.NetAddr>>;
    const { completed } = info;
    if (this.open < fewRequests || this.service.settings.DENO_DEPLOYMENT_ID) return { completed };
    const { remoteAddr } = info;
    const peer = remoteAddr?.hostname ?? "";
    const isProxy = isTrustedPeer(peer, trustedNetworks(this.service, peer));
    return isProxy ? { completed } : { completed, remoteAddr };
  }

  private leave(connection: string): void {
    const left = (this.counted.get(connection) ?? 1) - 1;
    if (left > 0) this.counted.set(connection, left);
    else this.counted.delete(connection);
  }
}
