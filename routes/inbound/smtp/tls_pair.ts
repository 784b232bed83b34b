import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Settings } from "../../../domain/core/settings.ts";
import { StartError } from "../../../domain/core/settings/start_error.ts";

/** PEM texts of a key and its certificate. */
export interface TlsPair {
  key: string;
  cert: string;
}

/** The key and certificate of `SMTP_LISTEN_TLS_*`; undefined if one is not set. Throws StartError. */
export async function readSmtpTls(
  settings: Pick<Settings, "SMTP_LISTEN_TLS_KEY" | "SMTP_LISTEN_TLS_CERT">,
): Promise<TlsPair | undefined> {
  const { SMTP_LISTEN_TLS_KEY: keyPath, SMTP_LISTEN_TLS_CERT: certPath } = settings;
  if (!keyPath || !certPath) return undefined;
  const cert = await Deno.readTextFile(certPath).catch(refuse("SMTP_LISTEN_TLS_CERT", certPath));
  const key = await Deno.readTextFile(keyPath).catch(refuse("SMTP_LISTEN_TLS_KEY", keyPath));
  // Deno notices a key and a certificate that do not match only when a client sends STARTTLS.
  const certificate = parse("SMTP_LISTEN_TLS_CERT", certPath, () => new X509Certificate(cert));
  const privateKey = parse("SMTP_LISTEN_TLS_KEY", keyPath, () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(privateKey)) {
    throw new StartError(
      `SMTP_LISTEN_TLS_KEY: ${keyPath} is not the key of SMTP_LISTEN_TLS_CERT ${certPath}`,
    );
  }
  return { key, cert };
}

function refuse(name: string, path: string): (error: Error) => never {
  return (error) => {
    throw new StartError(`${name}: ${path} cannot be read: ${error.message.split("\n")[0]}`);
  };
}

function parse<Value>(name: string, path: string, read: () => Value): Value {
  try {
    return read();
  } catch {
    throw new StartError(`${name}: ${path} is not a valid PEM file`);
  }
}
