/**
 * The lines that mail clients write around quotes, in common languages. Each expression is for one line of at most 400
 * characters, and none nests repetitions: no line can make it slow.
 */

/** "wrote" of an attribution ("On 3 May 2026, Ann wrote:") in many languages. */
export const wrotePatterns = new RegExp(
  [
    "wrote|writes|schrieb|hat geschrieben|a écrit|ecrit|escribió|escribio|ha scritto|scrive",
    "escreveu|schreef|skrev|skriver|kirjoitti|napisał|pisze|napsal|napísal|írta|ezt írta",
    "написал|пишет|написав|пише|έγραψε|a scris|napisao|yazdı|şunu yazdı|a menulis|menulis",
    "đã viết|viết|เขียน|כתב|בתאריך .{1,80} מאת|كتب|写道|寫道|書きました|のメッセージ|のメール|작성|쓴 글|geschreven|schrijft|scrie|kirjutas|rašė|rakstīja|напиша|napsala?|skrifaði",
  ].join("|"),
  "iu",
);

/**
 * A line that announces the answered mail below it. Zoho writes the attribution into it, without a colon:
 * "---- On Mon, 23 Nov 2026 10:11:00 +0100 Acme <acme@example.com> wrote ---".
 */
export const originalMessage =
  /^[-_*\s]{2,}(?:original message|original appointment|reply message|ursprüngliche nachricht|originalnachricht|message d['’]origine|message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse|opprinnelig melding|alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|původní zpráva|eredeti üzenet|mesaj original|αρχικό μήνυμα|הודעה מקורית|الرسالة الأصلية|thư gốc|pesan asli|pôvodná správa|izvorna poruka|оригинално съобщение|вихідне повідомлення|початкове повідомлення|оригінальне повідомлення|исходное сообщение|оригинальное сообщение|orijinal ileti|原始邮件|原始郵件|原邮件|元のメッセージ|원본 메시지|원본 메일|(?<=---\s{0,2})(?:\p{L}[^<>@\d]{0,30})?\d[^<>@]{8,200}(?:<[^<>@]{1,100})?@[^<>@\s]{1,150}>?\s{0,3}(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev|kirjoitti|napisał|napsal|írta|написал|написав|έγραψε|a scris|yazdı|đã viết|menulis|כתב|كتب|写道|寫道|書きました|작성)(?=\s{0,2}---))[-_*\s]{2,}$/iu;

/** A line that announces a forwarded mail below it. The forwarded mail is new to the reader. */
export const forwardedMarks =
  /^(?:[-_*\s]{2,}(?:forwarded|weitergeleitete|message transféré|mensaje reenviado|messaggio inoltrato|mensagem (?:re)?encaminhada|doorgestuurd bericht|vidarebefordrat|videresendt|wiadomość przekazana|treść przekazanej|пересылаемое|пересланное|перенаправленное|переслане|välitetty|přeposlaná|továbbított|mesaj redirec|iletilen|转发|轉寄|転送|전달된)|begin forwarded message|anfang der weitergeleiteten|début du message (?:réexpédié|transféré)|inizio (?:del )?messaggio inoltrato|inicio del mensaje reenviado|início da mensagem (?:re)?encaminhada|begin doorgestuurd bericht|vidarebefordrat brev|start på videresendt|videresendt melding|välitetty viesti alkaa|początek przekaz|začátek přepos|начало (?:пере|пересл)|початок (?:пере|листа)|iletilen ileti|továbbított üzenet|転送されたメッセージ|以下是转发|下面是被转发|전달된 메시지)/iu;

/** A rule with words in it; the lines below it show what they mean. */
export const ruleWithWords = /^[-_*=]{4,}\s{0,4}[\p{L}][^-_*=]{1,60}[-_*=]{3,}$/u;

/** A line of a header block in any language: a short name, a colon, a value. */
export const headerLine = /^[*_\s]{0,4}\p{L}[\p{L} .'’-]{0,24}[*_ ]{0,4}[:：][*_]{0,2}\s{0,4}\S/u;

/** First line of the header block that Outlook and others put above the answered mail. */
export const headerFrom =
  /^[*_\s]{0,4}(?:from|von|de|da|van|från|fra|lähettäjä|od|feladó|от|від|kimden|发件人|寄件者|差出人|보낸 사람|보낸사람|expéditeur|remitente|mittente|remetente|afzender|avsändare|nadawca|отправитель|відправник|gönderen|de la|от кого|από|מאת|من|từ|dari|จาก|pošiljatelj|siuntėjas|saatja|no)[*_ ]{0,4}[:：]/iu;

/** The lines below it. */
export const headerOther =
  /^[*_\s]{0,4}(?:sent|date|to|cc|subject|reply-to|gesendet|datum|an|betreff|envoyé|à|objet|enviado|enviado el|enviada em|fecha|para|asunto|assunto|inviato|data|a|oggetto|verzonden|aan|onderwerp|skickat|till|ämne|sendt|til|emne|lähetetty|vastaanottaja|aihe|wysłano|do|temat|odesláno|komu|předmět|küldve|címzett|tárgy|отправлено|дата|кому|копия|тема|надіслано|gönderildi|gönderme tarihi|kime|konu|发送时间|日期|收件人|抄送|主题|寄件日期|收件者|主旨|送信日時|日時|宛先|件名|보낸 날짜|날짜|받는 사람|받는사람|제목|pour|sujet|oggetto|data|adresat|päiväys|päivämäärä|dato|datum|копія|către|trimis|subiect|data|προς|θέμα|στάλθηκε|tarih|kopi[ao]?|kopie|másolatot kap|dátum|elküldve|נשלח|אל|נושא|תאריך|تاريخ الإرسال|تم الإرسال|أُرسلت|إلى|الموضوع|التاريخ|đã gửi|ngày|tới|đến|chủ đề|tiêu đề|dikirim|tanggal|kepada|subjek|perihal|ส่ง|วันที่|ถึง|เรื่อง|odoslané|predmet|poslano|za|prima|изпратено|до|относно|date d’envoi)[*_ ]{0,4}[:：]/iu;

/** A signature that a program writes. */
export const mobileSignature =
  /^\s{0,4}(?:sent from |sent via |sent with |get outlook for |gesendet (?:von|mit|vom) |von meinem .{1,40} gesendet|diese nachricht wurde von meinem |envoyé (?:de|depuis|à partir de) |télécharger outlook|obtenez outlook|enviado (?:desde|do|a partir|del) |obtener outlook|obter o outlook|inviato (?:da|dal) |scarica outlook|verzonden (?:vanaf|met) |verstuurd (?:vanaf|met) |download outlook|skickat från |hämta outlook|sendt fra |lähetetty |wysłane z |wysłano z |odesláno z |отправлено (?:с|из) |надіслано з |iphone['’]?(?:um)?['’]?dan |lähetetty |надіслано (?:з|за)|gönderildi|küldve |elküldve |trimis (?:de|din)|odoslané z|poslano (?:s|iz|sa) |изпратено от|נשלח מ|أ[ُ]?رسلت? من|تم الإرسال من|được gửi từ|dikirim dari|στάλθηκε από|使用 ?proton|通过 ?proton|proton mail (?:セキュア|güvenli|보안)|发自|從我的|来自我的|iphoneから送信|나의 iphone에서)/iu;

/** The signature of Outlook on phones, in any language. */
export const outlookOnPhone = /outlook.{0,30}(?:ios|android)|(?:ios|android).{0,30}outlook/iu;

/** The beginning of a postscript, which people write below their signature. */
export const postscript = /^\s{0,4}P(?:\.\s?S\.?|S\s?[.:])[:–-]?\s{0,3}\S/i;

/** A notice that a program writes above a mail from outside. */
export const outsideBanner =
  /^[\s*_#=![\]⚠️-]{0,20}(?:(?:caution|warning|attention|achtung|vorsicht|attenzione|cuidado|atención|atenção|let op|varning|uwaga|внимание)\b.{0,80}(?:extern|outside|außerhalb|esterno|externo|zewn|внешн)|external (?:e-?mail|sender|message)|this (?:e-?mail|message) (?:originated|came|comes|was sent) from (?:outside|an external)|diese (?:e-?mail|nachricht) (?:kommt|stammt|wurde) von (?:extern|außerhalb)|(?:ce (?:message|courriel)|cet e-?mail) (?:provient|vient) de l['’]ext)/iu;

/** Notices of programs and firms below a mail. */
export const programNotice =
  /^[\s*_-]{0,10}(?:virus-?free\b|virenfrei|this (?:e-?mail|message) has been (?:checked|scanned)|diese e-?mail wurde (?:von .{1,30} )?auf viren|please consider the environment|think before you print|bitte denken sie an die umwelt|pensez à l['’]environnement|antes de imprimir)/iu;

/** A line with a farewell only. Below it is the signature. */
export const farewells =
  /^\s{0,4}(?:(?:with )?(?:best|kind|kindest|warm|warmest|many)? ?(?:regards|wishes)|best|all the best|cheers|sincerely|yours(?: sincerely| faithfully| truly)?|many thanks|thanks (?:and|&) regards|mit (?:freundlichen|freundlichem|besten|lieben|herzlichen|vielen) (?:grüßen|gruß|grüssen|gruss)|(?:viele|liebe|beste|schöne|herzliche|freundliche) (?:grüße|grüsse)|mfg|lg|vg|(?:bien )?cordialement|(?:bien|salutations) (?:à vous|cordiales|distinguées)|bien amicalement|sincères salutations|saludos(?: cordiales)?|un (?:cordial )?saludo|atentamente|cordialmente|(?:cordiali|distinti) saluti|un cordiale saluto|saluti|atenciosamente|com os melhores cumprimentos|cumprimentos|abraços|met (?:vriendelijke|hartelijke) (?:groet|groeten)|vriendelijke groet(?:en)?|groeten|(?:med )?(?:vänliga|vänlig|bästa) (?:hälsningar|hälsning)|mvh|(?:med )?venlig hilsen|(?:med )?vennlig hilsen|ystävällisin terveisin|terveisin|z poważaniem|s (?:přátelským |přáním hezkého dne|úctou)|hezký den|děkuji|üdvözlettel|tisztelettel|cu stimă|cu respect|o zi bună|με εκτίμηση|щиро ваш|всього найкращого|lugupidamisega|pagarbiai|lep pozdrav|בברכה|مع (?:أطيب )?التحي(?:ة|ات)|تحياتي|trân trọng|hormat (?:saya|kami)|salam|с поздрав|s pozdravom|srdačan pozdrav|pozdrawiam(?: serdecznie)?|s pozdravem|üdvözlettel|с уважением|с наилучшими пожеланиями|з повагою|saygılarımla|iyi çalışmalar|此致|敬礼|祝好|顺祝商祺|敬具|よろしくお願いいたします|よろしくお願いします|감사합니다)[ ,.!，。！]{0,3}$/iu;

/** A line with thanks only. It is a farewell if names follow below it. */
export const thanks =
  /^\s{0,4}(?:(?:many |with )?thanks(?: again| so much| a lot| in advance)?|thank you(?: so much| very much| in advance)?|thx|danke(?: dir| ihnen)?(?: im voraus)?|(?:vielen|besten|herzlichen) dank(?: im voraus)?|merci(?: beaucoup| d['’]avance)?|(?:muchas )?gracias|(?:mille |molte )?grazie|(?:muito )?obrigad[oa]|(?:hartelijk )?(?:dank|bedankt)|alvast bedankt|tack(?: så mycket| på förhand)?|(?:mange )?tak|takk|kiitos|dzięki|dziękuję|děkuji|díky|ďakujem|köszönöm|спасибо|дякую|teşekkürler|谢谢|謝謝|ありがとうございます|감사합니다)[ ,.!，。！]{0,3}$/iu;

/** The beginning of a confidentiality notice. */
export const disclaimerStart =
  /^[\s*_#=-]{0,80}(?:(?:legal |confidentiality |important |privileged )*(?:notice|disclaimer|confidential|confidentiality)\b|(?:this|the)(?: \S+){0,3} (?:e-?mail|message|information|communication|transmission|content)|if you (?:are not|have received)|diese (?:e-?mail|nachricht)|der inhalt dieser|die(?:se)? (?:in dieser|information)|haftungsausschluss|vertraulichkeit|ce (?:message|courriel|mail)|cet? (?:e-?mail|envoi)|les informations contenues|avis de confidentialité|este (?:mensaje|correo|e-?mail)|la información contenida|aviso (?:legal|de confidencialidad|de privacidad)|esta mensagem|este e-?mail|as informações contidas|aviso de confidencialidade|questo (?:messaggio|e-?mail)|le informazioni contenute|avviso di riservatezza|il contenuto di|dit (?:bericht|e-?mail)|deze e-?mail|de informatie in|detta (?:meddelande|e-post)|denne (?:e-?mail|e-post|meddelelse)|tämä (?:viesti|sähköposti)|niniejsza wiadomość|ta wiadomość|treść tej|настоящее сообщение|это (?:сообщение|письмо)|информация.{0,40}сообщени|данное сообщение|bu (?:e-?posta|mesaj)|tato (?:zpráva|e-mailová zpráva)|tento e-?mail|це (?:повідомлення|лист)|ez az? (?:e-?mail|üzenet)|acest (?:e-?mail|mesaj)|το παρόν|denne (?:besked|melding|meldingen|meddelelsen)|本邮件|本郵件|此邮件|本メール|このメール|이 메일|본 메일)/iu;

/** A word that every such notice has. */
export const confidentialMarks =
  /confidential|privileged|intended (?:recipient|solely|only)|vertraulich|confidentiel|destinataire|confidencial|destinatari|riservat|vertrouwelijk|bestemd|konfidentiell|fortrolig|luottamuksel|poufn|důvěrn|конфиденциальн|конфіденційн|bizalmas|confiden[tțţ]ial|εμπιστευτικ|gizli|保密|机密|機密|비밀|기밀/iu;
