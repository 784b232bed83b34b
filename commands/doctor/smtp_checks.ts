import { createPrivateKey, X509Certificate } from "node:crypto";
import nodemailer from "nodemailer";
import { type Deployment, type Finding, ok, unknown, whyNoAnswer, wrong } from "./finding.ts";

const smtpPort = 25;
const dayMs = 86_400_000;
/** A certificate should have been renewed by then. */
const renewedMs = 14 * dayMs;

/** Checks that the relay accepts the login. No mail is sent. */
export async function checkRelay({ settings, patienceMs }: Deployment): Promise<Finding[]> {
  const { SMTP_URL: url, MX_HOST } = settings;
  if (!url) {
    return [unknown("SMTP_URL", "it is not set: mail to other hosts is stored and not sent")];
  }
  const { host: relay, username } = new URL(url);
  const transport = nodemailer.createTransport({
    url,
    name: MX_HOST,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    // A relay that offers no AUTH takes no login either.
    forceAuth: username !== "",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.verify();
    return [ok("SMTP_URL", `the relay ${relay} answers${username && " and takes the login"}`)];
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    if (code === "EAUTH") {
      const why = responseCode ? `: ${responseCode}` : "";
      return [wrong("SMTP_URL", `the relay ${relay} refuses the login${why}`)];
    }
    return [wrong("SMTP_URL", `the relay ${relay} cannot be used: ${whyNoAnswer(error)}`)];
  } finally {
    transport.close();
  }
}

/** Checks that the SMTP listener greets, and that its certificate is valid. */
export async function checkListener(deployment: Deployment): Promise<Finding[]> {
  const { SMTP_LISTEN_PORT: port, HOST = "127.0.0.1", MX_HOST } = deployment.settings;
  const findings = await checkCertificate(deployment);
  if (port === undefined || port === 0) return findings;
  const here = HOST === "0.0.0.0" || HOST === "::" ? "127.0.0.1" : HOST;
  findings.push(await greeting(deployment, "SMTP_LISTEN_PORT", here, port));
  const found = MX_HOST ? await deployment.dns.lookUp(MX_HOST, "A") : null;
  if (found?.kind === "records") {
    const [address] = found.records.map(String);
    const outside = await greeting(deployment, "MX_HOST", address, smtpPort);
    // Many networks block connections to port 25, and a firewall may forward it to another port.
    findings.push(
      outside.state === "ok" || port === smtpPort ? outside : { ...outside, state: "unknown" },
    );
  }
  return findings;
}

async function greeting(
  { patienceMs }: Deployment,
  setting: string,
  hostname: string,
  port: number,
): Promise<Finding> {
  const signal = AbortSignal.timeout(patienceMs);
  try {
    using connection = await Deno.connect({ hostname, port, signal });
    const close = () => connection.close();
    signal.addEventListener("abort", close);
    const bytes = new Uint8Array(512);
    const read = await connection.read(bytes).finally(() =>
      signal.removeEventListener("abort", close)
    );
    const text = new TextDecoder().decode(bytes.subarray(0, read ?? 0));
    if (text.startsWith("220")) return ok(setting, `${hostname}:${port} greets`);
    return wrong(setting, `${hostname}:${port} does not greet as SMTP does`);
  } catch (error) {
    const reason = signal.aborted ? "nothing answers in time" : whyNoAnswer(error);
    return wrong(setting, `${hostname}:${port} cannot be reached: ${reason}`);
  }
}

/** The files of STARTTLS. */
async function checkCertificate({ settings, clock }: Deployment): Promise<Finding[]> {
  const { SMTP_LISTEN_TLS_CERT: path, SMTP_LISTEN_TLS_KEY: keyPath, MX_HOST } = settings;
  if (!path) return [];
  const setting = "SMTP_LISTEN_TLS_CERT";
  let certificate: X509Certificate;
  try {
    certificate = new X509Certificate(await Deno.readTextFile(path));
  } catch {
    return [wrong(setting, `${path} is not a certificate that this user can read`)];
  }
  const endsAt = Date.parse(certificate.validTo);
  const until = new Date(endsAt).toISOString().slice(0, 10);
  if (endsAt < clock.now()) {
    return [wrong(setting, `the certificate in ${path} expired on ${until}`)];
  }
  if (MX_HOST && !certificate.checkHost(MX_HOST)) {
    return [wrong(setting, `the certificate in ${path} is not for MX_HOST ${MX_HOST}`)];
  }
  if (endsAt - clock.now() < renewedMs) {
    return [wrong(setting, `the certificate in ${path} ends on ${until} and was not renewed`)];
  }
  const findings = [ok(setting, `the certificate in ${path} is valid until ${until}`)];
  if (keyPath && !await isKeyOf(certificate, keyPath)) {
    const reason = `${keyPath} is not the key of ${path}, or not one that this user can read`;
    findings.push(wrong("SMTP_LISTEN_TLS_KEY", reason));
  }
  return findings;
}

async function isKeyOf(certificate: X509Certificate, path: string): Promise<boolean> {
  try {
    return certificate.checkPrivateKey(createPrivateKey(await Deno.readTextFile(path)));
  } catch {
    return false;
  }
}
