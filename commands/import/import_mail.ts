import { resolve } from "node:path";
import {
  bring,
  type BringOptions,
  type Counts,
  type Message,
  type Outcome,
  summaryOf,
  totalOf,
} from "../../archives/bring.ts";
import { NotTakenNotes } from "../../archives/not_taken.ts";
import { readMail } from "../../archives/read_mail.ts";
import { SourceError } from "../../archives/source.ts";
import type { Unwanted } from "../../archives/state/mail_state.ts";
import { plain } from "../plain.ts";
import type { Progress } from "../progress.ts";
import { openSource } from "./mail_folder.ts";
import { keptStanding } from "./standing.ts";

export interface ImportOptions {
  path: string;
  /** What is not left out; default: nothing. */
  include?: ReadonlySet<Unwanted>;
  /** The service and the mailbox: a stopped run goes on only there. */
  target: string[];
  /** Delivers a message. Throws if the service cannot be reached or takes none. null: nothing is sent, only counted. */
  post: ((message: Message) => Promise<Outcome>) | null;
  progress: Progress;
  signal?: AbortSignal;
}

export interface ImportResult {
  folders: Map<string, Counts>;
  total: Counts;
  /** Sentences on what was not taken. */
  notes: string[];
  /** The last lines: each folder, and the total. */
  summary: string[];
  /** Something was taken, and nothing refused. */
  isGood: boolean;
}

/**
 * Brings the mail of a file or folder to the service, for both command lines. Throws with one sentence if the path is no mail
 * or the service cannot be reached; the next run goes on where this one stopped.
 */
export async function importMail(options: ImportOptions): Promise<ImportResult> {
  const { path, include = new Set(), target, post, progress, signal } = options;
  const source = openSource(path);
  const kept = post && await keptStanding(source, [...target, resolve(path), [...include].join()]);
  let bytes = 0;
  for await (const { size } of source.files()) bytes += size;
  const notes = new NotTakenNotes();
  progress.start(bytes);
  const note = ({ accepted, duplicates }: Counts) => `${accepted} new, ${duplicates} known`;
  const run: BringOptions = {
    items: () => readMail(source, { include }),
    post: post ?? (() => Promise.resolve({ disposition: "accepted" })),
    notTaken: (found) => notes.add(found),
    at: (position, total) => progress.at(position, note(total)),
    from: kept?.from,
    stands: kept?.keep,
    signal,
  };
  let isOver = false;
  try {
    const folders = await bring(run);
    const total = totalOf(folders);
    isOver = !signal?.aborted;
    if (isOver) progress.at(bytes, note(total));
    return {
      folders,
      total,
      notes: notes.lines().map(plain),
      summary: summaryOf(folders).map(plain),
      isGood: total.accepted + total.duplicates > 0 && total.refused === 0,
    };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    isOver = true;
    throw new Error(plain(`${path} ${error.message}`), { cause: error });
  } finally {
    await kept?.end(isOver);
    progress.stop();
  }
}
