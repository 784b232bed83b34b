import { readdirSync } from "node:fs";
import { sharing, single, suites } from "./suites.ts";

const tests = new URL("../", import.meta.url);
const instances = Number(Deno.env.get("TEST_INSTANCES") ?? 1);

/**
 * Registers the tests of every file of a suite in this isolate. A file by itself loads the service (0.4 s of processor)
 * and runs it cold: the twelve files of domain/mail/send took 17 s of processor in twelve isolates, 7 s in one.
 */
export async function together(name: keyof typeof suites): Promise<void> {
  await register((path) => suitesOf(path).includes(name));
}

/** The same for what instances share. */
export async function togetherShared(name: keyof typeof sharing): Promise<void> {
  await register((path) => sharing[name].some((place) => isIn(place, path)));
}

async function register(isWanted: (path: string) => boolean): Promise<void> {
  for (const path of testFiles()) {
    if (!isWanted(path)) continue;
    if (instances > 1 && single.some((place) => isIn(place, path))) continue;
    await import(new URL(path, tests).href);
  }
}

/** The suites of a file: those that name the longest part of its path. */
export function suitesOf(path: string): string[] {
  const places = Object.entries(suites).flatMap(([name, places]) =>
    places.filter((place) => isIn(place, path)).map((place) => ({ name, place }))
  );
  const longest = Math.max(...places.map(({ place }) => place.length));
  return places.filter(({ place }) => place.length === longest).map(({ name }) => name);
}

/** Whether a path in tests/ is a place, a file or a folder, or in it. */
export function isIn(place: string, path: string): boolean {
  return path === place || path.startsWith(`${place}/`);
}

/** The paths in tests/ of the files that have tests, sorted; not the suites themselves, nor what needs a browser. */
export function testFiles(): string[] {
  return readdirSync(tests, { recursive: true, encoding: "utf8" })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path.endsWith("_test.ts") && !/^(suites|browser)\//.test(path))
    .sort();
}
