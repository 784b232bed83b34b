import assert from "node:assert/strict";
import { newTextOf } from "../../../mime/body/new_text.ts";
import { segmentsOf } from "../../../mime/segments/segments.ts";

const quote = "> What time?\n>\n> Bob";

/** The lines of mail clients above a quote. */
const attributions: [string, string][] = [
  ["English", "On Mon, 3 Nov 2026 at 10:00, Bob <bob@example.com> wrote:"],
  ["English, folded", "On Mon, 3 Nov 2026 at 10:00, Bob Example\n<bob@example.com> wrote:"],
  ["German", "Am Mo., 3. Nov. 2026 um 10:00 Uhr schrieb Bob <bob@example.com>:"],
  ["French", "Le lun. 3 nov. 2026 à 10:00, Bob <bob@example.com> a écrit :"],
  ["Spanish", "El lun, 3 nov 2026 a las 10:00, Bob (<bob@example.com>) escribió:"],
  ["Italian", "Il giorno lun 3 nov 2026 alle ore 10:00 Bob ha scritto:"],
  ["Portuguese", "Em seg., 3 de nov. de 2026 às 10:00, Bob <bob@example.com> escreveu:"],
  ["Dutch", "Op ma 3 nov 2026 om 10:00 schreef Bob <bob@example.com>:"],
  ["Swedish", "Den mån 3 nov. 2026 kl 10:00 skrev Bob <bob@example.com>:"],
  ["Finnish", "ma 3.11.2026 klo 10.00 Bob (bob@example.com) kirjoitti:"],
  ["Polish", "pon., 3 lis 2026 o 10:00 Bob <bob@example.com> napisał(a):"],
  ["Czech", "po 3. 11. 2026 v 10:00 odesílatel Bob <bob@example.com> napsal:"],
  ["Russian", "пн, 3 нояб. 2026 г. в 10:00, Bob <bob@example.com> написал:"],
  ["Turkish", "Bob <bob@example.com>, 3 Kas 2026 Pzt, 10:00 tarihinde şunu yazdı:"],
  ["Chinese", "Bob <bob@example.com> 于2026年11月3日周一 10:00写道："],
  ["Japanese", "2026年11月3日(月) 10:00 Bob <bob@example.com> のメッセージ:"],
  ["Korean", "2026년 11월 3일 (월) 오전 10:00, Bob <bob@example.com>님이 작성:"],
];
for (const [language, line] of attributions) {
  Deno.test(`newTextOf() takes off a quote announced in ${language}`, () => {
    assert.equal(newTextOf(`At ten.\n\n${line}\n\n${quote}\n`), "At ten.");
  });
}

Deno.test("the frame of a text that PGP signs is a signature, and the text in it is new", () => {
  const head = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n";
  const end = "-----BEGIN PGP SIGNATURE-----\n\niQEzBAEB\n=829a\n-----END PGP SIGNATURE-----\n";
  const text = `${head}Install it.\n\nIt is urgent.\n\nBest regards,\nAnn\n${end}`;
  assert.equal(newTextOf(text), "Install it.\n\nIt is urgent.");
  assert.deepEqual(segmentsOf(text, null), [
    { origin: "signature", text: head },
    { origin: "new", text: "Install it.\n\nIt is urgent.\n\n" },
    { origin: "signature", text: `Best regards,\nAnn\n${end}` },
  ]);
  assert.equal(
    newTextOf(`Below.\n\n${head}Install it.\n${end}\nAbove.`),
    "Below.\n\nInstall it.\n\nAbove.",
  );
  assert.equal(newTextOf("Hash: a table\n\nis used."), "Hash: a table\n\nis used.");
});

