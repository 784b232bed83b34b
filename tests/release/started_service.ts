import assert from "node:assert/strict";
import { freePort, type ServiceProcess, startProcess } from "../service_process.ts";
import { version } from "./versions.ts";

/** Starts the service as `deno task start` does, with its store in a folder. */
export async function startService(dir: string): Promise<ServiceProcess> {
  let log = "";
  const service = startProcess({
    dir,
    port: freePort(),
    output: (text) => {
      log += text;
    },
  });
  assert.ok(await service.up, log);
  return service;
}

/** Asserts that the health route and the OpenAPI document of a running service have the version. */
export async function assertTellsVersion({ base }: ServiceProcess): Promise<string> {
  const health = await (await fetch(`${base}/v1/api/health`)).json();
  const document = await (await fetch(`${base}/openapi.json`)).json();
  assert.deepEqual([health.data.version, document.info.version], [version, version]);
  return version;
}
