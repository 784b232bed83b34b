import { readUser } from "../../../domain/accounts/user.ts";
import { readUsage } from "../../../domain/billing/usage.ts";
import { data, type TestAccount, type TestService } from "../../service.ts";

/** Bytes that deflate does not shorten, the same in every run. */
export function bytes(size: number, seed = 1): Uint8Array<ArrayBuffer> {
  const made = new Uint8Array(size);
  for (let i = 0, n = seed; i < size; i++) made[i] = (n = (n * 16807) % 2147483647) & 0xff;
  return made;
}

export const pathOf = (url: string) => new URL(url).pathname;

export interface NewUpload {
  upload_id: string;
  upload_url: string;
  expires_at: string;
}

export async function newUpload(
  test: TestService,
  token: string,
  json: Record<string, unknown> = {},
): Promise<NewUpload> {
  return await data(test.request("/v1/api/uploads", { token, json }));
}

export async function put(
  test: TestService,
  url: string,
  body: BodyInit,
  headers: Record<string, string> = {},
) {
  const answer = await test.request(pathOf(url), { method: "PUT", body, headers });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** The id of an upload whose bytes have come. */
export async function uploaded(
  test: TestService,
  token: string,
  content: Uint8Array<ArrayBuffer>,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { upload_id, upload_url } = await newUpload(test, token, fields);
  const { status, body } = await put(test, upload_url, content);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return upload_id;
}

/** The bytes that count as storage of the account. */
export async function storageOf(test: TestService, { userId }: TestAccount): Promise<number> {
  const { database, clock } = test.service;
  return (await readUsage(database, await readUser(database, userId), clock.now())).storageBytes;
}

/** Rows of files and of uploads in the store, by table. */
export async function rowsOfFiles(kv: Deno.Kv): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for await (const { key } of kv.list({ prefix: [] }, { batchSize: 50 })) {
    const table = String(key[0]);
    if (table.startsWith("blob") || table === "uploads") found[table] = (found[table] ?? 0) + 1;
  }
  return found;
}

/** The bytes of the files of an email. */
export async function filesOf(test: TestService, token: string, emailId: string) {
  const path = `/v1/api/emails/${emailId}`;
  const { attachments } = await data(test.request(path, { token }));
  const files = [];
  for (const { attachment_id, filename, content_type } of attachments) {
    const answer = await test.request(`${path}/attachments/${attachment_id}`, { token });
    files.push({ filename, content_type, content: await answer.bytes() });
  }
  return files;
}
