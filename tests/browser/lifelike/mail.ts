/** One received message. Times are minutes before now. */
export interface LifelikeMail {
  from: string;
  name: string;
  subject: string;
  minutesAgo: number;
  text: string;
  html?: string;
  /** Place in `lifelikeMail` of the message that this one answers. */
  answers?: number;
  headers?: string[];
  attachment?: { filename: string; type: string; text: string };
  /** Its sender is forged. */
  forged?: boolean;
}

const invoice = "Invoice 2026-1187\n40 reams, 90 g, cream\nEUR 312.40\n";

/** The mail of a small shop's support agent in two days; all people in it are made up. */
export const lifelikeMail: readonly LifelikeMail[] = [
  {
    from: "marta.oliveira@mailpost.example",
    name: "Marta Oliveira",
    subject: "Order HB-20418 arrived without the atlas",
    minutesAgo: 2_760,
    text: `Hello,

the parcel came this morning, thank you. The two novels are in it, the atlas is not. The packing slip lists all three.

Could you look whether it is still with you? I need it by the 28th, it is a present.

Best wishes
Marta Oliveira`,
    attachment: { filename: "packing-slip.txt", type: "text/plain", text: "HB-20418\n3 items\n" },
  },
  {
    from: "noreply@ledgerly.example",
    name: "Ledgerly",
    subject: "Your statement for October is ready",
    minutesAgo: 2_450,
    text:
      "Your statement for October is ready. Sign in to download it. You have 3 unpaid invoices.",
    headers: ["Auto-Submitted: auto-generated", "List-Id: <statements.ledgerly.example>"],
  },
  {
    from: "tomasz@north-pier-freight.example",
    name: "Tomasz Wieczorek",
    subject: "Collection moved to Thursday, 14:00 to 16:00",
    minutesAgo: 1_490,
    text: `Morning,

our Wednesday van is full. Can we collect the six cartons on Thursday between 14:00 and 16:00 instead? The gate code of last time still works for us.

If Thursday is no good, Friday morning is free as well.

Tomasz`,
  },
  {
    from: "accounts@clearfold.example",
    name: "Clearfold accounts",
    subject: "482913 is your Clearfold sign-in code",
    minutesAgo: 940,
    text:
      "Your sign-in code is 482913. It is valid for 10 minutes. If it was not you, ignore this mail.",
    html:
      `<p>Your sign-in code is</p><p style="font-size:28px"><b>482913</b></p><p>It is valid for 10 minutes.</p>`,
    headers: ["Auto-Submitted: auto-generated"],
  },
  {
    from: "priya.raman@kestrel-school.example",
    name: "Priya Raman",
    subject: "Quote for 34 copies of the field guide",
    minutesAgo: 310,
    text: `Dear shop,

we would like 34 copies of the field guide for our second years, delivered before term starts on 11 January. Is there a price for schools, and can we pay by invoice?

Our purchase order would come from the office, so please quote with delivery included.

Kind regards
Priya Raman
Kestrel School`,
  },
  {
    from: "letters@paper-and-ink.example",
    name: "Paper & Ink weekly",
    subject: "Five bindings worth a second look",
    minutesAgo: 205,
    text:
      "This week: five bindings worth a second look, a visit to a marbling workshop, and a reader's question about foxing.",
    html:
      `<div style="font-family:Georgia,serif;max-width:560px"><h1 style="font-size:24px">Five bindings worth a second look</h1><p>A visit to a marbling workshop, and a reader's question about foxing.</p><p><img src="https://images.paper-and-ink.example/cover.jpg" width="480" height="240" alt="A marbled cover"></p><p><a href="https://paper-and-ink.example/issue/212">Read the issue</a></p></div>`,
    headers: ["List-Id: <weekly.paper-and-ink.example>", "Precedence: bulk"],
  },
  {
    from: "marta.oliveira@mailpost.example",
    name: "Marta Oliveira",
    subject: "Re: Order HB-20418 arrived without the atlas",
    minutesAgo: 42,
    answers: 0,
    text:
      `A replacement by courier is perfect. Tuesday before noon suits me; the bell says "Oliveira / Sand", second floor.

Marta

> We found the atlas at the packing table. Shall we send it by courier on Tuesday?`,
  },
  {
    from: "jonas@fjordlight.example",
    name: "Jonas Lindqvist",
    subject: "Returning a damaged lamp, order 7731",
    minutesAgo: 9,
    text: `Hi,

the reading lamp came with a cracked shade. I can send a photograph. Would you rather replace the shade or take the whole lamp back?

Jonas Lindqvist`,
  },
  {
    from: "billing@tidewater-paper.example",
    name: "Tidewater Paper",
    subject: "Invoice 2026-1187 for 40 reams",
    minutesAgo: 1_130,
    text: `Dear customer,

please find attached invoice 2026-1187 over EUR 312.40, due on 5 December. You save 2 % if you pay within ten days.

Tidewater Paper, accounts`,
    attachment: { filename: "invoice-2026-1187.txt", type: "text/plain", text: invoice },
  },
  {
    from: "billing@ledgerly.example",
    name: "Ledgerly billing",
    subject: "Your account is locked: confirm your card today",
    minutesAgo: 610,
    forged: true,
    text:
      "Your account was locked. Confirm your card within 24 hours: https://ledgerly.login.example/",
  },
  {
    from: "hello@rowan-press.example",
    name: "Rowan Press",
    subject: "Confirm your address for trade prices",
    minutesAgo: 520,
    text:
      "Thank you for signing up. Confirm your address: https://rowan-press.example/confirm?token=4f1c9a\n\nThe link is valid for a day.",
    headers: ["Auto-Submitted: auto-generated"],
  },
  {
    from: "sofia.brandt@lindenhof-library.example",
    name: "Sofia Brandt",
    subject: "Can you hold the 1911 edition until Friday?",
    minutesAgo: 118,
    text: `Dear shop,

our acquisitions board meets on Thursday evening. Could you hold the 1911 edition of the coastal charts for us until Friday noon? I am fairly sure they will say yes.

Sofia Brandt
Lindenhof Library`,
  },
];

