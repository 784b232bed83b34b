import { Buffer } from "node:buffer";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A message that the relay accepted. */
export interface RelayedMessage {
  from: string;
  to: string[];
  raw: Uint8Array;
  secure: boolean;
  user?: string;
}

/** The relay's answer: an SMTP code of a refusal, `cut` to drop the connection, or acceptance. */
export type RelayAnswer = number | "cut" | "take";

export interface RelayScript {
  mailFrom?: () => RelayAnswer;
  rcptTo?: (address: string) => RelayAnswer;
  data?: (message: RelayedMessage) => RelayAnswer;
}

/** A real SMTP server on loopback with scripted answers, which keeps the messages that it accepted. */
export interface SmtpRelay extends AsyncDisposable {
  url: string;
  taken: RelayedMessage[];
  script: RelayScript;
  close(): Promise<void>;
}

export async function startSmtpRelay(
  script: RelayScript = {},
  options: SMTPServerOptions = {},
): Promise<SmtpRelay> {
  const taken: RelayedMessage[] = [];
  const relay = { taken, script };
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ["STARTTLS"],
    onMailFrom: (_address, session, callback) =>
      answer(relay.script.mailFrom?.() ?? "take", () => cut(session.id), callback),
    onRcptTo: ({ address }, session, callback) =>
      answer(relay.script.rcptTo?.(address) ?? "take", () => cut(session.id), callback),
    onData: (stream, session, callback) => {
      const chunks: Uint8Array[] = [];
      stream.on("data", (chunk: Uint8Array) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        const message = {
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: new Uint8Array(Buffer.concat(chunks)),
          secure: session.secure,
          ...(session.user ? { user: session.user } : {}),
        };
        const verdict = relay.script.data?.(message) ?? "take";
        if (verdict === "take") taken.push(message);
        answer(verdict, () => cut(session.id), callback);
      });
    },
    ...options,
  });
  const cut = (id: string) => {
    for (const connection of server.connections) {
      if (connection.id === id) connection.close();
    }
  };
  server.on("error", () => {});
  const port = await new Promise<number>((resolve) => {
    const listener = server.listen(0, "127.0.0.1", () => {
      const address = listener.address();
      resolve(address !== null && typeof address === "object" ? address.port : 0);
    });
  });
  const close = () => new Promise<void>((resolve) => server.close(resolve));
  return Object.assign(relay, {
    url: `smtp://127.0.0.1:${port}`,
    close,
    [Symbol.asyncDispose]: close,
  });
}

function answer(
  verdict: RelayAnswer,
  cutConnection: () => void,
  callback: (error?: Error | null) => void,
): void {
  if (verdict === "take") callback();
  else if (verdict === "cut") cutConnection();
  else {
    callback(Object.assign(new Error(`scripted ${verdict}`), { responseCode: verdict }));
  }
}
