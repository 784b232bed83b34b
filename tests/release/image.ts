import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { run } from "../../sdk/run.ts";
import { inboundToken, openAccount, operatorToken, postMail } from "../service_process.ts";
import { NotTried } from "./steps.ts";
import { version } from "./versions.ts";

const cwd = fileURLToPath(new URL("../../", import.meta.url));
const docker = async (...args: string[]) => (await run("docker", args, { cwd })).trim();

/** As deploy/compose.yaml runs it; the port of the host is free, and the health check comes soon. */
const how = [
  ...["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL"],
  ...["--security-opt", "no-new-privileges:true", "--health-interval", "2s"],
  ...["--publish", "127.0.0.1::8000", "--env", "SHARED_DOMAINS=agents.test"],
  ...["--env", "BASE_URL=http://localhost:8000", "--env", "MX_HOST=mx.agents.test"],
  ...["--env", `INBOUND_TOKENS=${inboundToken}`, "--env", `OPERATOR_TOKEN=${operatorToken}`],
];

/** Builds the image and asserts that a container of it becomes healthy and takes mail. Throws NotTried without an engine. */
export async function assertImage(): Promise<string> {
  await docker("info").catch(() => {
    throw new NotTried("there is no container engine");
  });
  const image = "localhost/letterbox:release-check";
  await docker("build", "--quiet", "--file", "deploy/Dockerfile", "--tag", image, ".");
  const [{ Config: config, Size: size }] = JSON.parse(await docker("image", "inspect", image));
  assert.equal(config.Labels["org.opencontainers.image.version"], version);
  assert.match(config.User, /^[1-9]\d*/);
  const container = await docker("run", "--detach", ...how, image);
  try {
    await healthy(container);
    const [address] = (await docker("port", container, "8000")).split("\n");
    const base = `http://${address}`;
    const health = await (await fetch(`${base}/v1/api/health`)).json();
    assert.equal(health.data.version, version);
    // The dashboard is made of packages of the image.
    const page = await fetch(`${base}/app/`);
    assert.ok(page.ok, await page.text());
    const { mailboxes: [box] } = await openAccount(base, "image", 1);
    const mail = "From: ada@example.net\r\nSubject: To the image\r\n\r\nHi\r\n";
    const answer = await postMail(base, box.email_address, mail);
    assert.equal((await answer.json()).data.results[0].disposition, "accepted");
  } finally {
    await docker("rm", "--force", "--volumes", container);
  }
  return `${Math.round(size / 1e6)} MB`;
}

async function healthy(container: string): Promise<void> {
  const state = () => docker("inspect", "--format", "{{.State.Health.Status}}", container);
  const end = performance.now() + 90_000;
  while (await state() !== "healthy") {
    if (performance.now() > end) assert.fail(await docker("logs", container));
    await new Promise((done) => setTimeout(done, 500));
  }
}
