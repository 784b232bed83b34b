import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { deliver, mailbox, type TestAccount, type TestService } from "../service.ts";

/** The folders beside this file are the kinds; `NAME.eml` is a mail and `NAME.json` what the service makes of it. */
export const corpusDir = new URL(".", import.meta.url).pathname;

/**
 * What holds for a mail; each of these that a file has is checked. A text is compared with every run of blanks and
 * line ends as one blank, and none at the ends.
 */
export interface Expected {
  /** What would go wrong, and for whom. */
  why: string;
  /** Files beside the mail that come to the mailbox before it; they need no JSON of their own. */
  before?: string[];
  /** Fields of the email. */
  fields?: Record<string, unknown>;
  /** Pieces of text that a field of the email has. */
  contains?: Record<string, string[]>;
  /** Pieces of text that a field of the email does not have. */
  lacks?: Record<string, string[]>;
  /** Of the segments with text; neighbours of one origin are one. */
  origins?: string[];
  /** `best_code`. */
  code?: string | null;
  /** Each is there; others may be there too. `text`: a piece of its text. */
  attachments?: { name: string; size?: number; sha256?: string; text?: string }[];
  /** Each of these questions finds the mail. */
  found_by?: string[];
  /** None of these questions finds it. */
  not_found_by?: string[];
  /** The mail is in the thread of this file, one of `before`. */
  same_thread_as?: string;
}

export interface CorpusMail {
  kind: string;
  name: string;
  expected: Expected;
}

const folders = (dir: string) =>
  readdirSync(dir, { withFileTypes: true }).filter((each) => each.isDirectory()).map(({ name }) =>
    name
  ).sort();

/** Every mail of the corpus. Throws if a file has no other half. */
export function corpusMails(dir = corpusDir): CorpusMail[] {
  return folders(dir).flatMap((kind) => {
    const files = new Set(readdirSync(join(dir, kind)));
    const names = [...files].filter((file) => file.endsWith(".json")).map((file) =>
      basename(file, ".json")
    ).sort();
    const mails = names.map((name) => {
      if (!files.delete(`${name}.eml`)) throw new Error(`${kind}/${name}.eml is missing`);
      files.delete(`${name}.json`);
      return {
        kind,
        name,
        expected: JSON.parse(readFileSync(join(dir, kind, `${name}.json`), "utf8")) as Expected,
      };
    });
    for (const file of mails.flatMap(({ expected }) => expected.before ?? [])) {
      if (!files.has(file) && !names.includes(basename(file, ".eml"))) {
        throw new Error(`${kind}/${file} is missing`);
      }
      files.delete(file);
    }
    if (files.size > 0) throw new Error(`${kind}: nothing reads ${[...files].join(", ")}`);
    return mails;
  });
}

const plain = (value: unknown) =>
  typeof value === "string" ? value.replace(/\s+/g, " ").trim() : value;
const shown = (value: unknown) => JSON.stringify(value) ?? "nothing";
const pieces = (record: Record<string, string[]> = {}) =>
  Object.entries(record).flatMap(([field, all]) =>
    all.map((piece) => ({ field, piece: plain(piece) as string }))
  );

/** Delivers the mail to a mailbox of its own and returns one sentence for each expectation that does not hold. */
export async function judge(
  test: TestService,
  owner: TestAccount,
  { kind, name, expected }: CorpusMail,
  dir = corpusDir,
): Promise<string[]> {
  const wrong: string[] = [];
  const check = (holds: boolean, wanted: string, came: unknown) => {
    if (!holds) wrong.push(`wanted ${wanted}, came ${shown(came)}`);
  };
  const box = await mailbox(test, owner);
  // deno-lint-ignore no-explicit-any -- the answers are what is judged
  const read = async (path: string, json?: object): Promise<any> =>
    await (await test.request(`/v1/api/${path}`, { token: owner.key, json })).json();
  const arrive = async (file: string) => {
    const result = await deliver(
      test,
      box.email_address,
      new Uint8Array(readFileSync(join(dir, kind, file))),
    );
    if (!result.email_id) throw new Error(`${kind}/${file}: ${shown(result)}`);
    await test.settle();
    return (await read(`emails/${result.email_id}?segments=true`)).data;
  };
  const before = new Map<string, { thread_id: string }>();
  for (const file of expected.before ?? []) before.set(file, await arrive(file));
  const email = await arrive(`${name}.eml`);

  for (const [field, value] of Object.entries(expected.fields ?? {})) {
    check(
      shown(plain(email[field])) === shown(plain(value)),
      `${field} ${shown(value)}`,
      email[field],
    );
  }
  for (const { field, piece } of pieces(expected.contains)) {
    check(
      String(plain(email[field])).includes(piece),
      `${field} with ${shown(piece)}`,
      email[field],
    );
  }
  for (const { field, piece } of pieces(expected.lacks)) {
    check(
      !String(plain(email[field])).includes(piece),
      `${field} without ${shown(piece)}`,
      email[field],
    );
  }
  if (expected.origins) {
    const all = (email.segments as { origin: string; text: string }[]).filter(({ text }) =>
      text.trim()
    );
    const came = all.map(({ origin }) => origin).filter((origin, i, origins) =>
      origin !== origins[i - 1]
    );
    check(shown(came) === shown(expected.origins), `origins ${expected.origins.join(", ")}`, came);
  }
  if (expected.code !== undefined) {
    const { data: { best_code } } = await read(`emails/${email.email_id}/verification`);
    check(best_code === expected.code, `code ${expected.code}`, best_code);
  }
  const files = email.attachments as {
    attachment_id: string;
    filename: string;
    size: number;
    sha256: string;
  }[];
  for (const wanted of expected.attachments ?? []) {
    const file = files.find(({ filename, size, sha256 }) =>
      filename === wanted.name && size === (wanted.size ?? size) &&
      sha256 === (wanted.sha256 ?? sha256)
    );
    check(
      file !== undefined,
      `the file ${shown(wanted)}`,
      files.map(({ filename, size }) => ({ filename, size })),
    );
    if (!file || wanted.text === undefined) continue;
    const { data: text = {} } = await read(
      `emails/${email.email_id}/attachments/${file.attachment_id}?format=text`,
    );
    check(
      String(plain(text.text)).includes(wanted.text),
      `text of ${wanted.name} with ${shown(wanted.text)}`,
      text,
    );
  }
  const isFound = async (query: string) => {
    const { results } = await read("search", { query, mailbox_id: box.mailbox_id });
    return (results as { email_id: string }[]).some(({ email_id }) => email_id === email.email_id);
  };
  for (const query of expected.found_by ?? []) {
    check(await isFound(query), `found by ${shown(query)}`, "no result");
  }
  for (const query of expected.not_found_by ?? []) {
    check(!await isFound(query), `not found by ${shown(query)}`, "it");
  }
  if (expected.same_thread_as) {
    const first = before.get(expected.same_thread_as);
    check(
      email.thread_id === first?.thread_id,
      `the thread of ${expected.same_thread_as}`,
      "another",
    );
  }
  return wrong;
}
