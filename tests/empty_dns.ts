import { decode, encode } from "dns-packet";
import { Buffer } from "node:buffer";
import { createSocket } from "node:dgram";

/**
 * Run in a process of the service before the service: the DNS server of `DNS_SERVER`, in which no name exists. A machine
 * of tests may have no DNS, and each check of a sender would wait for it.
 */
const port = Number(Deno.env.get("DNS_SERVER")?.split(":").at(-1));
const socket = createSocket("udp4");
socket.on("message", (message: Buffer, { port, address }) => {
  const { id, questions } = decode(message);
  const name = questions?.[0].name.split(".").at(-1) || ".";
  const soa = {
    mname: "ns",
    rname: "root",
    serial: 1,
    refresh: 1,
    retry: 1,
    expire: 1,
    minimum: 60,
  };
  const answer = encode({
    type: "response",
    id,
    flags: 3,
    questions,
    authorities: [{ type: "SOA", name, ttl: 60, data: soa }],
  });
  socket.send(answer, port, address);
});
socket.bind(port, "127.0.0.1");
socket.unref();
