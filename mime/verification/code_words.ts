import type { Language } from "./language.ts";
import { latinLanguages } from "./latin_languages.ts";
import { otherLanguages } from "./other_languages.ts";
import { NamedNouns, Words } from "./words.ts";

/**
 * Words around codes, in lower case. They are looked for in short windows around a candidate, never in a
 * whole message. A group in which a word may be missing is bounded, so that every expression is linear.
 */

const all = Object.values({ ...latinLanguages, ...otherLanguages });
/** A field of every language that has it. */
const wordsOf = (field: Exclude<keyof Language, "glued">): string[] =>
  all.flatMap((language) => language[field] ?? []);
/** The same as whole words, but in languages without blanks. */
const wholeWordsOf = (field: "code" | "password" | "enter" | "is"): string[] => {
  const of = (isGlued: boolean) =>
    all.flatMap(({ [field]: words, glued }) => words && !glued === !isGlued ? words : []).join("|");
  return [String.raw`(?<![\p{L}\p{M}])(?:${of(false)})(?![\p{L}\p{M}])`, of(true)];
};

/**
 * "Verification code", "code for signing in", "one-time password": a noun, and what it is for, in either order, in the
 * languages that have blanks between words or in the others.
 */
function namesOf(languages: Language[], isGlued: boolean): string[] {
  const behind = isGlued
    ? String.raw`[^\s.!?:,，。：\d]{0,9} ?[^\s.!?:,，。：\d]{0,9}?`
    : String.raw`\p{L}{0,9}[ -]?(?:[^\s.!?:,\d]{1,16} ){0,2}?`;
  const between = isGlued
    ? String.raw`[^.!?:,，。：\d]{0,12}?`
    : String.raw` (?:[^\s.!?:,\d]{1,16} ){0,2}?(?:\p{L}{1,2}['’])?`;
  const international = isGlued ? "" : "|auth?enti[a-z]|verifi[ck]";
  const pairs = languages.filter(({ glued }) => !glued === !isGlued).flatMap((language) => {
    const { code, kinds, password, once } = language;
    const pair = (noun = "", kind = "") => noun && kind ? [[noun, kind]] : [];
    return [...pair(code, kinds && kinds + international), ...pair(password, once)];
  });
  const [from, to] = isGlued ? ["", ""] : [String.raw`(?<!\p{L})`, String.raw`(?![\p{L}\p{M}])`];
  const nounFirst = pairs.map(([noun, kind]) => `(?:${noun})${between}(?:${kind})`).join("|");
  const nounLast = pairs.map(([noun, kind]) => `(?:${kind})${behind}(?:${noun})`).join("|");
  return [String.raw`${from}(?:${nounFirst})\p{L}{0,9}`, `(?:${nounLast})${to}`];
}

/** Other numbers and discounts, with a noun for "code" behind: "postal code". */
const othersOf = ({ others, shop, code, glued }: Language): string[] =>
  [others, shop].flatMap((words) => {
    if (words === undefined) return [];
    return glued
      ? String.raw`(?:${words})(?:[^\s\d]{0,6} (?:${code}))?`
      : String.raw`(?:${words})\p{L}{0,9}(?:[ -]?(?:${code})(?!\p{L}))?`;
  });

const between = String.raw`(?:[^\s.!?]{1,20} ){0,3}?`;

