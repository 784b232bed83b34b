import { Buffer } from "node:buffer";
import { createSocket } from "node:dgram";

/**
 * Run in a process of the service before the service: the DNS server of `DNS_SERVER`, in which no name exists. A machine
 * of tests may have no DNS, and each check of a sender would wait for it. Its work counts as the service's in benchmarks,
 * so it decodes nothing.
 */
const port = Number(Deno.env.get("DNS_SERVER")?.split(":").at(-1));
/** RFC 1035: the SOA record of the name that was asked for, which is valid for 60 s, as is its absence (RFC 2308). */
const soa = Buffer.from("c00c00060001" + "0000003c001e" + "026e7300" + "04726f6f7400", "hex");
const times = Buffer.from([1, 1, 1, 1, 60].flatMap((seconds) => [0, 0, 0, seconds]));

const socket = createSocket("udp4");
socket.on("message", (question: Buffer, { port, address }) => {
  const answer = Buffer.concat([question, soa, times]);
  // A response with the code NXDOMAIN and one authority.
  answer.writeUInt16BE(0x8003, 2);
  answer.writeUInt16BE(1, 8);
  socket.send(answer, port, address);
});
socket.bind(port, "127.0.0.1");
socket.unref();
