// deno run -A deploy/used_imports.ts: removes the packages from deno.json that no source file in this folder imports. In the image
// these are those of the tests, 100 of 270 MB: Deno wants every package of deno.json in its cache before a start.

/** The names of imports, and the keys of the table of what the browser loads. */
const named = /\b(?:from|import)[ (]"([^."][^"]*)"|"([^."][^"]*)": "/g;

/** The imports of deno.json that the text of all sources names. */
export function usedImports(
  imports: Record<string, string>,
  text: string,
): Record<string, string> {
  const names = [...text.matchAll(named)].map(([, imported, key]) => imported ?? key);
  const isUsed = (each: string) =>
    names.some((name) => name === each || name.startsWith(each.replace(/\/?$/, "/")));
  return Object.fromEntries(Object.entries(imports).filter(([each]) => isUsed(each)));
}

async function* sources(folder: string): AsyncGenerator<string> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) yield* sources(`${folder}/${name}`);
    else if (/\.tsx?$/.test(name)) yield await Deno.readTextFile(`${folder}/${name}`);
  }
}

if (import.meta.main) {
  const text = (await Array.fromAsync(sources("."))).join("\n");
  const config = JSON.parse(await Deno.readTextFile("deno.json"));
  config.imports = usedImports(config.imports, text);
  await Deno.writeTextFile("deno.json", JSON.stringify(config, null, 2));
}
