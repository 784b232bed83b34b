import { Words } from "./words.ts";

/** Words of links, in lower case, for texts of at most a few hundred characters. */

export const unsubscribeWords = new Words([
  String.raw`unsubscri|opt[- ]?out|(?:stop|no longer) (?:receiving|wish|want)|remove me`,
  "abmelden|abbestell|austragen|désabonn|désinscri|se désinscrire|darse de baja|cancelar (?:la |a |mi |tu |sua )?(?:su[bs]?scri|inscri)|anular (?:la )?suscrip|desuscrib|date de baja|descadastr|disiscriv|annulla (?:l['’])?iscrizione|cancella(?:ti| iscrizione)|uitschrijv|afmelden|wypisz|rezygnuj|anuluj subskry|zrezygnuj|отписаться|отпис|відписат|aboneli(?:kten|ği|ğini)|abonelikten|listeden çık",
  "إلغاء الاشتراك|الغاء الاشتراك|הסר|ביטול רישום|لغو اشتراک|सदस्यता (?:समाप्त|रद्द|छोड़)|अनसब्सक्राइब|আনসাবস্ক্রাইব|退订|退訂|取消订阅|取消訂閱|配信停止|配信解除|購読(?:を)?(?:解除|停止)|登録解除|수신 ?거부|구독 ?(?:취소|해지)|hủy đăng ký|berhenti berlangganan|ยกเลิกการ(?:สมัคร|รับ)|avregistrera|avsluta prenumeration|afmeld|avmeld|peruuta tilaus|odhlásit|leiratkoz|dezabon|διαγραφή|απεγγραφή",
]);

export const resetWords = new Words([
  String
    .raw`(?:reset|choose|create|set(?: up)?|change|recover|forgot|update)(?: (?:a|my|your|the|new)){0,3} password|password reset|reset (?:it|link|now)|recover (?:your |my )?account|account recovery|^reset$`,
  String
    .raw`passwor[dt] (?:zurücksetzen|neu setzen|ändern|festlegen|vergeben|opnieuw instellen|wijzigen|resetten|herstellen)|(?:neues |kennwort |passwort ).{0,12}(?:zurücksetzen|festlegen|vergeben|wählen)|kennwort zurücksetzen|(?:nieuw )?wachtwoord (?:opnieuw )?(?:instellen|wijzigen|resetten|herstellen|kiezen)|(?:réinitialis|changer?|modifi|choisir|créer).{0,20}mot de passe`,
  String
    .raw`(?:restablec|restaur|cambi|recuper|cre[ae]r?).{0,20}contraseña|(?:redefin|alter|recuper|cri[ae]r?).{0,20}senha|palavra-passe|(?:reimposta|ripristina|reset|cambia|recupera|crea).{0,20}password|(?:zresetuj|ustaw|zmie[ńn]|resetuj|odzyska).{0,20}hasło|resetowanie hasła|(?:сбросить|восстановить|изменить|сменить|задать).{0,20}пароль|(?:скинути|відновити|змінити) пароль|(?:сброс|восстановлени)\p{L}{1,3} пароля|(?:şifre|parola)\p{L}{0,6} (?:sıfırla|yenile|değiştir|belirle)`,
  "(?:إعادة (?:تعيين|ضبط)|تغيير|استعادة|أعد تعيين).{0,10}كلمة (?:ال)?(?:مرور|سر)|(?:איפוס|אפס|שחזור|החלפת).{0,6}סיסמ|(?:بازنشانی|تغییر) رمز|पासवर्ड (?:रीसेट|बदल|सेट)|পাসওয়ার্ড (?:রিসেট|পরিবর্তন)|(?:重置|重设|重設|找回|修改|更改|设置新|設定新)(?:您的|你的)?(?:密码|密碼)|パスワード(?:を|の)?(?:再設定|リセット|変更|再発行|設定)|비밀번호 ?(?:를 |을 )?(?:재설정|변경|초기화|찾기)|(?:đặt lại|đổi) mật khẩu|(?:atur ulang|reset|ubah).{0,8}(?:kata sandi|password)|(?:รีเซ็ต|ตั้ง|เปลี่ยน).{0,6}รหัสผ่าน",
  "(?:återställ|byt|ändra).{0,10}lösenord|(?:nulstil|tilbakestill|skift|endre).{0,14}(?:adgangskode|passord)|(?:vaihda|nollaa|palauta).{0,10}salasana|salasanan (?:vaihto|palautus)|(?:obnovit|změnit|resetovat|nastavit).{0,10}heslo|obnov\\p{L}{0,4} hesla|jelszó.{0,14}(?:visszaállít|módosít|csere)|(?:resetare|resetează|schimbă).{0,10}parol|επαναφορά κωδικού",
]);

