import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { assertPackage, listed } from "./package_files.ts";
import { version } from "./versions.ts";

const name = `letterbox_mail-${version}-py3-none-any.whl`;
const licence = await Deno.readTextFile(new URL("../../LICENSE", import.meta.url));

/** Makes a wheel with the files of the list and these, and looks at it. */
async function look(changed: Record<string, string> = {}): Promise<void> {
  const folder = await Deno.makeTempDir();
  const own = (path: string) => path.endsWith("/LICENSE") ? licence : "";
  const files = Object.fromEntries((await listed(name)).map((path) => [path, own(path)]));
  const bytes = Object.entries({ ...files, ...changed }).map((
    [path, text],
  ) => [path, strToU8(text)]);
  await Deno.writeFile(`${folder}/${name}`, zipSync(Object.fromEntries(bytes)));
  await assertPackage(`${folder}/${name}`).finally(() => Deno.remove(folder, { recursive: true }));
}

Deno.test("a package with a file too many, another licence, a secret or a path of this machine is refused", async () => {
  await look();
  const module = "letterbox/client.py";
  const root = new URL("../../", import.meta.url).pathname;
  const wrong: Record<string, string>[] = [
    { "letterbox/test_client.py": "" },
    { [`letterbox_mail-${version}.dist-info/licenses/LICENSE`]: "All rights reserved" },
    { [module]: `key = "lbx_${"a1".repeat(16)}"` },
    { [module]: "-----BEGIN PRIVATE KEY-----" },
    { [module]: `# ${root}sdk` },
    { [module]: "# a map that is missing\n//# sourceMappingURL=client.js.map" },
  ];
  for (const each of wrong) await assert.rejects(look(each), JSON.stringify(each));
});
