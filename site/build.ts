// `deno task site`: the documents and the reference as static pages in site/dist.
import { fileURLToPath } from "node:url";
import { command, runCommandLine, UsageError } from "../commands/command_line.ts";
import { faultsOf } from "./check_pages.ts";
import { writeDocumentPages } from "./document_pages.ts";
import generatorConfig from "./generator/deno.json" with { type: "json" };
import { writeReferencePages } from "./reference_pages.ts";

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const made = path("./generator/dist"), folder = `${made}/pages`, output = path("./dist");

async function build(base: string, repository?: string): Promise<void> {
  await Deno.remove(made, { recursive: true }).catch(() => {});
  await writeDocumentPages({ root: path("../"), folder, repository });
  await writeReferencePages(folder);
  await Deno.mkdir(`${folder}/public`, { recursive: true });
  await Deno.copyFile(path("../dashboard/mark.svg"), `${folder}/public/mark.svg`);
  const tokens = await Deno.readTextFile(path("../dashboard/styles/01_tokens.css"));
  await Deno.writeTextFile(
    `${made}/tokens.css`,
    tokens.replace(':root[data-theme="dark"]', ":root.dark"),
  );
  const generator = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", generatorConfig.imports.vitepress, "build", "."],
    cwd: path("./generator"),
    env: { SITE_BASE: base },
  });
  if (!(await generator.spawn().status).success) Deno.exit(1);
  const faults = await faultsOf(output, base);
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    Deno.exit(1);
  }
  console.log("site/dist");
}

if (import.meta.main) {
  const program = command({
    description: "Builds the documents and the reference as static pages; a dead link fails",
    args: {
      base: {
        type: "string",
        default: "/",
        description: "The path that the pages are served below",
      },
      repository: {
        type: "string",
        description: "Its address, for links to files that are no page; without it they are text",
      },
    },
    async run({ base, repository }) {
      if (!/^\/(.*\/)?$/.test(base)) throw new UsageError("--base begins and ends with a slash");
      await build(base, repository);
    },
  });
  await runCommandLine("deno task site", program, Deno.args);
}
