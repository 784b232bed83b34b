/**
 * The lines that mail clients write around quotes, in common languages. Each expression is for one line
 * of at most 400 characters, and none nests a repetition, so that no line makes it slow.
 */

/** "wrote" of an attribution ("On 3 May 2026, Ann wrote:") in many languages. */
export const wrotePatterns = new RegExp(
  [
    "wrote|writes|schrieb|hat geschrieben|a écrit|ecrit|escribió|escribio|ha scritto|scrive",
    "escreveu|schreef|skrev|skriver|kirjoitti|napisał|pisze|napsal|napísal|írta|ezt írta",
    "написал|пишет|написав|пише|έγραψε|a scris|napisao|yazdı|şunu yazdı|a menulis|menulis",
    "đã viết|viết|เขียน|כתב|كتب|写道|寫道|書きました|のメッセージ|작성|님이 쓴 글",
  ].join("|"),
  "iu",
);

/** A line that announces the answered mail below it. */
export const originalMessage =
  /^[-_*\s]{2,}(?:original message|original appointment|reply message|ursprüngliche nachricht|originalnachricht|message d['’]origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|původní zpráva|eredeti üzenet|исходное сообщение|оригинальное сообщение|orijinal ileti|原始邮件|原始郵件|原邮件|元のメッセージ|원본 메시지|원본 메일)[-_*\s]{2,}$/iu;

/** A line that announces a forwarded mail below it, which is new to the reader. */
export const forwardedMarks =
  /^(?:[-_*\s]{2,}(?:forwarded|weitergeleitete|message transféré|mensaje reenviado|messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|vidarebefordrat|videresendt|wiadomość przekazana|пересылаемое|пересланное|转发|轉寄|転送|전달된)|begin forwarded message|anfang der weitergeleiteten|début du message (?:réexpédié|transféré)|inizio messaggio inoltrato|inicio del mensaje reenviado)/iu;

/** First line of the header block that Outlook and others put above the answered mail. */
export const headerFrom =
  /^[*_\s]{0,4}(?:from|von|de|da|van|från|fra|lähettäjä|od|feladó|от|від|kimden|发件人|寄件者|差出人|보낸 사람|보낸사람)[*_ ]{0,4}[:：]/iu;

/** The lines below it. */
export const headerOther =
  /^[*_\s]{0,4}(?:sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|à|objet|enviado|enviado el|enviada em|fecha|para|asunto|assunto|inviato|data|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|lähetetty|vastaanottaja|aihe|wysłano|do|temat|odesláno|komu|předmět|küldve|címzett|tárgy|отправлено|дата|кому|копия|тема|надіслано|gönderildi|gönderme tarihi|kime|konu|发送时间|日期|收件人|抄送|主题|寄件日期|收件者|主旨|送信日時|日時|宛先|件名|보낸 날짜|날짜|받는 사람|받는사람|제목)[*_ ]{0,4}[:：]/iu;

/** A signature that a program writes. */
export const mobileSignature =
  /^\s{0,4}(?:sent from |sent via |sent with |get outlook for |gesendet (?:von|mit|vom) |von meinem .{1,40} gesendet|diese nachricht wurde von meinem |envoyé (?:de|depuis|à partir de) |télécharger outlook|obtenez outlook|enviado (?:desde|do|a partir|del) |obtener outlook|obter o outlook|inviato (?:da|dal) |scarica outlook|verzonden (?:vanaf|met) |verstuurd (?:vanaf|met) |download outlook|skickat från |hämta outlook|sendt fra |lähetetty |wysłane z |wysłano z |odesláno z |отправлено (?:с|из) |надіслано з |iphone'?(?:um|'?dan) |发自|從我的|来自我的|iphoneから送信|나의 iphone에서)/iu;

/** A line with a farewell only. Below it is the signature. */
export const farewells =
  /^\s{0,4}(?:(?:with )?(?:best|kind|kindest|warm|warmest|many)? ?(?:regards|wishes)|best|all the best|cheers|sincerely|yours(?: sincerely| faithfully| truly)?|many thanks|thanks (?:and|&) regards|mit (?:freundlichen|freundlichem|besten|lieben|herzlichen|vielen) (?:grüßen|gruß|grüssen|gruss)|(?:viele|liebe|beste|schöne|herzliche|freundliche) (?:grüße|grüsse)|mfg|lg|vg|(?:bien )?cordialement|(?:bien|salutations) (?:à vous|cordiales|distinguées)|bien amicalement|sincères salutations|saludos(?: cordiales)?|un (?:cordial )?saludo|atentamente|cordialmente|(?:cordiali|distinti) saluti|un cordiale saluto|saluti|atenciosamente|com os melhores cumprimentos|cumprimentos|abraços|met (?:vriendelijke|hartelijke) (?:groet|groeten)|vriendelijke groet(?:en)?|groeten|(?:med )?(?:vänliga|vänlig|bästa) (?:hälsningar|hälsning)|mvh|(?:med )?venlig hilsen|(?:med )?vennlig hilsen|ystävällisin terveisin|terveisin|z poważaniem|pozdrawiam(?: serdecznie)?|s pozdravem|üdvözlettel|с уважением|с наилучшими пожеланиями|з повагою|saygılarımla|iyi çalışmalar|此致|敬礼|祝好|顺祝商祺|敬具|よろしくお願いいたします|よろしくお願いします|감사합니다)[ ,.!，。！]{0,3}$/iu;

/** The beginning of a confidentiality notice. */
export const disclaimerStart =
  /^[\s*_#=-]{0,80}(?:(?:legal |confidentiality |important |privileged )*(?:notice|disclaimer|confidential|confidentiality)\b|(?:this|the)(?: \S+){0,3} (?:e-?mail|message|information|communication|transmission|content)|if you (?:are not|have received)|diese (?:e-?mail|nachricht)|der inhalt dieser|die(?:se)? (?:in dieser|information)|haftungsausschluss|vertraulichkeit|ce (?:message|courriel|mail)|cet? (?:e-?mail|envoi)|les informations contenues|avis de confidentialité|este (?:mensaje|correo|e-?mail)|la información contenida|aviso (?:legal|de confidencialidad|de privacidad)|esta mensagem|este e-?mail|as informações contidas|aviso de confidencialidade|questo (?:messaggio|e-?mail)|le informazioni contenute|avviso di riservatezza|il contenuto di|dit (?:bericht|e-?mail)|deze e-?mail|de informatie in|detta (?:meddelande|e-post)|denne (?:e-?mail|e-post|meddelelse)|tämä (?:viesti|sähköposti)|niniejsza wiadomość|ta wiadomość|treść tej|настоящее сообщение|это (?:сообщение|письмо)|информация.{0,40}сообщени|данное сообщение|bu (?:e-?posta|mesaj)|本邮件|本郵件|此邮件|本メール|このメール|이 메일|본 메일)/iu;

/** A word that every such notice has. */
export const confidentialMarks =
  /confidential|privileged|intended (?:recipient|solely|only)|vertraulich|confidentiel|destinataire|confidencial|destinatari|riservat|vertrouwelijk|bestemd|konfidentiell|fortrolig|luottamuksel|poufn|конфиденциальн|gizli|保密|机密|機密|비밀|기밀/iu;
