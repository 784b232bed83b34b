import { words } from "./words.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const locale = "en-GB";

/** "now", "12 min", "09:41", "Mon", "3 Jan", "3 Jan 2025": as short as it can be at `now` (ms since 1970). */
export function shortTime(iso: string | null, now = Date.now()): string {
  if (!iso) return words.never;
  const at = new Date(iso), age = now - at.getTime();
  if (Math.abs(age) < minute) return words.now;
  if (age > 0 && age < hour) return words.minutes(Math.floor(age / minute));
  if (at.toDateString() === new Date(now).toDateString()) {
    return at.toLocaleTimeString(locale, { hour: "2-digit", minute: "2-digit" });
  }
  if (age > 0 && age < 6 * day) return at.toLocaleDateString(locale, { weekday: "short" });
  const year = at.getFullYear() === new Date(now).getFullYear() ? {} : { year: "numeric" } as const;
  return at.toLocaleDateString(locale, { day: "numeric", month: "short", ...year });
}

/** "3 Jan 2026, 09:41". */
export function longTime(iso: string): string {
  return new Date(iso).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
}

/** "3 Jan 2026". */
export function dayOf(iso: string): string {
  return new Date(iso).toLocaleDateString(locale, { dateStyle: "medium" });
}

/** "3 Jan, 09:41:07". */
export function exactTime(iso: string): string {
  const date = { day: "numeric", month: "short" } as const;
  const time = { hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
  return new Date(iso).toLocaleString(locale, { ...date, ...time });
}

export function number(n: number): string {
  return n.toLocaleString("en");
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** 1536 is "1.5 KB"; a KB is 1,024 bytes. */
export function bytes(n: number): string {
  let unit = 0;
  while (n >= 1024 && unit < units.length - 1) {
    n /= 1024;
    unit++;
  }
  const shown = unit === 0 || n >= 100 ? Math.round(n) : n.toFixed(1).replace(/\.0$/, "");
  return `${shown} ${units[unit]}`;
}

/** Storage is counted in bytes; no other quota has such a large number. */
const smallestStorage = 1_000_000;

/** "90 of 100", "1.5 GB of 2 GB": the use of a quota. */
export function quotaText(used: number, limit: number): string {
  const show = limit >= smallestStorage ? bytes : number;
  return `${show(used)} ${words.of(show(limit))}`;
}

/** The letter or digit that an avatar shows. */
export function initial(name: string): string {
  return (name.match(/[\p{L}\p{N}]/u)?.[0] ?? "?").toUpperCase();
}

/** One of eight hues (0 to 7), the same for the same address. */
export function hue(text: string): number {
  return [...text].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) >>> 0, 7) % 8;
}

/**
 * The name of a file without marks of direction: with them, `invoice<U+202E>fdp.exe` would be shown as
 * `invoiceexe.pdf`.
 */
export function shownName(name: string): string {
  return name.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
}

/** Addresses of a field that people typed or pasted: `a@b.c; "Byron, Ada" <ada@b.c>`. */
export function addressesOf(text: string): string[] {
  const parts = text.match(/(?:"(?:\\.|[^"\\])*"|[^,;\n])+/g) ?? [];
  return parts.map((each) => each.trim()).filter(Boolean);
}

export type Band = "high" | "very" | "mid" | "low";

/** The band of a search score, 0 to 1, the same as for agents. */
export function bandOf(score: number): Band {
  return score >= 0.9 ? "high" : score >= 0.7 ? "very" : score >= 0.5 ? "mid" : "low";
}

/** The most characters of a URL that a text shows. */
const longestUrl = 60;

/** A long URL with its host whole and the end of the rest cut: a link of a newsletter has hundreds of characters. */
export function shortUrl(url: string): string {
  if (url.length <= longestUrl) return url;
  const host = /^https?:\/\/[^/?#]*/.exec(url)?.[0] ?? "";
  return `${url.slice(0, Math.max(host.length + 1, longestUrl - 1))}…`;
}
