/** What a label of a header block says about its value; `other` for fields that a block may have besides. */
export type Role = "from" | "to" | "cc" | "date" | "subject" | "other";

/**
 * The labels of Outlook, Thunderbird, Apple Mail, Gmail, Yahoo and web mail above an earlier mail, by role. A new language
 * is its words in these lists.
 */
const words: Record<Role, string> = {
  from: [
    "from|von|absender|de|da|van|från|fra|lähettäjä|od|od koho|feladó|küldő|expéditeur|remitente|remitent|mittente|remetente",
    "afzender|avsändare|afsender|avsender|nadawca|odesílatel|odosielateľ|kimden|gönderen|de la|expeditor|expeditorul",
    "šalje|salje|pošiljatelj|pošiljalac|posiljalac|шаље|пошиљалац|од|siuntėjas|nuo|no|sūtītājs|saatja|kellelt|frá|sendandi",
    "от|от кого|отправитель|від|від кого|відправник|изпраща|подател|от кого|από|αποστολέας|מאת|שולח|من|المرسل|از|فرستنده",
    "từ|người gửi|dari|daripada|pengirim|จาก|ผู้ส่ง|प्रेषक|发件人|寄件者|寄件人|差出人|送信者|送信元|보낸 사람|보낸사람|보낸이|발신|발신자",
  ].join("|"),
  to: [
    "to|an|empfänger|à|a|pour|destinataire|para|destinatario|destinatário|per|aan|ontvanger|till|til|vastaanottaja|saaja|do",
    "adresat|odbiorca|komu|pre|címzett|kime|alıcı|kimə|către|catre|destinatarul|prima|primatelj|primalac|za|прима|за|kam|kam:",
    "kellele|kam|gavėjas|saņēmējs|adresāts|prejemnik|кому|получатель|одержувач|до|получател|προς|παραλήπτης|אל|נמען|إلى|الى",
    "المستلم|به|گیرنده|đến|tới|người nhận|kepada|ke|untuk|penerima|ถึง|ผู้รับ|प्रति|收件人|收件者|宛先|送信先|받는 사람|받는사람|받는이|수신",
    "수신자|per a|a la|viðtakandi|nori|tarp",
  ].join("|"),
  cc: [
    "cc|bcc|kopie|kopie (cc)|kopia|kopi|kopio|koopia|kópia|kopija|másolat|másolatot kap|copie|copie à|copia|cópia|còpia|dw|udw",
    "do wiadomości|копия|копія|копие|коп|копија|κοιν|κοινοποίηση|עותק|נسخة|نسخة|bilgi|tembusan|salinan|สำเนา|สำเนาถึง|抄送|副本",
    "참조|đồng gửi|cópia para|kopi til|kopia till|afrit",
  ].join("|"),
  date: [
    "date|sent|sent on|sent at|date sent|gesendet|gesendet am|datum|envoyé|envoyé le|date d'envoi|enviado|enviado el|enviada",
    "enviada em|enviado em|enviada el|enviat|enviat el|data d'enviament|fecha|data|inviato|inviato il|inviata|verzonden",
    "verzonden op|skickat|skickat den|sendt|dato|lähetetty|päivämäärä|päiväys|wysłano|wysłane|data wysłania|odesláno|odoslané",
    "dátum|elküldve|küldve|trimis|trimisă|trimis la|dată|data trimiterii|poslano|poslato|послато|испратено|датум|išsiųsta|siųsta|nusiųsta",
    "nosūtīts|nosūtīta|sūtīts|datums|saadetud|saatmisaeg|kuupäev|отправлено|дата|дата отправки|надіслано|відправлено|изпратено",
    "изпратена|στάλθηκε|εστάλη|ημερομηνία|gönderildi|gönderilen|gönderme tarihi|gönderim tarihi|gönderim|tarih|נשלח|תאריך",
    "تاريخ الإرسال|تم الإرسال|أرسلت|أُرسلت|أرسل|مرسل|التاريخ|تاریخ|ارسال شده|đã gửi|ngày|ngày gửi|gửi|dikirim|dihantar|tanggal",
    "tarikh|ส่ง|ส่งเมื่อ|วันที่|दिनांक|发送时间|发送日期|日期|时间|寄件日期|傳送日期|送信日時|送信日|日時|日付|보낸 날짜|보낸날짜|날짜|일시",
    "sent date|dagsetning|sendt den|poslano dne|odesláno dne|date et heure",
  ].join("|"),
  subject: [
    "subject|betreff|thema|objet|sujet|asunto|assunto|assumpte|oggetto|onderwerp|ämne|emne|aihe|teema|temat|předmět|predmet",
    "vec|tárgy|subiect|subiectul|konu|naslov|zadeva|наслов|предмет|tema|temats|тема|относно|θέμα|נושא|الموضوع|موضوع|chủ đề",
    "tiêu đề|subjek|perihal|เรื่อง|หัวข้อ|विषय|主题|主旨|件名|标题|標題|제목|efni",
  ].join("|"),
  other: [
    "reply-to|antwort an|répondre à|responder a|rispondi a|svar til|svara till|antwoord aan|vastaus|odpověď na|odpovedať-pre",
    "odgovori na|válaszcím|odpowiedź-do|odpowiedź do|răspuns către|ответ-кому|кому відповісти|yanıt adresi|返信先|回复至",
    "attachments|anlagen|anhänge|pièces jointes|archivos adjuntos|anexos|allegati|bijlagen|bifogade filer|vedhæftede filer",
    "importance|priority|wichtigkeit|priorität|importancia|organization|organisation|sender|resent-from|newsgroups|message-id",
  ].join("|"),
};

/** The role of a label in lower case. */
const roles: ReadonlyMap<string, Role> = new Map(
  (Object.keys(words) as Role[]).flatMap((role) =>
    words[role].split("|").map((word): [string, Role] => [word, role])
  ),
);

/** A line of a header block. */
export interface LabelledLine {
  /** Null for a label of no list, in another language or of a form. */
  role: Role | null;
  value: string;
}

/** No label is longer. */
const maxLabel = 30;
const edges = "*_>=•·# \t\u00a0\u200b\u200e\u200f\u202a\u202b\u202c\ufeff-";

/** The label and the value of `Von: Ann`, `*From:* Ann` or `==== Message du : 9/11`; null if the line has no label. */
export function labelledLine(line: string): LabelledLine | null {
  let from = 0;
  while (from < line.length && edges.includes(line[from])) from++;
  let colon = line.indexOf(":", from);
  const wide = line.indexOf("：", from);
  if (wide >= 0 && (colon < 0 || wide < colon)) colon = wide;
  if (colon <= from || colon - from > maxLabel || line.startsWith("//", colon + 1)) return null;
  let to = colon;
  while (to > from && edges.includes(line[to - 1])) to--;
  const label = line.slice(from, to).toLowerCase();
  const role = roles.get(label) ?? (/[\u00a0’]/.test(label) ? roles.get(plain(label)) : null) ??
    null;
  if (role === null && (!mayBeLabel(label) || label.endsWith("mailto"))) return null;
  let value = colon + 1;
  while (value < line.length && edges.includes(line[value])) value++;
  return { role, value: line.slice(value) };
}

/** True for letters and what may stand between them; the first sign, which is in lower case, rules out most. */
function mayBeLabel(label: string): boolean {
  const first = label.charCodeAt(0);
  return (first > 0x7f || first >= 0x61 && first <= 0x7a) &&
    /^\p{L}[\p{L}\p{M} .'’()/\u00a0-]*$/u.test(label);
}

const plain = (label: string) => label.replaceAll("\u00a0", " ").replaceAll("’", "'");
