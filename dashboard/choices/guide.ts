import { signal } from "@preact/signals";
import { ownName } from "../state.ts";

/** Without storage the guide stays as long as the page. */
const now = signal<Record<string, string>>({});
const item = () => ownName("guide");

/** Whether the guide of this person has begun, and is neither finished nor closed. */
export function guideStays(): boolean {
  return read() === "begun";
}

export function beginGuide(): void {
  if (read() === null) write("begun");
}

export function endGuide(): void {
  write("ended");
}

function read(): string | null {
  const known = now.value[item()];
  if (known) return known;
  try {
    return localStorage.getItem(item());
  } catch {
    return null;
  }
}

function write(state: string): void {
  now.value = { ...now.value, [item()]: state };
  try {
    localStorage.setItem(item(), state);
  } catch { /* See above. */ }
}
