import SMTPConnection from "nodemailer/lib/smtp-connection";

/** What a relay offers in its answer to EHLO. */
export interface RelayExtensions {
  /** Whether it takes bytes above 127 (RFC 6152). Rejects with an SmtpFailure if the relay cannot be reached. */
  eightBit(): Promise<boolean>;
  /** Notes the keywords of the newest answer. */
  learn(keywords: readonly string[]): void;
}

/** Before the first message nothing is known, and a connection of its own asks. */
export function relayExtensions(options: SMTPConnection.Options): RelayExtensions {
  let known: boolean | null = null, asking: Promise<boolean> | null = null;
  const ask = async () => {
    try {
      return known ??= isEightBit(await answerToEhlo(options));
    } finally {
      asking = null;
    }
  };
  return {
    eightBit: () => known === null ? asking ??= ask() : Promise.resolve(known),
    learn: (keywords) => known = isEightBit(keywords),
  };
}

function isEightBit(keywords: readonly string[]): boolean {
  return keywords.some((each) => /^8BITMIME\b/i.test(each));
}

async function answerToEhlo(options: SMTPConnection.Options): Promise<string[]> {
  const connection = new SMTPConnection(options);
  try {
    await new Promise<void>((resolve, reject) => {
      connection.once("error", reject);
      connection.once("end", () => reject(new Error("the relay closed the connection")));
      connection.connect((error) => error ? reject(error) : resolve());
    });
    const answer = connection.lastServerResponse || "";
    return answer.split(/\r?\n/).map((line) => line.slice("250-".length));
  } finally {
    connection.removeAllListeners("error").on("error", () => {});
    connection.close();
  }
}
