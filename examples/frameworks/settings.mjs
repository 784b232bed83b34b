/** Where the service is and who asks: what `deno task dev` prints at its first start. */
export const baseUrl = process.env.LETTERBOX_URL ?? "http://localhost:8000";
export const url = `${baseUrl}/v1/mcp`;
export const headers = { Authorization: `Bearer ${process.env.LETTERBOX_API_KEY}` };
