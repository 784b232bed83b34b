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
    await Promise.allSettled([
      client.readable.pipeTo(inner.writable),
      inner.readable.pipeTo(client.writable),
    ]);
    end();
  }
}
