import { allChanges, PageFollower, StreamFollower } from "../../tests/followers.ts";
import { startRemote } from "../../tests/remote_kv/remote_process.ts";
import {
  call,
  freePort,
  postMail,
  type ServiceProcess,
  startProcess,
} from "../../tests/service_process.ts";
import type { BenchOptions } from "../options.ts";
import type { Figure } from "../figure.ts";
import { type Agent, agents, eml } from "./account.ts";

const reconnections = 50;
const senders = 8;
/** Within this time another instance does the jobs of a killed one, and their changes are there. */
const takeOverSeconds = 40;

/**
 * A follower of `changes` and one of `events`. Mail arrives and is marked, the followers break off 50 times, and a
 * process is killed twice: each follower must see every change once, in the order of the list. Several instances share a
 * stand-in of a remote database; each connection goes to the next of them.
 */
export async function follow(
  { messages = 5_000, say }: BenchOptions,
  instances: 1 | 2 = 1,
): Promise<Figure[]> {
  // An email makes three changes: received, processed, updated.
  const emails = Math.ceil(messages / 3);
  const dir = await Deno.makeTempDir();
  const remote = instances > 1 ? await startRemote() : null;
  const ports = Array.from({ length: instances }, freePort);
  const start = (port: number) => startProcess({ dir, port, env: remote?.env });
  const services = ports.map(start);
  const isUp = async (service: ServiceProcess) => {
    if (!await service.up) throw new Error("the service did not come up");
  };
  try {
    await Promise.all(services.map(isUp));
    let asked = 0;
    let down: ServiceProcess | null = null;
    const base = () => {
      const up = services.filter((service) => service !== down);
      return up[asked++ % up.length].base;
    };
    const [agent] = await agents(base(), 1, 1);
    const followers = [new PageFollower(base, agent.key), new StreamFollower(base, agent.key)];
    const running = followers.map((each) => each.run());
    let acknowledged = 0, next = 0, killed = 0;
    let restarted = Promise.resolve();
    const restart = async () => {
      const which = killed++ % instances;
      if (instances > 1) down = services[which];
      await services[which].kill();
      services[which] = start(ports[which]);
      if (instances > 1) down = services[which];
      await isUp(services[which]);
      down = null;
    };
    const send = async () => {
      while (next < emails) {
        // While one of several is down, the others take mail.
        if (instances === 1) await restarted;
        const n = next++;
        if (await deliver(base, agent, n)) acknowledged++;
        if (n % Math.ceil(emails / reconnections) === 0) {
          for (const each of followers) each.breakOff();
        }
        if (n === Math.floor(emails / 3) || n === Math.floor(emails * 2 / 3)) restarted = restart();
      }
    };
    await Promise.all(Array.from({ length: senders }, send));
    await restarted;
    const all = await allChanges(base(), agent.key, instances > 1 ? takeOverSeconds : 5);
    const end = performance.now() + 30_000;
    while (followers.some(({ seen }) => seen.length < all.length) && performance.now() < end) {
      await new Promise((done) => setTimeout(done, 100));
    }
    for (const each of followers) each.stop();
    // The loop over a body that was aborted sometimes never ends (Deno 2.9.6).
    await Promise.race([Promise.all(running), new Promise((done) => setTimeout(done, 2_000))]);
    const broken = followers.map(({ breaks }) => breaks).join(" and ");
    say(`${acknowledged} emails, ${all.length} changes, followers broke off ${broken} times`);
    const where = instances > 1 ? ` over ${instances} instances` : "";
    return followers.map(({ name, seen, breaks }) => ({
      name: `a follower of ${name}${where} that saw every change once, in order`,
      ours: seen.length === all.length && seen.every((id, n) => id === all[n]) ? 1 : 0,
      unit: "of 1",
      note: `${
        new Set(seen).size
      } of ${all.length} changes, ${breaks} reconnections, 2 times kill -9`,
    }));
  } finally {
    await Promise.all(services.map((service) => service.kill()));
    await remote?.[Symbol.asyncDispose]();
    await Deno.remove(dir, { recursive: true });
  }
}

/** Delivers an email and marks it as read. Returns false if it was not acknowledged. */
async function deliver(base: () => string, agent: Agent, n: number): Promise<boolean> {
  const [{ email_address }] = agent.mailboxes;
  try {
    const answer = await postMail(
      base(),
      email_address,
      eml(`Mail ${n}`, `The text of mail ${n}.`),
    );
    const { email_id } = (await answer.json()).data.results[0];
    await call(`${base()}/v1/api/emails/${email_id}`, { is_read: true }, agent.key, "PATCH");
    return true;
  } catch {
    return false;
  }
}
