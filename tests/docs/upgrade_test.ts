import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("../../deploy/upgrade.sh", import.meta.url));

/** Runs the script with programs that only write down how they were called; the one that `fails` names does. */
async function upgrade(fails = "", args = ["v1.0.1"]): Promise<{ code: number; calls: string[] }> {
  const dir = await Deno.makeTempDir();
  for (const program of ["git", "systemd-run", "systemctl"]) {
    const text = `#!/bin/sh\necho "${program} $*" >> ${dir}/calls\ncase "${program} $*" in ${
      fails || "nothing"
    }) exit 1;; esac\n`;
    await Deno.writeTextFile(`${dir}/${program}`, text, { mode: 0o755 });
  }
  const PATH = `${dir}:${Deno.env.get("PATH")}`;
  const { code } = await new Deno.Command("sh", { args: [script, ...args], env: { PATH } })
    .output();
  const calls = await Deno.readTextFile(`${dir}/calls`).catch(() => "");
  await Deno.remove(dir, { recursive: true });
  return {
    code,
    calls: calls.trim().split("\n").map((line) => line.replace(/ -.* \/usr/, " /usr")),
  };
}

const looks = [
  "git rev-parse HEAD",
  "git fetch --quiet --tags",
  "git rev-parse --quiet --verify v1.0.1^{commit}",
];

Deno.test("an upgrade is one command: a backup, the version, its packages, a restart", async () => {
  const { code, calls } = await upgrade();
  const [backup, ...rest] = calls.slice(looks.length);
  assert.deepEqual([code, calls.slice(0, looks.length)], [0, looks]);
  assert.match(
    backup,
    /^systemd-run \/usr\/bin\/deno task backup --out \/var\/lib\/letterbox\/before-v1\.0\.1-\d{8}T\d{6}$/,
  );
  assert.deepEqual(rest, [
    "git checkout --quiet v1.0.1",
    "systemd-run /usr/bin/deno install",
    "systemctl restart letterbox",
  ]);
});

Deno.test("an upgrade without a backup, to no version or to an unknown one changes nothing", async () => {
  const changes = ({ calls }: { calls: string[] }) =>
    calls.filter((each) => /checkout|restart|install/.test(each));
  for (const [fails, args] of [["*backup*"], ["*verify*"], ["", []]] as [string, string[]?][]) {
    const run = await upgrade(fails, args);
    assert.notEqual(run.code, 0, fails);
    assert.deepEqual(changes(run), [], fails);
  }
});
