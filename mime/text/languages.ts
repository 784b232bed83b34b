/** How the letters of a language stand beside those of ASCII: among them, apart from them, or without spaces. */
export type Script = "accented" | "alphabet" | "unspaced";

/** A language, the charsets in which its mail is written without a label, and its letters beyond ASCII, the most frequent first. */
export interface Language {
  script: Script;
  /** Names of the WHATWG Encoding Standard. */
  charsets: readonly string[];
  letters: string;
  /** Frequent words in ASCII, by which languages with the same letters are told apart. */
  words: string;
}

const cyrillic = ["windows-1251", "koi8-u", "iso-8859-5", "ibm866"];
const centralEuropean = ["windows-1250", "iso-8859-2"];
const western = ["windows-1252"];
const baltic = ["windows-1257"];

const of = (script: Script) => (charsets: readonly string[], letters: string, words = "") => ({
  ...{ script, charsets, letters, words },
});
const accented = of("accented"), alphabet = of("alphabet"), unspaced = of("unspaced");

/** Counted in the Universal Declaration of Human Rights; of Chinese, Japanese and Korean only the most frequent. */
export const languages: readonly Language[] = [
  /* Danish    */ accented(
    western,
    "åøæéöüä",
    "og at er det til af en for der de den med ikke som har vi kan",
  ),
  /* Swedish   */ accented(
    western,
    "äåöéüøæ",
    "och att det som en av med den till inte om jag har vi kan",
  ),
  /* Finnish   */ accented(western, "äöå", "ja on ei se kun ovat joka mutta tai niin oli ole"),
  /* Icelandic */ accented(western, "ðáíþúóæéöý", "og er sem til um af en ekki var hann eru"),
  /* German    */ accented(
    western,
    "üäöß",
    "der die und das ist nicht ein eine von mit den zu auf im sie wir",
  ),
  /* Dutch     */ accented(
    western,
    "ëéïöüèê",
    "de het een en van is dat niet op te voor met zijn wij",
  ),
  /* French    */ accented(
    western,
    "éèàêçôîûùâëïœü",
    "de la le les et des en un une du que est pour dans vous nous",
  ),
  /* Spanish   */ accented(
    western,
    "óíáéñúü",
    "de la que el en los las un una por con para del se su",
  ),
  /* Catalan   */ accented(western, "óéàíèúçïòü", "de la que el en els les un una per amb del es"),
  /* Portuguese*/ accented(
    western,
    "ãçáéíêõóúâàô",
    "de que do da em um uma os as por com para se no na",
  ),
  /* Italian   */ accented(
    western,
    "àèùòìéúí",
    "di che il la un una per del non con sono da le si",
  ),
  /* Czech     */ accented(
    centralEuropean,
    "íáéěýžčřšůúťňďó",
    "se na je ve to za pro jako by ale nebo do od",
  ),
  /* Slovak    */ accented(
    centralEuropean,
    "áíéýčžšúťľôňäóďĺŕ",
    "sa na je to za pre ako by ale alebo do od nie",
  ),
  /* Polish    */ accented(
    centralEuropean,
    "łąężóśćńź",
    "nie na do jest to za od po dla jak ale oraz przez przy",
  ),
  /* Hungarian */ accented(
    centralEuropean,
    "áéőöíóüúű",
    "az egy nem hogy meg is ez de vagy mert csak ha",
  ),
  /* Romanian  */ accented(
    centralEuropean,
    "ăţşîâșț",
    "de la cu nu pe un din care este sau mai pentru",
  ),
  /* Croatian  */ accented(
    centralEuropean,
    "čšžćđ",
    "je na se da su za od ne kao ili biti in pri ki ali",
  ),
  /* Turkish   */ accented(["windows-1254"], "ışüğçöâîİ"),
  /* Lithuanian*/ accented(baltic, "ėšųąžįčūę", "ir yra kad su tai bet ar kaip arba jo nuo"),
  /* Latvian   */ accented(baltic, "āīēšņūļģķžč", "un ir no par ar uz vai bet kas lai pie"),
  /* Estonian  */ accented(baltic, "äõüöšž", "ja on ei et see oma mis kui ning ta"),
  /* Russian   */ alphabet(cyrillic, "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
  /* Ukrainian */ alphabet(cyrillic, "оанивтіреслкдумпзьябгчйхцїюєжшщфґ"),
  /* Belarusian*/ alphabet(cyrillic, "аніывреосдялпкцмубтзўгчьхжюйэшё"),
  /* Bulgarian */ alphabet(cyrillic, "аоеинтрсвлдкпмзгъбучяхцжшщюйфь"),
  /* Serbian   */ alphabet(["windows-1251"], "аоиенрстувдкмлпјбгзњчшжцљћхђфџѓќѕ"),
  /* Greek     */ alphabet(["windows-1253", "iso-8859-7"], "αιοετνσηρπκςμυλίόγδωάέήθχύώφβξζψϊϋΐΰ"),
  /* Hebrew    */ alphabet(["windows-1255", "iso-8859-8"], "יוהלאתרבשמנםחדעכקפגטזסןצךףץ"),
  /* Arabic    */ alphabet(
    ["windows-1256", "iso-8859-6"],
    "اليمنوترهبعدسكفحقةجشأطصخضإىذثغزظءئؤآًُّ",
  ),
  /* Persian   */ alphabet(["windows-1256"], "ایرندومهتبشسکلزفقعحخگجآپطچصضغظذژثئأء"),
  /* Thai      */ alphabet(
    ["windows-874"],
    "านรกอ่งเมทลวส้ยิีัดคปตหะแจบไขพชำใ์โถูุธผึซณศษืฉฟ็ภญฐฝฎฏฒฆฬฤๆฯฮ",
  ),
  /* Chinese, simplified */ unspaced(
    ["gb18030"],
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处队南给色光门即保治北造百规热领七海口东导器压志世金增争济阶油思术极交受联什认六共权收证改清己美再采转更单风切打白教速花带安场身车例真务具万每目至达走积示议声报斗完类八离华名确才科张信马节话米整空元况今集温传土许步群广石记需段研界拉林律叫且究观越织装影算低持音众书布复容儿须际商非验连断深难近矿千周委素技备半办青省列习响约支般史感劳便团往酸历市克何除消构府称太准精值号率族维划选标写存候毛亲快效斯院查江型眼王按格养易置派层片始却专状育厂京识适属圆包火住调满县局照参红细引听该铁价严您请谢订货款邮箱网付账户登录密码址购买店优惠免费客服附递期限退换",
  ),
  /* Chinese, traditional */ unspaced(
    ["big5"],
    "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無系軍很情者最立代想已通並提直題黨程展五果料象員革位入常文總次品式活設及管特件長求老頭基資邊流路級少圖山統接知較將組見計別她手角期根論運農指幾九區強放決西被做必戰先回則任取據處隊南給色光門即保治北造百規熱領七海口東導器壓志世金增爭濟階油思術極交受聯什認六共權收證改清己美再採轉更單風切打白教速花帶安場身車例真務具萬每目至達走積示議聲報完類八離華名確才科張信馬節話米整空元況今集溫傳土許步群廣石記需段研界您請謝訂貨款郵箱網付帳戶登錄密碼驗址購買店優惠免費客服附遞期限退換",
  ),
  /* Japanese  */ unspaced(
    ["shift_jis", "euc-jp"],
    "のいはにをたがでとしなてるれすりまあっこかもきらさんくーけよそおつみわどうえじめちょばせろやだゃずひ日べごぎュぶげほへ本ンびイス人ルトリ大年ッラ一ふクドフむシ月ア分タレ者ジロ会社ゅマメ中行バ時上出ム見プ前オ事ィテグデ方コ間ェカ生入サニぜ国学ナ自合ャ地下ウ当場お送信確認様株式願致商品注文届金曜発支払件名登録番号利用ご内容今回案電話問",
  ),
  /* Korean    */ unspaced(
    ["euc-kr"],
    "이다의는을에가고하한지를로은사기어자도나시인서들대리해정그수아보스일상제주구라전만부장있국것안적과여동신성조으게면치공원없경우미선거연러개선용관마소오세업실분행발비계요습니위중방화모운진유무때회생문학배송내드입금결확메감객님품녕합청변택료월목재예약체",
  ),
];
