/** The texts of mail programs and of people in one language. `@` stands for `Bob Example <bob@example.com>`. */
export interface Language {
  /** Above a quote: Gmail, Apple Mail, Thunderbird, Yahoo. */
  gmail: string;
  apple: string;
  mozilla: string;
  yahoo: string;
  /** Outlook's words for From, Sent, To, Subject; Thunderbird's words for Subject, Date, From, To. */
  outlook: [from: string, sent: string, to: string, subject: string];
  mozillaFields: [subject: string, date: string, from: string, to: string];
  /** Above a forwarded mail: Gmail, Apple Mail, Thunderbird. */
  forwarded: [gmail: string, apple: string, mozilla: string];
  original: string;
  /** Of a phone, of Outlook on a phone, of Proton. */
  mobile: [phone: string, outlook: string, proton: string];
  farewell: string;
  disclaimer: string;
  subject: [reply: string, forward: string];
  /** New text in three paragraphs; the answered mail in two. */
  fresh: [string, string, string];
  old: [string, string];
}

const languages = (rows: Record<string, Language>) => rows;

export const tuned = languages({
  en: {
    gmail: "On Tue, Nov 3, 2026 at 10:00 AM @ wrote:",
    apple: "On Nov 3, 2026, at 10:00 AM, @ wrote:",
    mozilla: "On 11/3/26 10:00, Bob Example wrote:",
    yahoo: "On Tuesday, November 3, 2026 at 10:00:00 AM EST, @ wrote:",
    outlook: ["From", "Sent", "To", "Subject"],
    mozillaFields: ["Subject", "Date", "From", "To"],
    forwarded: ["Forwarded message", "Begin forwarded message:", "Forwarded Message"],
    original: "Original Message",
    mobile: ["Sent from my iPhone", "Get Outlook for iOS", "Sent with Proton Mail secure email."],
    farewell: "Best regards,",
    disclaimer:
      "This e-mail and any attachments are confidential and intended solely for the addressee. If you are not the intended recipient, please delete it.",
    subject: ["Re", "Fwd"],
    fresh: [
      "Thanks, the figures look right to me.",
      "I shall send the signed contract on Monday.",
      "Could you book the room for ten people?",
    ],
    old: ["Please find the figures of October below.", "Do we need a larger room?"],
  },
  de: {
    gmail: "Am Di., 3. Nov. 2026 um 10:00 Uhr schrieb @:",
    apple: "Am 03.11.2026 um 10:00 schrieb @:",
    mozilla: "Am 03.11.26 um 10:00 schrieb Bob Example:",
    yahoo: "Am Dienstag, 3. November 2026 um 10:00:00 MEZ hat @ Folgendes geschrieben:",
    outlook: ["Von", "Gesendet", "An", "Betreff"],
    mozillaFields: ["Betreff", "Datum", "Von", "An"],
    forwarded: [
      "Forwarded message",
      "Anfang der weitergeleiteten Nachricht:",
      "Weitergeleitete Nachricht",
    ],
    original: "Ursprüngliche Nachricht",
    mobile: [
      "Von meinem iPhone gesendet",
      "Outlook für iOS beziehen",
      "Gesendet mit Proton Mail secure email.",
    ],
    farewell: "Mit freundlichen Grüßen",
    disclaimer:
      "Diese E-Mail enthält vertrauliche Informationen. Wenn Sie nicht der richtige Adressat sind, löschen Sie bitte diese Nachricht.",
    subject: ["AW", "WG"],
    fresh: [
      "Danke, die Zahlen stimmen so.",
      "Den unterschriebenen Vertrag schicke ich am Montag.",
      "Kannst du den Raum für zehn Leute buchen?",
    ],
    old: ["Anbei die Zahlen vom Oktober.", "Brauchen wir einen größeren Raum?"],
  },
  fr: {
    gmail: "Le mar. 3 nov. 2026 à 10:00, @ a écrit :",
    apple: "Le 3 nov. 2026 à 10:00, @ a écrit :",
    mozilla: "Le 03/11/2026 à 10:00, Bob Example a écrit :",
    yahoo: "Le mardi 3 novembre 2026 à 10:00:00 UTC+1, @ a écrit :",
    outlook: ["De", "Envoyé", "À", "Objet"],
    mozillaFields: ["Sujet", "Date", "De", "Pour"],
    forwarded: ["Forwarded message", "Début du message réexpédié :", "Message transféré"],
    original: "Message d'origine",
    mobile: [
      "Envoyé de mon iPhone",
      "Télécharger Outlook pour iOS",
      "Envoyé avec la messagerie sécurisée Proton Mail.",
    ],
    farewell: "Cordialement,",
    disclaimer:
      "Ce message et ses pièces jointes sont confidentiels et destinés exclusivement à leur destinataire. Merci de le détruire en cas d'erreur.",
    subject: ["RE", "TR"],
    fresh: [
      "Merci, les chiffres me paraissent justes.",
      "J'envoie le contrat signé lundi.",
      "Peux-tu réserver la salle pour dix personnes ?",
    ],
    old: ["Voici les chiffres d'octobre.", "Faut-il une salle plus grande ?"],
  },
  es: {
    gmail: "El mar, 3 nov 2026 a las 10:00, Bob Example (<bob@example.com>) escribió:",
    apple: "El 3 nov 2026, a las 10:00, @ escribió:",
    mozilla: "El 3/11/26 a las 10:00, Bob Example escribió:",
    yahoo: "El martes, 3 de noviembre de 2026, 10:00:00 CET, @ escribió:",
    outlook: ["De", "Enviado el", "Para", "Asunto"],
    mozillaFields: ["Asunto", "Fecha", "De", "Para"],
    forwarded: ["Forwarded message", "Inicio del mensaje reenviado:", "Mensaje reenviado"],
    original: "Mensaje original",
    mobile: [
      "Enviado desde mi iPhone",
      "Obtener Outlook para iOS",
      "Enviado con el correo seguro de Proton Mail.",
    ],
    farewell: "Saludos cordiales,",
    disclaimer:
      "Este mensaje es confidencial y va dirigido únicamente a su destinatario. Si lo ha recibido por error, bórrelo.",
    subject: ["RE", "RV"],
    fresh: [
      "Gracias, las cifras me parecen bien.",
      "El lunes envío el contrato firmado.",
      "¿Puedes reservar la sala para diez personas?",
    ],
    old: ["Adjunto las cifras de octubre.", "¿Necesitamos una sala más grande?"],
  },
  it: {
    gmail: "Il giorno mar 3 nov 2026 alle ore 10:00 @ ha scritto:",
    apple: "Il giorno 3 nov 2026, alle ore 10:00, @ ha scritto:",
    mozilla: "Il 03/11/2026 10:00, Bob Example ha scritto:",
    yahoo: "Il martedì 3 novembre 2026 alle ore 10:00:00 CET, @ ha scritto:",
    outlook: ["Da", "Inviato", "A", "Oggetto"],
    mozillaFields: ["Oggetto", "Data", "Mittente", "A"],
    forwarded: ["Forwarded message", "Inizio messaggio inoltrato:", "Messaggio Inoltrato"],
    original: "Messaggio originale",
    mobile: [
      "Inviato da iPhone",
      "Scarica Outlook per iOS",
      "Inviato con l'email sicura Proton Mail.",
    ],
    farewell: "Cordiali saluti,",
    disclaimer:
      "Le informazioni contenute in questo messaggio sono riservate ai destinatari. Chi lo riceve per errore è pregato di cancellarlo.",
    subject: ["R", "I"],
    fresh: [
      "Grazie, le cifre mi sembrano giuste.",
      "Mando il contratto firmato lunedì.",
      "Puoi prenotare la sala per dieci persone?",
    ],
    old: ["Ecco le cifre di ottobre.", "Ci serve una sala più grande?"],
  },
  pt: {
    gmail: "Em ter., 3 de nov. de 2026 às 10:00, @ escreveu:",
    apple: "Em 3 de nov. de 2026, à(s) 10:00, @ escreveu:",
    mozilla: "Em 03/11/2026 10:00, Bob Example escreveu:",
    yahoo: "Em terça-feira, 3 de novembro de 2026 às 10:00:00 BRT, @ escreveu:",
    outlook: ["De", "Enviada em", "Para", "Assunto"],
    mozillaFields: ["Assunto", "Data", "De", "Para"],
    forwarded: ["Forwarded message", "Início da mensagem reencaminhada:", "Mensagem encaminhada"],
    original: "Mensagem original",
    mobile: [
      "Enviado do meu iPhone",
      "Obter o Outlook para iOS",
      "Enviado com o e-mail seguro do Proton Mail.",
    ],
    farewell: "Atenciosamente,",
    disclaimer:
      "Esta mensagem é confidencial e destina-se apenas ao destinatário. Se a recebeu por engano, apague-a.",
    subject: ["RES", "ENC"],
    fresh: [
      "Obrigada, os números parecem certos.",
      "Envio o contrato assinado na segunda-feira.",
      "Você pode reservar a sala para dez pessoas?",
    ],
    old: ["Seguem os números de outubro.", "Precisamos de uma sala maior?"],
  },
  nl: {
    gmail: "Op di 3 nov 2026 om 10:00 schreef @:",
    apple: "Op 3 nov 2026, om 10:00 heeft @ het volgende geschreven:",
    mozilla: "Op 03-11-2026 om 10:00 schreef Bob Example:",
    yahoo: "Op dinsdag 3 november 2026 om 10:00:00 CET schreef @:",
    outlook: ["Van", "Verzonden", "Aan", "Onderwerp"],
    mozillaFields: ["Onderwerp", "Datum", "Van", "Aan"],
    forwarded: ["Forwarded message", "Begin doorgestuurd bericht:", "Doorgestuurd bericht"],
    original: "Oorspronkelijk bericht",
    mobile: [
      "Verstuurd vanaf mijn iPhone",
      "Outlook voor iOS downloaden",
      "Verzonden met Proton Mail beveiligde e-mail.",
    ],
    farewell: "Met vriendelijke groet,",
    disclaimer:
      "Dit bericht is vertrouwelijk en alleen bestemd voor de geadresseerde. Hebt u het ten onrechte ontvangen, wis het dan.",
    subject: ["Antw", "Doorst"],
    fresh: [
      "Bedankt, de cijfers kloppen volgens mij.",
      "Maandag stuur ik het getekende contract.",
      "Kun je de zaal voor tien mensen reserveren?",
    ],
    old: ["Hierbij de cijfers van oktober.", "Hebben we een grotere zaal nodig?"],
  },
  sv: {
    gmail: "Den tis 3 nov. 2026 kl 10:00 skrev @:",
    apple: "3 nov. 2026 kl. 10:00 skrev @:",
    mozilla: "Den 2026-11-03 kl. 10:00, skrev Bob Example:",
    yahoo: "Den tisdag 3 november 2026 10:00:00 CET skrev @:",
    outlook: ["Från", "Skickat", "Till", "Ämne"],
    mozillaFields: ["Ämne", "Datum", "Från", "Till"],
    forwarded: ["Forwarded message", "Vidarebefordrat brev:", "Vidarebefordrat meddelande"],
    original: "Ursprungligt meddelande",
    mobile: [
      "Skickat från min iPhone",
      "Hämta Outlook för iOS",
      "Skickat med säker e-post från Proton Mail.",
    ],
    farewell: "Med vänliga hälsningar",
    disclaimer:
      "Detta meddelande är konfidentiellt och avsett endast för mottagaren. Har du fått det av misstag ska du radera det.",
    subject: ["SV", "VB"],
    fresh: [
      "Tack, siffrorna ser rätta ut.",
      "Jag skickar det undertecknade avtalet på måndag.",
      "Kan du boka rummet för tio personer?",
    ],
    old: ["Här kommer siffrorna för oktober.", "Behöver vi ett större rum?"],
  },
  pl: {
    gmail: "wt., 3 lis 2026 o 10:00 @ napisał(a):",
    apple: "Wiadomość napisana przez @ w dniu 3 lis 2026, o godz. 10:00:",
    mozilla: "W dniu 3.11.2026 o 10:00, Bob Example pisze:",
    yahoo: "We wtorek, 3 listopada 2026 10:00:00 CET, @ napisał(a):",
    outlook: ["Od", "Wysłano", "Do", "Temat"],
    mozillaFields: ["Temat", "Data", "Nadawca", "Adresat"],
    forwarded: [
      "Forwarded message",
      "Początek przekazywanej wiadomości:",
      "Treść przekazanej wiadomości",
    ],
    original: "Wiadomość oryginalna",
    mobile: [
      "Wysłane z iPhone'a",
      "Pobierz program Outlook dla systemu iOS",
      "Wysłano za pomocą bezpiecznej poczty Proton Mail.",
    ],
    farewell: "Z poważaniem",
    disclaimer:
      "Niniejsza wiadomość jest poufna i przeznaczona wyłącznie dla adresata. W razie omyłki prosimy o jej usunięcie.",
    subject: ["Odp", "PD"],
    fresh: [
      "Dziękuję, liczby się zgadzają.",
      "Podpisaną umowę wyślę w poniedziałek.",
      "Czy możesz zarezerwować salę dla dziesięciu osób?",
    ],
    old: ["Przesyłam liczby z października.", "Czy potrzebujemy większej sali?"],
  },
  ja: {
    gmail: "2026年11月3日(火) 10:00 @:",
    apple: "2026/11/03 10:00、@のメール:",
    mozilla: "On 2026/11/03 10:00, Bob Example wrote:",
    yahoo: "2026年11月3日火曜日 10:00:00 JST、@ さんは書きました:",
    outlook: ["差出人", "送信日時", "宛先", "件名"],
    mozillaFields: ["件名", "日付", "差出人", "宛先"],
    forwarded: ["Forwarded message", "転送されたメッセージ:", "転送されたメッセージ"],
    original: "元のメッセージ",
    mobile: [
      "iPhoneから送信",
      "Outlook for iOS を入手",
      "Proton Mail セキュアメールで送信されました。",
    ],
    farewell: "よろしくお願いいたします。",
    disclaimer: "このメールには機密情報が含まれています。誤って受信された場合は削除してください。",
    subject: ["Re", "Fw"],
    fresh: [
      "ありがとうございます。数字は合っていると思います。",
      "署名した契約書は月曜日に送ります。",
      "十人用の部屋を予約してもらえますか。",
    ],
    old: ["十月の数字をお送りします。", "もっと大きい部屋が必要でしょうか。"],
  },
});

