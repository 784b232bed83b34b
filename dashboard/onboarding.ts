import type { Account } from "./types.ts";

/** The first mail by hand: the same request as a mail provider's. */
export function firstMail({ baseUrl }: Account, address: string): string {
  return `curl ${baseUrl}/inbound/raw \\
  -H 'Authorization: Bearer <INBOUND_TOKEN>' \\
  -H 'Content-Type: message/rfc822' \\
  -H 'X-Envelope-To: ${address}' \\
  -H 'X-Envelope-From: ada@example.net' \\
  --data-binary $'From: Ada <ada@example.net>\\r\\nSubject: Hello\\r\\n\\r\\nThe order number is ZX-48213.\\r\\n'`;
}

export const mcpUrl = ({ baseUrl }: Account) => `${baseUrl}/v1/mcp`;

/** The settings of an MCP client. */
export function mcpConfig(account: Account, key = "<API_KEY>"): string {
  const headers = { Authorization: `Bearer ${key}` };
  const letterbox = { type: "http", url: mcpUrl(account), headers };
  return JSON.stringify({ mcpServers: { letterbox } }, null, 2);
}
