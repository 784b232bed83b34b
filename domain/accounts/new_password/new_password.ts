import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { invalidField, unavailable } from "../../core/errors.ts";
import { hasSpareDescriptors } from "../../core/work/spare_descriptors.ts";

export const newPasswordField = z.string().min(8, "must have at least 8 characters").max(
  1_024,
  "must have at most 1,024 characters",
);

/** Lines in lower case, each between two line ends. Source and licence: common_passwords.license.txt. */
const file = new URL("./common_passwords.txt.gz", import.meta.url);
/** 60 KB once the first new password was checked. */
let common: string | null = null;

/** Throws VALIDATION_ERROR of the field `name` if the password, in any case, is one of the most common. */
export async function refuseCommon(password: string, name: string): Promise<void> {
  common ??= await readCommon();
  // No line has a line end, so a password with one is on none.
  if (password.includes("\n") || !common.includes(`\n${password.toLowerCase()}\n`)) return;
  throw invalidField(name, "is one of the most common passwords, which are guessed first");
}

async function readCommon(): Promise<string> {
  if (!hasSpareDescriptors(1)) throw unavailable("Too many connections are open at present.");
  return `\n${new TextDecoder().decode(gunzipSync(await Deno.readFile(file)))}`;
}
