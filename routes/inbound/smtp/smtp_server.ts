import type { SMTPServer, SMTPServerDataStream, SMTPServerSession } from "smtp-server";
import { describeError, type Log } from "../../../domain/core/log.ts";
import type { SmtpLimits } from "./connection_limits.ts";
import type { ParsesPaths } from "./quoted_paths.ts";
import type { TlsPair } from "./tls_pair.ts";

/** An open listener. */
export interface SmtpListener {
  port: number;
  /** Accepts no new connection; messages in transfer have 3 s to end. */
  close(): Promise<void>;
  /** Closes the port and opens it again; open connections stay. */
  listenAgain(): Promise<void>;
  /** The key and certificate of connections from now on; only for a listener that was opened with some. */
  useTls(pair: TlsPair): void;
}

export interface SmtpOptions {
  hostname: string;
  /** 0: any free port. */
  port: number;
  /** PEM texts; without them STARTTLS is not offered. */
  tls?: TlsPair;
}

/** What both listeners, of mail that arrives and of submission, have of smtp-server. */
export const common = {
  banner: "Letterbox",
  disableReverseLookup: true,
  maxClients: 500,
  /** RFC 5321, section 4.5.3.2, recommends 5 minutes; with few sockets the server must wait less. */
  socketTimeout: 60_000,
  closeTimeout: 3_000,
  logger: false,
} as const;

/** The parts of a connection of smtp-server that are used. */
export interface Connection extends ParsesPaths {
  session: SMTPServerSession;
  /** Whether it uses TLS. */
  secure: boolean;
  send(code: number, text: string | string[], context?: unknown): void;
}

/** A reply other than 250, with the status code of RFC 3463 in its text. */
export class SmtpReply extends Error {
  constructor(readonly responseCode: number, text: string) {
    super(text);
  }
}

/** Replies with 421 end the connection. */
export const tooManyConnections = new SmtpReply(
  421,
  "4.7.0 Too many connections from your address",
);

export function connectionOf(server: SMTPServer, id: string): Connection | undefined {
  return (server.connections as Set<Connection>).values().find(({ session }) => session.id === id);
}

/** The pieces of the stream. A reader that stops does not destroy it: the rest of DATA must be read before the reply. */
export async function* bytesOf(
  stream: SMTPServerDataStream,
  received: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of stream.iterator({ destroyOnReturn: false })) {
    received(piece.length);
    yield piece;
  }
}

/** Opens the port. Rejects if it cannot. */
export function openServer(
  server: SMTPServer,
  limits: SmtpLimits,
  options: SmtpOptions,
  log: Log,
): Promise<SmtpListener> {
  // It is normal that clients break connections off.
  server.on(
    "error",
    (error: Error) => log.debug("smtp.connection_failed", { error: describeError(error) }),
  );
  return new Promise((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(options.port, options.hostname, () => {
      const address = server.server.address();
      const port = address !== null && typeof address === "object" ? address.port : options.port;
      resolve({
        port,
        close: () =>
          new Promise((closed) => {
            limits.end();
            server.close(() => closed());
          }),
        listenAgain: () =>
          new Promise((listening, failed) => {
            server.server.close();
            server.server.once("error", failed);
            server.listen(port, options.hostname, () => {
              server.server.off("error", failed);
              listening();
            });
          }),
        useTls: (pair) => server.updateSecureContext({ ...pair }),
      });
    });
  });
}
