import { call, openAccount, type ServiceProcess, startProcess } from "../service_process.ts";

/**
 * One life of the service under torture. With `killAtFsync` (needs strace) the process is killed as it enters
 * its N-th fsync or fdatasync: between the bytes of a commit and its acknowledgement.
 */
export function startLife(
  dir: string,
  port: number,
  killAtFsync: number | null = null,
): ServiceProcess {
  const syncs = "fsync,fdatasync";
  // -D: the traced process is the child, so that a kill ends it and not the tracer.
  const strace = killAtFsync === null ? [] : [
    ...["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", `trace=${syncs}`],
    ...["-e", `inject=${syncs}:signal=SIGKILL:when=${killAtFsync}`],
  ];
  return startProcess({ dir, port, env: { WEBHOOK_ALLOW_INSECURE: "1" }, within: strace });
}

export interface Account {
  key: string;
  accessToken: string;
  userId: string;
  addresses: string[];
}

/** An account with mailboxes and a webhook for arrivals. */
export async function openListeningAccount(
  base: string,
  name: string,
  mailboxes: number,
  hook: string,
): Promise<Account> {
  const account = await openAccount(base, name, mailboxes);
  const events = ["email.received", "email.processed"];
  await call(`${base}/v1/api/webhooks`, { url: hook, events }, account.key);
  return { ...account, addresses: account.mailboxes.map((each) => each.email_address) };
}
