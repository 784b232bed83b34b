import { systemClock } from "../domain/core/clock.ts";
import { tokenPost } from "./import/by_token.ts";
import { importMail } from "./import/import_mail.ts";
import { includedOf } from "./import/include.ts";
import { exportAccount, exportMail, type ExportOptions } from "./export_mail.ts";
import { type Command, command, UsageError } from "./command_line.ts";
import type { Settings } from "../domain/core/settings.ts";
import { inboundTokenOf } from "./inbound_token.ts";
import { progressBar } from "./progress.ts";

/** `deno task import`: a client of a running service. */
export function importCommand(settingsOf: () => Settings): Command {
  return command({
    description:
      "Imports mail into a mailbox of a running service: mbox, MMDF, Maildir, .eml, an export, a folder of these, and " +
      "zip, tgz, tar.gz and gz of these. It skips messages that the mailbox has; a run that was stopped goes on.",
    args: {
      path: { type: "positional", description: "file or folder of the mail", required: true },
      to: { type: "string", description: "address of the mailbox", required: true },
      include: {
        type: "string",
        description: "what is else left out: spam,trash,drafts,chats, or some of them",
      },
      "dry-run": { type: "boolean", description: "says what would come, and sends nothing" },
      url: {
        type: "string",
        description: "URL of the service; default: BASE_URL, else localhost at PORT",
      },
      token: {
        type: "string",
        description:
          "inbound token; default: the first of INBOUND_TOKENS, or the one that dev keeps",
      },
    },
    async run({ path, to, include, "dry-run": isDry = false, ...args }) {
      const settings = settingsOf();
      const url = serviceUrl(args.url, settings);
      const included = includedOf(include, (reason) => {
        throw new UsageError(reason);
      });
      const token = args.token ?? await inboundTokenOf(settings);
      if (!token && !isDry) stop("give --token, or set INBOUND_TOKENS");
      const stopping = new AbortController();
      Deno.addSignalListener("SIGINT", () => stopping.abort());
      const { notes, summary, isGood } = await importMail({
        path,
        include: included,
        target: [url, to],
        post: isDry ? null : tokenPost(url, token!, to),
        progress: progressBar("bytes", systemClock.elapsed),
        signal: stopping.signal,
      }).catch((error) => stop(error.message));
      notes.forEach((line) => console.error(line));
      if (isDry) console.log("Nothing was sent; this would come:");
      summary.forEach((line) => console.log(line));
      if (stopping.signal.aborted) stop("stopped; run it again to continue");
      Deno.exit(isGood ? 0 : 1);
    },
  });
}

/** `deno task export`: a client of a running service. */
export function exportCommand(settingsOf: () => Settings): Command {
  return command({
    description:
      "Writes a mailbox into a folder: mail.mbox, emails.jsonl, manifest.json; with --account every mailbox, " +
      "each into a folder named by its address",
    args: {
      mailbox: { type: "string", description: "address of the mailbox" },
      account: { type: "boolean", description: "every mailbox that the key sees" },
      out: { type: "string", description: "folder to write", required: true },
      url: {
        type: "string",
        description: "URL of the service; default: BASE_URL, else localhost at PORT",
      },
      key: { type: "string", description: "API key; default: LETTERBOX_API_KEY" },
    },
    async run({ mailbox, account = false, out, ...args }) {
      if ((mailbox === undefined) !== account) {
        throw new UsageError("export needs either --mailbox ADDRESS or --account");
      }
      const settings = settingsOf();
      const key = args.key ?? settings.LETTERBOX_API_KEY;
      if (!key) stop("give --key, or set LETTERBOX_API_KEY");
      const unreadable: string[] = [];
      const options: ExportOptions = {
        unreadable: (emailId) => unreadable.push(emailId),
        out,
        url: serviceUrl(args.url, settings),
        key,
        progress: progressBar("messages", systemClock.elapsed),
        waiting: (seconds) => console.error(`\nwaiting ${seconds} s for the service`),
      };
      const done = mailbox === undefined
        ? exportAccount(options).then(({ mailboxes, messages }) =>
          `${messages} messages of ${mailboxes} mailboxes in ${out}`
        )
        : exportMail({ ...options, mailbox }).then((count) => `${count} messages in ${out}`);
      console.log(await done.catch((error) => stop(error.message)));
      for (const emailId of unreadable) console.error(`not readable: ${emailId}`);
      Deno.exit(unreadable.length > 0 ? 1 : 0);
    },
  });
}

function serviceUrl(given: string | undefined, { BASE_URL }: Settings): string {
  return (given ?? BASE_URL).replace(/\/+$/, "");
}

function stop(reason: string): never {
  console.error(reason);
  Deno.exit(1);
}