/** Names of a code that somebody types in once. */
const knownNames = new Words([
  // English
  String
    .raw`(?<!\p{L})(?:verification|security|confirmation|authentication|authenticator|authorization|login|log-?in|sign-?in|sign-?up|access|activation|validation|one[- ]?time|single[- ]use|temporary|2fa|mfa|two[- ]factor|two[- ]step|2[- ]step|recovery|backup|launch|approval|registration|pairing|device|e-?mail|unlock|reset|6-digit|six-digit|4-digit|four-digit|8-digit|5-digit|[4-8] digit) (?:${between})(?:codes?|pin|passcode)(?!\p{L})`,
  String.raw`(?:one[- ]?time|single[- ]use|temporary) (?:${between})password`,
  "passcode|one[- ]time (?:key|token)|verification number|verify code|auth code|confirm code",
  String.raw`(?<!\p{Script=Latin})(?:t?otp|2fa code)(?!\p{Script=Latin})`,
  String.raw`(?<!\p{L})(?:your|following|this) ${between}(?:code|pin)(?![\p{L}-])`,
  String
    .raw`(?<!\p{L})code (?:below|above|is|to (?:verify|confirm|sign|log|complete|finish|reset|activate|continue|unlock))(?!\p{L})`,
  // German
  String
    .raw`(?:bestätigungs|bestaetigungs|verifizierungs|verifikations|sicherheits|einmal|anmelde|login|zugangs|aktivierungs|authentifizierungs|prüf|freischalt|registrierungs|zugriffs)-?(?:code|pin|passwort|kennwort|schlüssel)`,
  String
    .raw`(?<!\p{L})(?:dein|ihr|euer|deinen|ihren|folgenden?|diesen?|dieser) ${between}(?:code|pin)(?!\p{L})|(?<!\p{L})m?tan(?!\p{L})|stellige[nr]? code`,
  // French
  String
    .raw`code (?:de |d['’])(?:vérification|verification|confirmation|sécurité|connexion|validation|activation|accès|authentification|identification)`,
  String
    .raw`code (?:à usage )?unique|code (?:secret|temporaire|suivant|ci-dessous|à \d chiffres)|mot de passe (?:à usage )?(?:unique|temporaire)|(?<!\p{L})(?:votre|ton|ce) ${between}code(?!\p{L})`,
  // Spanish, Portuguese, Italian, Catalan
  String
    .raw`c[óo]digo (?:de |del |d')?(?:verificaci[óo]n?|verifica[çc][ãa]o|confirmaci[óo]n?|confirma[çc][ãa]o|seguridad|seguran[çc]a|acceso|acesso|inicio de sesi[óo]n|login|activaci[óo]n|ativa[çc][ãa]o|autenticaci[óo]n|autentica[çc][ãa]o|un solo uso|uso [úu]nico|[úu]nico|temporal|tempor[áa]rio|validaci[óo]n|valida[çc][ãa]o)`,
  String
    .raw`(?<!\p{L})(?:tu|su|seu|teu|este|siguiente|seguinte) ${between}c[óo]digo(?!\p{L})|contraseña (?:de un solo uso|temporal)|clave (?:de (?:acceso|seguridad|verificaci[óo]n)|temporal|din[áa]mica|de un solo uso)|senha (?:tempor[áa]ria|de uso [úu]nico)`,
  String
    .raw`codice (?:di |d')?(?:verifica|conferma|sicurezza|accesso|attivazione|autenticazione|monouso|temporaneo|otp)|(?<!\p{L})(?:tuo|suo|questo|seguente) ${between}codice(?!\p{L})|password (?:monouso|temporanea|usa e getta)`,
  // Dutch
  String
    .raw`(?:verificatie|bevestigings|beveiligings|inlog|toegangs|activerings|activatie)-?(?:code|pin)|eenmalige? ${between}(?:code|wachtwoord)|(?<!\p{L})(?:je|uw|jouw|deze|volgende) ${between}code(?!\p{L})`,
  // Polish, Czech, Slovak
  String
    .raw`kod(?:u|em)? (?:weryfikacyjn\p{L}{1,4}|weryfikacji|potwierdzaj\p{L}{1,4}|potwierdzenia|bezpieczeństwa|dostępu|logowania|aktywacyjn\p{L}{1,4}|jednorazow\p{L}{1,3}|autoryzacyjn\p{L}{1,4})|jednorazow\p{L}{1,3} kod|hasło jednorazowe|(?<!\p{L})(?:twój|ten|poniższy|następujący) ${between}kod(?!\p{L})`,
  String
    .raw`(?:ověřovací|potvrzovací|bezpečnostní|jednorázov[ýé]|přihlašovací|overovací|potvrdzovací|prihlasovací) (?:kód|heslo)|(?<!\p{L})(?:váš|tvůj|tento) ${between}kód(?!\p{L})`,
  // Russian, Ukrainian
  String
    .raw`код(?:а|ом|у)? (?:подтверждения|проверки|безопасности|доступа|активации|авторизации|(?:для )?входа|верификации|аутентификации|підтвердження|перевірки|безпеки|доступу|входу)|(?:одноразовый|одноразовий|проверочный|секретный|кодовый) (?:код|пароль)|(?<!\p{L})(?:ваш|твой|твій|этот|цей|следующий) ${between}код(?!\p{L})`,
  // Turkish
  String
    .raw`(?:doğrulama|dogrulama|onay|güvenlik|giriş|aktivasyon|tek kullanımlık|erişim) ?(?:kod|şifre|parola)\p{L}{0,6}|(?<!\p{L})kodunuz`,
  // Arabic, Persian, Hebrew
  "(?:رمز|كود) (?:ال)?(?:تحقق|تأكيد|أمان|دخول|تسجيل الدخول|تفعيل|مرور لمرة واحدة|مصادقة)|رمزك|كلمة (?:ال)?مرور (?:ال)?(?:صالحة )?لمرة واحدة|الرمز التالي",
  "کد (?:تأیید|تایید|ورود|امنیتی|فعال.?سازی)|رمز یک.?بار مصرف|(?:קוד|סיסמה) (?:ה?אימות|ה?אישור|ה?אבטחה|ה?כניסה|ה?גישה|חד[- ]פעמית?)|הקוד שלך",
  // Hindi, Bengali
  String
    .raw`(?:सत्यापन|पुष्टिकरण|सुरक्षा|लॉगिन|वन[- ]टाइम|एकबारगी|पुष्टि) (?:कोड|पासवर्ड|पासकोड)|ओटीपी|(?:आपका|यह) ${between}कोड|(?:যাচাইকরণ|ভেরিফিকেশন|নিরাপত্তা) কোড|ওটিপি`,
  // Chinese, Japanese, Korean
  "取[件货貨餐][码碼]|提[货貨][码碼]|验证码|驗證碼|校验码|校驗碼|动态码|动态口令|動態密碼|动态密码|確認碼|确认码|安全码|安全碼|激活码|登录码|登入碼|一次性(?:密码|密碼|代码)|認證碼|认证码|(?:验证|驗證|安全)(?:代码|代碼)",
  "(?:認証|確認|検証|セキュリティ|セキュリティー|ログイン|ワンタイム|アクセス|有効化|承認|登録|本人確認)(?:用)?(?:の)?(?:コード|パスワード|番号|キー|パスコード)|パスコード|暗証番号",
  String.raw`(?:인증|확인|보안|로그인|일회용|검증|액세스) ?(?:코드|번호|비밀번호|암호)`,
  // Vietnamese, Indonesian, Thai
  "mã (?:xác minh|xác nhận|xác thực|bảo mật|đăng nhập|kích hoạt)|kode (?:verifikasi|konfirmasi|keamanan|masuk|akses|anda)|รหัส(?:ยืนยัน|ความปลอดภัย|เข้าใช้|ผ่านครั้งเดียว|การยืนยัน|ตรวจสอบ)",
  // Swedish, Danish, Norwegian, Finnish
  "(?:verifierings|bekräftelse|säkerhets|engångs|inloggnings|aktiverings)(?:kod|lösenord)|(?:bekræftelses|bekreftelses|verifikations|verifiserings|sikkerheds|sikkerhets|engangs|innloggings|login|aktiverings)(?:kode|passord|adgangskode)|(?:vahvistus|turva|kertakäyttö|todennus|kirjautumis|aktivointi)(?:koodi|salasana|tunnus)",
  String.raw`(?<!\p{L})(?:din|denna|denne) ${between}kode?n?(?!\p{L})|koodisi`,
  // Hungarian, Romanian, Greek
  "(?:ellenőrző|megerősítő|biztonsági|hitelesítő|egyszer használatos|belépési) ?kód|kódod|cod(?:ul)? (?:de )?(?:verificare|confirmare|securitate|acces|autentificare)|codul (?:tău|dvs)|κωδικ(?:ός|ό) (?:επαλήθευσ[ηή]ς|επιβεβαίωσ[ηή]ς|ασφαλεί[αά]ς|πρόσβασ[ηή]ς|μίας χρήσης|μιας χρήσης|σύνδεσ[ηή]ς)|κωδικός σας",
]);

