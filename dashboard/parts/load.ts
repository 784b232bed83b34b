import { useEffect, useState } from "preact/hooks";

export interface Loaded<T> {
  data: T | null;
  error: Error | null;
  /** Loads again; the old data stays meanwhile. */
  reload: () => void;
  set: (data: T) => void;
}

/** Loads the data of a page, and again when one of `on` changes. */
export function useLoad<T>(load: () => Promise<T>, on: unknown[]): Loaded<T> {
  const [data, set] = useState<T | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const [round, setRound] = useState(0);
  useEffect(() => {
    let current = true;
    load().then(
      (found) => {
        if (!current) return;
        set(found);
        setError(null);
      },
      (failed) => current && setError(failed),
    );
    return () => {
      current = false;
    };
  }, [...on, round]);
  return { data, error, reload: () => setRound((n) => n + 1), set };
}
