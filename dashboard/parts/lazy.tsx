import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";
import { words } from "../words.ts";
import { Problem } from "./small.tsx";

/** The folder of this version's modules: `/assets/<hash>/`. */
const base = new URL("../", import.meta.url).pathname;

/** Whether the service has another version of the dashboard, without the modules of this one. */
async function isReplaced(): Promise<boolean> {
  const page = await fetch("/app/").then((answer) => answer.ok ? answer.text() : "").catch(() =>
    ""
  );
  return page.includes("/assets/") && !page.includes(base);
}

/** A component whose module is loaded when it is first shown; `preload` loads it earlier. */
export type Lazy<Props> = ((props: Props) => ComponentChildren) & { preload: () => void };

/**
 * `waiting` is shown until the module is loaded. If that fails, the component shows the failure and a button to try
 * again.
 */
export function lazy<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: () => ComponentChildren = () => null,
): Lazy<Props> {
  let loaded: ComponentType<Props> | null = null;
  const get = async () => loaded ??= await load();
  function Loaded(props: Props) {
    const [Found, setFound] = useState(() => loaded);
    const [error, setError] = useState<Error | null>(null);
    const start = () => {
      setError(null);
      get().then(
        (found) => setFound(() => found),
        async () => {
          if (await isReplaced()) location.reload();
          else setError(new Error(words.problem.offline));
        },
      );
    };
    useEffect(() => {
      if (!Found) start();
    }, []);
    if (Found) return <Found {...props} />;
    return error ? <Problem error={error} again={start} /> : waiting();
  }
  return Object.assign(Loaded, { preload: () => void get().catch(() => {}) });
}
