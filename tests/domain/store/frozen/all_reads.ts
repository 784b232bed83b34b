import assert from "node:assert/strict";
import { operatorToken, type TestService } from "../../../service.ts";
import type { OpenApi } from "../../../routes/reference/document.ts";

/** Routes that are not read, and why. */
const unread: Record<string, string> = {
  "/v1/api/events": "does not end",
  "/api/events": "does not end",
  "/v1/api/emails/wait": "answers an email, which is read by its id",
  "/v1/api/downloads/{token}": "needs a link that each reading makes anew",
  "/v1/api/health": "is about the process",
  "/operator/metrics": "is about the process",
  "/openapi.json": "is about the program",
  "/docs": "is about the program",
  "/llms.txt": "is about the program",
};

/** The field of an answer that has the ids for a parameter of a path. */
const fieldOf: Record<string, string> = {
  messageId: "email_id",
  draftId: "draft_id",
  mailboxId: "mailbox_id",
  attachmentId: "attachment_id",
  expectationId: "expectation_id",
  id: "webhook_id",
};

/** What a route requires in its query; ids are filled in as in its path. */
const queries: Record<string, string> = {
  "/api/activity": "from=2026-11-20T00:00:00.000Z&to=2026-11-21T00:00:00.000Z&step=hour",
  "/api/drafts/{draftId}/html": "content_hash={content_hash}",
  "/v1/api/mailboxes/check-email": "local_part=agent-three&domain=agents.test",
  "/api/mailboxes/check-email": "local_part=agent-three&domain=agents.test",
};

/** The answer of a GET, in a form that can be compared: a JSON value, lines of them, else a digest of the bytes. */
export async function readOf(test: TestService, path: string, token: string): Promise<unknown> {
  const answer = await test.request(path, { token });
  const type = answer.headers.get("content-type") ?? "";
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const text = new TextDecoder().decode(bytes);
  assert.equal(answer.status, 200, `${path} ${text.slice(0, 500)}`);
  if (type.startsWith("application/json")) return JSON.parse(text);
  if (type.includes("ndjson")) return text.trim().split("\n").map((line) => JSON.parse(line));
  // What a page makes of a mail may change.
  if (type.startsWith("text/html")) return null;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
}

/**
 * Reads every GET route of the OpenAPI document with all ids that earlier answers named, until no answer names a new one.
 * Returns the answers by credential and path. Throws if a route was not read once.
 */
export async function allReads(
  test: TestService,
  tokens: Record<string, string>,
  known: Record<string, string[]>,
): Promise<Record<string, unknown>> {
  const { paths }: OpenApi = await (await test.request("/openapi.json")).json();
  const templates = Object.keys(paths).filter((path) => paths[path].get && !(path in unread));
  // Later reads are in the audit.
  templates.sort((a, b) => Number(b.includes("audit")) - Number(a.includes("audit")));
  const ids = new Map(Object.entries(known).map(([field, all]) => [field, new Set(all)]));
  const answers: Record<string, unknown> = {};
  const missing = new Set(templates);
  const refused = new Set<string>();
  for (let before = -1; before < Object.keys(answers).length;) {
    before = Object.keys(answers).length;
    for (const template of templates) {
      const { parameters = [] } = paths[template].get;
      const limit = parameters.find(({ name }) => name === "limit")?.schema.maximum;
      const query = queries[template] ?? (limit ? `limit=${limit}` : "");
      for (const path of filled(query ? `${template}?${query}` : template, ids)) {
        const credential = credentialOf(path);
        const name = `${credential} ${path}`;
        if (name in answers || refused.has(name)) continue;
        const answer = await readOf(test, path, tokens[credential]).catch((error) => {
          // A file of another email, the hash of another draft, a mailbox that was deleted.
          if (!/"code":"(NOT_FOUND|CONFLICT)"/.test(error.message)) throw error;
          refused.add(name);
        });
        if (refused.has(name)) continue;
        answers[name] = answer;
        missing.delete(template);
        collect(answer, ids);
      }
    }
  }
  assert.deepEqual([...missing], [], "routes that nothing was read from");
  return answers;
}

function credentialOf(path: string): string {
  if (path.startsWith("/operator/")) return "operator";
  return path.startsWith("/v1/") ? "key" : "session";
}

/** The token of a credential; a store has the others. */
export const operator = { operator: operatorToken };

function filled(template: string, ids: Map<string, Set<string>>): string[] {
  const parameter = /\{(\w+)\}/.exec(template);
  if (!parameter) return [template];
  const [written, name] = parameter;
  return [...ids.get(fieldOf[name] ?? name) ?? []].flatMap((id) =>
    filled(template.replace(written, encodeURIComponent(id)), ids)
  );
}

function collect(value: unknown, ids: Map<string, Set<string>>): void {
  if (value === null || typeof value !== "object") return;
  for (const [name, each] of Object.entries(value)) {
    if (typeof each === "string") ids.set(name, (ids.get(name) ?? new Set()).add(each));
    else collect(each, ids);
  }
}