/** The nouns of {@link codeNames} that the languages have, wherever they stand in a word. */
export const nouns = new Words([...wordsOf("code"), ...wordsOf("password"), "otp|رمز"]);

export const codeNames = new NamedNouns(
  knownNames,
  nouns,
  new Words([
    ...namesOf(all, false),
    ...namesOf(all, true),
  ]),
);

/** "Code" alone: a code for a form only if the mail is about signing in or verifying. */
export const plainCode = new Words([
  String
    .raw`(?<!\p{L})(?:codes?|pin|c[óo]digos?|codice|kode|kod|koden|koodi|kód|kodu|cod|mã|код|κωδικ(?:ός|ό)|token)(?!\p{L})`,
  "رمز|كود|کد|קוד|कोड|কোড|代码|代碼|コード|코드|รหัส|番号|密[码碼]",
  ...wholeWordsOf("code"),
]);

/** Topics of a mail with a code. */
export const signInTalk = new Words([
  "verif|confirm|authenti|two[- ]factor|2fa|sign(?:ing)?[- ]?(?:in|up)|log(?:ging)?[- ]?in|expires? in|valid for|(?:do not|don['’]t|never) share|did(?:n['’]t| not) (?:request|ask|try)|passwor[dt]|your (?:new )?account|enter (?:this|the|it)",
  "bestätig|verifizier|anmeld|anzumeld|einlogg|einzulogg|läuft .{0,12}ab|gültig|connexion|connecter|vérifi|valable|expire|verifica|confirma|sesión|iniciar|caduca|válido|acceder|accesso|accedi|scade|valido|inloggen|aanmelden|bevestig|geldig|verloopt",
  "weryfik|potwierd|zalog|logowa|ważny|wygasa|ověř|přihl|platn|подтвер|вход|войти|войдите|действ|підтвер|увійти|doğrula|giriş|geçerli|oturum|التحقق|تسجيل|تأكيد|صالح|تنتهي|אימות|כניסה|התחבר|תקף|تأیید|ورود|सत्याप|लॉगिन|साइन|मान्य|যাচাই",
  "验证|驗證|登录|登入|注册|註冊|有效|認証|確認|ログイン|有効|サインイン|登録|인증|로그인|확인|유효|가입|xác minh|xác nhận|đăng nhập|hiệu lực|verifikasi|masuk|berlaku|ยืนยัน|เข้าสู่ระบบ|หมดอายุ|logga in|logge inn|te loggen|bekräft|verifier|giltig|log ind|logg inn|bekræft|bekreft|gyldig|vahvist|kirjaud|voimassa|bejelentkez|megerősít|érvényes|autentific|conect|valabil|επαλήθ|σύνδεσ|ισχύ",
  ...wordsOf("signIn"),
]);

