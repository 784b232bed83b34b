/** Where the service is and who asks: what `deno task dev` prints at its first start. */
export const baseUrl = Deno.env.get("LETTERBOX_URL") ?? "http://localhost:8000";

export const apiKey = required("LETTERBOX_API_KEY");

function required(name: string): string {
  const value = Deno.env.get(name);
  if (value) return value;
  console.error(`set ${name} to what \`deno task dev\` prints`);
  Deno.exit(2);
}

/** Stands for the rest of the world, which sends mail: delivers one to the service, as a mail provider does. */
export async function somebodyWrites(
  mail: { from: string; to: string; subject: string; text: string },
): Promise<void> {
  const { from, to, subject, text } = mail;
  const answer = await fetch(`${baseUrl}/inbound/raw`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${required("LETTERBOX_INBOUND_TOKEN")}`,
      "content-type": "message/rfc822",
      "x-envelope-from": from,
      "x-envelope-to": to,
    },
    body: `From: ${from}\r\nTo: ${to}\r\nSubject: ${subject}\r\n\r\n${text}\r\n`,
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  await answer.body?.cancel();
}
