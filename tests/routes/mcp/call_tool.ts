import type { TestService } from "../../service.ts";
import { post } from "./post.ts";

/** Calls a tool of the full toolset; the answer, or `error` of a failure. */
export async function callTool(
  test: TestService,
  token: string,
  name: string,
  args: unknown,
  path = "/v1/mcp?toolset=full",
  // deno-lint-ignore no-explicit-any -- tests read any field of the result
): Promise<any> {
  const params = { name, arguments: args };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
  const { body } = await post(test, token, message, { path });
  return body.error ? { rpc: body.error.code } : JSON.parse(body.result.content[0].text);
}
