import { account, type TestService } from "../../service.ts";
import { data, deliver, mailbox, message } from "../../service.ts";
import { post } from "../../routes/mcp/post.ts";
import { seeded } from "../../torture/seeded.ts";

/** The row that a call must leave in the audit. */
export interface Expected {
  actor: Record<string, string>;
  surface: "rest" | "mcp";
  action: string;
  mailbox_id: string | null;
  email_id: string | null;
  count: number | null;
}

type About = Omit<Expected, "actor" | "surface">;
// deno-lint-ignore no-explicit-any -- answers of every shape
type Body = any;

/** One call; `about` returns the facts of its row, or null if it leaves none. */
interface Step {
  rest?: [method: string, path: string, json?: unknown];
  tool?: [name: string, args: Record<string, unknown>];
  about(body: Body): About | null;
}

const about = (
  action: string,
  { mailbox_id = null, email_id = null, count = null }: Partial<About> = {},
): About => ({ action, mailbox_id, email_id, count });

/** A session or a key, with a way to call. */
export interface Actor {
  token: string;
  is: Record<string, string>;
}

/** An account with two mailboxes, mail in both, and a key and a session that call. */
export async function walked(test: TestService) {
  const owner = await account(test);
  const boxes = [await mailbox(test, owner), await mailbox(test, owner)];
  const received = [];
  for (let n = 0; n < 24; n++) {
    const { email_id } = await deliver(
      test,
      boxes[n % 2].email_address,
      message(
        { Subject: `Your code ${n}`, "Message-ID": `<walk-${n}@example.net>` },
        `Your code is 48${1000 + n}. https://example.net/verify?n=${n}`,
      ),
    );
    received.push({ email_id, mailbox_id: boxes[n % 2].mailbox_id });
  }
  await test.settle();
  const rows = await data(test.request("/v1/api/emails?limit=100", { token: owner.key }));
  const threads: string[] = rows.map(({ thread_id }: Body) => thread_id);
  const sessions = await Array.fromAsync(test.kv.list({ prefix: ["sessions", owner.userId] }));
  const actors: Actor[] = [
    { token: owner.key, is: { key_id: owner.keyId } },
    {
      token: owner.accessToken,
      is: { session: String(sessions[0].key[2]), member_id: owner.userId },
    },
  ];
  return { owner, boxes, received, threads, actors };
}

/**
 * Makes `calls` random calls, some of them refused. Returns the expected rows of the audit, in the order of the calls.
 */
export async function walk(
  test: TestService,
  world: Awaited<ReturnType<typeof walked>>,
  { calls, seed }: { calls: number; seed: number },
): Promise<Expected[]> {
  const random = seeded(seed);
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)];
  const expected: Expected[] = [];
  for (let n = 0; n < calls; n++) {
    test.clock.advance(Math.floor(random() * 900));
    const step = stepOf(world, pick, n);
    const actor = pick(world.actors);
    const byTool = step.tool !== undefined && (step.rest === undefined || random() < 0.5);
    const body = byTool
      ? await callTool(test, actor, ...step.tool!)
      : await callRest(test, actor, ...step.rest!);
    const row = body === null ? null : step.about(body);
    if (row) expected.push({ actor: actor.is, surface: byTool ? "mcp" : "rest", ...row });
  }
  return expected;
}

/** The answer without its envelope; null if the call was refused. */
async function callRest(
  test: TestService,
  { token }: Actor,
  method: string,
  path: string,
  json?: unknown,
): Promise<Body> {
  const answer = await test.request(path, { method, token, json });
  const bytes = await answer.bytes();
  if (!answer.ok) return null;
  if (!answer.headers.get("content-type")?.startsWith("application/json")) return {};
  const body = JSON.parse(new TextDecoder().decode(bytes));
  return body.data ?? body;
}

async function callTool(
  test: TestService,
  { token }: Actor,
  name: string,
  args: Record<string, unknown>,
): Promise<Body> {
  const { body: { result } } = await post(test, token, {
    ...{ jsonrpc: "2.0", id: 1, method: "tools/call" },
    params: { name, arguments: args },
  }, { path: "/v1/mcp?toolset=full" });
  if (result.isError) return null;
  const structured = result.structuredContent;
  return structured.emails ?? structured.results ?? structured.claims ?? structured;
}