const headerBlocks: [string, string][] = [
  ["English", "From: Bob <bob@example.com>\nSent: Monday\nTo: Ann\nSubject: Time"],
  ["German", "Von: Bob <bob@example.com>\nGesendet: Montag\nAn: Ann\nBetreff: Zeit"],
  ["French", "De : Bob <bob@example.com>\nEnvoyé : lundi\nÀ : Ann\nObjet : Heure"],
  ["Spanish", "De: Bob <bob@example.com>\nEnviado el: lunes\nPara: Ann\nAsunto: Hora"],
  ["Italian", "Da: Bob <bob@example.com>\nInviato: lunedì\nA: Ann\nOggetto: Ora"],
  ["Dutch", "Van: Bob <bob@example.com>\nVerzonden: maandag\nAan: Ann\nOnderwerp: Tijd"],
  ["Russian", "От: Bob <bob@example.com>\nДата: понедельник\nКому: Ann\nТема: Время"],
  ["Chinese", "发件人: Bob <bob@example.com>\n发送时间: 星期一\n收件人: Ann\n主题: 时间"],
  ["bold", "*From:* Bob <bob@example.com>\n*Sent:* Monday\n*To:* Ann\n*Subject:* Time"],
];
for (const [language, block] of headerBlocks) {
  Deno.test(`newTextOf() takes off the mail below a header block (${language})`, () => {
    const rule = "_".repeat(32);
    assert.equal(newTextOf(`At ten.\n\n${rule}\n${block}\n\nWhat time?\n`), "At ten.");
  });
}

const separators = [
  "-----Original Message-----",
  "-----Ursprüngliche Nachricht-----",
  "-----Message d'origine-----",
  "-----Mensaje original-----",
  "-----Oorspronkelijk bericht-----",
  "----- Исходное сообщение -----",
  "------------------ 原始邮件 ------------------",
];
for (const separator of separators) {
  Deno.test(`newTextOf() stops at "${separator}"`, () => {
    assert.equal(newTextOf(`At ten.\n\n${separator}\nFrom: Bob\n\nWhat time?`), "At ten.");
  });
}

const signatures: [string, string][] = [
  ["the separator", "-- \nAnn Example\n+1 555 0100"],
  ["a phone", "Sent from my iPhone"],
  ["a phone, German", "Von meinem iPhone gesendet"],
  ["a phone, French", "Envoyé de mon iPhone"],
  ["a phone, Spanish", "Enviado desde mi iPhone"],
  ["Outlook", "Get Outlook for Android<https://aka.ms/x>"],
  ["a farewell", "Best regards,\n\nAnn Example\nExample Ltd"],
  ["a farewell, German", "Mit freundlichen Grüßen\nAnn Example"],
  ["a farewell, French", "Cordialement,\nAnn"],
  ["a farewell, Spanish", "Saludos cordiales,\nAnn"],
  ["a farewell, Portuguese", "Atenciosamente,\nAnn"],
  ["a farewell, Dutch", "Met vriendelijke groet,\nAnn"],
  ["a farewell, Russian", "С уважением,\nАнна"],
  ["a list footer", "_".repeat(47) + "\nTalk mailing list\nhttps://lists.example.com/talk"],
];
for (const [what, signature] of signatures) {
  Deno.test(`newTextOf() takes off a signature after ${what}`, () => {
    assert.equal(newTextOf(`At ten, at the gate.\n\n${signature}\n`), "At ten, at the gate.");
  });
}

const notices: [string, string][] = [
  ["English", "This e-mail and any attachments are confidential and intended solely for you."],
  ["English, titled", "CONFIDENTIALITY NOTICE: the contents are privileged."],
  ["German", "Diese E-Mail enthält vertrauliche Informationen."],
  ["French", "Ce message et ses pièces jointes sont confidentiels et destinés au destinataire."],
  ["Spanish", "Este mensaje y sus adjuntos son confidenciales: confidencial para su destinatario."],
  ["Italian", "Le informazioni contenute in questo messaggio sono riservate ai destinatari."],
  ["Dutch", "Dit bericht is vertrouwelijk en alleen bestemd voor de geadresseerde."],
  ["Russian", "Настоящее сообщение содержит конфиденциальную информацию."],
];
for (const [language, notice] of notices) {
  Deno.test(`newTextOf() takes off a confidentiality notice (${language})`, () => {
    assert.equal(newTextOf(`At ten.\n\n${notice}\nMore of it.\n\nAnd more.\n`), "At ten.");
  });
}