export const verifyWords = new Words([
  String
    .raw`verif|(?<![\p{L}-])(?:confirm|activate|validate)(?!ed)|confirmation link|activation link|complete (?:your |my |the )?(?:registration|sign-?up|account)(?!\p{L})|finish (?:signing up|your registration|creating|setting up)|double opt-?in|yes, (?:subscribe|it['’]s me|that['’]s me)|this was me`,
  "bestätig|verifizier|aktivier|freischalt|registrierung abschließen|confirmer|vérifi|valider|activer (?:mon|votre|le)|finaliser (?:mon|votre) inscription|confirmar|confirma(?: |$)|verificar|verifica|activar (?:mi|tu|la|su)|activa tu|validar|ativar|confirme|valide|conferma|attiva (?:il|l|ora|account)|convalida|completa la registrazione|bevestig|verifieer|activeer|potwierd|zweryfikuj|aktywuj|weryfikacj|подтверд|подтверж|активир|верифи|підтверд|активува|doğrula|onayla|etkinleştir|aktifleştir|aktive et",
  "تأكيد|تاكيد|أكد|تفعيل|فعّل|فعل حساب|التحقق|تحقق من|אימות|אמת|אשר את|הפעל|تأیید|تایید|فعال.?سازی|सत्यापित|पुष्टि|सत्यापन|सक्रिय|যাচাই|নিশ্চিত কর|验证|驗證|确认(?:邮箱|您的|电子|注册|订阅|$)|確認(?:信箱|您的|電子|註冊|$)|激活|启用账|啟用帳|完成注册|完成註冊|認証|確認する|確認してください|アドレス(?:を|の)確認|有効化|(?:本)?登録を完了|本登録|인증|이메일 ?확인|확인하기|주소 확인|계정 활성화|가입 완료|xác minh|xác nhận|xác thực|kích hoạt|verifikasi|konfirmasi|aktifkan|aktivasi|ยืนยัน|เปิดใช้งาน",
  "bekräfta|verifiera|aktivera|bekræft|bekreft|verificér|verifiser|aktiver|vahvista|aktivoi|ověřit|ověř|potvrdit|potvrď|aktivovat|overiť|megerősít|aktivál|verificați|confirmă|confirmați|activează|επαλήθευσ|επιβεβαί|ενεργοποί",
]);

export const signInWords = new Words([
  String
    .raw`sign(?:ing)? ?-?in|log(?:ging)? ?-?(?:me )?in(?!\p{L})|login|magic link|access (?:your|my) account|passwordless`,
  "anmelden|einloggen|zum login|anmeldelink|se connecter|connectez-vous|connexion|me connecter|iniciar sesión|inicia sesión|acceder|accede|entrar(?: |$)|iniciar sessão|fazer login|accedi|inloggen|aanmelden|zaloguj|войти|вход(?: |$)|войдите|увійти|giriş yap|oturum aç",
  "تسجيل الدخول|الدخول إلى|התחבר|כניסה|ورود|लॉग ?इन|साइन ?इन|লগ ?ইন|登录|登入|登錄|ログイン|サインイン|로그인|đăng nhập|masuk|เข้าสู่ระบบ|logga in|log ind|logg inn|kirjaudu|přihlásit|prihlásiť|bejelentkez|autentificare|conectează|σύνδεση",
]);

/**
 * Things that people confirm other than their identity, and pages around a mail: these links prove nothing about a
 * person.
 */
