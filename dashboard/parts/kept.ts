import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { mailboxesKnown, ownName, signedIn } from "../state.ts";

/** What the end of a session interrupted. */
const kept = new Map<string, unknown>();

function take<T>(name: string): T | undefined {
  const found = kept.get(ownName(name));
  kept.delete(ownName(name));
  return found as T | undefined;
}

/** State that is there again if the same account signs in after its session ended. */
export function useKept<T>(name: string, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => take<T>(name) ?? initial);
  const now = useRef(value);
  now.current = value;
  useEffect(() => () => {
    if (!signedIn.value && now.current !== initial) kept.set(ownName(name), now.current);
  }, []);
  return [value, setValue];
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
/** The value of each control, by its name. */
type Values = Map<string, string | boolean>;

const isChecked = (control: Control): control is HTMLInputElement =>
  control instanceof HTMLInputElement && ["checkbox", "radio"].includes(control.type);

/** The controls of a form with their keys. Passwords are not kept; what is hidden follows from what is typed. */
function controlsOf(dialog: HTMLElement): [string, Control][] {
  const all = dialog.querySelectorAll<Control>("form :is(input, select, textarea)[name]");
  return [...all].filter(({ type }) => type !== "password" && type !== "hidden").map((each) => [
    isChecked(each) ? `${each.name}=${each.value}` : each.name,
    each,
  ]);
}

/** False: a menu does not have the value yet. */
function fill(control: Control, value: string | boolean): boolean {
  if (isChecked(control)) {
    if (control.checked !== value) control.click();
    return true;
  }
  if (control.value === value) return true;
  const before = control.value;
  control.value = String(value);
  const isFilled = control.value === value;
  if (!isFilled) control.value = before;
  else control.dispatchEvent(new Event("input", { bubbles: true }));
  return isFilled;
}

/**
 * Keeps what is in the form of a dialog if the session ends, and fills it in when the dialog is open again. Parts of the
 * form may come later. Without a `name` nothing is kept.
 */
export function useKeptForm(
  name: string | undefined,
  dialog: { current: HTMLElement | null },
): void {
  const [values] = useState(() => (name && take<Values>(name)) || new Map() as Values);
  const isReady = mailboxesKnown.value;
  useEffect(() => {
    const element = dialog.current!;
    return () => {
      if (signedIn.value || !name) return;
      const now = controlsOf(element).map(([key, each]): [string, string | boolean] => [
        key,
        isChecked(each) ? each.checked : each.value,
      ]);
      kept.set(ownName(name), new Map(now));
    };
  }, []);
  useLayoutEffect(() => {
    if (!isReady || values.size === 0) return;
    for (const [key, control] of controlsOf(dialog.current!)) {
      const value = values.get(key);
      if (value !== undefined && fill(control, value)) values.delete(key);
    }
  });
}