/** Zoho writes attributions between rules, and the answered mail below with or without marks. */
const ruledAttributions = [
  "---- On Mon, 23 Nov 2026 10:11:00 +0100 Bob <bob@example.com> wrote ----",
  "---- On Mon, 23 Nov 2026 10:11:00 +0100 Bob <bob@example.com> wrote ---",
  "---- On Mon, 23 Nov 2026 10:11:00 +0100 bob@example.com wrote ----",
  "---- On Mon, 23 Nov 2026 10:11:00 +0100 Bob <mailto:bob@example.com> wrote ----",
  "---- Am Mo, 23 Nov 2026 10:11:00 +0100 Bob <bob@example.com> schrieb ----",
  "---- El lun, 23 nov 2026 10:11:00 +0100 Bob <bob@example.com> escribió ---",
];
for (const line of ruledAttributions) {
  Deno.test(`everything after "${line}" is quoted`, () => {
    for (const answered of ["Your code is 551220.\n\nBob", "> Your code is 551220.\n>\n> Bob"]) {
      const text = `Thanks.\n\n${line}\n\n${answered}`;
      assert.equal(newTextOf(text), "Thanks.");
      assert.deepEqual(segmentsOf(text, null, { subject: "Re: Code" }).map((one) => one.origin), [
        "new",
        "quoted",
      ]);
    }
  });
}

Deno.test("Gmail's attribution in Hebrew, with marks of direction, belongs to the quote", () => {
  const line =
    "\u202bבתאריך יום ב׳, 23 בנוב׳ 2026 ב-10:11 מאת \u202aAcme\u202c\u200f <\u202abob@example.com\u202c\u200f>:\u202c";
  for (const mark of ["> ", ""]) {
    const text = `תודה\n\n${line}\n\n${mark}Your code is 551220.`;
    assert.equal(newTextOf(text), "תודה");
  }
});

Deno.test("a heading between rules announces no quote", () => {
  for (
    const heading of [
      "---- What Bob wrote on 23 Nov 2026 ----",
      "---- Call on 23 Nov 2026 10:11 with bob@example.com ----",
      "**On 23 Nov 2026 10:11:00 Bob <bob@example.com> wrote**",
    ]
  ) assert.equal(newTextOf(`One.\n\n${heading}\n\nTwo.`), `One.\n\n${heading}\n\nTwo.`);
});

Deno.test("newTextOf() keeps answers between quoted lines, in order", () => {
  const text = "On 3 Nov 2026, Bob wrote:\n> What time?\nAt ten.\n> Where?\nAt the gate.\n";
  assert.equal(newTextOf(text), "At ten.\nAt the gate.");
});

Deno.test("newTextOf() keeps what the sender forwards: the reader has not seen it", () => {
  const text = "See below.\n\n---------- Forwarded message ---------\nFrom: Bob\nDate: Monday\n" +
    "Subject: Time\nTo: Ann\n\nWhat time?";
  assert.equal(newTextOf(text), text);
});

Deno.test("newTextOf() keeps text that merely looks like it", () => {
  const text = "Hello,\n\nFrom: the station take bus 4. As Bob wrote:\n\nbring cash.\n\n" +
    "Regards to your family, and tell them that this message is not confidential.\n\nSee you";
  assert.equal(newTextOf(text), text);
});

Deno.test("a journey with From, To and Date is no answered mail", () => {
  for (
    const journey of [
      "From: Berlin Hbf\nTo: Paris Est\nDate: 12 December 2026, 09:34",
      "De : Paris\nÀ : Lyon\nDate : 12/12/2026 09:34",
      "Da: Roma\nA: Milano\nData: 12 dicembre 2026\nPasseggero: Ann Lee <ann@example.com>",
    ]
  ) {
    const text = `Your booking is confirmed.\n\n${journey}\n\nPlease be there in time.`;
    assert.equal(newTextOf(text), text);
  }
});

Deno.test("lines directly above an attribution do not belong to it", () => {
  const attributions = [
    "On Mon, Nov 23, 2026 at 10:00 AM Bob Lee <bob@example.com> wrote:",
    "On Mon, Nov 23, 2026 at 10:00 AM Bob Lee with a very long name\n<bob@example.com> wrote:",
  ];
  for (const attribution of attributions) {
    for (const own of ["Yes", "Yes\nAnn", "Yes\nsee you\nAnn"]) {
      assert.equal(newTextOf(`${own}\n${attribution}\n> Does it work?\n`), own);
    }
  }
  const turkish = "Bob Lee <bob@example.com>, 23 Kas 2026 Pzt,\n10:00 tarihinde şunu yazdı:";
  assert.equal(newTextOf(`Evet\n${turkish}\n> ok?\n`), "Evet");
  const dated = "Yes, on 24 November 2026\nAnn";
  assert.equal(newTextOf(`${dated}\n${attributions[0]}\n\n> Does it work?\n`), dated);
});

