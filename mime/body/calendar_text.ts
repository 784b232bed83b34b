import { unescapedValue } from "../text/content_lines.ts";
import { cutText } from "../text/cut_text.ts";

/** What a calendar is sent for (RFC 5546). */
const methods: Record<string, string> = {
  ...{ REQUEST: "Invitation", CANCEL: "Cancellation", REPLY: "Answer to an invitation" },
  ...{ COUNTER: "Proposal of another time", DECLINECOUNTER: "Refusal of another time" },
  PUBLISH: "Event",
};

/** The properties of an event that are shown, in this order. The description stands below them. */
const labels: Record<string, string> = {
  ...{ SUMMARY: "What", DTSTART: "Starts", DTEND: "Ends", DURATION: "Duration", DUE: "Due" },
  ...{ RRULE: "Repeats", LOCATION: "Where", ORGANIZER: "Organizer", ATTENDEE: "Attendee" },
  ...{ STATUS: "Status", URL: "Link" },
};

const maxEvents = 20;
const maxAttendees = 50;
const maxLines = 20_000;

interface Property {
  name: string;
  params: string;
  value: string;
}

/**
 * The events and tasks of a calendar (RFC 5545) without folds as text, a property a line: what, when, where, who. "" if
 * it has none. Linear time.
 */
export function calendarText(calendar: string): string {
  let method: string | undefined;
  const events: string[] = [];
  let current: Property[] | null = null;
  let depth = 0;
  for (const property of properties(calendar)) {
    const { name, value } = property;
    const component = value.trim().toUpperCase();
    if (name === "METHOD") method ??= methods[component];
    else if (name === "BEGIN") {
      depth++;
      if (current === null && (component === "VEVENT" || component === "VTODO")) {
        current = [];
        depth = 0;
      }
    } else if (name === "END") {
      if (current !== null && depth === 0) {
        if (events.length < maxEvents) events.push(eventText(current));
        current = null;
      }
      depth--;
    } else if (depth === 0) {
      // Not those of an alarm inside the event.
      current?.push(property);
    }
  }
  // Of a calendar that is cut off.
  if (current !== null && events.length < maxEvents) events.push(eventText(current));
  const shown = events.filter((each) => each !== "");
  return shown.length === 0 ? "" : [...(method ? [method] : []), ...shown].join("\n\n");
}

function eventText(event: readonly Property[]): string {
  const lines: string[] = [];
  for (const [name, label] of Object.entries(labels)) {
    const found = event.filter((each) => each.name === name);
    for (const each of found.slice(0, name === "ATTENDEE" ? maxAttendees : 1)) {
      lines.push(`${label}: ${shownValue(each)}`);
    }
  }
  const description = event.find((each) => each.name === "DESCRIPTION");
  const below = description ? unescapedValue(description.value).trim() : "";
  return [lines.join("\n"), below].filter((each) => each !== "").join("\n\n");
}

function shownValue({ name, params, value }: Property): string {
  if (name === "ORGANIZER" || name === "ATTENDEE") {
    const address = value.trim().replace(/^mailto:/i, "");
    const person = parameter(params, "CN");
    const answer = name === "ATTENDEE" ? parameter(params, "PARTSTAT") : "";
    return (person === "" ? address : `${person} <${address}>`) +
      (answer === "" ? "" : ` (${answer.toLowerCase()})`);
  }
  const time = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)\d{0,2}(Z?))?$/.exec(value.trim());
  if (!time) return unescapedValue(value).replace(/\s+/g, " ").trim();
  const [, year, month, day, hour, minute, utc] = time;
  const zone = utc ? "UTC" : parameter(params, "TZID");
  return `${year}-${month}-${day}${hour ? ` ${hour}:${minute} ${zone}`.trimEnd() : ""}`;
}

function parameter(params: string, name: string): string {
  for (const [, key, quoted, plain] of params.matchAll(/;([A-Z-]{1,40})=(?:"([^"]*)"|([^;]*))/gi)) {
    if (key.toUpperCase() === name) return cutText(quoted ?? plain, 200).trim();
  }
  return "";
}

/** The lines of a calendar. */
function* properties(calendar: string): Generator<Property> {
  const lines = calendar.split(/\r?\n/, maxLines);
  for (const line of lines) {
    const name = /^[A-Za-z0-9-]{1,40}/.exec(line)?.[0];
    if (!name) continue;
    const colon = valueAt(line, name.length);
    if (colon < 0) continue;
    yield {
      name: name.toUpperCase(),
      params: line.slice(name.length, colon),
      value: line.slice(colon + 1),
    };
  }
}

/** The first colon outside quotes. */
function valueAt(line: string, start: number): number {
  let quoted = false;
  for (let at = start; at < line.length; at++) {
    if (line[at] === '"') quoted = !quoted;
    else if (line[at] === ":" && !quoted) return at;
  }
  return -1;
}
