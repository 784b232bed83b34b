/**
 * The lines that people and their programs write below a mail, in common languages. Each expression is for one line of at most 400
 * characters, and none nests repetitions: no line can make it slow.
 */

/** The beginning of a signature that a program writes; a name of {@link deviceNames} makes it one. */
export const sentFrom =
  /^(?:(?:sent|posted) (?:from|via|with|by|using)|gesendet (?:von|mit|vom|über)|diese nachricht wurde von|envoyé (?:de|depuis|avec|à partir de|via)|enviado (?:desde|do|da|com|con|a partir|del|por|vía|via)|enviat (?:des|amb)|inviato (?:da|dal|con)|verzonden (?:vanaf|met|vanuit|via)|verstuurd (?:vanaf|met|via)|skickat (?:från|med)|sendt (?:fra|med|via)|lähetetty|wysłan[eo] (?:z|za)|odesláno (?:z|pomocí)|odoslané (?:z|pomocou)|отправлено (?:с|из|через)|надіслано (?:з|за|через)|изпратено (?:от|с)|gönderildi|küldve|elküldve|trimis (?:de|din|cu)|poslan[oe] (?:s|iz|sa|z|prek)|послато (?:са|из)|siųsta iš|išsiųsta iš|nosūtīts no|saadetud|στάλθηκε (?:από|με)|נשלח מ|أ[ُ]?رسلت? من|تم الإرسال من|được gửi từ|gửi từ|dikirim dari|dihantar dari|ส่งจาก|(?:使用|通过).{1,30}发[送出自]|发自|發自|從我的|来自我的|iphoneから送信)/iu;

/** The same with a word for "my", or with the device in the middle: whatever it names is the sender's. */
export const sentFromMine =
  /^(?:sent (?:from|via|with) (?:my|mobile)|from my|von meinem .{1,40} gesendet|gesendet von (?:meinem|unterwegs)|diese nachricht wurde von meinem|envoyé (?:de|depuis) (?:mon|ma)|enviado (?:desde mi|do meu|da minha)|inviato dal mio|verzonden vanaf mijn|verstuurd vanaf mijn|skickat från min|sendt fra min|wysłane z mojego|odesláno z mého|odoslané z môjho|отправлено с моего|надіслано з мого|iphone['’]?(?:um)?['’]?dan|發自我的|发自我的|從我的|来自我的|나의 .{1,20}에서|내 .{1,20}에서|\p{L}{1,20}から送信)/iu;

/** Names of devices and mail apps. */
export const deviceNames =
  /phone|iphon|айфон|самсунг|ipad|ipod|android|\bios\b|mobil|handy|cell\b|tablet|device|gerät|appareil|dispositivo|dispositiu|toestel|telef|tälef|puhelin|gsm|samsung|galaxy|huawei|honor|xiaomi|redmi|\bmi \d|oneplus|oppo|vivo|realme|nokia|lumia|htc|\blg\b|sony|xperia|pixel|moto|alcatel|blackberry|windows|outlook|hotmail|mail|yahoo|aol|gmx|web\.de|t-online|orange|spark|superhuman|shortwave|boxer|typeapp|thunderbird|k-9|fairemail|zoho|zimbra|hey\b|proton|tutanota|tuta\b|boîte|webbook|galaxy|телефон|смартфон|планшет|устройств|яндекс|mail\.ru|τηλέφωνο|κινητό|אייפון|מהטלפון|هاتف|جوال|điện thoại|โทรศัพท์|手机|手機|电话|邮箱|郵箱|信箱|邮件/iu;

/** The line of an app on phones, in any language: "Get Outlook for iOS", "BlueMail für Android". */
export const appOnPhone =
  /^.{0,40}(?:outlook|blue ?mail|typeapp|spark|aqua ?mail|edison mail|my ?mail|canary|newton|superhuman|yahoo mail|mail\.ru).{0,30}(?:ios|android|iphone|ipad)|^.{0,30}(?:ios|android|iphone|ipad).{0,30}(?:outlook|blue ?mail|typeapp|spark)|^sender notified by\b/iu;

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
