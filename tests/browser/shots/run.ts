// deno task screenshots [--all DIR]: the picture of the README, or every page of the dashboard in every width
import { command, runCommandLine } from "../../../commands/command_line.ts";

const program = command({
  description:
    "Makes docs/dashboard.png of the demonstration account with a week of lifelike mail, in memory. With --all: " +
    "a picture of every page at 320, 390, 768, 1280 and 1920 px, light and dark, in a folder.",
  args: {
    all: { type: "string", description: "the folder" },
    only: { type: "string", description: "with --all: the names of the pages, with commas" },
    widths: { type: "string", description: "with --all: the widths, with commas" },
  },
  async run({ all, only, widths }) {
    const { everyPage, inStudio, readmePicture } = await import("./studio.ts");
    await inStudio((studio) =>
      all === undefined ? readmePicture(studio) : everyPage(studio, all, { only, widths })
    );
  },
});

await runCommandLine("deno task screenshots", program, Deno.args);
// The tests' service leaves a thread behind, which would keep the process, and a lock around it, without end.
Deno.exit(0);
