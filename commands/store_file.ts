import type { Settings } from "../domain/core/settings.ts";

/** Whether a `KV_PATH` is the URL of a remote database. */
export const isRemoteStore = (path: string): boolean => /^https?:/.test(path);

/** The file of the store; null if the store is remote, attached or in memory. */
export function storeFile({ KV_PATH }: Pick<Settings, "KV_PATH">): string | null {
  return !KV_PATH || KV_PATH === ":memory:" || isRemoteStore(KV_PATH) ? null : KV_PATH;
}
