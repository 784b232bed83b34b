import { dirname, resolve } from "node:path";
import { storeFile } from "../store_file.ts";
import { type Deployment, type Finding, ok, unknown, wrong } from "./finding.ts";

/** With less than this, large messages or a merge of the index may not find room. */
const leastFreeBytes = 1_073_741_824;
const megabyte = 1_048_576;

/** Checks that the folder of the store can be written and has room, and that not everybody can read the store. */
export async function checkDisk({ settings, freeBytes }: Deployment): Promise<Finding[]> {
  const store = storeFile(settings);
  if (store === null) return [];
  const folder = dirname(resolve(store));
  const findings = [await checkFolder(folder, store)];
  const free = await freeBytes(folder).catch(() => null);
  if (free === null) findings.push(unknown("KV_PATH", `the free space of ${folder} is not known`));
  else if (free < leastFreeBytes) {
    findings.push(
      wrong("KV_PATH", `the disk of ${folder} is full: ${Math.floor(free / megabyte)} MB are free`),
    );
  } else findings.push(ok("KV_PATH", `${Math.floor(free / megabyte)} MB of ${folder} are free`));
  return findings;
}

async function checkFolder(folder: string, store: string): Promise<Finding> {
  try {
    await Deno.remove(await Deno.makeTempFile({ dir: folder, prefix: ".letterbox-doctor-" }));
  } catch {
    const user = Deno.uid() === null ? "this user" : `the user ${Deno.uid()}`;
    const exists = await Deno.stat(folder).then(() => true, () => false);
    const reason = exists ? `cannot be written by ${user}` : "does not exist";
    return wrong("KV_PATH", `the folder ${folder} ${reason}`);
  }
  const mode = async (path: string) => (await Deno.stat(path).catch(() => null))?.mode ?? 0;
  // It is enough if the folder or the file keeps others out.
  if ((await mode(folder) & 0o001) && (await mode(store) & 0o004)) {
    return unknown("KV_PATH", `every user of the machine can read ${store}: chmod 700 ${folder}`);
  }
  return ok("KV_PATH", `${folder} can be written`);
}