/** The message as it would arrive; `now` in ms since 1970. */
export function messageOf(place: number, to: string, now: number): string {
  const mail = lifelikeMail[place];
  const head = [
    `From: ${mail.name} <${mail.from}>`,
    `To: ${to}`,
    `Subject: ${mail.subject}`,
    `Date: ${new Date(now - mail.minutesAgo * 60_000).toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: ${idOf(place)}`,
    ...mail.answers === undefined
      ? []
      : [`In-Reply-To: ${idOf(mail.answers)}`, `References: ${idOf(mail.answers)}`],
    ...mail.headers ?? [],
    "MIME-Version: 1.0",
  ];
  return [...head, ...bodyOf(mail)].join("\n").replaceAll("\n", "\r\n");
}

const idOf = (place: number) => `<lifelike-${place}@${lifelikeMail[place].from.split("@")[1]}>`;

function bodyOf({ text, html, attachment }: LifelikeMail): string[] {
  const plain = ["Content-Type: text/plain; charset=utf-8", "", text];
  if (!html && !attachment) return plain;
  const kind = html ? "alternative" : "mixed";
  const second = html ? ["Content-Type: text/html; charset=utf-8", "", html] : [
    `Content-Type: ${attachment!.type}; name="${attachment!.filename}"`,
    `Content-Disposition: attachment; filename="${attachment!.filename}"`,
    "",
    attachment!.text,
  ];
  const parts = [plain, second].flatMap((part) => ["--lifelike", ...part, ""]);
  return [`Content-Type: multipart/${kind}; boundary=lifelike`, "", ...parts, "--lifelike--", ""];
}
