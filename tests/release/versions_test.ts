import assert from "node:assert/strict";
import { newestEntry, otherVersions, version } from "./versions.ts";

Deno.test("the service, both SDKs, the image, the changelog and the specification have one version", async () => {
  assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.deepEqual(await otherVersions(), []);
});

Deno.test("the notes of a release are the newest entry of the changelog, whole and alone", async () => {
  const entry = await newestEntry();
  assert.ok(entry.length > 100, entry);
  assert.doesNotMatch(entry, /^##? /m);
  const changelog = await Deno.readTextFile(new URL("../../CHANGELOG.md", import.meta.url));
  assert.ok(changelog.includes(`## ${version}\n\n${entry}\n`));
});