/** "Enter 482913 to sign in": verbs before a code that is named by nothing else. */
export const typeIn = new Words([
  String
    .raw`(?<!\p{L})(?:enter|use|type|input|paste|gib|geben sie|verwende|nutze|entrez|saisissez|utilisez|introduce|ingresa|escribe|usa|utiliza|digite|insira|inserisci|digita|voer|gebruik|bruk|brug|wpisz|użyj|podaj|введите|используйте|введіть|gir|kullan|أدخل|استخدم|दर्ज करें|ange|indtast|skriv inn|syötä|zadejte|masukkan|nhập)(?!\p{L})`,
  "输入|輸入|使用|入力|입력",
  ...wholeWordsOf("enter"),
]);

/** Things whose numbers are no codes. The word nearest to a number decides what it is. */
export const otherNumbers = new Words([
  String
    .raw`(?<!\p{L})(?:order|invoice|receipt|tracking|shipment|parcel|package|ticket|case|reference|ref|booking|reservation|itinerary|flight|customer|policy|contract|claim|zip|postal|phone|telephone|tel|fax|mobile|promo(?:tion(?:al)?)?|coupon|discount|voucher|referral|gift|error|exit|status|http|source|country|area|sort|swift|bic|vat|tax|iban|serial|model|sku|item|product|article|version|build|release|dress|colou?r|transaction|payment|course|offer|rep|dealer|sales|campaign|media|priority|section|title|chapter|paragraph|law|rule)(?:[ -](?:code|number|no|nr|num|id|#|card)s?){0,2}(?!\p{L})`,
  String
    .raw`(?<!\p{L})(?:(?:account|acct|member(?:ship)?|user)[ -](?:numbers?|no|nr|num|ids?|#)|call|room|gate|seat|suite|apt|street|page|line|port|bug|issue|pr|job|zone|event|patch|kb|cve|rfc|isbn|issn|doi|since|copyright|balance|total|amount|save|off|confirmation (?:number|no|#)|p\.? ?o\.? box)(?!\p{L})`,
  "ending (?:in|with)|last (?:four|4)|©|postcode|barcode|zipcode|qr[- ]code|%",
  "bestell|auftrag|rechnung|sendung|paket|kundennummer|kunden-?nr|vertrag|vorgang|aktenzeichen|postleitzahl|plz|telefon|rabatt|gutschein|aktionscode|fehler|buchung|ticketnummer|referenz|kontonummer|konto-?nr|betrag|artikel",
  "commande|facture|colis|suivi|client|dossier|postal|téléphone|réduction|promotion|code promo|erreur|réservation|référence|compte n|montant|siret",
  "pedido|factura|fatura|env[íi]o|rastre|seguimiento|cliente|expediente|tel[ée]fono|telefone|descuento|desconto|cup[óo]n|cupom|reserva|referencia|referência|encomenda|n[úu]mero de cuenta|importe|nif|cnpj|cpf|ordine|fattura|spedizione|tracciamento|pratica|fiscale|sconto|prenotazione|riferimento|errore|cap ",
  "bestel|factuur|zending|klant|korting|referentie|zamówieni|faktur|przesył|klient|rabat|pocztowy|rezerwac|zgłoszeni|objednáv|zásilk|slev|psč|faktura|beställning|ordre|tilaus|lasku",
  "заказ|счет|счёт|накладн|трек|клиент|договор|обращени|индекс|телефон|скидк|промокод|бронир|ошибк|замовлен|рахун|sipariş|fatura|kargo|takip|müşteri|indirim|kupon|rezervasyon|hata|posta kodu|telefon|referans",
  "الطلب|طلبك|طلب رقم|الفاتورة|الشحنة|تتبع|العميل|الهاتف|البريدي|خصم|حجز|مرجع|הזמנה|חשבונית|משלוח|לקוח|מיקוד|ספק|سفارش|فاکتور|ऑर्डर|चालान|बिल|ग्राहक|पिन कोड|फ़ोन|छूट|कूपन|बुकिंग|संदर्भ|অর্ডার",
  "订单|訂單|发票|發票|快递|运单|物流|客户|客服|电话|電話|邮编|邮政编码|郵遞區號|优惠|折扣|预订|编号|错误|注文|請求|伝票|追跡|お客様番号|会員番号|郵便番号|クーポン|割引|予約|エラー|お問い合わせ番号|주문|송장|운송장|고객|회원번호|우편번호|전화|쿠폰|할인|예약|오류|문의번호|đơn hàng|hóa đơn|pesanan|faktur|คำสั่งซื้อ|rendelés|számla|comand|παραγγελ|τιμολόγ",
  ...all.flatMap(othersOf),
]);

