/** A Worker takes 8 descriptors; some more are for what opens files meanwhile. */
const forWorker = 16;

/**
 * Whether the process has enough free file descriptors, for a Worker if `wanted` is absent. To be asked directly before
 * one is made: Deno ends the whole process if a Worker gets none, and idle connections can use up all of them.
 */
export function hasSpareDescriptors(wanted = forWorker): boolean {
  const files: Deno.FsFile[] = [];
  try {
    while (files.length < wanted) files.push(Deno.openSync(new URL(import.meta.url)));
    return true;
  } catch (error) {
    // Where files cannot be opened for another reason, such as on Deno Deploy, nothing is known.
    return !/too many open files/i.test(String(error));
  } finally {
    for (const file of files) file.close();
  }
}
