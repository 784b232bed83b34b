import { dirname, resolve } from "node:path";
import type { Settings } from "../domain/core/settings.ts";
import { StartError } from "../domain/core/settings/start_error.ts";
import { storeFile } from "./store_file.ts";

/** A file that a setting names. The process only reads the file, or it reads and writes in its folder. */
interface Use {
  setting: "KV_PATH" | "SMTP_LISTEN_TLS_KEY" | "SMTP_LISTEN_TLS_CERT";
  file: string;
  path: string;
  access: ("read" | "write")[];
}

/**
 * Throws StartError if the process may not use a file that a setting names: `deno task start` and `dev` may use only
 * the folders in their command. The message is one sentence with the setting and a command that may use the file.
 */
export async function refuseWithoutPermission(settings: Settings): Promise<void> {
  const refused: Use[] = [];
  for (const use of usesOf(settings)) {
    const states = await Promise.all(
      use.access.map((name) => Deno.permissions.query({ name, path: use.path })),
    );
    if (states.some(({ state }) => state !== "granted")) refused.push(use);
  }
  if (refused.length === 0) return;
  const names = refused.map(({ setting }) => setting).join(", ");
  const files = refused.map(({ file }) => file).join(", ");
  const config = JSON.parse(await Deno.readTextFile(new URL("../deno.json", import.meta.url)));
  const command = commandWith(config.tasks[settings.mode].command, refused);
  throw new StartError(
    `${names}: this process has no permission to use ${files}; start it with: ${command}`,
  );
}

function usesOf(settings: Settings): Use[] {
  const { SMTP_LISTEN_TLS_KEY, SMTP_LISTEN_TLS_CERT } = settings;
  const uses: Use[] = [];
  const store = storeFile(settings);
  if (store !== null) {
    // The folder also has the lock, the index and the files of SQLite.
    const path = dirname(resolve(store));
    uses.push({ setting: "KV_PATH", file: store, path, access: ["read", "write"] });
  }
  for (const [setting, file] of Object.entries({ SMTP_LISTEN_TLS_KEY, SMTP_LISTEN_TLS_CERT })) {
    if (!file) continue;
    uses.push({ setting: setting as Use["setting"], file, path: resolve(file), access: ["read"] });
  }
  return uses;
}

/** A task's command with the flags that these uses need, for any shell. */
function commandWith(task: string, uses: Use[]): string {
  const flags = new Set(uses.flatMap(({ access, path }) =>
    // A single comma would begin another path.
    access.map((name) => quoted(`--allow-${name}=${path.replaceAll(",", ",,")}`))
  ));
  return expanded(task).replace(" main.ts ", ` ${[...flags].join(" ")} main.ts `);
}

/**
 * A task's command without its variables: `$(cd $NAME/FOLDER ... || echo FALLBACK)` becomes that folder of the
 * variable's value, or the fallback. What stands in double quotes is one word, whatever HOME is.
 */
export function expanded(task: string): string {
  return task.replace(
    /\$\(cd \$(\w+)(\S*) [^)]* \|\| echo ([^)]*)\)/g,
    (_, name, folder, fallback) => {
      const value = Deno.env.get(name);
      return value ? value + folder : fallback;
    },
  ).replaceAll("$HOME", Deno.env.get("HOME") ?? "")
    .replace(/"([^"]*)"/g, (_, word) => quoted(word));
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