export const otherWords = new Words([
  String
    .raw`(?<!\p{L})(?:order|booking|reservation|appointment|attendance|rsvp|payment|delivery|shipment|meeting|invoice|receipt|purchase|availability|terms|privacy|policy|help|support|contact|faq|browser|web version|online version|preferences|settings|facebook|twitter|instagram|linkedin|youtube|download|app store|google play|learn (?:more|how)|read more|report|track|not you|wasn['’]t me|did(?:n['’]t| not)|how to|about|confirmation (?:number|no))(?!\p{L})`,
  "bestellung|buchung|termin|rechnung|datenschutz|impressum|hilfe|kontakt|agb|im browser|einstellungen|commande|réservation|rendez-vous|facture|confidentialité|aide|navigateur|préférences|pedido|reserva|cita|factura|privacidad|ayuda|navegador|preferencias|encomenda|consulta|fatura|ajuda|preferências|ordine|prenotazione|appuntamento|fattura|aiuto|preferenze|bestelling|afspraak|factuur|voorkeuren|zamówieni|rezerwac|wizyt|prywatno|pomoc|заказ|бронир|запис[ьи] на|встреч|конфиденциальн|помощь|поддержк|sipariş|randevu|gizlilik|yardım|rezervasyon",
  "الطلب|طلبك|الحجز|الموعد|الخصوصية|المساعدة|ऑर्डर|बुकिंग|गोपनीयता|मदद|订单|訂單|预订|预约|隐私|隱私|帮助|浏览器|注文|予約|プライバシー|ヘルプ|お問い合わせ|ブラウザ|주문|예약|개인정보|도움말|고객센터",
]);

/**
 * Deeds that cost something or cannot be undone: a link that confirms one of them must not be opened by a program that
 * only proves an address. No participles: "or your account will be deleted" stands in mails that verify an address.
 */
