import { useState } from "preact/hooks";
import type { Page } from "../resources.ts";
import { sayProblem } from "../state.ts";
import { words } from "../words.ts";
import { useLoad } from "./load.ts";

export interface Pages<T> {
  /** null until the first page is loaded. */
  rows: T[] | null;
  error: Error | null;
  hasMore: boolean;
  busy: boolean;
  /** Loads the first page again; the old rows stay meanwhile. */
  reload: () => void;
  more: () => void;
}

/** A list that is loaded page by page, and again from its start when one of `on` changes. */
export function usePages<T>(
  load: (cursor?: string) => Promise<Page<T>>,
  on: unknown[],
): Pages<T> {
  const { data, error, reload, set } = useLoad(() => load(), on);
  const [busy, setBusy] = useState(false);
  const more = async () => {
    const cursor = data?.meta.next_cursor;
    if (!data || !cursor) return;
    setBusy(true);
    try {
      const next = await load(cursor);
      set({ data: [...data.data, ...next.data], meta: next.meta });
    } catch (failed) {
      sayProblem(failed);
    } finally {
      setBusy(false);
    }
  };
  return {
    rows: data?.data ?? null,
    error,
    hasMore: data?.meta.has_more ?? false,
    busy,
    reload,
    more: () => void more(),
  };
}

export function More<T>({ pages }: { pages: Pages<T> }) {
  if (!pages.hasMore) return null;
  return (
    <p class="more">
      <button type="button" class="button" disabled={pages.busy} onClick={pages.more}>
        {pages.busy ? `${words.loading}…` : words.older}
      </button>
    </p>
  );
}
