import assert from "node:assert/strict";
import { bounded } from "../../eventually.ts";

/** An HTTP client that sends a request in pieces, with pauses, and reads one answer. */
export class RawClient implements Disposable {
  private constructor(private readonly connection: Deno.TcpConn) {}

  static async connect(port: number): Promise<RawClient> {
    return new RawClient(await Deno.connect({ hostname: "127.0.0.1", port }));
  }

  /** The head of a POST whose body follows. */
  async post(path: string, headers: Record<string, string>): Promise<void> {
    const fields = Object.entries({ host: "localhost", ...headers });
    await this.send(
      `POST ${path} HTTP/1.1\r\n${
        fields.map(([name, value]) => `${name}: ${value}\r\n`).join("")
      }\r\n`,
    );
  }

  /** The same with Expect; resolves when the server begins to read the body. */
  async postExpected(path: string, headers: Record<string, string>): Promise<void> {
    await this.post(path, { ...headers, expect: "100-continue" });
    let text = "";
    const buffer = new Uint8Array(1);
    while (!text.endsWith("\r\n\r\n")) {
      const read = await bounded("100 Continue", this.connection.read(buffer), [text]);
      if (read === null) break;
      text += String.fromCharCode(...buffer.subarray(0, read));
    }
    assert.match(text, /^HTTP\/1\.1 100 /);
  }

  async send(text: string | Uint8Array): Promise<void> {
    const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
    for (let at = 0; at < bytes.length;) {
      at += await bounded("the server reads", this.connection.write(bytes.subarray(at)));
    }
  }

  /** Everything until the connection ends or the first answer is complete; "" if nothing came. */
  async answer(): Promise<{ status: number; headers: Headers; body: string }> {
    let text = "";
    const buffer = new Uint8Array(65_536);
    for (;;) {
      const next = this.connection.read(buffer).catch(() => null);
      const read = await bounded("an answer", next, [text]);
      if (read === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, read));
      const [head, body] = text.split("\r\n\r\n", 2);
      const length = /^content-length: *(\d+)/im.exec(head)?.[1];
      if (body !== undefined && length !== undefined && body.length >= Number(length)) break;
    }
    const [head, body = ""] = text.split("\r\n\r\n", 2);
    const [first, ...fields] = head.split("\r\n");
    const pairs = fields.map((each) => each.split(/: */, 2) as [string, string]);
    return { status: Number(first.split(" ")[1]), headers: new Headers(pairs), body };
  }

  [Symbol.dispose](): void {
    try {
      this.connection.close();
    } catch { /* closed before */ }
  }
}
