import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { message } from "../service.ts";
import {
  freePort,
  openAccount,
  postMail,
  type ServiceProcess,
  startProcess,
} from "../service_process.ts";

/** A service process with one email, before its store fails. */
async function withService(
  within: string[],
  trouble: (it: {
    service: ServiceProcess;
    dir: string;
    deliver(subject: string): Promise<{ status: number; retryAfter: string | null; code?: string }>;
    subjects(): Promise<string[]>;
    read(): Promise<number[]>;
  }) => Promise<void>,
): Promise<void> {
  const dir = await Deno.makeTempDir();
  // Requests are counted, so that the test shows that reads do not wait for a count that cannot be written.
  const limited = { requestsPerMinute: 1_000, requestsPerHour: 10_000, requestsPerDay: 20_000 };
  const env = { PLAN_OVERRIDES: JSON.stringify({ enterprise: limited }) };
  const service = startProcess({ dir, port: freePort(), within, env });
  try {
    assert.ok(await service.up);
    const { base } = service;
    const { key, mailboxes: [box] } = await openAccount(base, "trouble", 1);
    const authorization = `Bearer ${key}`;
    const list = async () => {
      const answer = await fetch(`${base}/v1/api/emails?limit=100`, { headers: { authorization } });
      assert.equal(answer.status, 200);
      return (await answer.json()).data as { email_id: string; subject: string }[];
    };
    await trouble({
      service,
      dir,
      async deliver(subject) {
        const raw = message({ Subject: subject }, `${subject}\n`.repeat(2_000));
        const answer = await postMail(base, box.email_address, raw, { from: "ada@example.net" });
        const { error } = await answer.json();
        return {
          status: answer.status,
          retryAfter: answer.headers.get("retry-after"),
          code: error?.code,
        };
      },
      subjects: async () => (await list()).map(({ subject }) => subject).sort(),
      async read() {
        const [{ email_id }] = await list();
        const paths = [`emails/${email_id}`, `emails/${email_id}/raw`, "emails", "mailboxes"];
        const search = {
          method: "POST",
          headers: { authorization, "content-type": "application/json" },
          body: JSON.stringify({ query: "first" }),
        };
        const asked = [
          ...paths.map((path) => fetch(`${base}/v1/api/${path}`, { headers: { authorization } })),
          fetch(`${base}/v1/api/search`, search),
        ];
        return await Promise.all(asked.map(async (asking) => {
          const answer = await asking;
          await answer.body?.cancel();
          return answer.status;
        }));
      },
    });
  } finally {
    await service.kill();
    await Deno.remove(dir, { recursive: true });
  }
}

const unavailable = { status: 503, retryAfter: "1", code: "SERVICE_UNAVAILABLE" };
const accepted = { status: 200, retryAfter: null, code: undefined };

// SPEC: inbound.unavailable
Deno.test("while another program locks the database mail is 503 and reads continue; afterwards mail is accepted again", () =>
  withService([], async ({ dir, deliver, subjects, read }) => {
    assert.deepEqual(await deliver("first"), accepted);
    const other = new DatabaseSync(`${dir}/kv.sqlite`, { timeout: 5_000 });
    other.exec("begin immediate");
    const refused = deliver("second");
    assert.deepEqual(await read(), [200, 200, 200, 200, 200]);
    assert.deepEqual(await refused, unavailable);
    assert.deepEqual(await subjects(), ["first"]);
    other.exec("rollback");
    other.close();
    assert.deepEqual(await deliver("second"), accepted);
    assert.deepEqual(await subjects(), ["first", "second"]);
  }));

/** Runs a program in which a write above the file size limit is an error, not a signal that ends it. */
const withLimits = ["sh", "-c", `trap '' XFSZ; exec "$@"`, "sh"];

/** Limits the process's files to `bytes`, like a full disk. */
async function limitFiles(pid: number, bytes: number | "unlimited"): Promise<void> {
  const { success, stderr } = await new Deno.Command("prlimit", {
    args: ["--pid", String(pid), `--fsize=${bytes}:unlimited`],
  }).output();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** Counts the rows that Deno KV itself would remove. */
function expiringRows(path: string): number {
  using database = new DatabaseSync(path, { readOnly: true });
  const [row] = database.prepare("select count(*) as rows from kv where expiration_ms > 0").all();
  return Number(row.rows);
}

// SPEC: inbound.unavailable
Deno.test({
  name: "on a full disk mail is 503 and reads continue; once there is space mail is accepted again",
  // prlimit(1) exists on Linux only.
  ignore: Deno.build.os !== "linux",
  fn: () =>
    withService(withLimits, async ({ service, dir, deliver, subjects, read }) => {
      for (const subject of ["first", "second"]) assert.deepEqual(await deliver(subject), accepted);
      let largest = 0;
      for await (const { name } of Deno.readDir(dir)) {
        largest = Math.max(largest, (await Deno.stat(`${dir}/${name}`)).size);
      }
      await limitFiles(service.pid, largest);
      // A few more use up the space left; all of them are stored.
      const kept = ["first", "second"];
      for (let n = 0; n < 200; n++) {
        const answer = await deliver(`while full ${n}`);
        if (answer.status !== 200) {
          assert.deepEqual(answer, unavailable);
          break;
        }
        kept.push(`while full ${n}`);
      }
      assert.ok(kept.length < 202, "the disk was never full");
      assert.deepEqual(await read(), [200, 200, 200, 200, 200]);
      assert.deepEqual(await subjects(), kept.toSorted());
      // Deno KV itself removes rows with an expiry; on a full disk this ends the process.
      assert.equal(expiringRows(`${dir}/kv.sqlite`), 0);
      await limitFiles(service.pid, "unlimited");
      assert.deepEqual(await deliver("afterwards"), accepted);
      assert.deepEqual(await subjects(), [...kept, "afterwards"].toSorted());
    }),
});
