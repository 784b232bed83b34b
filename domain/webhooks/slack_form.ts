import { markedLine } from "../../mime/text/unseen_characters.ts";
import { approvalUrl } from "../core/draft_events.ts";
import type { Service } from "../core/service.ts";
import type { StoredEvent } from "./delivery.ts";
import type { DraftEventData, EventEmail, EventName, SendFailure } from "./events.ts";
import type { Webhook } from "./webhook.ts";

/** The bytes of an event that are signed and sent to a webhook: the same in every attempt. */
export function postedBody(
  { settings }: Pick<Service, "settings">,
  { format }: Webhook,
  event: StoredEvent,
): string {
  return format === "slack" ? JSON.stringify(slackMessage(settings, event)) : event.body;
}

/** Of the text of a block (Slack's Block Kit reference, "Section block"); a message has at most 50 blocks. */
const maxBlockChars = 3_000;

interface SlackMessage {
  /** What notifications show. */
  text: string;
  blocks: { type: "section"; text: { type: "mrkdwn"; text: string; verbatim: true } }[];
}

/**
 * The event in a sentence. Its facts are words of strangers: `&`, `<` and `>` are escaped, so that nothing in them is a
 * mention or a link, and `verbatim` keeps Slack from making links of what looks like one.
 */
function slackMessage(settings: Service["settings"], { body, name }: StoredEvent): SlackMessage {
  const { data } = JSON.parse(body);
  const sentence = `${data.test === true ? "Test: " : ""}${sentences[name](data)}`;
  const [url, label] = linkOf(settings, name, data);
  const link = `<${url}|${label}>`;
  return {
    text: cut(sentence, maxBlockChars),
    blocks: [sentence, link].map((text) => ({
      type: "section",
      text: { type: "mrkdwn", text: cut(text, maxBlockChars), verbatim: true },
    })),
  };
}

interface Facts extends Omit<EventEmail, "email_id" | "thread_id">, DraftEventData {
  name: string;
  failure: SendFailure;
  status: DraftEventData["status"];
  test?: true;
}

const sentences: Record<EventName, (data: Facts) => string> = {
  "email.received": (data) => `Mail came in ${route(data)}`,
  "email.imported": (data) => `Mail was imported ${route(data)}`,
  "email.processed": (data) =>
    `${
      String(data.status) === "failed" ? "Mail could not be read in full" : "Mail can be searched"
    } ${route(data)}`,
  "email.sent": (data) => `Mail was sent ${route(data)}`,
  "email.failed": ({ failure, ...data }) =>
    `Mail did not reach ${names(failure.recipients)} ${route(data)}. ${ends[failure.reason]}: ${
      said(failure.message, 600)
    }`,
  "draft.created": () => "A draft was created.",
  "draft.updated": (data) => `A draft was changed; ${states[data.status]}.${why(data)}`,
  "draft.pending_approval": (data) => `A mail waits for a person's approval.${why(data)}`,
  "draft.approved": (data) => `A person approved a mail; ${states[data.status]}.`,
  "draft.rejected": () => "A person rejected a mail. It is not sent.",
  "draft.sent": () => "A draft was sent.",
  "draft.canceled": () => "A draft was canceled. It is not sent.",
  "api_key.created": ({ name }) => `An API key was created: ${said(name, 200)}`,
};

const ends: Record<SendFailure["reason"], string> = {
  rejected: "It was refused",
  expired: "It was tried for 24 hours",
  bounced: "It came back",
};

const states: Record<DraftEventData["status"], string> = {
  draft: "it is sent when somebody asks for it",
  scheduled: "it waits for its time",
  pending_approval: "it waits for a person's approval",
  sent: "it is sent",
  canceled: "it is not sent",
  rejected: "it is not sent",
};

const route = ({ from, to, subject }: Pick<EventEmail, "from" | "to" | "subject">) =>
  `from ${said(from, 200)} to ${names(to)}: ${said(subject, 600) || "(no subject)"}`;

/** Whom it is to, and what is against them. */
function why({ reasons }: DraftEventData): string {
  const refused = reasons.filter(({ code }) => code !== undefined);
  const fresh = reasons.filter(({ code, provenance }) => !code && provenance === "new");
  const others = reasons.filter(({ code, provenance }) => !code && provenance !== "new");
  const to = (some: typeof reasons) => names(some.map(({ recipient }) => recipient));
  return [
    ...refused.length > 0 ? [` It may not be sent to ${to(refused)}.`] : [],
    ...fresh.length > 0 ? [` Nobody has approved mail to ${to(fresh)} yet.`] : [],
    ...others.length > 0 ? [` Its mailbox asks a person about mail to ${to(others)} too.`] : [],
  ].join("");
}

function linkOf(
  settings: Service["settings"],
  name: EventName,
  { draft_id, email_id, test }: Facts,
): [url: string, label: string] {
  const app = `${settings.BASE_URL}/app`;
  if (test || name === "api_key.created") return [`${app}/`, "Open the dashboard"];
  if (name === "draft.pending_approval") {
    return [approvalUrl(settings, draft_id), "Read it and decide"];
  }
  return email_id ? [`${app}/email/${email_id}`, "Read it"] : [`${app}/drafts`, "See the drafts"];
}

/** Of a list of addresses. */
const mostNamed = 3;

function names(addresses: readonly string[]): string {
  const named = addresses.slice(0, mostNamed).map((each) => said(each, 200)).join(", ");
  const more = addresses.length - mostNamed;
  return more > 0 ? `${named} and ${more} more` : named || "nobody";
}

/** The words of a stranger in one line, escaped as Slack asks for, at most `max` characters. */
function said(text: string, max: number): string {
  return cut(
    markedLine(text.slice(0, max)).replace(/[\s\p{Cc}]+/gu, " ").trim()
      .replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    max,
  );
}

/** An escaped text without its end, if it is too long; a sign that is written `&amp;` is kept whole. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${text.slice(0, max - 1).replace(/&[a-z]*$|[\uD800-\uDBFF]$/, "")}…`;
}
