import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { readMessages } from "../../bench/mail.ts";
import { prepare, UsageError } from "../../commands/command_line.ts";
import { letterbox } from "../../main.ts";
import { isNight } from "../nightly.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

async function run(args: string[]) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    // Without permissions for network, writing and programs: any attempt fails.
    args: [
      "run",
      // Deno itself writes what it downloads.
      "--quiet",
      "--no-check",
      "--no-prompt",
      "--allow-read",
      "--allow-env",
      "--allow-sys",
      ...args,
    ],
    cwd: root,
    env: { KV_PATH: "/dev/null/none/letterbox.sqlite", NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

/** Every task of deno.json that runs a program: its file, and its command of main.ts if it has one. */
async function programs(): Promise<{ task: string; file: string; command?: string }[]> {
  const { tasks } = JSON.parse(await Deno.readTextFile(`${root}deno.json`));
  const found: { task: string; file: string; command?: string }[] = [];
  for (const [task, { command }] of Object.entries<{ command: string }>(tasks)) {
    const [, file, name] = /deno run .*?(\S+\.ts)(?: (\S+))?$/.exec(command) ?? [];
    // The command line of the API has a help of its own; tests/sdk tries it.
    if (file && task !== "letterbox") found.push({ task, file, command: name });
  }
  return found;
}

Deno.test("every task that runs a program has --help that only prints help, and refuses an unknown option with status 2", async (t) => {
  const all = await programs();
  assert.deepEqual(
    all.map(({ task }) => task).sort(),
    [
      "account",
      "backup",
      "bench",
      "conformance",
      "corpus",
      "dev",
      "doctor",
      "export",
      "fields",
      "fuzz",
      "hostile",
      "import",
      "nightly",
      "picture",
      "reindex",
      "release:check",
      "restore",
      "screenshots",
      "sdk:build",
      "sdk:types",
      "site",
      "start",
      "storage",
      "torture",
    ],
  );
  const files = Map.groupBy(all, ({ file }) => file);
  for (const [file, [{ task, command }]] of files) {
    await t.step(file, async () => {
      const args = [file, ...command ? [command] : []];
      const refused = await run([...args, "--hlep"]);
      assert.deepEqual([refused.code, refused.stdout], [2, ""]);
      assert.equal(
        refused.stderr,
        `deno task ${task} has no option --hlep; the nearest is --help\n`,
      );
      // One function gives both: by day one program prints its help.
      if (!isNight && file !== "main.ts") return;
      const helped = await run([...args, "--help"]);
      assert.equal(helped.code, 0, helped.stderr);
      assert.match(helped.stdout, new RegExp(`deno task ${task}[^]*--help`));
      assert.equal(helped.stderr, "");
    });
  }
  // The commands of one program share the result of the first.
  for (const { task, command } of files.get("main.ts") ?? []) {
    await t.step(task, async () => {
      assert.ok(command);
      const { help } = await prepare("deno task", letterbox, [command, "--help"]);
      assert.match(help ?? "", new RegExp(`deno task ${task}`));
      await assert.rejects(
        prepare("deno task", letterbox, [command, "--hlep"]),
        new UsageError(`deno task ${task} has no option --hlep; the nearest is --help`),
      );
    });
  }
});

Deno.test("every benchmark takes the common options, and lists its own", async () => {
  const { all } = await import("../../bench/main.ts");
  const common = ["--mail", ".", "--json", "figures.json", "--rounds", "1"];
  assert.ok(Object.keys(all.commands).length >= 6);
  for (const name of Object.keys(all.commands)) {
    assert.equal((await prepare("bench", all, [name, ...common])).help, null);
  }
  assert.match((await prepare("bench", all, ["growth", "--help"])).help ?? "", /--shape/);
  await assert.rejects(
    prepare("bench", all, ["growt", ...common]),
    new UsageError("bench has no command growt; the nearest is growth"),
  );
  const { start } = await prepare("bench", all, ["growth", "--rounds", "0"]);
  await assert.rejects(
    start(),
    new UsageError("--rounds must be a whole number, at least 1; it is 0"),
  );
});

Deno.test("several benchmarks run in one command, with the options of each", async () => {
  const { all } = await import("../../bench/main.ts");
  const args = ["growth", "search", "--shape", "one", "--ir", "."];
  assert.equal((await prepare("bench", all, args)).help, null);
  await assert.rejects(
    prepare("bench", all, ["arrivals", "--shape", "one"]),
    new UsageError(
      "bench arrivals has no option --shape; the options are --mail, --json, --rounds, --messages, --compare, --help",
    ),
  );
});

Deno.test("--compare is refused without a checkout, and by benchmarks that measure only this checkout", async () => {
  const { all } = await import("../../bench/main.ts");
  const folder = await Deno.makeTempDir();
  try {
    const wrong = await prepare("bench", all, ["arrivals", "--compare", folder]);
    await assert.rejects(
      wrong.start(),
      new UsageError(`--compare ${folder} is no checkout: it has no main.ts`),
    );
    const alone = await prepare("bench", all, ["costs", "--compare", root]);
    await assert.rejects(alone.start(), new UsageError("costs cannot compare two checkouts"));
    const empty = await prepare("bench", all, ["costs", "--mail", folder]);
    await assert.rejects(
      empty.start(),
      new UsageError(`--mail ${folder} has no message in it: one a file, and not in folders`),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("a folder of messages is read through links; one without a message is refused in one sentence", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await assert.rejects(readMessages(folder), /has no message in it/);
    await Deno.mkdir(`${folder}/cur`);
    await Deno.writeTextFile(`${folder}/cur/b.eml`, "Subject: b\n\n");
    await Deno.symlink("nothing", `${folder}/a.eml`);
    await Deno.writeTextFile(`${folder}/README.md`, "# What lies here\n");
    await Deno.writeTextFile(`${folder}/empty.eml`, "");
    await assert.rejects(readMessages(folder), UsageError);
    await assert.rejects(readMessages(`${folder}/none`), /is no folder that can be read/);
    await Deno.symlink("cur/b.eml", `${folder}/b.eml`);
    await Deno.writeTextFile(`${folder}/c.eml`, "Subject: c\n\n");
    assert.deepEqual((await readMessages(folder)).map(({ name }) => name), ["b.eml", "c.eml"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
