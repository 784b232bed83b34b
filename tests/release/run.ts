// `deno task release:check`: whether this checkout could be published. Publishes nothing.
import assert from "node:assert/strict";
import { basename, join, resolve } from "node:path";
import { command, runCommandLine } from "../../commands/command_line.ts";
import { type Packing, packNpm, packPython } from "../../sdk/pack.ts";
import { run } from "../../sdk/run.ts";
import { linksOfDocuments } from "../docs/links.ts";
import { inboundToken, openAccount } from "../service_process.ts";
import { assertNpxRuns, assertPythonRuns, assertRuns, runtimes } from "./clean_installs.ts";
import { assertImage } from "./image.ts";
import { assertPackage } from "./package_files.ts";
import { pythonWithTools } from "./python_tools.ts";
import { assertTellsVersion, startService } from "./started_service.ts";
import { serveRegistry } from "./stand_in_registry.ts";
import { NotTried, Steps } from "./steps.ts";
import { newestEntry, otherVersions, version } from "./versions.ts";
import { writeRelease } from "./write_release.ts";

interface Options extends Omit<Packing, "out"> {
  /** The tag that is to be published. */
  tag?: string;
  /** The folder for what was checked. */
  out?: string;
}

/** Does every step and prints the table. Returns whether all of them hold. */
async function check({ tag, out, repository }: Options): Promise<boolean> {
  const steps = new Steps();
  const folder = await Deno.makeTempDir();
  const inFolder = async (name: string) => {
    await Deno.mkdir(join(folder, name));
    return join(folder, name);
  };
  const archives = await inFolder("archives");
  await using registry = serveRegistry(folder);

  await steps.step("one version everywhere", async () => {
    assert.deepEqual(await otherVersions(), []);
    assert.ok(tag === undefined || tag === `v${version}`, `the tag is ${tag}, not v${version}`);
    return version;
  });
  await steps.step("the changelog has an entry for it", async () => {
    assert.ok((await newestEntry()).length > 100);
  });
  await steps.step("every link of README.md and docs/ resolves", async () => {
    const { links, broken } = await linksOfDocuments();
    assert.deepEqual(broken, []);
    return `${links} links`;
  });

  const tarballs = await steps.step("letterbox-sdk is packed", async () => [
    await packNpm({ out: archives, repository }),
  ]);
  const tools = await steps.step("build and twine for Python", async () => ({
    python: await pythonWithTools(await inFolder("tools")),
  }));
  const distributions = await steps.step("letterbox-mail is built: python -m build", async () => {
    const made = await packPython(needed(tools).python, { out: archives, repository });
    assert.equal(made.length, 2);
    return made;
  });
  for (const archive of [...tarballs ?? [], ...distributions ?? []]) {
    await steps.step(
      `files, licence, no secret: ${basename(archive)}`,
      () => assertPackage(archive),
    );
  }
  await steps.step("npm publish --dry-run", async () => {
    await run("npm", ["publish", "--dry-run", ...needed(tarballs)], { env: registry.env });
  });
  await steps.step("twine check --strict", async () => {
    await run(needed(tools).python, ["-m", "twine", "check", "--strict", ...needed(distributions)]);
  });

  const service = await steps.step(
    "the service starts",
    async () => await startService(await inFolder("store")),
  );
  try {
    await steps.step(
      "health and the OpenAPI document tell the version",
      () => assertTellsVersion(needed(service)),
    );
    const account = await steps.step(
      "an account and a key",
      () => openAccount(needed(service).base, "release", 0),
    );
    await steps.step(
      "a registry on loopback has the tarball",
      () => registry.publish(needed(tarballs)[0]),
    );
    const installing = async (name: string) => {
      const { base } = needed(service), { key } = needed(account);
      const { env } = registry;
      return { folder: await inFolder(name), where: { base, key, inboundToken }, env };
    };
    for (const name of Object.keys(runtimes)) {
      await steps.step(
        `README's ten lines in an empty project of ${name}`,
        async () => await assertRuns(name, await installing(name)),
      );
    }
    await steps.step("README's ten lines in an empty project of Python", async () => {
      needed(distributions);
      return await assertPythonRuns(await installing("Python"), archives);
    });
    await steps.step(
      "npx -y -p letterbox-sdk letterbox-mcp",
      async () => await assertNpxRuns(await installing("npx")),
    );
  } finally {
    await service?.stop();
  }
  await steps.step("the image is built, healthy and takes mail", assertImage);

  if (out !== undefined) {
    await steps.step(`what was checked is in ${out}`, () => writeRelease(archives, resolve(out)));
  }
  await Deno.remove(folder, { recursive: true });
  // CI must try everything.
  return steps.report(Boolean(Deno.env.get("CI")));
}

/** What an earlier step made. Throws NotTried if that did not pass. */
function needed<T>(value: T | undefined): T {
  if (value === undefined) throw new NotTried("an earlier step made nothing to try");
  return value;
}

const program = command({
  description: "Whether this checkout could be published; publishes nothing",
  args: {
    tag: { type: "string", description: "the tag of the release, which must be the version" },
    repository: { type: "string", description: "the public URL that the packages name" },
    out: { type: "string", description: "keeps the packages, their checksums and the notes there" },
  },
  async run(options) {
    Deno.exit(await check(options) ? 0 : 1);
  },
});

await runCommandLine("deno task release:check", program, Deno.args);