export const deedWords = new Words([
  String
    .raw`(?<!\p{L})(?:delet(?:e|es|ing|ion)|eras(?:e|ing|ure)|(?:remov(?:e|ing)|clos(?:e|ing)) (?:(?:my|your|the|this|an?|all) )?(?:\p{L}{1,12} )?(?:account|profile|data|device|user|domain|workspace)s?|removal|closure|cancel(?:l?ing|l?ation)?|terminat(?:e|ing|ion)|deactivat(?:e|ing|ion)|disabl(?:e|ing)|revo(?:ke|king|cation)|withdraw(?:s|ing|als?)?|transfer(?:s|ring)?|transactions?|payments?|payouts?|donations?|(?:send|sending|pay|paying) (?:[€$£]|\d)|(?<!(?:get|see|view|find|receive) (?:(?:my|your|the|an?) )?)api[ -]?(?:key|token)s?)(?!\p{L})`,
  String
    .raw`(?<!ge)lösch|schließung|konto (?:zu )?(?:schließen|auflösen)|kündig|auszahl|abhebung|überweis|zahlung|übertragung|widerruf|stornier|storno|deaktiv|api-schlüssel|suppression|supprim(?!é)|effac(?:er|ement)|clôtur|fermeture|fermer (?:mon |votre |le |ce )?compte|(?<!\p{L})retrait|virement|transfert|transférer|paiement|résili|annul(?:er|ation)|désactiv|révo(?:quer|cation)|clés? (?:d['’])?api|elimin(?!ad[oa]|at[oaie])|borrar|borrado|cerrar (?:mi |tu |su |la )?cuenta|cierre|(?<!\p{L})retir(?:o|ar|ada)(?!\p{L})|transferencia|transferir|(?<!\p{L})pagos?(?!\p{L})|desactiv|cancelaci[óo]n|claves? (?:de )?(?:la )?api`,
  String
    .raw`exclu(?:ir|são)|apagar|encerra|(?<!\p{L})saque|levantamento|transferência|pagamento|desativ|cancelamento|chaves? (?:de |da )?api|cancella(?:re|zione)|chiusura|chiud(?:i|ere) (?:il |l['’])|prelievo|prelev|bonific|trasferi|disattiv|recesso|revoca|chiav[ei] api|verwijder(?!d)|opzeg|sluiting|(?:account|rekening) (?:te )?sluiten|geldopname|overschrijving|overboek|overdracht|overmaken|betaling|uitbetal|deactive|annulering|api-sleutel|usuń|usunięci|usuwani|zamknięci|zamknij konto|wypłat|przelew|płatnoś|dezaktyw|anulowani|klucz\p{L}{0,3} api`,
  String
    .raw`удал(?:ить|ите|ени)|закры(?:ть|ти)|вывод(?!\p{L})|вывода средств|снятие|перевод|перечислени|плат[её]ж|оплат|деактив|отмен[аиыуе]|отменить|ключ\p{L}{0,2} api|api-ключ|видал(?:ити|ен)|закрит(?:и|т)|виведен|переказ|платіж|скасу|(?<!\p{L})sil(?!\p{L})|silme|kapatma|hesabı(?:mı|nı)? kapat|para çek|çekim|havale|ödeme|devre dışı|iptal|api anahtar`,
  "حذف|إغلاق|اغلاق|إلغاء الحساب|سحب|تحويل|الدفع|تعطيل|مفتاح api|מחיק|סגיר|משיכ|העבר|תשלום|בستن حساب|برداشت|انتقال|پرداخت|डिलीट|हटाने|मिटाने|बंद कर|निकासी|ट्रांसफर|भुगतान|মুছ|বন্ধ কর|删除|刪除|注销|註銷|关闭|關閉|提现|提現|取款|提款|转账|轉賬|轉帳|汇款|匯款|付款|支付(?!宝)|停用|api ?(?:密钥|金鑰)|削除|退会|解約|閉鎖|出金|引き出し|送金|振込|振り込み|支払|決済|無効化|api ?キー|삭제|탈퇴|해지|폐쇄|출금|인출|송금|이체|결제|비활성|api ?키|xóa|xoá|đóng tài khoản|rút tiền|chuyển (?:tiền|khoản)|thanh toán|hapus|tutup akun|penutupan|penarikan|tarik dana|pembayaran|ลบ(?:บัญชี|ข้อมูล)|ปิดบัญชี|ถอนเงิน|โอนเงิน|ชำระเงิน",
  String
    .raw`radera|ta bort|borttagning|stäng(?:a|ning)|avsluta (?:mitt |ditt )?konto|uttag|överföring|betalning|utbetalning|inaktiver|avaktiver|(?<!\p{L})slet(?:ning|te)?(?!\p{L})|(?<!\p{L})slett(?:e|ing)?(?!\p{L})|lukning|luk (?:min |din )?konto|udbetaling|overførsel|overføring|uttak|utbetaling|(?<!\p{L})poist(?:a|o)|sulje|sulkemi|(?<!\p{L})nosto|tilisiirto|siirto|(?<!\p{L})maksu|smaz(?:at|ání)|odstran(?:it|ění)|vymaz(?:at|ání)|zruš(?:it|ení|iť|enie)|uzavření|převod|platb|zmaza(?:ť|nie)|prevod|töröl|törlés|lezárás|bezárás|kifizet|átutal|utalás|fizetés|șterge|sterge|închide|retrage|plată|plății|dezactiv|anulare|κλείσιμο|κατάργηση|ανάληψη|μεταφορά|πληρωμή|απενεργοποί|ακύρωση`,
]);

/** Titles of articles: "10 ways to verify your list". */
export const articleWords = new Words([
  String
    .raw`^\P{L}{0,4}(?:(?:the|our|top|best|die|les|los|las) ){0,2}(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|zehn|dix|diez|dieci) (?:\p{L}{1,20} ){0,2}(?:ways|tips|steps(?! left)|tricks|reasons|things|ideas|tools|methods|practices|mistakes|wege|tipps|schritte|gründe|methoden|façons|conseils|étapes|astuces|raisons|moyens|formas|consejos|pasos|maneras|razones|trucos|modi|consigli|passi|motivi|dicas|passos|motivos|manieren|stappen|redenen|sposob|wskazów|krok|способ|совет|шаг|причин|yol|ipucu|adım|neden)`,
  String
    .raw`^\P{L}{0,4}\d{1,3} ?(?:个|個|种|種|条|つの|の|가지)?(?:\p{L}{0,6})(?:方法|技巧|步骤|步驟|理由|建议|建議|コツ|ステップ|방법|이유)`,
]);

