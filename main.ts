// Chooses the command; see README.md, "Commands". No rules here.
import { openService, settingsOrExit } from "./assemble.ts";
import { runAccount } from "./commands/account.ts";
import { runReindex } from "./commands/reindex.ts";
import { onDeploy, StartError } from "./domain/core/settings.ts";
import { serve } from "./serve.ts";

/** Import and export are loaded only when asked for. */
async function runClient(name: "import" | "export", args: string[]): Promise<void> {
  const { runCommand } = await import("./commands/commands.ts");
  await runCommand(name, settingsOrExit("dev"), args);
}

async function rebuildIndex(): Promise<void> {
  const { service, close } = await openService(settingsOrExit("dev"));
  await runReindex(service);
  await close();
}

if (import.meta.main) {
  const [command = onDeploy() ? "start" : "dev", ...rest] = Deno.args;
  const commands: Record<string, () => Promise<void>> = {
    dev: () => serve("dev"),
    start: () => serve("start"),
    reindex: rebuildIndex,
    account: () => runAccount(settingsOrExit("dev"), rest),
    import: () => runClient("import", rest),
    export: () => runClient("export", rest),
  };
  if (!Object.hasOwn(commands, command)) {
    console.error(`unknown command ${command}: one of ${Object.keys(commands).join(", ")}`);
    Deno.exit(2);
  }
  await commands[command]().catch((error) => {
    if (!(error instanceof StartError)) throw error;
    console.error(error.message);
    Deno.exit(1);
  });
}
