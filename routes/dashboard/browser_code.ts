import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { BrowserSources } from "./browser_sources.ts";

/** One file that the browser loads. */
export interface Asset {
  body: Uint8Array<ArrayBuffer>;
  gzipped: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** The dashboard as it is served. */
export interface BrowserCode {
  /** URL path -> file. The path has the hash of all files, so a file of a path never changes. */
  assets: Map<string, Asset>;
  /** The Content-Security-Policy of every page. */
  policy: string;
  /**
   * The HTML of every page. The names are modules of `pages/`, which the browser then loads together with the first
   * ones.
   */
  shell(...pages: string[]): string;
}

/** What the dashboard knows of this service before it asks. */
export interface Facts {
  /** The plans that can be bought here, with a blank between them. */
  soldPlans: string;
  /** Whether an app can be connected by a URL alone. */
  connects: "on" | "off";
  /** Whether people log in with passwords. */
  passwords: "on" | "off";
  /** The name of the provider that people sign in with; "" if there is none. */
  provider: string;
}

const zip = promisify(gzip);
const root = "main.tsx";
const shellPath = "shell.html";

/**
 * Makes the dashboard from its sources: removes types and JSX from each file. Each file is a module; nothing is
 * bundled. The shell has places for what is known here: `{base}` is the folder of the assets, `<!-- modules -->` the
 * import map and the program, and each of the facts has one. Throws if a file is not valid TypeScript, or without a shell.
 */
export async function browserCode(
  { files, packages }: BrowserSources,
  facts: Partial<Facts> = {},
): Promise<BrowserCode> {
  const template = files.get(shellPath);
  if (template === undefined) throw new Error(`the dashboard has no ${shellPath}`);
  const base = `/assets/${hashOf([...files].sort().flat().join("\0"))}/`;
  const assets = new Map<string, Asset>();
  const modules = new Map<string, string>();
  for (const [path, text] of files) {
    if (path === shellPath) continue;
    const isModule = /\.(?:tsx?|js)$/.test(path);
    const code = /\.tsx?$/.test(path) ? await javascriptOf(text, path) : text;
    if (isModule) modules.set(path, code);
    const body = new TextEncoder().encode(code);
    const gzipped = new Uint8Array(await zip(body, { level: 9 }));
    assets.set(base + path, { body, gzipped, contentType: contentTypeOf(path) });
  }
  const imports = Object.fromEntries([...packages].map(([name, path]) => [name, base + path]));
  const importMap = JSON.stringify({ imports });
  const shellWith = (pages: string[]) => {
    const first = closure(modules, packages, [root, ...pages]);
    const preloads = first.map((path) => `<link rel="modulepreload" href="${base + path}">`);
    const program = `<script type="module" src="${base + root}"></script>`;
    const map = `<script type="importmap">${importMap}</script>`;
    return template.replaceAll("{base}", base)
      .replace(/"\{(\w+)\}"/g, (_, name) => `"${asAttribute(facts[name as keyof Facts] ?? "")}"`)
      .replace("<!-- modules -->", () => [map, ...preloads, program].join("\n    "));
  };
  const shells = new Map<string, string>();
  const shell = (...names: string[]) => {
    const pages = names.map((name) => `pages/${name}.tsx`).filter((path) => modules.has(path));
    const key = pages.join();
    const known = shells.get(key) ?? shellWith(pages);
    shells.set(key, known);
    return known;
  };
  return { assets, policy: policyOf(importMap), shell };
}

/**
 * The modules that the browser needs to run `from`: these and what they import at their top, each once. What is
 * imported with `import()` is left out, because it is loaded later.
 */
export function closure(
  modules: ReadonlyMap<string, string>,
  packages: ReadonlyMap<string, string>,
  from: readonly string[],
): string[] {
  const found = new Set<string>();
  const visit = (path: string) => {
    const code = modules.get(path);
    if (code === undefined || found.has(path)) return;
    found.add(path);
    for (const [, name] of code.matchAll(topImport)) {
      visit(packages.get(name) ?? new URL(name, `file:///${path}`).pathname.slice(1));
    }
  };
  from.forEach(visit);
  return [...found];
}

/** `import a from "x"`, `export * from "x"`, `import "x"`, also in code without spaces; not `import("x")`. */
const topImport = /(?:^|[;}\n])\s*(?:import|export)\b(?:[^"'();=]*?\bfrom)?\s*["']([^"']+)["']/g;

const asAttribute = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

async function javascriptOf(source: string, path: string): Promise<string> {
  // Loaded at the first request for a page: a service without readers does not need it.
  const { transform } = await import("sucrase");
  return transform(source, {
    transforms: ["typescript", "jsx"],
    jsxRuntime: "automatic",
    jsxImportSource: "preact",
    production: true,
    disableESTransforms: true,
    filePath: path,
  }).code;
}

/** The page runs only the service's own files and sends only to the service. It cannot turn text into HTML. */
function policyOf(importMap: string): string {
  const sha256 = createHash("sha256").update(importMap).digest("base64");
  return [
    "default-src 'none'",
    `script-src 'self' 'sha256-${sha256}'`,
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join("; ");
}

function contentTypeOf(path: string): string {
  if (path.endsWith(".css")) return "text/css; charset=utf-8";
  if (path.endsWith(".svg")) return "image/svg+xml";
  return "text/javascript; charset=utf-8";
}

/** Of 64 bits, for a URL. */
function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
