import { useRef, useState } from "preact/hooks";
import type { Page } from "../resources.ts";
import { sayProblem } from "../state.ts";
import { words } from "../words.ts";
import { useLoad } from "./load.ts";

export interface Pages<T> {
  /** null until the first page is loaded, also after one of `on` has changed. */
  rows: T[] | null;
  error: Error | null;
  hasMore: boolean;
  busy: boolean;
  /** Loads all pages again that are shown; the old rows stay meanwhile. */
  reload: () => void;
  more: () => void;
}

/** The rows of the pages that are loaded, and the `on` that they are of. */
interface Shown<T> extends Page<T> {
  key: string;
}

/** A list that is loaded page by page, and again from its start when one of `on` changes. */
export function usePages<T>(
  load: (cursor?: string) => Promise<Page<T>>,
  on: unknown[],
): Pages<T> {
  const key = JSON.stringify(on);
  const turn = useRef({ key, pages: 1, grows: false });
  if (turn.current.key !== key) turn.current = { key, pages: 1, grows: false };
  const [busy, setBusy] = useState(false);
  const { data, error, reload } = useLoad(async (): Promise<Shown<T>> => {
    const now = turn.current;
    const kept = now.grows && shown;
    now.grows = false;
    try {
      let page = kept || await load();
      let rows = page.data;
      for (let n = kept ? now.pages - 1 : 1; n < now.pages && page.meta.next_cursor; n++) {
        page = await load(page.meta.next_cursor);
        rows = [...rows, ...page.data];
      }
      return { key, data: rows, meta: page.meta };
    } catch (failed) {
      if (!kept) throw failed;
      now.pages--;
      sayProblem(failed);
      return kept;
    } finally {
      if (kept) setBusy(false);
    }
  }, on);
  const shown: Shown<T> | null = data?.key === key ? data : null;
  return {
    rows: shown?.data ?? null,
    error,
    hasMore: shown?.meta.has_more ?? false,
    busy,
    reload,
    more: () => {
      if (!shown || busy) return;
      turn.current.pages++;
      turn.current.grows = true;
      setBusy(true);
      reload();
    },
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