/** Payments, and approving them: a code for both is a code to type in, although numbers of payments are not. */
export const payments = new Words(wordsOf("pay"));
export const approvals = new Words(wordsOf("approve"));

/** "Do not share it": what must be told to nobody is a code to type in. */
export const secrecy = new Words(wordsOf("secret"));

/** Names of codes that receipts of card payments and bookings have too, each with words of such a mail. */
export const namesOfOthers: { names: Words; mail: Words[] }[] = [
  // The postal code of India.
  {
    names: new Words([String.raw`(?<!\p{L})pin[- ]?code`]),
    mail: [
      new Words([
        String
          .raw`(?<!\p{L})(?:postal|street|road|nagar|district|city|state|landmark|india|(?:delivery|shipping|billing|home) address)(?!\p{L})|bengaluru|mumbai|delhi|chennai|kolkata|hyderabad|karnataka|maharashtra|kerala|tamil nadu|gujarat|pradesh`,
      ]),
    ],
  },
  {
    names: new Words([
      "auth(?:ori[sz]ation)?(?![a-z])|approval|autorizaci[óo]n|autoriza[çc][ãa]o|autorizzazione|autorisation|autorisierung|genehmigung|autorisatie|autoryzac|авторизац|onay|auktorisering|autorisasjon|godkännande|autorizare|autorizac|έγκριση|承認|授[权權]|승인|تفويض",
    ]),
    mail: [
      new Words([
        "amount|total|importe|monto|valor|montant|betrag|importo|bedrag|kwota|сумма|tutar|belopp|beløp|summa|suma|金[額额]|금액",
      ]),
      new Words([
        String
          .raw`(?:[*•x]{2}[ -]?|ending (?:in )?|final )\d{4}(?!\d)|terminal|merchant|visa|mastercard`,
      ]),
    ],
  },
  {
    names: new Words([
      "confirm|bestätig|buchung|conferm|potwierdz|подтвержд|onay|確認|确认|確定|확인|bekräft|bekræft|bekreft|bevestig|vahvist",
    ]),
    mail: [
      new Words([
        "reservation|booking|itinerary|check-?in|flight|reserva|buchung|réservation|prenotazion|rezerwac|rezervac|rezervas|бронир|予約|[预預][订訂]|예약|boeking|bokning|bestilling|varaus",
      ]),
    ],
  },
];

