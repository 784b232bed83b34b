import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { type Job, leftBehind } from "../../domain/store/jobs.ts";

const program = fileURLToPath(new URL("deadly_mail_process.ts", import.meta.url));

/** A process on the store of `folder` from its start to its end: what it indexed or showed, line by line. */
async function life(folder: string): Promise<{ killed: boolean; lines: unknown[] }> {
  const { stdout, signal } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--unstable-kv", program, folder],
  }).output();
  const lines = new TextDecoder().decode(stdout).trim().split("\n").filter(Boolean);
  return { killed: signal === "SIGKILL", lines: lines.map((line) => JSON.parse(line)) };
}

Deno.test("a mail at which the process is killed three times is run alone, then set aside with a problem; other mail is read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    assert.ok((await life(folder)).killed);
    assert.ok((await life(folder)).killed);
    const third = await life(folder);
    assert.ok(third.killed);
    // Each runs alone, so all harmless mail is processed by now.
    assert.deepEqual(third.lines.at(-1), ["deadly"]);
    assert.ok(third.lines.every((subjects) => (subjects as string[]).length === 1));
    const problem = "The message was set aside: the service stopped three times while it was read.";
    const shown = ["one", "deadly", "two"].map((subject) => ({
      subject,
      problem: subject === "deadly" ? problem : null,
      body_text: subject === "deadly" ? "" : "Hello.\n",
      raw: true,
    }));
    const bySubject = (lines: unknown[]) =>
      lines.filter((line) => !Array.isArray(line))
        .toSorted((a, b) => JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
    const fourth = await life(folder);
    assert.equal(fourth.killed, false);
    assert.deepEqual(bySubject(fourth.lines), bySubject(shown));
    assert.deepEqual(bySubject((await life(folder)).lines), bySubject(shown));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

const job: Job = {
  ...{ jobId: "1", kind: "purge_webhook", payload: { webhookId: "1" } },
  ...{ runAt: 10, attempts: 0, createdAt: 0, dueAt: 40 },
};

Deno.test("a row that was left behind counts a death where its job was, or may have been, at work", () => {
  assert.deepEqual(leftBehind(job, 5), job);
  assert.deepEqual(leftBehind(job, 10), { ...job, deaths: 1 });
  assert.deepEqual(leftBehind({ ...job, deaths: 1 }, 10), { ...job, deaths: 1 });
  assert.deepEqual(leftBehind({ ...job, deaths: 1, atWork: true }, 10), { ...job, deaths: 2 });
});
