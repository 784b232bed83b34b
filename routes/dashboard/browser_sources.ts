import "./browser_packages.js";

/**
 * The npm packages that the browser loads: the name in an import, and the file next to the one that the name resolves
 * to.
 */
const packages: Record<string, string> = {
  "preact": "",
  "preact/hooks": "",
  "preact/jsx-runtime": "",
  "@preact/signals": "",
  "@preact/signals-core": "",
  // 22 KB compressed; its module file is not minified and has 42 KB.
  "uplot": "uPlot.iife.min.js",
};

/** Text that makes a module of a plain script. */
const tails: Record<string, string> = { "uplot": "\nexport default uPlot;\n" };

const folder = new URL("../../dashboard/", import.meta.url);
/** The readers of mail files, which the commands use too. The browser finds them inside the folder of the dashboard. */
const archives = new URL("../../archives/", import.meta.url);
const toArchives = /(["'])\.\.\/((?:\.\.\/)*archives\/)/g;
const kinds = /\.(?:tsx?|css|svg|html)$/;

/** The sources of the dashboard and of what it uses, as text. */
export interface BrowserSources {
  /** Path -> text: `main.tsx`, `pages/mail.tsx`, and `npm/preact.js` of the packages. */
  files: Map<string, string>;
  /** The name in an import -> its path in `files`. */
  packages: Map<string, string>;
}

/** Reads the folder `dashboard/` and the files of the packages. Throws if one cannot be read. */
export async function readBrowserSources(): Promise<BrowserSources> {
  const files = new Map<string, string>(), named = new Map<string, string>();
  for (const [name, file] of Object.entries(packages)) {
    const path = `npm/${name.replace("@", "").replaceAll("/", "-")}.js`;
    named.set(name, path);
    const code = await Deno.readTextFile(new URL(file, import.meta.resolve(name)));
    files.set(path, withoutMap(code) + (tails[name] ?? ""));
  }
  for await (const path of filesBelow(folder)) {
    const text = await Deno.readTextFile(new URL(path, folder));
    files.set(path, text.replace(toArchives, "$1./$2"));
  }
  for await (const path of filesBelow(archives)) {
    files.set(`archives/${path}`, await Deno.readTextFile(new URL(path, archives)));
  }
  joinStyles(files);
  return { files, packages: named };
}

/** The files of `styles/` are one file for the browser, `style.css`, in the order of their names. */
function joinStyles(files: Map<string, string>): void {
  const sheets = [...files.keys()].filter((path) => path.startsWith("styles/")).sort();
  files.set("style.css", sheets.map((path) => files.get(path)).join("\n"));
  for (const path of sheets) files.delete(path);
}

async function* filesBelow(folder: URL, path = ""): AsyncGenerator<string> {
  for await (const entry of Deno.readDir(new URL(path, folder))) {
    if (entry.isDirectory) yield* filesBelow(folder, `${path}${entry.name}/`);
    else if (kinds.test(entry.name)) yield path + entry.name;
  }
}

/** Without the line that refers a debugger to a file that is not served. */
function withoutMap(code: string): string {
  return code.replace(/\/\/# sourceMappingURL=\S+\s*$/, "");
}
