import { bounded } from "../../eventually.ts";

/** A client that sends exact bytes, for what real clients never send. */
export class SmtpTalk implements Disposable {
  /** The server's greeting. */
  greeting = "";

  private constructor(private readonly connection: Deno.TcpConn) {}

  static async connect(port: number): Promise<SmtpTalk> {
    const talk = new SmtpTalk(await Deno.connect({ hostname: "127.0.0.1", port }));
    talk.greeting = await talk.reply();
    return talk;
  }

  /** Sends a line and returns the whole reply, its lines joined by LF. */
  async say(line: string): Promise<string> {
    await this.send(`${line}\r\n`);
    return await this.reply();
  }

  async send(data: string | Uint8Array): Promise<void> {
    const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
    for (let at = 0; at < bytes.length;) {
      at += await bounded("the server reads", this.connection.write(bytes.subarray(at)));
    }
  }

  /** Reads a reply that no line asked for, until it is complete or the connection ends. */
  async rest(): Promise<string> {
    return await this.reply();
  }

  [Symbol.dispose](): void {
    try {
      this.connection.close();
    } catch { /* closed before */ }
  }

  private async reply(): Promise<string> {
    let text = "";
    const buffer = new Uint8Array(4096);
    while (!/^\d{3} [^\n]*\r\n$/m.test(text)) {
      const read = await bounded("a reply", this.connection.read(buffer), [text]);
      if (read === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, read));
    }
    return text.replaceAll("\r\n", "\n").trimEnd();
  }
}