/** Written before the patterns were tuned, and not used to tune them. */
export const heldOut = languages({
  da: {
    gmail: "Den tirs. 3. nov. 2026 kl. 10.00 skrev @:",
    apple: "Den 3. nov. 2026 kl. 10.00 skrev @:",
    mozilla: "Den 03-11-2026 kl. 10:00 skrev Bob Example:",
    yahoo: "Den tirsdag den 3. november 2026 10.00.00 CET skrev @:",
    outlook: ["Fra", "Sendt", "Til", "Emne"],
    mozillaFields: ["Emne", "Dato", "Fra", "Til"],
    forwarded: ["Forwarded message", "Start på videresendt besked:", "Videresendt besked"],
    original: "Oprindelig meddelelse",
    mobile: [
      "Sendt fra min iPhone",
      "Hent Outlook til iOS",
      "Sendt med Proton Mail sikker e-mail.",
    ],
    farewell: "Med venlig hilsen",
    disclaimer:
      "Denne e-mail er fortrolig og kun beregnet til modtageren. Har du fået den ved en fejl, bedes du slette den.",
    subject: ["SV", "VS"],
    fresh: [
      "Tak for pladsen i kalenderen.",
      "Vi mødes ved indgangen klokken ni.",
      "Har du nøglen til kontoret?",
    ],
    old: ["Mødet er flyttet til torsdag.", "Hvor mødes vi?"],
  },
  fi: {
    gmail: "ti 3.11.2026 klo 10.00 Bob Example (bob@example.com) kirjoitti:",
    apple: "Bob Example <bob@example.com> kirjoitti 3.11.2026 kello 10.00:",
    mozilla: "Bob Example kirjoitti 3.11.2026 klo 10.00:",
    yahoo: "tiistai 3. marraskuuta 2026 klo 10.00.00 UTC+2 @ kirjoitti:",
    outlook: ["Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"],
    mozillaFields: ["Aihe", "Päiväys", "Lähettäjä", "Vastaanottaja"],
    forwarded: ["Forwarded message", "Välitetty viesti alkaa:", "Välitetty viesti"],
    original: "Alkuperäinen viesti",
    mobile: [
      "Lähetetty iPhonesta",
      "Hanki Outlook for iOS",
      "Lähetetty Proton Mailin suojatulla sähköpostilla.",
    ],
    farewell: "Ystävällisin terveisin",
    disclaimer:
      "Tämä viesti on luottamuksellinen ja tarkoitettu vain vastaanottajalle. Jos sait sen vahingossa, poista se.",
    subject: ["VS", "VL"],
    fresh: [
      "Kiitos, aika sopii minulle hyvin.",
      "Tavataan pääovella yhdeksältä.",
      "Onko sinulla toimiston avain?",
    ],
    old: ["Kokous siirtyi torstaihin.", "Missä tavataan?"],
  },
  cs: {
    gmail: "út 3. 11. 2026 v 10:00 odesílatel @ napsal:",
    apple: "3. 11. 2026 v 10:00, @:",
    mozilla: "Dne 03. 11. 26 v 10:00 Bob Example napsal(a):",
    yahoo: "úterý 3. listopadu 2026 10:00:00 SEČ, @ napsal(a):",
    outlook: ["Od", "Odesláno", "Komu", "Předmět"],
    mozillaFields: ["Předmět", "Datum", "Od", "Komu"],
    forwarded: ["Forwarded message", "Začátek přeposílané zprávy:", "Přeposlaná zpráva"],
    original: "Původní zpráva",
    mobile: [
      "Odesláno z iPhonu",
      "Získejte Outlook pro iOS",
      "Odesláno pomocí zabezpečeného e-mailu Proton Mail.",
    ],
    farewell: "S pozdravem",
    disclaimer:
      "Tato zpráva je důvěrná a určená pouze adresátovi. Pokud jste ji obdrželi omylem, smažte ji prosím.",
    subject: ["RE", "FW"],
    fresh: [
      "Děkuji, termín mi vyhovuje.",
      "Sejdeme se u hlavního vchodu v devět.",
      "Máš klíč od kanceláře?",
    ],
    old: ["Schůzka se přesunula na čtvrtek.", "Kde se sejdeme?"],
  },
  ru: {
    gmail: "вт, 3 нояб. 2026 г. в 10:00, @:",
    apple: "3 нояб. 2026 г., в 10:00, @ написал(а):",
    mozilla: "03.11.2026 10:00, Bob Example пишет:",
    yahoo: "вторник, 3 ноября 2026 г. в 10:00:00 GMT+3, @ написал(а):",
    outlook: ["От", "Отправлено", "Кому", "Тема"],
    mozillaFields: ["Тема", "Дата", "От", "Кому"],
    forwarded: [
      "Forwarded message",
      "Начало переадресованного сообщения:",
      "Перенаправленное сообщение",
    ],
    original: "Исходное сообщение",
    mobile: [
      "Отправлено с iPhone",
      "Скачать Outlook для iOS",
      "Отправлено с помощью защищённой почты Proton Mail.",
    ],
    farewell: "С уважением,",
    disclaimer:
      "Настоящее сообщение содержит конфиденциальную информацию и предназначено только адресату. Если вы получили его по ошибке, удалите его.",
    subject: ["RE", "FW"],
    fresh: [
      "Спасибо, время мне подходит.",
      "Встретимся у главного входа в девять.",
      "Есть ли у тебя ключ от офиса?",
    ],
    old: ["Встреча перенесена на четверг.", "Где встретимся?"],
  },
  tr: {
    gmail: "Bob Example <bob@example.com>, 3 Kas 2026 Sal, 10:00 tarihinde şunu yazdı:",
    apple: "Bob Example <bob@example.com> şunları yazdı (3 Kas 2026 10:00):",
    mozilla: "Bob Example, 3.11.2026 10:00 tarihinde yazdı:",
    yahoo: "3 Kasım 2026 Salı 10:00:00 GMT+3 tarihinde @ şunu yazdı:",
    outlook: ["Kimden", "Gönderildi", "Kime", "Konu"],
    mozillaFields: ["Konu", "Tarih", "Kimden", "Kime"],
    forwarded: ["Forwarded message", "İletilen ileti başlangıcı:", "İletilen İleti"],
    original: "Orijinal İleti",
    mobile: [
      "iPhone'umdan gönderildi",
      "iOS için Outlook'u edinin",
      "Proton Mail güvenli e-posta ile gönderildi.",
    ],
    farewell: "Saygılarımla,",
    disclaimer:
      "Bu e-posta gizli bilgiler içerir ve yalnızca alıcısına yöneliktir. Yanlışlıkla aldıysanız lütfen siliniz.",
    subject: ["YNT", "İLT"],
    fresh: [
      "Teşekkürler, saat bana uygun.",
      "Dokuzda ana girişte buluşalım.",
      "Ofisin anahtarı sende mi?",
    ],
    old: ["Toplantı perşembeye alındı.", "Nerede buluşuyoruz?"],
  },
  zh: {
    gmail: "Bob Example <bob@example.com> 于2026年11月3日周二 10:00写道：",
    apple: "在 2026年11月3日，10:00，@ 写道：",
    mozilla: "在 2026/11/3 10:00, Bob Example 写道:",
    yahoo: "在 2026年11月3日星期二 GMT+8 10:00:00， @ 写道：",
    outlook: ["发件人", "发送时间", "收件人", "主题"],
    mozillaFields: ["主题", "日期", "发件人", "收件人"],
    forwarded: ["Forwarded message", "以下是转发的邮件：", "转发的消息"],
    original: "原始邮件",
    mobile: ["发自我的iPhone", "获取 Outlook for iOS", "使用 Proton Mail 安全邮箱发送。"],
    farewell: "此致",
    disclaimer: "本邮件包含保密信息，仅供收件人使用。如果您误收，请立即删除。",
    subject: ["回复", "转发"],
    fresh: ["谢谢，这个时间可以。", "我们九点在正门见。", "你有办公室的钥匙吗？"],
    old: ["会议改到星期四了。", "我们在哪里见面？"],
  },
  ko: {
    gmail: "2026년 11월 3일 (화) 오전 10:00, @님이 작성:",
    apple: "2026. 11. 3. 오전 10:00, @ 작성:",
    mozilla: "2026-11-03 오전 10:00에 Bob Example 이(가) 쓴 글:",
    yahoo: "2026년 11월 3일 화요일 오전 10시 0분 0초 GMT+9, @님이 작성:",
    outlook: ["보낸 사람", "보낸 날짜", "받는 사람", "제목"],
    mozillaFields: ["제목", "날짜", "보낸 사람", "받는 사람"],
    forwarded: ["Forwarded message", "전달된 메시지:", "전달된 메시지"],
    original: "원본 메시지",
    mobile: ["나의 iPhone에서 보냄", "iOS용 Outlook 다운로드", "Proton Mail 보안 이메일로 보냄."],
    farewell: "감사합니다.",
    disclaimer:
      "이 메일은 기밀 정보를 포함하고 있으며 수신인만 볼 수 있습니다. 잘못 받으셨다면 삭제해 주십시오.",
    subject: ["RE", "FW"],
    fresh: ["그 시간이 좋습니다.", "아홉 시에 정문에서 만나요.", "사무실 열쇠 있어요?"],
    old: ["회의가 목요일로 바뀌었습니다.", "어디서 만날까요?"],
  },
  uk: {
    gmail: "вт, 3 лист. 2026 р. о 10:00 @ пише:",
    apple: "3 лист. 2026 р. о 10:00 @ пише:",
    mozilla: "03.11.26 10:00, Bob Example пише:",
    yahoo: "вівторок, 3 листопада 2026 р. о 10:00:00 EET, @ написав:",
    outlook: ["Від", "Надіслано", "Кому", "Тема"],
    mozillaFields: ["Тема", "Дата", "Від", "Кому"],
    forwarded: [
      "Forwarded message",
      "Початок переспрямованого повідомлення:",
      "Переслане повідомлення",
    ],
    original: "Вихідне повідомлення",
    mobile: [
      "Надіслано з iPhone",
      "Отримати Outlook для iOS",
      "Надіслано за допомогою захищеної пошти Proton Mail.",
    ],
    farewell: "З повагою,",
    disclaimer:
      "Це повідомлення є конфіденційним і призначене лише для адресата. Якщо ви отримали його помилково, видаліть його.",
    subject: ["RE", "FW"],
    fresh: [
      "Дякую, час мені підходить.",
      "Зустрінемося біля головного входу о дев'ятій.",
      "Чи є в тебе ключ від офісу?",
    ],
    old: ["Зустріч перенесено на четвер.", "Де зустрінемося?"],
  },
});
