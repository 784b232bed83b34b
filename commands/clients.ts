import { importMail } from "./import_mail.ts";
import { exportAccount, exportMail, type ExportOptions } from "./export_mail.ts";
import { type Command, command, UsageError } from "./command_line.ts";
import type { Settings } from "../domain/core/settings.ts";
import { inboundTokenOf } from "./inbound_token.ts";
import { progressBar } from "./progress.ts";

/** `deno task import`: a client of a running service. */
export function importCommand(settingsOf: () => Settings): Command {
  return command({
    description:
      "Imports mail into a mailbox of a running service: an mbox, a Maildir, a folder of .eml, or an export. " +
      "It skips messages that the mailbox has, so it can be run again.",
    args: {
      path: { type: "positional", description: "file or folder of the mail", required: true },
      to: { type: "string", description: "address of the mailbox", required: true },
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
    async run(args) {
      const settings = settingsOf();
      const token = args.token ?? await inboundTokenOf(settings);
      if (!token) stop("give --token, or set INBOUND_TOKENS");
      const stopping = new AbortController();
      Deno.addSignalListener("SIGINT", () => stopping.abort());
      const refusals: string[] = [];
      const counts = await importMail({
        path: args.path,
        to: args.to,
        url: serviceUrl(args.url, settings),
        token,
        progress: progressBar("bytes"),
        refused: (source, reason) => refusals.push(`${source}: ${reason}`),
        signal: stopping.signal,
      }).catch((error) => stop(error.message));
      for (const line of refusals.slice(0, 20)) console.error(line);
      if (refusals.length > 20) console.error(`and ${refusals.length - 20} more`);
      console.log(
        `${counts.accepted} accepted, ${counts.duplicate} duplicates, ${counts.refused} refused`,
      );
      if (stopping.signal.aborted) stop("stopped; run it again to continue");
      Deno.exit(counts.refused > 0 ? 1 : 0);
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
        progress: progressBar("messages"),
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
