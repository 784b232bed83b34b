/** A line of the client, in order, with the facts that the relay has when it answers. */
export interface Turn {
  /** `MAIL`, `RCPT`, `DATA`, `.` for a message, `RSET`, `QUIT`. */
  verb: string;
  line: string;
  /** Of connections, from 0. */
  connection: number;
  /** Lines of the client that have arrived after this one. */
  behind: readonly string[];
  /** Resolves when another line arrives. */
  more(): Promise<void>;
}

/** A reply, or null to cut the connection. */
export type PlainScript = (turn: Turn) => string | null | Promise<string | null>;

/** A small relay on loopback that can see what the client sends before it gets an answer. */
export function startPlainRelay(extensions: readonly string[], script: PlainScript) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.Conn>();
  let connections = 0;

  async function talk(socket: Deno.Conn, connection: number): Promise<void> {
    const lines: string[] = [];
    let arrived = Promise.withResolvers<void>(), ended = false;
    const say = (text: string) => socket.write(new TextEncoder().encode(`${text}\r\n`));
    void (async () => {
      let rest = "";
      const buffer = new Uint8Array(65_536);
      for (;;) {
        const count = await socket.read(buffer).catch(() => null);
        if (count === null) break;
        const pieces = (rest + new TextDecoder().decode(buffer.subarray(0, count))).split("\r\n");
        rest = pieces.pop()!;
        lines.push(...pieces);
        arrived.resolve();
        arrived = Promise.withResolvers();
      }
      ended = true;
      arrived.resolve();
    })();
    await say("220 plain");
    for (let inData = false;;) {
      while (lines.length === 0) {
        if (ended) return;
        await arrived.promise;
      }
      const line = lines.shift()!;
      if (inData && line !== ".") continue;
      const verb = line.split(" ")[0].toUpperCase();
      if (verb === "EHLO") {
        const all = ["plain", ...extensions];
        await say(all.map((each, n) => `250${n < all.length - 1 ? "-" : " "}${each}`).join("\r\n"));
        continue;
      }
      const turn = { verb, line, connection, behind: lines, more: () => arrived.promise };
      const reply = await script(turn);
      if (reply === null) return;
      await say(reply);
      inData = verb === "DATA" && reply.startsWith("354");
      if (verb === "QUIT") return;
    }
  }

  void (async () => {
    for await (const socket of listener) {
      open.add(socket);
      void talk(socket, connections++).catch(() => {}).finally(() => {
        if (open.delete(socket)) socket.close();
      });
    }
  })().catch(() => {});
  return {
    url: `smtp://127.0.0.1:${listener.addr.port}`,
    [Symbol.dispose]() {
      listener.close();
      for (const socket of open) {
        open.delete(socket);
        socket.close();
      }
    },
  };
}

/** The usual answer. */
export function usual({ verb }: Turn): string {
  return verb === "DATA" ? "354 go on" : verb === "QUIT" ? "221 bye" : "250 ok";
}
