// The part of an npm registry that a client needs to install a package by its name, on loopback.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { filesOf } from "./package_files.ts";

export interface StandInRegistry extends AsyncDisposable {
  /** What makes npm, npx, Deno and Bun ask this registry, and use no cache of the machine. */
  env: Record<string, string>;
  /** Publishes a tarball of npm. */
  publish(tarball: string): Promise<void>;
}

/** Starts an empty registry; `folder` is for the caches of its clients. */
export function serveRegistry(folder: string): StandInRegistry {
  const documents = new Map<string, unknown>();
  const tarballs = new Map<string, Uint8Array<ArrayBuffer>>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, ({ url }) => {
    const path = decodeURIComponent(new URL(url).pathname.slice(1));
    const tarball = tarballs.get(path);
    if (tarball) return new Response(tarball);
    const document = documents.get(path);
    return document ? Response.json(document) : Response.json({}, { status: 404 });
  });
  const base = `http://127.0.0.1:${server.addr.port}/`;
  return {
    env: {
      npm_config_registry: base,
      NPM_CONFIG_REGISTRY: base,
      npm_config_cache: `${folder}/npm`,
      BUN_INSTALL_CACHE_DIR: `${folder}/bun`,
      DENO_DIR: `${folder}/deno`,
    },
    async publish(path) {
      const bytes = await Deno.readFile(path);
      const about = JSON.parse((await filesOf(path)).get("package/package.json")!);
      const file = `${about.name}/-/${basename(path)}`;
      const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
      tarballs.set(file, bytes);
      documents.set(about.name, {
        name: about.name,
        "dist-tags": { latest: about.version },
        versions: { [about.version]: { ...about, dist: { tarball: base + file, integrity } } },
        time: { [about.version]: "2026-01-01T00:00:00.000Z" },
      });
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
