/** The years that ISO 8601 writes with four digits. */
const earliestMs = Date.parse("0000-01-01T00:00:00.000Z");
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * A Date field (RFC 5322, section 3.3, and the obsolete forms that the runtime reads) in milliseconds
 * since 1970, or null. A date without a zone is UTC, not the zone of the machine.
 */
export function parseDate(value: string | null): number | null {
  if (value === null || value.length > 200) return null;
  // The usual form needs no repair.
  const usual = usualDate.test(value) ? Date.parse(value) : NaN;
  if (!Number.isNaN(usual)) return withinYears(usual);
  if (!/\d/.test(value)) return null;
  const text = withoutComments(value).replace(/\s+/g, " ").replace(/ ?: ?/g, ":").trim();
  // Any other last word ("PM", "JST") is no zone for the runtime, which would take the machine's. The command `date`
  // writes the year behind the zone.
  const hasZone = /(?:[+-]\d{2}:?\d{2}|\b(?:UTC?|GMT|[ECMP][SD]T)|Z)(?: \d{4})?$/i.test(
    text,
  );
  const dated = text.replace(shortYear, (_, month, year) => month + (1900 + Number(year)));
  const zoned = hasZone ? dated : /\dT\d/.test(dated) ? `${dated}Z` : `${dated} GMT`;
  const ms = Date.parse(zoned);
  return withinYears(Number.isNaN(ms) ? Date.parse(repair(zoned)) : ms);
}

/** Comments may be nested (RFC 5322, section 3.2.2). */
function withoutComments(text: string): string {
  const shorter = text.replace(/\([^()]*\)/g, " ");
  return shorter === text ? text : withoutComments(shorter);
}

function withinYears(ms: number): number | null {
  return ms >= earliestMs && ms <= latestMs ? ms : null;
}

/** `Wed, 25 Nov 2026 20:24:39 +0000` */
const usualDate = /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d [+-]\d{4}$/;

/** A year of three digits counts from 1900 (RFC 5322, section 4.3): programs that add no 1900 write 126 for 2026. */
const shortYear = /([a-z][ -])(\d{3})(?=[ ,])/i;

/** Mends the usual mistakes: a zone in words, dots in the time, a missing comma. */
function repair(text: string): string {
  const match =
    /(\d{1,2})[ -]([A-Za-z]{3})[a-z]*\.?[ -](\d{2,4})[ ,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?(?: ?([+-]\d{4}))?/
      .exec(text);
  if (!match) return text;
  const [, day, month, year, hour, minute, second = "00", zone = "+0000"] = match;
  return `${day} ${month} ${year} ${hour}:${minute}:${second} ${zone}`;
}
