import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { bounded } from "../eventually.ts";
import { inboundToken } from "../service.ts";
import { hasPython, serveService } from "./served.ts";

const folder = fileURLToPath(new URL("../../sdk/python/", import.meta.url));

Deno.test({
  name: "the Python clients pass their tests against a running service",
  // The service does not need Python: without python3 3.10 or later these tests cannot run.
  ignore: !hasPython(),
  async fn() {
    await using served = await serveService();
    const command = new Deno.Command("python3", {
      args: ["-m", "unittest"],
      cwd: folder,
      env: {
        LETTERBOX_URL: served.base,
        LETTERBOX_API_KEY: served.owner.key,
        LETTERBOX_INBOUND_TOKEN: inboundToken,
        PYTHONDONTWRITEBYTECODE: "1",
      },
      stdin: "null",
    });
    const { success, stderr } = await bounded("the tests end", command.output(), [], 120_000);
    const text = new TextDecoder().decode(stderr);
    assert.ok(success, text);
    assert.match(text, /^OK$/m, "none is skipped");
    assert.ok(Number(/Ran (\d+) tests/.exec(text)?.[1]) >= 50, text);
  },
});
