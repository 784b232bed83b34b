import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inboundToken } from "../service.ts";
import { code, type Language, readmeProgram } from "./readme_program.ts";
import { hasPython, type ServedService, serveService } from "./served.ts";
import { printed } from "./printed.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

const programOf = (language: Language, { base, owner: { key } }: ServedService) =>
  readmeProgram(language, { base, key, inboundToken });

Deno.test("the TypeScript program of README.md signs up with a code, in ten lines", async () => {
  await using served = await serveService();
  const program = (await programOf("ts", served)).replace(
    '"letterbox-sdk"',
    JSON.stringify(new URL("../../sdk/typescript/src/index.ts", import.meta.url).href),
  );
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  await Deno.writeTextFile(file, program);
  const args = ["run", "-A", "--no-config", "--no-check", "-q", file];
  assert.equal(await printed(served, Deno.execPath(), args, { env: { NO_COLOR: "1" } }), code);
  await Deno.remove(file);
});

Deno.test({
  name: "the Python program of README.md signs up with a code, in ten lines",
  ignore: !hasPython(),
  async fn() {
    await using served = await serveService();
    const env = { PYTHONPATH: `${root}sdk/python`, PYTHONDONTWRITEBYTECODE: "1" };
    const program = await programOf("python", served);
    assert.equal(await printed(served, "python3", ["-c", program], { env }), code);
  },
});

Deno.test("both packages carry the licence of the project", async () => {
  const licence = (folder: string) =>
    Deno.readTextFile(new URL(`../../${folder}LICENSE`, import.meta.url));
  for (const folder of ["sdk/typescript/", "sdk/python/"]) {
    assert.equal(await licence(folder), await licence(""), folder);
  }
});
