import type { Context } from "hono";
import { z } from "zod";
import { ServiceError } from "../../domain/core/errors.ts";
import { maxLabels } from "../../domain/mail/manage/marks.ts";
import { labelField } from "../../domain/mail/read/filters.ts";
import type { SourceState } from "../../domain/mail/receive/imported.ts";
import type { PlainRoute } from "../http/plain_route.ts";

const direction = z.enum(["inbound", "outbound"]);
const flag = z.enum(["1", "true", "0", "false"]);

/** The headers in which the source's state of a message travels. */
export const importParameters: NonNullable<PlainRoute["parameters"]> = [
  {
    in: "header",
    name: "X-Import-Received-At",
    description:
      "When the source got the message, RFC 3339; default: its newest Received field, then its Date. A time in the future becomes now",
    schema: z.iso.datetime({ offset: true }),
    example: "2020-05-17T09:30:00Z",
  },
  {
    in: "header",
    name: "X-Import-Labels",
    description: `Labels, separated by commas; at most ${maxLabels}. The label imported is added`,
    example: "invoices,flagged",
  },
  {
    in: "header",
    name: "X-Import-Read",
    description: "1 or true: it was read; default: unread",
    schema: flag,
    example: "1",
  },
  {
    in: "header",
    name: "X-Import-Direction",
    description: "Default: outbound if the mailbox itself wrote it, else inbound",
    schema: direction,
    example: "inbound",
  },
];

/** Whether a message is imported. Throws BAD_REQUEST if X-Import is neither 1 nor 0. */
export function isImport(c: Context): boolean {
  return flagOf(c, "X-Import");
}

/** The source's state of an imported message. Throws BAD_REQUEST for a header that is none. */
export function sourceStateOf(c: Context): SourceState {
  return {
    receivedAt: timeOf(valueOf(c, "X-Import-Received-At")),
    labels: labelsOf(valueOf(c, "X-Import-Labels")),
    isRead: flagOf(c, "X-Import-Read"),
    direction: directionOf(valueOf(c, "X-Import-Direction")),
  };
}

function valueOf(c: Context, header: string): string {
  return (c.req.header(header) ?? "").trim();
}

/** RFC 3339, section 5.6. */
const dateTime = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

function timeOf(given: string): number | null {
  if (given === "") return null;
  // No Date has a leap second.
  const text = given.toUpperCase().replace(" ", "T").replace(/:60(?=[.Z+-])/, ":59");
  const [, day, time] = dateTime.exec(text) ?? [];
  const ms = Date.parse(text), local = Date.parse(`${day}T${time}Z`);
  // Date.parse rolls 30 February over into March.
  const isReal = !Number.isNaN(ms) && !Number.isNaN(local) &&
    new Date(local).toISOString().startsWith(day);
  if (isReal) return ms;
  throw new ServiceError("BAD_REQUEST", "X-Import-Received-At is not a time of RFC 3339.");
}

function labelsOf(text: string): string[] {
  const labels = (text === "" ? [] : text.split(",")).map((each) => {
    const label = labelField.safeParse(each.trim());
    if (label.success) return label.data;
    throw new ServiceError(
      "BAD_REQUEST",
      "X-Import-Labels has no labels: each has 1 to 64 letters, digits, `:`, `_` and `-`.",
    );
  });
  const unique = [...new Set(labels)];
  if (unique.length <= maxLabels) return unique;
  const reason = `X-Import-Labels has ${unique.length} labels; at most ${maxLabels} are allowed.`;
  throw new ServiceError("BAD_REQUEST", reason, { limit: maxLabels });
}

function flagOf(c: Context, header: string): boolean {
  const text = valueOf(c, header).toLowerCase();
  if (text === "") return false;
  if (flag.safeParse(text).success) return text === "1" || text === "true";
  throw new ServiceError("BAD_REQUEST", `${header} is neither 1 nor 0.`);
}

function directionOf(text: string): SourceState["direction"] {
  if (text === "") return null;
  const found = direction.safeParse(text.toLowerCase());
  if (found.success) return found.data;
  throw new ServiceError("BAD_REQUEST", "X-Import-Direction is neither inbound nor outbound.");
}
