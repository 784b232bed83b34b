// `deno task sdk:types`: makes the committed types of both SDKs, and Python's methods, from the OpenAPI document.
import openapiTs, { astToString } from "openapi-typescript";
import { command, runCommandLine } from "../commands/command_line.ts";
import { documentOfTheSdks } from "./document.ts";
import { pythonModels } from "./python_models.ts";
import { pythonResources, pythonSync } from "./python_resources.ts";

/** The generated files by path from the root. The same document gives the same text. */
export async function generated(): Promise<Record<string, string>> {
  const document = documentOfTheSdks();
  const note = "made by `deno task sdk:types` from the OpenAPI document; do not edit";
  const ast = await openapiTs(
    // deno-lint-ignore no-explicit-any -- the document is plain JSON
    document as any,
    { alphabetize: true, defaultNonNullable: false },
  );
  const types = astToString(ast);
  return {
    "sdk/typescript/src/api.ts":
      `// deno-fmt-ignore-file\n// deno-lint-ignore-file\n// ${note}\n${types}`,
    "sdk/python/letterbox/models.py": pythonModels(),
    "sdk/python/letterbox/resources.py": pythonResources(false),
    "sdk/python/letterbox/async_resources.py": pythonResources(true),
    "sdk/python/letterbox/_sync.py": pythonSync(),
  };
}

if (import.meta.main) {
  const program = command({
    description: "Makes the types of both SDKs from the OpenAPI document",
    async run() {
      for (const [path, text] of Object.entries(await generated())) {
        await Deno.writeTextFile(new URL(`../${path}`, import.meta.url), text);
        console.log(path);
      }
    },
  });
  await runCommandLine("deno task sdk:types", program, Deno.args);
}
