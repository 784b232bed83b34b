// A program that loads the checks of senders while it has no free descriptor, and again when it has some.
import { loadMailauth } from "../../../adapters/sender_checks/mailauth_parts.ts";

const files: Deno.FsFile[] = [];
try {
  while (true) files.push(Deno.openSync("/dev/null"));
} catch {
  console.log(await loadMailauth().then(() => "loaded", () => "failed"));
}
files.forEach((file) => file.close());
console.log(await loadMailauth().then(() => "loaded", () => "failed"));
