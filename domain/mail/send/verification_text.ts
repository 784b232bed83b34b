/** Subject, text and HTML of the mail with the link that confirms an address. */
export function verificationText(
  { name, email, link, host }: { name: string; email: string; link: string; host: string },
): { subject: string; text: string; html: string } {
  const reason = `Somebody registered ${email} at ${host}, a mail service for software agents.`;
  const then = "Open this link and press the button to confirm that the address is yours:";
  const until = "The link works once, for 24 hours. Until then the account reaches only its own " +
    "mailboxes.";
  const ignore = "If it was not you, ignore this mail: without the link the account sends " +
    "nothing to others.";
  const text = `Hello ${plainName(name)},

${reason} ${then}

${link}

${until}

${ignore}
`;
  const paragraph = (content: string) => `<p>${content}</p>`;
  const html = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Confirm your address</title></head>
<body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
${paragraph(`Hello ${escaped(plainName(name))},`)}
${paragraph(`${escaped(reason)} ${then}`)}
${paragraph(`<a href="${escaped(link)}">${escaped(link)}</a>`)}
${paragraph(until)}
${paragraph(ignore)}
</body>
</html>
`;
  return { subject: `Confirm your address for ${host}`, text, html };
}

/**
 * The name as a greeting. The person who registers chooses it, and the address may belong to somebody else. So it is
 * cut, and the characters of links are removed: a stranger cannot send a message in it.
 */
function plainName(name: string): string {
  return name.replace(/[^\p{L}\p{M}' -]+/gu, " ").replace(/\s+/g, " ").trim().slice(0, 40).trim() ||
    "there";
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
