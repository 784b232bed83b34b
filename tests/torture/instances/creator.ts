/** The requests of the creator, by their answers. */
export interface Created {
  /** Local parts of mailboxes: acknowledged ones, and ones without an answer or with 503. */
  mailboxes: { acknowledged: Set<string>; unknown: Set<string> };
  /** Names of API keys that were revoked, by an answer that said so. */
  revoked: Set<string>;
  searches: { acknowledged: number; unknown: number };
  /** The longest time until an answer, or until the connection broke, ms. */
  slowestMs: number;
}

export function nothingCreated(): Created {
  return {
    mailboxes: { acknowledged: new Set(), unknown: new Set() },
    revoked: new Set(),
    searches: { acknowledged: 0, unknown: 0 },
    slowestMs: 0,
  };
}

interface Reply {
  status: number;
  // deno-lint-ignore no-explicit-any -- the fields of an answer that came
  body: any;
}

/** One request; null if the connection broke. Notes how long it took. */
async function ask(
  made: Created,
  url: string,
  key: string,
  method = "GET",
  body?: unknown,
): Promise<Reply | null> {
  const from = performance.now();
  try {
    const answer = await fetch(url, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  } finally {
    made.slowestMs = Math.max(made.slowestMs, performance.now() - from);
  }
}

/**
 * Creates mailboxes and API keys, revokes the keys, and searches, until `until`. Each name is used once: an answer is a
 * success or 503, or none comes; 409 and 404 are violations.
 */
export async function create(
  name: string,
  base: () => string,
  key: string,
  until: () => boolean,
  made: Created,
  violations: string[],
): Promise<void> {
  const isDone = (what: string, reply: Reply | null): reply is Reply => {
    if (!reply || reply.status === 503) return false;
    if (reply.status < 300) return true;
    violations.push(`${what} answered ${reply.status} ${JSON.stringify(reply.body)}`);
    return false;
  };
  for (let n = 0; !until(); n++) {
    const local = `${name}-${n}`;
    const { acknowledged, unknown } = made.mailboxes;
    const box = { local_part: local, domain: "agents.test" };
    const mailbox = await ask(made, `${base()}/v1/api/mailboxes`, key, "POST", box);
    const isMade = isDone(`the mailbox ${local}`, mailbox);
    (isMade ? acknowledged : unknown).add(local);
    const added = await ask(made, `${base()}/v1/api/keys`, key, "POST", { name: local });
    if (isDone(`the key ${local}`, added)) {
      const url = `${base()}/v1/api/keys/${added.body.data.keyId}`;
      const revoked = await ask(made, url, key, "DELETE");
      if (isDone(`revoking the key ${local}`, revoked)) made.revoked.add(local);
    }
    const query = { query: "sender", limit: 1 };
    const found = await ask(made, `${base()}/v1/api/search`, key, "POST", query);
    if (isDone("a search", found)) made.searches.acknowledged++;
    else made.searches.unknown++;
  }
}

/**
 * Compares the account with the answers. `used`: the searches that the account was charged. If the database `wasAway`, some
 * were answered without being counted.
 */
export async function compareCreated(
  base: string,
  key: string,
  name: string,
  made: Created,
  used: number,
  wasAway: boolean,
): Promise<string[]> {
  const wrong: string[] = [];
  const boxes = await ask(made, `${base}/v1/api/mailboxes`, key);
  const counts = new Map<string, number>();
  for (const { email_address } of boxes?.body.mailboxes ?? []) {
    const [local] = email_address.split("@");
    counts.set(local, (counts.get(local) ?? 0) + 1);
  }
  const { acknowledged, unknown } = made.mailboxes;
  for (const local of acknowledged) {
    if (counts.get(local) !== 1) {
      wrong.push(`the mailbox ${local} is there ${counts.get(local)} times`);
    }
  }
  for (const [local, count] of counts) {
    if (local.startsWith(`${name}-`) && count > 1) wrong.push(`${local} is there ${count} times`);
    if (!acknowledged.has(local) && !unknown.has(local) && local.startsWith(`${name}-`)) {
      wrong.push(`${local} was never created`);
    }
  }
  const listed = await ask(made, `${base}/v1/api/keys`, key);
  for (const each of listed?.body.data ?? []) {
    if (made.revoked.has(each.name)) wrong.push(`the key ${each.name} was revoked and is there`);
  }
  const { acknowledged: least, unknown: more } = made.searches;
  if ((used < least && !wasAway) || used > least + more) {
    wrong.push(`${used} searches were counted of ${least} that answered and ${more} that did not`);
  }
  return wrong;
}
