import { setTimeout as sleep } from "node:timers/promises";
import { Letterbox, LetterboxError } from "../src/index.ts";
import { exportMail, importMail, saveAttachments } from "./mail_files.ts";
import { writeConfig } from "./config.ts";
import {
  type Context,
  filtersOf,
  limitOf,
  mailboxOf,
  oneWord,
  text,
  type Values,
} from "./options.ts";
import { UsageError } from "./usage_error.ts";
import { input, paint, plain, print, printJson, secret, table } from "./terminal.ts";

interface Command {
  usage: string;
  about: string;
  example: string;
  /** Its options besides --url, --key, --json and --help; `!` marks a switch, `*` an option that may be repeated. */
  options: string[];
  /** How many words it takes that belong to no option; default none. */
  words?: number;
  run(context: Context): Promise<void>;
}

/** The result of a send: its email, or the draft that waits for its time or for a person. */
function outcomeOf(sent: object): string {
  const { status = "", email_id, draft_id = "" } = sent as Record<string, string | undefined>;
  return `${status} ${email_id ?? draft_id}`.trim();
}

function emailRow(email: { email_id: string; from: string; subject: string; date: string }) {
  return [email.email_id, email.date.slice(0, 16).replace("T", " "), email.from, email.subject];
}
const emailTitles = ["ID", "DATE", "FROM", "SUBJECT"];

function show(values: Values, value: unknown, lines: () => string): void {
  if (values.json) printJson(value);
  else print(lines());
}

function codeOf(values: Values, found: { best_code: string | null; best_link: string | null }) {
  show(values, found, () => plain(found.best_code ?? found.best_link ?? ""));
  if (!found.best_code && !found.best_link) throw new Error("the mail has neither code nor link");
}

async function bodyOf({ values }: Context): Promise<string> {
  return text(values.text) ?? await input();
}

