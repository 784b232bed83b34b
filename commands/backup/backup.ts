import { systemClock } from "../../domain/core/clock.ts";
import { describeError } from "../../domain/core/log.ts";
import type { Settings } from "../../domain/core/settings.ts";
import { indexPath } from "../../domain/store/open_store.ts";
import { type Command, command } from "../command_line.ts";
import { storeFile } from "../store_file.ts";
import { BackupError, type BackupSummary } from "./backup_file.ts";
import { makeBackup } from "./make_backup.ts";
import { restoreBackup } from "./restore_backup.ts";

/** `deno task backup`: a copy of the store in one file, while the service runs. */
export function backupCommand(settings: () => Settings): Command {
  return command({
    description: "Writes the database and the search index of KV_PATH into one file",
    args: {
      out: { type: "string", description: "the file; replaced if it exists", required: true },
    },
    run: ({ out }) => reported(`${out} has`, () => makeBackup(storeOf(settings()), out)),
  });
}

/** `deno task restore`: the store of a backup, while no service runs. */
export function restoreCommand(settings: () => Settings): Command {
  return command({
    description: "Puts a backup in place of the store of KV_PATH; stop the service first",
    args: {
      file: { type: "positional", description: "what deno task backup wrote", required: true },
      force: { type: "boolean", description: "replaces the store that is there" },
    },
    run: ({ file, force = false }) =>
      reported(
        "restored",
        () => restoreBackup(systemClock, file, storeOf(settings()), force),
      ),
  });
}

/** The files of the store. Exits with status 1 if the store has no files. */
function storeOf(settings: Settings): { path: string; indexPath: string } {
  const path = storeFile(settings);
  const index = path && indexPath(path);
  if (path && index) return { path, indexPath: index };
  console.error(`KV_PATH: ${settings.KV_PATH ?? "the attached database"} is not a file`);
  Deno.exit(1);
}

/** Prints what the work did; exits with status 1 if it failed. */
async function reported(words: string, work: () => Promise<BackupSummary>): Promise<void> {
  try {
    const { rows, indexBytes, documents } = await work();
    const index = indexBytes > 0
      ? `${documents} emails of the index`
      : "no index, which is missing or damaged: the service rebuilds it from the database";
    console.log(`${words} ${rows} rows of the database and ${index}`);
  } catch (error) {
    console.error(error instanceof BackupError ? error.message : describeError(error));
    Deno.exit(1);
  }
}
