import { run } from "../../sdk/run.ts";
import { hasPython } from "../sdk/served.ts";
import { NotTried } from "./steps.ts";

/** What builds and checks the Python packages; release.yml uploads with the same twine. */
export const pythonTools = ["build==1.6.1", "twine==7.0.0"];

/** Makes an environment of Python in a folder and returns its interpreter. Throws NotTried without Python 3.10. */
export async function pythonIn(folder: string): Promise<string> {
  if (!hasPython()) throw new NotTried("there is no python3, 3.10 or later");
  await run("python3", ["-m", "venv", folder]);
  return `${folder}/bin/python`;
}

/** The interpreter of an environment that has the tools. Throws NotTried if pip cannot get them. */
export async function pythonWithTools(folder: string): Promise<string> {
  const python = await pythonIn(folder);
  const args = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", ...pythonTools];
  await run(python, args).catch((error) => {
    throw new NotTried(`pip found no ${pythonTools.join(" and ")}: ${error.message}`);
  });
  return python;
}