export const commands: Record<string, Command> = {
  login: {
    usage: "login [--url URL] [--key KEY]",
    about: "checks a key and stores it with the URL for the next commands",
    example: "letterbox login --url http://localhost:8000",
    options: [],
    async run({ base, key, values }) {
      const given = key || (await secret("API key: ")).trim();
      const boxes = await new Letterbox({ baseUrl: base, apiKey: given }).mailboxes.list();
      const path = await writeConfig({ url: base, key: given });
      show(
        values,
        { mailboxes: boxes.length },
        () => `${boxes.length} mailboxes; stored in ${path}`,
      );
    },
  },
  mailboxes: {
    usage: "mailboxes [new [NAME] [--domain DOMAIN]]",
    about: "lists the mailboxes, or makes one; without a name the service chooses it",
    example: "letterbox mailboxes new",
    options: ["domain"],
    words: 2,
    async run({ client, values, words: [action, name] }) {
      if (action !== undefined && action !== "new") {
        throw new UsageError(`mailboxes knows \`new\`, not ${action}`);
      }
      if (action === "new") {
        const domain = text(values.domain) ??
          (await client.mailboxes.list())[0]?.email_address.split("@")[1];
        const made = await client.mailboxes.create(
          name === undefined ? { generate: true, domain: text(values.domain) } : {
            local_part: name,
            domain,
          },
        );
        return show(values, made, () => made.email_address);
      }
      const boxes = await client.mailboxes.list();
      if (values.json) return boxes.forEach(printJson);
      print(table(["ADDRESS", "ID"], boxes.map((each) => [each.email_address, each.mailbox_id])));
    },
  },
  list: {
    usage:
      "list [--mailbox ADDRESS] [--unread] [--from TEXT] [--subject TEXT] [--label L] [--limit N]",
    about: "lists mail, newest first",
    example: "letterbox list --unread --limit 5",
    options: ["mailbox", "unread!", "from", "subject", "label", "limit"],
    async run(context) {
      const { client, values } = context;
      const limit = limitOf(values, 20);
      const fields = {
        ...filtersOf(values),
        mailbox_id: values.mailbox ? await mailboxOf(context) : undefined,
        limit: Math.min(limit, 100),
      };
      const emails = [];
      for await (const email of client.emails.list(fields)) {
        if (emails.push(email) === limit) break;
      }
      if (values.json) emails.forEach(printJson);
      else print(table(emailTitles, emails.map(emailRow)));
    },
  },
  read: {
    usage: "read EMAIL_ID [--raw]",
    about: "shows a mail; --raw writes the original message",
    example: "letterbox read 0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a",
    options: ["raw!"],
    words: 1,
    async run(context) {
      const { client, values } = context;
      const id = oneWord(context, "EMAIL_ID");
      if (values.raw) {
        const { stdout } = await import("node:process");
        const reader = (await client.emails.raw(id)).getReader();
        for (;;) {
          const { value, done } = await reader.read();
          if (done) return;
          stdout.write(value);
        }
      }
      const email = await client.emails.get(id);
      show(values, email, () =>
        plain([
          `${paint("bold", "From:")}    ${plain(email.from)}`,
          `To:      ${email.to.join(", ")}`,
          ...email.cc.length > 0 ? [`Cc:      ${email.cc.join(", ")}`] : [],
          `Date:    ${email.date}`,
          `Subject: ${email.subject}`,
          ...email.attachments.map(({ filename, content_type, size }) =>
            `File:    ${filename ?? content_type} (${size} bytes)`
          ),
          "",
          email.body_text,
        ].join("\n")));
    },
  },
  attachments: {
    usage: "attachments EMAIL_ID [--out DIR]",
    about: "saves the attachments of a mail as files; one that exists is never replaced",
    example: "letterbox attachments 0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a --out files",
    options: ["out"],
    words: 1,
    run: async (context) => await saveAttachments(context, oneWord(context, "EMAIL_ID")),
  },
  search: {
    usage: "search WORDS... [--mailbox ADDRESS] [--limit N]",
    about: "finds mail by meaning and by exact words",
    example: 'letterbox search "when does my order ship?"',
    options: ["mailbox", "limit"],
    words: Infinity,
    async run(context) {
      const { client, values, words } = context;
      if (words.length === 0) throw new UsageError("give the words to look for");
      const answer = await client.search({
        query: words.join(" "),
        limit: limitOf(values, 10),
        mailbox_id: values.mailbox ? await mailboxOf(context) : undefined,
      });
      if (values.json) answer.results.forEach(printJson);
      else print(table(emailTitles, answer.results.map(emailRow)));
    },
  },
  wait: {
    usage:
      "wait [--mailbox ADDRESS] [--code] [--since TIME] [--timeout SECONDS] [--from TEXT] [--subject TEXT] [--label L]",
    about:
      "waits for the next mail, without --mailbox in all mailboxes; with --code for one that has a code, which is printed alone",
    example: "letterbox wait --code --from github.com",
    options: ["mailbox", "code!", "since", "timeout", "from", "subject", "label"],
    async run(context) {
      const { client, values } = context;
      const mailbox_id = values.mailbox ? await mailboxOf(context) : undefined;
      const since = text(values.since) ?? new Date().toISOString();
      const seconds = Number(values.timeout ?? 60);
      if (!(seconds >= 0)) throw new UsageError("--timeout wants seconds");
      const end = Date.now() + seconds * 1_000;
      const filters = { ...filtersOf(values), mailbox_id, since };
      for (;;) {
        const left = Math.ceil((end - Date.now()) / 1_000);
        const { email, verification } = await client.emails.wait({
          ...filters,
          ...values.code ? { require: "code" } : {},
          timeout_seconds: Math.min(60, Math.max(0, left)),
        }).catch(async (error) => {
          if (!isAway(error) || Date.now() >= end) throw error;
          await sleep(1_000);
          return { email: null, verification: undefined };
        });
        if (email && values.code && verification) return codeOf(values, verification);
        if (email) return show(values, email, () => table(emailTitles, [emailRow(email)]));
        if (Date.now() >= end) throw new Error(`no mail came within ${seconds} s`);
      }
    },
  },
  code: {
    usage: "code EMAIL_ID",
    about: "prints the code of a mail, or its link",
    example: "letterbox code 0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a",
    options: [],
    words: 1,
    async run(context) {
      const id = oneWord(context, "EMAIL_ID");
      codeOf(context.values, await context.client.emails.verification(id));
    },
  },
  send: {
    usage:
      "send --to ADDRESS [--cc ADDRESS] --subject TEXT [--text TEXT] [--attach FILE] [--mailbox ADDRESS]",
    about:
      "sends a mail; without --text the body comes from standard input; --to, --cc and --attach can be repeated",
    example: 'letterbox send --to ada@example.net --subject Hello --text "Hello, Ada."',
    options: ["to*", "cc*", "subject", "text", "attach*", "mailbox"],
    async run(context) {
      const { client, values } = context;
      if (!values.to) throw new UsageError("give --to");
      const sent = await client.emails.send({
        mailbox_id: await mailboxOf(context),
        to: values.to as string[],
        cc: values.cc as string[] | undefined,
        subject: text(values.subject) ?? "",
        body_text: await bodyOf(context),
        attachments: values.attach as string[] | undefined,
      });
      show(values, sent, () => outcomeOf(sent));
    },
  },
  reply: {
    usage: "reply EMAIL_ID [--text TEXT] [--all] [--attach FILE]",
    about: "answers a mail; without --text the body comes from standard input",
    example: 'letterbox reply 0199a1c2-7d3e-7000-8000-5f1e2d3c4b5a --text "Thank you."',
    options: ["text", "all!", "attach*"],
    words: 1,
    async run(context) {
      const { client, values } = context;
      const sent = await client.emails.reply(oneWord(context, "EMAIL_ID"), {
        body_text: await bodyOf(context),
        reply_all: Boolean(values.all),
        attachments: values.attach as string[] | undefined,
      });
      show(values, sent, () => outcomeOf(sent));
    },
  },
  tail: {
    usage: "tail [--mailbox ADDRESS] [--after CURSOR]",
    about: "shows what happens, as it happens, until it is stopped",
    example: "letterbox tail --json | jq .event",
    options: ["mailbox", "after"],
    async run(context) {
      const { client, values, base, key } = context;
      const mailbox_id = values.mailbox ? await mailboxOf(context) : null;
      // A wrong URL is named at once; a service that is away for some minutes is waited for.
      await client.health();
      const patient = new Letterbox({ baseUrl: base, apiKey: key, maxRetries: 20 });
      for await (const change of patient.events({ after: text(values.after) })) {
        if (mailbox_id !== null && change.mailbox_id !== mailbox_id) continue;
        const mail = values.json || change.event !== "email.received" || !change.email_id
          ? ""
          : await headlineOf(client, change.email_id);
        const line = () =>
          `${change.timestamp}  ${paint("cyan", change.event.padEnd(15))}  ` +
          (change.email_id ?? change.draft_id ?? change.mailbox_id ?? "") + mail;
        show(values, change, line);
      }
    },
  },
  import: {
    usage:
      "import PATH [--to ADDRESS] [--include spam,trash,drafts,chats] [--dry-run] [--token INBOUND_TOKEN]",
    about:
      "brings mail to a mailbox: mbox, MMDF, Maildir, .eml, an export, a folder of these, and zip, tgz, tar.gz and gz of these",
    example: "letterbox import takeout.zip --to agent@agents.localhost",
    options: ["to", "include", "dry-run!", "token"],
    words: 1,
    run: importMail,
  },
  export: {
    usage: "export --mailbox ADDRESS --out DIR",
    about: "writes a mailbox into a folder: mail.mbox, emails.jsonl and manifest.json",
    example: "letterbox export --mailbox agent@agents.localhost --out backup",
    options: ["mailbox", "out"],
    run: async (context) => await exportMail(context, await mailboxOf(context)),
  },
};

/** Whether the service or its proxy gave no answer, as while it is restarted: the mail can still come. */
function isAway(error: unknown): boolean {
  return error instanceof LetterboxError &&
    (error.code === "CONNECTION_FAILED" || error.status >= 500);
}

/** Sender and subject of a mail, for a line of a terminal; nothing if it is gone, or if its reading fails. */
async function headlineOf(client: Letterbox, emailId: string): Promise<string> {
  const read = client.emails.get(emailId, { max_chars: 2_000 });
  return await read.then(
    ({ from, subject }) => plain(`  ${from}  ${subject}`).replace(/[\n\t]/g, " "),
    () => "",
  );
}
