import assert from "node:assert/strict";
import type { TestAccount, TestService } from "../service.ts";

// deno-lint-ignore no-explicit-any -- answers of every shape
type Body = any;

/** A GET over REST; asserts that the body keeps to `max_chars`, if the path has it. */
export async function rest(test: TestService, owner: TestAccount, path: string, json?: object) {
  const answer = await test.request(path, { token: owner.key, json });
  const text = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${text.slice(0, 300)}`);
  const max = Number(/max_chars=(\d+)/.exec(path)?.[1] ?? Object(json).max_chars ?? Infinity);
  assert.ok(text.length <= max, `${path}: ${text.length} of ${max}`);
  return JSON.parse(text) as Body;
}

/** A call of a tool; asserts that structuredContent keeps to `maxChars`. */
export async function tool(
  test: TestService,
  owner: TestAccount,
  name: string,
  args: Record<string, unknown>,
  { url = "/v1/mcp?toolset=full", maxChars = 60_000 } = {},
): Promise<Body> {
  const answer = await test.request(url, {
    token: owner.key,
    json: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
    headers: { accept: "application/json, text/event-stream" },
  });
  const text = await answer.text();
  const line = text.split("\n").find((each) => each.startsWith("data: "));
  const { result } = JSON.parse(line ? line.slice(6) : text);
  if (result.isError) return JSON.parse(result.content[0].text);
  const { length } = JSON.stringify(result.structuredContent);
  const max = Number(args.max_chars ?? maxChars);
  assert.ok(length <= max, `${name} ${JSON.stringify(args)}: ${length} of ${max}`);
  return result.structuredContent;
}

/** The text of an email, read piece by piece. */
export async function joined(
  get: (
    offset: number,
  ) => Promise<{ body_text: string; truncated?: boolean; next_offset?: number }>,
): Promise<string> {
  let text = "";
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const piece = await get(offset);
    assert.ok(piece.body_text.isWellFormed() || text === "", "a piece ends inside a character");
    if (piece.next_offset !== undefined) {
      assert.ok(piece.next_offset > offset && piece.truncated);
    }
    text += piece.body_text;
    offset = piece.next_offset;
  }
  return text;
}

type Segmented = { body_text: string; segments: { origin: string; text: string }[] };

const shownIn = ({ segments }: Segmented): string =>
  segments.filter(({ origin }) => origin !== "hidden").map(({ text }) => text).join("");

/** Asserts that the segments of `email` are the beginning of those of `whole`, and are removed before the text. */
function assertSegments(email: Segmented, whole: Segmented): void {
  assert.equal(shownIn(whole), whole.body_text);
  assert.ok(whole.body_text.startsWith(shownIn(email)));
  email.segments.forEach(({ origin, text }, n) => {
    assert.equal(origin, whole.segments[n].origin);
    assert.ok(whole.segments[n].text.startsWith(text));
    if (n + 1 < email.segments.length) assert.equal(text, whole.segments[n].text);
  });
  if (email.body_text !== whole.body_text) assert.deepEqual(email.segments, []);
}

/** Reads one email by every route and tool that has a budget. */
export async function readWithin(
  test: TestService,
  owner: TestAccount,
  emailId: string,
  maxChars: number,
): Promise<void> {
  const path = `/v1/api/emails/${emailId}`;
  const { data: whole } = await rest(test, owner, path);
  assert.equal(
    await joined(async (offset) =>
      (await rest(test, owner, `${path}?max_chars=${maxChars}&offset=${offset}`)).data
    ),
    whole.body_text,
  );
  const { data: segmented } = await rest(test, owner, `${path}?segments=true`);
  const { segments: _segments, ...without } = segmented;
  assert.deepEqual(without, whole);
  const short = await rest(test, owner, `${path}?segments=true&max_chars=${maxChars}`);
  assertSegments(short.data, segmented);
  const middle = whole.body_text.length >> 1;
  const rest2 = await rest(test, owner, `${path}?segments=true&offset=${middle}`);
  assertSegments(rest2.data, rest2.data);
  const texts = [];
  for (const long_urls of ["short", "keep"]) {
    const get = (offset: number, max_chars: number) =>
      tool(test, owner, "get_email", { email_id: emailId, max_chars, offset, long_urls });
    texts.push(await joined(async (offset) => (await get(offset, maxChars)).email));
    assert.equal(
      texts.at(-1),
      await joined(async (offset) => (await get(offset, 1_000_000)).email),
    );
    const args = { email_id: emailId, segments: true, long_urls };
    const all = (await tool(test, owner, "get_email", { ...args, max_chars: 1_000_000 })).email;
    assertSegments(all, all);
    assert.equal(all.body_text, texts.at(-1));
    const { email } = await tool(test, owner, "get_email", { ...args, max_chars: maxChars });
    assertSegments(email, all);
  }
  assert.equal(texts[1], whole.body_text);
  const { data: { links } } = await rest(test, owner, `${path}/links`);
  const found = [];
  for (let offset: number | undefined = 0; offset !== undefined;) {
    const at = `${path}/links?max_chars=${maxChars}&offset=${offset}`;
    const { data }: Body = await rest(test, owner, at);
    found.push(...data.links);
    offset = data.next_offset;
  }
  assert.deepEqual(found.map(({ n }) => n), links.map(({ n }: { n: number }) => n));
  await rest(test, owner, `${path}/verification?max_chars=${maxChars}`);
  await tool(test, owner, "get_links", { email_id: emailId, max_chars: maxChars });
  await tool(test, owner, "get_verification", { email_id: emailId, max_chars: maxChars });
  const { mailbox_id } = whole;
  const before = new Date(Date.parse(whole.received_at) - 1).toISOString();
  const wait = `/v1/api/emails/wait?mailbox_id=${mailbox_id}&since=${before}&timeout_seconds=0`;
  await rest(test, owner, `${wait}&max_chars=${maxChars}`);
  await rest(test, owner, `${wait}&max_chars=${maxChars}&require=link`);
  const thread = `/v1/api/threads/${whole.thread_id}`;
  const all = (await rest(test, owner, thread)).data.thread;
  const rows = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const at = `${thread}?max_chars=${maxChars}${cursor && `&cursor=${cursor}`}`;
    const { data }: Body = await rest(test, owner, at);
    assert.ok(data.thread.length >= 1);
    rows.push(...data.thread);
    cursor = data.next_cursor;
  }
  assert.deepEqual(ids(rows), ids(all));
}

export const ids = (rows: { email_id: string }[]) => rows.map(({ email_id }) => email_id);

/** Reads the list and a search page by page in the budget, by REST and by the tools. */
export async function listWithin(
  test: TestService,
  owner: TestAccount,
  maxChars: number,
  query: string,
): Promise<void> {
  const all: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const at = `/v1/api/emails?limit=100${cursor && `&cursor=${cursor}`}`;
    const { data, meta }: Body = await rest(test, owner, at);
    all.push(...ids(data));
    cursor = meta.next_cursor;
  }
  const listed: string[] = [], byTool: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const at = `/v1/api/emails?limit=100&max_chars=${maxChars}${cursor && `&cursor=${cursor}`}`;
    const { data, meta }: Body = await rest(test, owner, at);
    assert.ok(data.length >= 1);
    assert.equal(meta.has_more, meta.next_cursor !== null);
    listed.push(...ids(data));
    cursor = meta.next_cursor;
  }
  for (let cursor: string | null = ""; cursor !== null;) {
    const args = { limit: 100, max_chars: maxChars, ...(cursor ? { cursor } : {}) };
    const { emails, next_cursor }: Body = await tool(test, owner, "list_emails", args);
    byTool.push(...ids(emails));
    cursor = next_cursor;
  }
  assert.deepEqual([listed, byTool], [all, all]);
  const found = await rest(test, owner, "/v1/api/search", { query, limit: 100 });
  const pieces: string[] = [];
  for (let offset = 0; pieces.length < found.results.length;) {
    const args = { query, limit: 100, offset, max_chars: maxChars };
    const { results, has_more, next_offset } = offset % 2
      ? await rest(test, owner, "/v1/api/search", args)
      : await tool(test, owner, "search_emails", args);
    assert.ok(results.length >= 1);
    pieces.push(...ids(results));
    if (pieces.length < found.results.length) {
      assert.deepEqual([has_more, next_offset > offset], [
        true,
        true,
      ]);
    }
    offset = next_offset;
  }
  // The last page may go beyond the 100 of the whole answer.
  assert.deepEqual(pieces.slice(0, found.results.length), ids(found.results));
  const changes: unknown[] = [];
  const every = await rest(test, owner, "/v1/api/changes?limit=500");
  for (let after = "", more = true; more;) {
    const at = `/v1/api/changes?limit=500&max_chars=${maxChars}${after && `&after=${after}`}`;
    const { data, meta }: Body = await rest(test, owner, at);
    changes.push(...data);
    [after, more] = [meta.next_cursor, meta.has_more];
  }
  assert.deepEqual(changes.slice(0, every.data.length), every.data);
}
