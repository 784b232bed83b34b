import dns2 from "dns2";

/** How a name answers: its records, or a fault. `truncated`: UDP says TC, TCP has the records. */
export interface Zone {
  txt?: string[][];
  mx?: { preference: number; exchange: string }[];
  a?: string[];
  aaaa?: string[];
  ptr?: string[];
  fault?: "SERVFAIL" | "REFUSED" | "NXDOMAIN" | "silent" | "silent at first" | "truncated";
}

export interface DnsServer extends AsyncDisposable {
  /** `ip:port`, as `DNS_SERVER` takes it. */
  address: string;
  zones: Map<string, Zone>;
  /** Every question, as `name TYPE udp|tcp`. */
  asked: string[];
}

const types = ["TXT", "MX", "A", "AAAA", "PTR"] as const;

const RCODE: Record<string, number> = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 };

/** A DNS server on loopback (the library dns2), UDP and TCP on one free port. */
export async function startDnsServer(zones = new Map<string, Zone>()): Promise<DnsServer> {
  const asked: string[] = [];
  const server = dns2.createServer({
    udp: true,
    tcp: true,
    handle(request, send, client) {
      const [question] = request.questions;
      const overUdp = "family" in client && "size" in client;
      const type = types.find((each) => dns2.Packet.TYPE[each] === question.type) ?? "MX";
      asked.push(`${question.name} ${type} ${overUdp ? "udp" : "tcp"}`);
      const response = dns2.Packet.createResponseFromRequest(request);
      const zone = zones.get(question.name.toLowerCase());
      const fault = zone?.fault ?? (zone === undefined ? "NXDOMAIN" : undefined);
      if (fault === "silent") return;
      if (fault === "silent at first") {
        if (asked.filter((each) => each.startsWith(`${question.name} ${type}`)).length === 1) {
          return;
        }
      } else if (fault === "truncated" && overUdp) {
        response.header.tc = 1;
        send(response);
        return;
      } else if (fault !== undefined && fault in RCODE) {
        response.header.rcode = RCODE[fault];
        send(response);
        return;
      }
      const records = type === "TXT"
        ? (zone?.txt ?? []).map((data) => ({ data }))
        : type === "MX"
        ? (zone?.mx ?? []).map((each) => ({ priority: each.preference, exchange: each.exchange }))
        : type === "PTR"
        ? (zone?.ptr ?? []).map((domain) => ({ domain }))
        : ((type === "A" ? zone?.a : zone?.aaaa) ?? []).map((address) => ({ address }));
      for (const record of records) {
        response.answers.push(
          dns2.Packet.createResourceFromQuestion(question, { ...record, ttl: 1 }),
        );
      }
      send(response);
    },
  });
  const port = freePort();
  const address = { port, address: "127.0.0.1" };
  await server.listen({ udp: address, tcp: address });
  return {
    address: `127.0.0.1:${port}`,
    zones,
    asked,
    async [Symbol.asyncDispose]() {
      await server.close();
    },
  };
}

/** A port that is free for TCP now; for UDP it is free with high probability. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
