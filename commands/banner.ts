import { mcpConfig } from "../routes/mcp/instructions.ts";
import type { Demonstration } from "./demonstration.ts";

/** What `dev` shows after its start. */
export interface Started {
  base: string;
  /** `host:port` of the SMTP listener; null if there is none. */
  smtp: string | null;
  inboundToken: string;
  /** null if somebody else registered its email. */
  demonstration: Demonstration | null;
}

/** The text that `dev` prints once it serves: addresses, and the secrets that this start made. */
export function banner({ base, smtp, inboundToken, demonstration }: Started): string {
  const rows = [
    ["service", base],
    ["dashboard", `${base}/app/`],
    ["reference", `${base}/docs`],
    ["MCP", `${base}/v1/mcp`],
    ["SMTP", smtp ?? "off: see the log above"],
    ...accountRows(demonstration),
    ["inbound token", inboundToken],
  ];
  const table = rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`).join("\n");
  return `\nLetterbox is up.\n\n${table}\n\n${advice(base, inboundToken, demonstration)}\n`;
}

function accountRows(shown: Demonstration | null): string[][] {
  if (shown === null) return [];
  const { email, password, key, addresses } = shown;
  return [
    ["login", password === null ? email : `${email}  ${password}`],
    ...(key === null ? [] : [["API key", key]]),
    ...addresses.slice(0, 5).map((each) => ["mailbox", each]),
  ];
}

const renewal = "For new ones, stop this and run: deno task dev --credentials";

function advice(base: string, token: string, shown: Demonstration | null): string {
  if (shown === null) {
    return "There is no demonstration account: somebody else registered demo@example.com.";
  }
  const { key, addresses: [address] } = shown;
  if (key === null) {
    return `The password and the API key were shown at an earlier start.\n${renewal}`;
  }
  return `Your first mail: open ${base}/app/, sign in with the login above, and press "Send the first mail".

The password and the API key are shown only now.
${renewal}

For an MCP client:

${mcpConfig(base, key)}
${address === undefined ? "" : firstSteps(base, token, key, address)}`;
}

function firstSteps(base: string, token: string, key: string, address: string): string {
  return `
Deliver a mail, then find it:

  printf 'From: Ada <ada@example.net>\\r\\nSubject: Hello\\r\\n\\r\\nThe order number is ZX-48213.\\r\\n' |
    curl -s ${base}/inbound/raw -H 'Authorization: Bearer ${token}' -H 'Content-Type: message/rfc822' \\
      -H 'X-Envelope-To: ${address}' -H 'X-Envelope-From: ada@example.net' --data-binary @-

  curl -s ${base}/v1/api/search -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' \\
    -d '{"query": "order ZX-48213"}'
`;
}
