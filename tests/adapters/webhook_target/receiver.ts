/**
 * A raw TCP or TLS receiver on loopback, for answers that no HTTP server would give. `behave` gets
 * a connection when its request was read; `connections` also counts those without a request.
 */
export interface RawReceiver extends AsyncDisposable {
  port: number;
  connections: number;
  requests: string[];
}

export type Behaviour = (connection: Deno.Conn, write: (text: string) => Promise<void>) =>
  | Promise<void>
  | void;

export const certificate = await pem("hook_test.cert.pem");
const key = await pem("hook_test.key.pem");

export function rawReceiver(
  behave: Behaviour,
  options: { tls?: boolean; hostname?: string; port?: number } = {},
): RawReceiver {
  const { hostname = "127.0.0.1", port = 0 } = options;
  const listener = options.tls
    ? Deno.listenTls({ hostname, port, cert: certificate, key })
    : Deno.listen({ hostname, port });
  const open = new Set<Deno.Conn>();
  const receiver: RawReceiver = {
    port: (listener.addr as Deno.NetAddr).port,
    connections: 0,
    requests: [],
    [Symbol.asyncDispose]: async () => {
      listener.close();
      for (const connection of open) close(connection);
      await accepting;
    },
  };
  const accepting = accept();
  return receiver;

  async function accept() {
    const serving: Promise<void>[] = [];
    try {
      for await (const connection of listener) {
        receiver.connections++;
        open.add(connection);
        serving.push(serve(connection));
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error;
    }
    await Promise.all(serving);
  }

  async function serve(connection: Deno.Conn) {
    try {
      receiver.requests.push(await readRequest(connection));
      await behave(connection, (text) => writeAll(connection, new TextEncoder().encode(text)));
    } catch {
      // The client closed the connection, as these receivers expect.
    } finally {
      close(connection);
      open.delete(connection);
    }
  }
}

export function answer(status: number, extra = "", body = ""): string {
  return `HTTP/1.1 ${status} Any\r\ncontent-length: ${body.length}\r\n${extra}\r\n${body}`;
}

function pem(name: string): Promise<string> {
  return Deno.readTextFile(new URL(`../../fixtures/tls/${name}`, import.meta.url));
}

async function readRequest(connection: Deno.Conn): Promise<string> {
  let latin1 = "";
  const chunk = new Uint8Array(64 * 1024);
  while (true) {
    const n = await connection.read(chunk);
    if (n === null) break;
    for (const byte of chunk.subarray(0, n)) latin1 += String.fromCharCode(byte);
    const headEnd = latin1.indexOf("\r\n\r\n");
    const length = Number(latin1.match(/content-length: (\d+)/i)?.[1] ?? 0);
    if (headEnd >= 0 && latin1.length >= headEnd + 4 + length) break;
  }
  return new TextDecoder().decode(Uint8Array.from(latin1, (character) => character.charCodeAt(0)));
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array) {
  let written = 0;
  while (written < bytes.length) written += await connection.write(bytes.subarray(written));
}

function close(connection: Deno.Conn) {
  try {
    connection.close();
  } catch {
    // Closed already by the end of the test.
  }
}
