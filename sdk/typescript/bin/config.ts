import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

export interface Config {
  url?: string;
  key?: string;
}

const path = () => {
  const folder = process.env.XDG_CONFIG_HOME || join(homedir(), ".config");
  return join(folder, "letterbox", "config.json");
};

/** The settings that `letterbox login` has stored; empty if there are none. */
export async function readConfig(): Promise<Config> {
  try {
    return JSON.parse(await readFile(path(), "utf8"));
  } catch {
    return {};
  }
}

/** Stores them so that only this user can read them, and returns the path. */
export async function writeConfig(config: Config): Promise<string> {
  await mkdir(dirname(path()), { recursive: true, mode: 0o700 });
  await writeFile(path(), `${JSON.stringify(config)}\n`, { mode: 0o600 });
  // The mode above applies only to new files.
  await chmod(path(), 0o600);
  return path();
}