/** Who a code is for: a number directly after one of these words is theirs. Mail about signing in is full of them. */
export const holders = new Words([
  String.raw`(?<!\p{L})(?:account|acct|id|member(?:ship)?s?|users?|konto|cuenta)(?!\p{L})`,
]);

/** Between the name of a code and what it is for: "for", "to". */
export const isFor = /^ (?:for|to|pour|für|para|per|voor|för|til|dla|для)(?!\p{L})/iu;

/** The end of a sentence that takes a code back: "482913 is no longer valid". */
export const isOver =
  /^["'”’*)]{0,2} ?(?:(?:is|are|has|was|ist|est|es|é|è) )?(?:now )?(?:no longer|not valid|invalid|expired|been replaced|nicht mehr|abgelaufen|n['’]est plus|ya no|não é mais|non è più|niet meer|больше не)/iu;

/** Whole words for "is". */
const is = [
  "is|are|ist|lautet|est|es|é|è|jest|to|är|er|on|adalah|olarak|là|это",
  ...all.flatMap(({ is, glued }) => is === undefined || glued ? [] : is),
].join("|");
/** The same in languages without blanks. */
const gluedIs = all.flatMap(({ is, glued }) => is === undefined || !glued ? [] : is).join("|");

/** What may stand between the name of a code and the code. */
export const joint = new Words([
  String
    .raw`^[\s:：=\-–—>→("'“”«»„*_[\]『』「」【】|,.、，은는이가です]*(?:(?:${is}|is now|below|här|${gluedIs}|입니다)(?![\p{L}])[\s:：=\-–—>→("'“”«»„*_[\]『』「」【】|]*)?$`,
]);

/** A colon or a word for "is" at the end: right before the candidate. */
export const said = new Words([
  String.raw`(?:[:：]|[\s\d](?:${is})|${gluedIs})[\s"'“”«»„*『「【]{0,3}$`,
]);

/** "Password is" or "password for this payment:" at the end: right before the candidate. */
export const passwordSaid = new Words([
  String.raw`(?:${
    wholeWordsOf("password").join("|")
  }|(?<!\p{L})رمز)(?:(?: (?:${is})|${gluedIs})?[\s:：=—–-]{0,4}|(?: [^\s.!?:,;\d]{1,20}){1,4} ?[:：]\s?)$`,
]);

/** "482913 is the code". */
export const called = new Words([
  String.raw`^["'”’*)』」】]{0,2}\s?(?:(?:${is})(?!\p{L})|[-–—:=]|は|が|を|이|가|를|을|${gluedIs})`,
]);

/** Words of shops, where a code is a discount. */
export const shopTalk = new Words([
  String.raw`\d ?%|(?<!\p{L})(?:check-?out|discount|coupon|promo|off your|voucher|sale)(?!\p{L})`,
  "rabatt|gutschein|réduction|descuento|desconto|cupom|sconto|korting|rabat|zniżk|скидк|промокод|indirim|خصم|छूट|优惠|折扣|クーポン|割引|할인|쿠폰",
  ...wordsOf("shop"),
]);

/** Words of calls, which people join with a number. */
export const meetingTalk = new Words([
  "meeting id|meeting number|(?:join|attend) (?:the |this |our |zoom |teams |webex )?(?:meeting|webinar|call)|webinar id|conference id|dial[- ]in|one tap mobile|find your local number|besprechungs-id|id de (?:la )?r[eé]uni[oóô]n|id da reuni[ãa]o|id riunione|会议号|會議號|ミーティング ?id|회의 ?id",
]);

/** An amount of money. */
export const money =
  /^ ?(?:[€$£¥₹₽₺₩]|(?:eur|usd|gbp|chf|cad|aud|inr|jpy|brl|try|pln|euros?|dollars?|rub|руб|грн|лв|zł|kr|kč|ft|tl|lei|ron)(?![\p{L}])|元|円|원)/iu;

/** Things that are counted: "482 users" is an amount. */
export const countedThings =
  /^ ?(?:%|°|(?:minutes?|mins?|hours?|hrs?|days?|seconds?|weeks?|months?|years?|px|kg|km|mb|gb|kb|mm|cm|ml|users?|people|items?|points?|words?|lines?|bytes?|times|customers|companies|teams|members|am|pm|uhr|minuten|stunden|tage|minutos|horas|días|minuti|ore|giorni|jours|heures|мин|час|дн)(?![\p{L}])|分|年|月|日|时|時|人|회|년|월|일|분|시간|명|개|च|मिनट)/iu;
