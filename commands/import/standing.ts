import { createHash } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Standing } from "../../archives/bring.ts";
import type { Source } from "../../archives/source.ts";

/** Where a run stands, in a file: so that a run that was stopped goes on. */
export interface KeptStanding {
  /** Of an earlier run. */
  from: Standing | null;
  keep(standing: Standing): void;
  /** Waits until it is written; if the run is over, there is nothing to keep. */
  end(isOver: boolean): Promise<void>;
}

/**
 * The standing of an import with these files into this mailbox; `what` names the mailbox, the service and the options. A folder that
 * cannot be written only means that a stopped run begins anew, with duplicates.
 */
export async function keptStanding(source: Source, what: string[]): Promise<KeptStanding> {
  const path = join(stateFolder(), `${await identityOf(source, what)}.json`);
  const from = await readFile(path, "utf8").then((text) => JSON.parse(text) as Standing)
    .catch(() => null);
  let writing: Promise<unknown> = Promise.resolve();
  const write = async (text: string) => {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeFile(`${path}.part`, text, { mode: 0o600 });
    await rename(`${path}.part`, path);
  };
  return {
    from,
    keep(standing) {
      const text = JSON.stringify(standing);
      writing = writing.then(() => write(text)).catch(() => {});
    },
    async end(isOver) {
      await writing;
      if (isOver) await rm(path, { force: true }).catch(() => {});
    },
  };
}

function stateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  const folder = XDG_STATE_HOME || LOCALAPPDATA || join(homedir(), ".local", "state");
  return join(folder, "letterbox", "imports");
}

/** Other files, or the same of another size, are another source. */
async function identityOf(source: Source, what: string[]): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify(what));
  for await (const { path, size } of source.files()) hash.update(JSON.stringify([path, size]));
  return hash.digest("hex").slice(0, 32);
}