/** The kinds of calls, each over all the surfaces that have it. */
function stepOf(
  { boxes, received, threads }: Awaited<ReturnType<typeof walked>>,
  pick: <T>(all: readonly T[]) => T,
  n: number,
): Step {
  const { email_id, mailbox_id } = pick(received);
  const one = { mailbox_id, email_id, count: 1 };
  const api = "/v1/api";
  const steps: (() => Step)[] = [
    () => ({
      rest: ["GET", `${api}/emails?mailbox_id=${mailbox_id}&limit=5`],
      tool: ["list_emails", { mailbox_id, limit: 5 }],
      about: (rows) => about("list_emails", { mailbox_id, count: rows.length }),
    }),
    () => ({
      rest: ["GET", `${api}/emails?max_chars=2500`],
      tool: ["list_emails", { max_chars: 2500 }],
      about: (rows) => about("list_emails", { count: rows.length }),
    }),
    () => ({
      rest: ["GET", `${api}/emails/${email_id}`],
      tool: ["get_email", { email_id }],
      about: () => about("get_email", one),
    }),
    () => ({
      rest: ["GET", `${api}/emails/${email_id}/raw`],
      tool: ["get_email_raw", { email_id }],
      about: () => about("get_email_raw", one),
    }),
    () => ({
      rest: ["GET", `${api}/emails/${email_id}/links`],
      tool: ["get_links", { email_id }],
      about: () => about("get_links", one),
    }),
    () => ({
      rest: ["GET", `${api}/emails/${email_id}/verification`],
      tool: ["get_verification", { email_id }],
      about: () => about("get_verification", one),
    }),
    () => {
      const thread_id = pick(threads);
      return {
        rest: ["GET", `${api}/threads/${thread_id}`],
        tool: ["get_email_thread", { thread_id }],
        about: ({ thread }) => about("get_email_thread", { count: thread.length }),
      };
    },
    () => ({
      rest: ["POST", `${api}/search`, { query: "code", mailbox_id }],
      tool: ["search_emails", { query: "code", mailbox_id }],
      about: (body) => about("search_emails", { mailbox_id, count: (body.results ?? body).length }),
    }),
    () => ({
      rest: ["GET", `${api}/emails/wait?mailbox_id=${mailbox_id}&timeout_seconds=0`],
      tool: ["wait_for_email", { mailbox_id, timeout_seconds: 0 }],
      about: ({ email }) =>
        about("wait_for_email", {
          mailbox_id,
          email_id: email?.email_id ?? null,
          count: email ? 1 : 0,
        }),
    }),
    () => {
      const args = { mailbox_id, to: "ada@example.net", subject: "Hi", body_text: `n ${n}` };
      return {
        rest: ["POST", `${api}/emails/send`, args],
        tool: ["send_email", args],
        about: (sent) => about("send_email", { mailbox_id, email_id: sent.email_id, count: 1 }),
      };
    },
    () => ({
      rest: ["POST", `${api}/emails/${email_id}/reply`, { body_text: "Yes" }],
      tool: ["reply_email", { email_id, body_text: "Yes" }],
      about: (sent) => about("reply_email", { mailbox_id, email_id: sent.email_id, count: 1 }),
    }),
    () => ({
      rest: ["PATCH", `${api}/emails/${email_id}`, { is_read: n % 2 === 0 }],
      tool: ["update_email", { email_id, is_read: n % 2 === 0 }],
      about: () => about("update_email", one),
    }),
    () => {
      const ids = [email_id, pick(received).email_id, "none"];
      const args = { email_ids: ids, add_labels: [`l${n % 5}`] };
      return {
        rest: ["POST", `${api}/emails/batch`, args],
        tool: ["update_emails", args],
        about: () => about("update_emails", { count: new Set(ids).size - 1 }),
      };
    },
    () => ({
      rest: ["POST", `${api}/mailboxes/${mailbox_id}/claims`, { limit: 2 }],
      tool: ["claim_emails", { mailbox_id, limit: 2 }],
      about: (claims) => about("claim_emails", { mailbox_id, count: claims.length }),
    }),
    () => ({
      rest: ["POST", `${api}/expectations`, { mailbox_id, from_domain: "example.net" }],
      tool: ["expect_code", { mailbox_id, from_domain: "example.net" }],
      about: () => about("expect_code", { mailbox_id }),
    }),
    () => ({
      rest: ["POST", `${api}/webhooks`, {
        url: "https://198.51.100.1/",
        events: ["api_key.created"],
      }],
      about: () => about("create_webhook"),
    }),
    () => ({
      rest: ["POST", `${api}/mailboxes`, { generate: true }],
      about: (body) => about("create_mailbox", { mailbox_id: body.mailbox.mailbox_id }),
    }),
    // Refused, or a call that leaves no row.
    () => ({
      rest: ["GET", `${api}/emails/none`],
      tool: ["get_email", { email_id: "none" }],
      about: () => about("never"),
    }),
    () => ({
      rest: ["POST", `${api}/search`, { query: "" }],
      tool: ["search_emails", { query: "" }],
      about: () => about("never"),
    }),
    () => ({
      rest: ["GET", `${api}/mailboxes`],
      tool: ["list_mailboxes", {}],
      about: () => null,
    }),
    () => ({ rest: ["GET", `${api}/arrivals`], about: () => null }),
    () => ({ rest: ["GET", `${api}/webhooks`], about: () => null }),
    () => ({ rest: ["GET", `${api}/health`], about: () => null }),
    () => ({ rest: ["GET", `${api}/audit?limit=3`], about: () => null }),
    () => ({
      rest: ["GET", `${api}/changes?limit=3`],
      tool: ["list_changes", { limit: 3 }],
      about: () => null,
    }),
    () => ({ rest: ["GET", `${api}/mailboxes/${boxes[0].mailbox_id}/none`], about: () => null }),
  ];
  return pick(steps)();
}
