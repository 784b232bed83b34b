import type { TestService } from "../../service.ts";

/** One JSON-RPC message without a client library. */
export async function post(
  test: TestService,
  token: string,
  body: unknown,
  { path = "/v1/mcp", ...init }: RequestInit & { path?: string } = {},
) {
  const response = await test.request(path, {
    method: "POST",
    token,
    ...init,
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...init.headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  const text = await response.text();
  const data = response.headers.get("content-type")?.startsWith("text/event-stream")
    ? /^data: ?(.*)$/m.exec(text)?.[1] ?? "null"
    : text;
  return { response, body: JSON.parse(data || "null") };
}
