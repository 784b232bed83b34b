import {
  freePort,
  openAccount,
  type ProcessAccount,
  type ServiceProcess,
  startProcess,
} from "../../tests/service_process.ts";
import { type RemoteProcess, startRemote } from "../../tests/remote_kv/remote_process.ts";
import { LoadClient } from "../load.ts";
import { small } from "../mail.ts";
import { inboundHeaders, untilProcessed } from "../sides.ts";

/** An account, and what it was sent. */
export interface Owner extends ProcessAccount {
  sent: { emails: number; bytes: number };
}

/** Service processes on one stand-in of a remote database, and accounts that all of them serve. */
export class Instances implements AsyncDisposable {
  readonly owners: Owner[] = [];
  private readonly clients: LoadClient[];
  private serial = 0;

  constructor(
    readonly remote: RemoteProcess,
    readonly processes: ServiceProcess[],
    private readonly dir: string,
  ) {
    this.clients = processes.map(({ base }) => new LoadClient(base));
  }

  get base(): string {
    return this.processes[0].base;
  }

  /** Opens an account with one mailbox. */
  async open(plan?: string): Promise<Owner> {
    const account = await openAccount(this.base, `owner-${this.owners.length}`, 1, plan);
    const owner: Owner = { ...account, sent: { emails: 0, bytes: 0 } };
    this.owners.push(owner);
    return owner;
  }

  /** Sends every account some mail over each process, all at the same time. */
  async warm(emails: number): Promise<void> {
    const each = this.owners.flatMap((owner) => this.processes.map((_, n) => ({ owner, n })));
    await Promise.all(each.map(async ({ owner, n }) => {
      for (let count = 0; count < emails; count++) {
        await this.send(small(), n, owner);
      }
    }));
  }

  /** Sends a message over a process. Returns false if it was refused with a rule of the plan. */
  async send(raw: Uint8Array, process: number, owner: Owner): Promise<boolean> {
    const answer = await this.clients[process].ask({
      method: "POST",
      path: "/inbound/raw",
      headers: {
        ...inboundHeaders(owner.mailboxes[0].email_address),
        "x-ingest-id": `bench-${this.serial++}`,
      },
      body: raw,
      // 422 if it was refused.
      status: null,
    });
    const text = new TextDecoder().decode(answer);
    const { data, error } = JSON.parse(text);
    const [{ disposition, code }] = (data ?? error.details)?.results ?? [{}];
    if (disposition === "accepted") {
      owner.sent.emails++;
      owner.sent.bytes += raw.length;
      return true;
    }
    if (code === "OVER_QUOTA") return false;
    throw new Error(`a message was not accepted: ${text}`);
  }

  /** Waits until every email is parsed and findable. */
  async settled(): Promise<void> {
    for (const { key } of this.owners) await untilProcessed(this, key);
  }

  /** Whether every process shows the usage, storage and mailbox count of what was sent. */
  async isExact({ accessToken, sent }: Owner): Promise<boolean> {
    const exact = await Promise.all(this.processes.map(async ({ base }) => {
      const { data } = await get(`${base}/api/billing/usage`, accessToken);
      const { mailboxes } = await get(`${base}/api/mailboxes`, accessToken);
      return data.emailsUsed === sent.emails && data.storageUsed === sent.bytes &&
        mailboxes[0].email_count === sent.emails;
    }));
    return exact.every((each) => each);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.clients) client[Symbol.dispose]();
    await Promise.all(this.processes.map((each) => each.kill()));
    await this.remote[Symbol.asyncDispose]();
    await Deno.remove(this.dir, { recursive: true });
  }
}

/** Starts this many processes on a new stand-in: a read takes 5 to 15 ms, a commit 20 to 40. */
export async function startInstances(
  count: number,
  env: Record<string, string> = {},
): Promise<Instances> {
  const remote = await startRemote();
  const dir = await Deno.makeTempDir();
  const processes = Array.from(
    { length: count },
    () => startProcess({ dir, port: freePort(), env: { ...env, ...remote.env } }),
  );
  const instances = new Instances(remote, processes, dir);
  const up = await Promise.all(processes.map((each) => each.up));
  if (up.every((each) => each)) return instances;
  await instances[Symbol.asyncDispose]();
  throw new Error("a process did not come up");
}

async function get(url: string, token: string) {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) throw new Error(`${url} ${answer.status} ${await answer.text()}`);
  return await answer.json();
}
