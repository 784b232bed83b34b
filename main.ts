// Chooses the command; see docs/commands.md.
import { command, runCommandLine, settingsOrExit } from "./commands/command_line.ts";
import { onDeploy } from "./domain/core/settings.ts";
import { StartError } from "./domain/core/settings/start_error.ts";

// Deno Deploy finds schedules when it evaluates this module, before it runs the service and without its settings: so this
// stands here, and under no condition. It can stop every instance between two requests; each minute it wakes one, which
// takes over the jobs that others left.
const schedule = new AbortController();
Deno.cron("jobs left behind", "* * * * *", { signal: schedule.signal }, async () => {
  await (await import("./serve.ts")).runJobsLeftBehind();
});

const settings = () => settingsOrExit("dev");

/** Every command. A command's own code is loaded when it runs: the whole service takes 0.3 s. */
export const letterbox = command({
  description: "Mailboxes for software agents",
  commands: {
    dev: () =>
      command({
        description: "The whole service on this machine, with a demonstration account",
        args: {
          credentials: {
            type: "boolean",
            description: "gives the demonstration account a new password and a new API key",
          },
        },
        run: async ({ credentials = false }) =>
          (await import("./serve.ts")).serve("dev", { credentials }),
      }),
    start: () =>
      command({
        description: "The service for production; refuses to start with wrong settings",
        run: async () => (await import("./serve.ts")).serve("start"),
      }),
    reindex: () =>
      command({
        description: "Rebuilds the search index from the database; stop the service first",
        async run() {
          const { expectStore, runReindex } = await import("./commands/reindex.ts");
          const { openService } = await import("./assemble.ts");
          const its = settings();
          await expectStore(its);
          const { service, close } = await openService(its);
          await runReindex(service);
          await close();
        },
      }),
    import: async () => (await import("./commands/clients.ts")).importCommand(settings),
    export: async () => (await import("./commands/clients.ts")).exportCommand(settings),
    backup: async () => (await import("./commands/backup/backup.ts")).backupCommand(settings),
    restore: async () => (await import("./commands/backup/backup.ts")).restoreCommand(settings),
    doctor: async () =>
      (await import("./commands/doctor/doctor.ts")).doctorCommand(() => import("./assemble.ts")),
    account: async () => (await import("./commands/account.ts")).accountCommand(settings),
  },
});

if (import.meta.main) {
  keepFilesPrivate();
  // Elsewhere the dispatcher itself looks every few seconds, and a schedule would keep a command from ending.
  if (!onDeploy()) schedule.abort();
  const args = Deno.args.length > 0 ? Deno.args : [onDeploy() ? "start" : "dev"];
  await runCommandLine("deno task", letterbox, args).catch((error) => {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  });
}

/** What this process writes (store, index, backups, exports) is for its user alone: it has mail and secrets. */
function keepFilesPrivate(): void {
  if (!onDeploy() && Deno.build.os !== "windows") Deno.umask(0o077);
}
