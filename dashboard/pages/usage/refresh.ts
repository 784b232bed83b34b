import { useEffect, useRef } from "preact/hooks";
import { listen } from "../../live.ts";

/** Numbers are asked for again at most this often. */
const leastMs = 5_000;
/** What no change announces, such as a search or a new hour. */
const usualMs = 60_000;

/** Loads again soon after a change, and once a minute while the page is seen. */
export function useRefresh(reload: () => void): void {
  const now = useRef(reload);
  now.current = reload;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = listen(() => {
      timer ??= setTimeout(() => {
        timer = undefined;
        now.current();
      }, leastMs);
    });
    const usual = setInterval(() => document.hidden || now.current(), usualMs);
    return () => {
      stop();
      clearTimeout(timer);
      clearInterval(usual);
    };
  }, []);
}