/**
 * Words of links that only say "continue": the words around such a link show its purpose. For a text without
 * punctuation around it.
 */
export const genericText =
  /^(?:(?:please )?(?:click|tap|press)?(?: ?(?:on )?(?:here|this link|the link|link|below|button|this button|the button|the link below|the following link))?|get started|(?:open|go to|back to) [\p{L}\d]{1,20}|let['’]s go|continue|proceed|go|next|open(?: (?:the )?link)?|yes|start|accept|hier(?: klicken)?|klick(?:en sie)?(?: hier)?|hier klicken|klik hier|weiter|link|diesen link|diesem link|jetzt starten|los geht['’]s|(?:cliquez |cliquer )?ici|ce lien|continuer|commencer|(?:haz clic |haga clic |pulsa )?aquí|este enlace|continuar|empezar|(?:clique )?aqui|este link|começar|(?:clicca )?qui|questo link|continua|inizia|verder|deze link|(?:kliknij )?tutaj|ten link|kontynuuj|dalej|(?:нажмите )?(?:здесь|сюда)|(?:эту )?ссылк[уе]|по ссылке|продолжить|далее|(?:buraya )?tıkla(?:yın)?|buraya|bu bağlantı|devam(?: et)?|(?:انقر |اضغط )?هنا|هذا الرابط|الرابط|متابعة|כאן|המשך|اینجا|यहाँ(?: क्लिक करें)?|यहां(?: क्लिक करें)?|जारी रखें|点击(?:这里|此处)|點擊(?:這裡|此處)|点此|此链接|此處|继续|下一步|こちら(?:をクリック)?|ここをクリック|次へ|続ける|(?:여기(?:를)? ?)?클릭|여기|계속(?:하기)?|링크|tại đây|di sini|klik di sini|lanjutkan|ที่นี่|här|her|tästä|zde|ide|aici|εδώ)?$/iu;

/** Words of paths and queries, by kind. */
export const urlWords = {
  unsubscribe: new Set(
    ("unsubscribe unsub unsubscribed unsubscription optout unsubscribes abmelden abmeldung abbestellen desabonner desabonnement desinscription " +
      "desuscribir desuscripcion baja descadastrar disiscrizione disiscriviti uitschrijven afmelden wypisz otpisatsya avregistrera")
      .split(" "),
  ),
  reset: new Set(
    ("reset resetpassword passwordreset recover recovery forgot forgotpassword newpassword setpassword changepassword " +
      "resetpw pwreset zuruecksetzen reinitialiser restablecer redefinir reimposta herstellen")
      .split(" "),
  ),
  verify: new Set(
    ("verify verification verifications verifyemail verifymail emailverification confirm confirmation confirmations confirmemail emailconfirmation confirmemailaddress " +
      "activate activation activateaccount validate validation validateemail optin verif confirmsubscription confirmregistration " +
      "verifyaccount confirmaccount bestaetigen bestaetigung verifizieren aktivieren confirmer verifier activer confirmar verificar " +
      "activar ativar conferma verifica attiva bevestig bevestigen potwierdz aktywuj aktywacja podtverdit dogrula onay")
      .split(" "),
  ),
  sign_in: new Set(
    ("signin login magiclink magic passwordless logon anmelden connexion acceso accedi inloggen zaloguj giris")
      .split(" "),
  ),
  other: new Set(
    ("order orders booking bookings reservation appointment invoice payment shipment shipping meeting rsvp bestellung commande pedido " +
      "privacy terms help support faq blog preferences docs article delete deletion deletions deleteaccount accountdeletion " +
      "withdraw withdrawal withdrawals transfer transfers payout payouts closeaccount apikey apikeys")
      .split(" "),
  ),
};