Deno.test("a postscript below a signature, and text below a line of thanks, are new text", () => {
  const notice = "This e-mail is confidential and intended solely for the addressee.";
  const signed = "Yes.\n\nKind regards,\n\nAnn Lee\nSales Manager";
  assert.equal(
    newTextOf(`${signed}\n\nP.S. The code\nis 4711.`),
    "Yes.\n\nP.S. The code\nis 4711.",
  );
  assert.equal(newTextOf(`${signed}\n\nPS: bring cash\n\n${notice}`), "Yes.\n\nPS: bring cash");
  assert.equal(newTextOf("Yes.\n\n-- \nAnn\n\nP.S.: call me"), "Yes.\n\nP.S.: call me");
  const text =
    "Hi Bob,\n\nMany thanks\n\nI attach the invoice for EUR 400. Please pay until Friday.\n\nAnn";
  assert.equal(newTextOf(text), text);
});

Deno.test("a newsletter below a rule of HTML is no footer because of its links, a few lines are", () => {
  const rule = "-".repeat(40);
  const paragraphs = Array.from(
    { length: 6 },
    (_, n) =>
      `Story ${n}: this is a paragraph of a newsletter, longer than the lines of a footer, with a link [https://shop.example/${n}]`,
  );
  const letter = `${rule}\n\n${paragraphs.join("\n\n")}`;
  assert.equal(newTextOf(letter), letter);
  assert.equal(newTextOf(`${letter}\n\n${rule}\n\n${paragraphs[0]}`), letter);
});

Deno.test("a separator above more than 50 lines is no signature's; a later one is", () => {
  const lines = Array.from({ length: 50 }, (_, n) => `${n + 1}. line of a newsletter`).join("\n");
  const letter = `Hello,\n\n--\nContents\n\n${lines}`;
  assert.equal(newTextOf(letter), letter);
  assert.equal(newTextOf(`${letter}\n\n--\nThe editor`), letter);
});

Deno.test("newTextOf() is empty where everything is quoted", () => {
  assert.equal(newTextOf(quote), "");
});

Deno.test("a sentence of the writer that has a name, a time and a colon announces no answered mail", () => {
  for (
    const sentence of [
      "Here is what the customer ann@example.com wrote at 10:30 today:",
      "On Monday 9 November at 16:45 Ann (ann@example.com) wrote to complain about the following points:",
      "We sent it to ann@example.com on 9 November 2026 at 16:45:",
      "9 November 2026, 16:45, room 4:",
      "Please reply to Ann Lee <ann@example.com>:",
      "---- Items ----",
      "~~~ Are the chairs too low? ~~~\n\nyes   mailto:yes@example.com\nno   mailto:no@example.com",
    ]
  ) {
    const text = `Hello,\n\n${sentence}\n\nthe chairs are too low\nthe table is too high`;
    assert.equal(newTextOf(text, null, { subject: "Re: Chairs", answers: true }), text);
  }
});

Deno.test("the subject and the answered mail decide the same for new text and segments", () => {
  const block =
    "-------- Zxcv bnm --------\nFrom: Bob <bob@example.com>\nDate: 9.11.2026 10:00\n\nWhen?";
  for (
    const [subject, answers, origin] of [
      ["Re: Time", true, "quoted"],
      ["Fwd: Time", true, "forwarded"],
      ["Time", true, "quoted"],
      ["Time", false, "forwarded"],
    ] as const
  ) {
    const mail = { subject, answers };
    const text = `At ten.\n\n${block}`;
    assert.deepEqual(segmentsOf(text, null, mail).map((one) => one.origin), ["new", origin]);
    assert.equal(newTextOf(text, null, mail), origin === "quoted" ? "At ten." : text);
  }
});
