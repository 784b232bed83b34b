/** Passes TCP connections on, so that one can be cut from outside of the HTTP server behind. */
export class Relay {
  private readonly listener: Deno.TcpListener;
  /** What ends each connection, by its port at the server behind. */
  private readonly connections = new Map<number, () => void>();

  constructor(private readonly target: Deno.NetAddr, port = 0) {
    this.listener = Deno.listen({ hostname: "127.0.0.1", port });
    this.accept();
  }

  get port(): number {
    return this.listener.addr.port;
  }

  /** Ends the connection that the server behind sees under this port. */
  cut(port: number): void {
    this.connections.get(port)?.();
  }

  cutAll(): void {
    for (const end of [...this.connections.values()]) end();
  }

  close(): void {
    this.listener.close();
    this.cutAll();
  }

  private async accept(): Promise<void> {
    try {
      for await (const client of this.listener) this.pass(client).catch(() => {});
    } catch { /* it was closed */ }
  }

  private async pass(client: Deno.TcpConn): Promise<void> {
    const { hostname, port } = this.target;
    const inner = await Deno.connect({ hostname, port });
    client.setNoDelay(true);
    inner.setNoDelay(true);
    const name = inner.localAddr.port;
    const end = () => {
      this.connections.delete(name);
      for (const each of [client, inner]) {
        try {
          each.close();
        } catch { /* its other side was faster */ }
      }
    };
    this.connections.set(name, end);
    const answers = new Answers(client);
    await Promise.allSettled([
      client.readable.pipeThrough(answers.acknowledging()).pipeTo(inner.writable),
      inner.readable.pipeTo(new WritableStream({ write: (bytes) => answers.write(bytes) })),
    ]);
    end();
  }
}

/** A frame of HTTP/2 of a type that nobody knows, which a client must ignore (RFC 9113, 4.1). */
const ignoredFrame = new Uint8Array([0, 0, 0, 0xff, 0, 0, 0, 0, 0]);
const frameHeadBytes = 9;

/**
 * The bytes to the client of a connection. Deno's client leaves Nagle's algorithm on: it sends the body of a request
 * only when this side has acknowledged the head, and a system with nothing to send does that 40 ms later. So each piece
 * that comes in is answered at once with a frame that the client ignores; else every commit would take 40 ms more.
 */
class Answers {
  private turn: Promise<unknown> = Promise.resolve();
  /** Bytes of the head of the frame that is being sent. */
  private readonly head: number[] = [];
  /** How many bytes of its payload are to come. */
  private payload = 0;
  private frames = 0;

  constructor(private readonly client: Deno.TcpConn) {}

  write(bytes: Uint8Array): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      if (this.payload > 0) {
        const passed = Math.min(this.payload, bytes.length - at);
        this.payload -= passed;
        at += passed;
        continue;
      }
      this.head.push(bytes[at++]);
      if (this.head.length < frameHeadBytes) continue;
      this.payload = this.head[0] << 16 | this.head[1] << 8 | this.head[2];
      this.head.length = 0;
      this.frames++;
    }
    return this.send(bytes);
  }

  acknowledging(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    return new TransformStream({
      transform: (bytes, controller) => {
        // The first frame of a server says its settings. In a frame, the rest of it is about to follow.
        const isBetweenFrames = this.head.length === 0 && this.payload === 0;
        if (this.frames > 0 && isBetweenFrames) this.send(ignoredFrame).catch(() => {});
        controller.enqueue(bytes);
      },
    });
  }

  private send(bytes: Uint8Array): Promise<void> {
    const sent = this.turn.then(async () => {
      for (let at = 0; at < bytes.length;) at += await this.client.write(bytes.subarray(at));
    });
    this.turn = sent.catch(() => {});
    return sent;
  }
}
