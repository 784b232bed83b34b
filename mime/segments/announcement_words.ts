/**
 * The words with which mail programs announce an earlier mail, in many languages. Each expression is for one line of at
 * most 400 characters, and none nests repetitions: no line can make it slow.
 */

/** "wrote" of an attribution ("On 3 May 2026, Ann wrote:"). */
const wrote = [
  "wrote|writes|schrieb|geschrieben|schreibt|a écrit|ecrit|escribió|escribio|va escriure|ha scritto|scrive",
  "escreveu|schreef|skrev|skriver|kirjoitti|napisał|pisze|napsal|napísal|írta|ezt írta|følgende|följande",
  "написал|пишет|написав|пише|έγραψε|a scris|napisao|napisala|је написа|yazdı|şunu yazdı|a menulis|menulis",
  "đã viết|viết|เขียน|כתב|בתאריך .{1,80} מאת|كتب|写道|寫道|書きました|のメッセージ|のメール|작성|쓴 글|geschreven|schrijft|scrie|kirjutas|rašė",
  "rakstīja|напиша|написа|написао(?:/ла)?|skrifaði|je pisa[ol]a?|je napisa[ol]a?(?:/la)?|نوشت|napisana przez|missatge de",
  "लिखा|लिहिले|লিখেছেন|எழுதியது|نے لکھا|เขียนว่า|geskryf|escribiu|idatzi du|დაწერა",
].join("|");
export const wrotePatterns = new RegExp(wrote, "iu");
/** The same at the end of a line. */
export const endsInWrote = new RegExp(`(?:${wrote})(?:\\(a\\)|\\([aа]\\))?[\\s:：]{0,3}$`, "iu");

/** The same with a name behind it: "schrieb Ann Lee:". */
export const endsInName = new RegExp(
  `(?:${wrote})(?:\\(a\\)|\\([aа]\\))?(?:\\s{1,3}[^\\s:：]{1,30}){0,4}[\\s:：]{0,3}$`,
  "iu",
);

/** A title that announces the answered mail below it, whatever stands there. */
export const originalMessage =
  /^[-‐–_*=\s]{2,}(?:original[ -]?message|original appointment|original e-?mail|reply message|ursprüngliche (?:nachricht|mail|e-mail)|original[ -]?nachricht|antwort[ -]nachricht|message d['’]origine|message original|mail original|mensaje original|correo original|missatge original|messaggio originale|mail originale|mensagem original|oorspronkelijk bericht|origineel bericht|ursprungligt meddelande|originalmeddelande|oprindelig (?:meddelelse|besked|mail)|opprinnelig (?:melding|e-post)|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|původní (?:zpráva|e-mail)|eredeti üzenet|mesaj(?:ul)? original|mesaj inițial|αρχικό μήνυμα|הודעה מקורית|الرسالة الأصلية|thư gốc|tin nhắn gốc|pesan asli|mesej asal|pôvodná správa|pôvodný e-mail|izvorna poruka|originalna poruka|изворна порука|izvirno sporočilo|pradinis laiškas|sākotnējais ziņojums|algne (?:kiri|sõnum)|оригинално (?:съобщение|писмо)|вихідне повідомлення|початкове повідомлення|оригінальне повідомлення|исходное сообщение|оригинальное сообщение|orijinal (?:ileti|mesaj|e-posta)|ข้อความต้นฉบับ|原始邮件|原始郵件|原邮件|元のメッセージ|원본 메시지|원본 메일)[-‐–_*=\s]{2,}$/iu;

/** A word that each title of a forwarded mail has, and no other title. */
export const forwardWords =
  /forwarded|forward (?:message|header)|weitergeleitet|transf[eé]r[éií]|réexpéd|transmis|retransmis|reenvia|inoltra|encaminhad|doorgestuurd|vidarebef|videresend|välitetty|edelleenlähet|przekaz|przesłan. dalej|přepos|prepos|továbbít|redirec|redirij|proslije|prosle[đd]|прослеђ|posredovan|persiųst|pārsūt|edastat|пересыл|пересл|переадрес|перенаправ|препрат|προωθ|προώθ|[iİ]letil|[iİ]leti başl|yönlendir|הועבר|מועבר|توجيه|المحول|بازارسال|chuyển tiếp|diteruskan|dimajukan|ส่งต่อ|अग्रेषित|转发|轉寄|轉發|転送|전달/iu;

/** A rule with words behind it; Yahoo puts the whole header block into its line. */
export const ruledStart = /^\s{0,12}[-‐–_*]{2,}\s{0,3}\p{L}/u;

/** A line of words with a rule before them; the lines below it show what they mean. */
export const ruledTitle = /^\s{0,12}[-‐–_*=~#]{3,}\s{0,4}\p{L}.{1,70}$/u;

/** The same with a rule behind them too, which few writers make. */
export const framedTitle = /[-‐–_*=~#]{3}$/;
