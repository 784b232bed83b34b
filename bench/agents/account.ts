import { openAccount, type ProcessAccount } from "../../tests/service_process.ts";

export type Agent = ProcessAccount;

/** Accounts on the plan `enterprise`, each with a key and `boxes` mailboxes. */
export async function agents(base: string, count: number, mailboxes: number): Promise<Agent[]> {
  const made: Agent[] = [];
  for (let n = 0; n < count; n++) made.push(await openAccount(base, `agent-${n}`, mailboxes));
  return made;
}

let sent = 0;

/** A unique message. */
export function eml(subject: string, text: string, from = "noreply@shop.example"): string {
  return [
    `From: ${from}`,
    "To: agent@agents.test",
    `Subject: ${subject}`,
    `Message-ID: <${++sent}.${Math.random().toString(36).slice(2)}@shop.example>`,
    "",
    `${text}\r\n`,
  ].join("\r\n");
}
