/** What programs and people call the folders and states of mail that every program has. */
export type Mark =
  | "inbox"
  | "sent"
  | "drafts"
  | "spam"
  | "trash"
  | "chats"
  | "unread"
  | "opened"
  | "starred"
  | "important"
  | "archived";

/**
 * In English, Spanish, Portuguese, French, German, Italian, Dutch, Polish, Russian, Turkish, Japanese, Korean, Chinese, Arabic,
 * Hindi, Indonesian and Vietnamese: as Gmail writes them into an export, and as folders of Outlook, Exchange, Thunderbird,
 * Apple Mail and mail servers are called.
 */
const names: Record<Mark, string> = {
  inbox:
    "inbox|recibidos|bandeja de entrada|caixa de entrada|recebidos|entrada|boîte de réception|courrier entrant|posteingang|" +
    "posta in arrivo|in arrivo|postvak in|inbox/postvak in|odebrane|skrzynka odbiorcza|входящие|gelen kutusu|受信トレイ|受信箱|" +
    "받은편지함|받은 편지함|收件箱|收件匣|البريد الوارد|صندوق الوارد|الوارد|इनबॉक्स|kotak masuk|hộp thư đến",
  sent:
    "sent|sent mail|sent items|sent messages|sent-mail|enviados|enviado|enviadas|elementos enviados|correo enviado|mensajes enviados|" +
    "e-mails enviados|itens enviados|mensagens enviadas|correio enviado|envoyés|envoyé|messages envoyés|message envoyé|" +
    "éléments envoyés|courrier envoyé|gesendet|gesendete elemente|gesendete objekte|gesendete nachrichten|gesendete mails|" +
    "posta inviata|inviati|inviata|inviato|elementi inviati|messaggi inviati|verzonden|verzonden items|verzonden berichten|" +
    "wysłane|elementy wysłane|отправленные|gönderilmiş postalar|gönderilmiş öğeler|gönderilenler|gönderilen|gönderildi|" +
    "送信済み|送信済みメール|送信済みアイテム|送信済みトレイ|보낸편지함|보낸 편지함|보낸메일함|已发送|已发邮件|已发送邮件|寄件備份|" +
    "寄件備份匣|已傳送郵件|已傳送的郵件|البريد المرسل|المرسل|الرسائل المرسلة|العناصر المرسلة|भेजे गए|भेजा गया|भेजे गए ईमेल|" +
    "भेजी गई मेल|terkirim|surat terkirim|pesan terkirim|thư đã gửi|đã gửi",
  drafts:
    "drafts|draft|borradores|borrador|rascunhos|rascunho|brouillons|brouillon|entwürfe|entwurf|bozze|bozza|concepten|concept|" +
    "wersje robocze|wersja robocza|kopie robocze|szkice|черновики|черновик|taslaklar|taslak|下書き|임시보관함|임시 보관함|초안|" +
    "草稿|草稿箱|草稿匣|المسودات|مسودات|مسودة|ड्राफ़्ट|ड्राफ्ट|draf|konsep|thư nháp|bản nháp",
  spam:
    "spam|junk|junk mail|junk e-mail|junk email|bulk mail|correo no deseado|no deseado|lixo eletrônico|lixo eletrónico|" +
    "spam/lixo eletrônico|indésirables|courrier indésirable|pourriel|junk-e-mail|werbung/spam|spamverdacht|posta indesiderata|" +
    "indesiderata|ongewenste e-mail|ongewenst|wiadomości-śmieci|niechciane|спам|нежелательная почта|önemsiz|önemsiz e-posta|" +
    "istenmeyen|迷惑メール|스팸|스팸함|스팸편지함|스팸메일함|정크 메일|垃圾邮件|垃圾郵件|الرسائل غير المرغوب فيها|" +
    "البريد غير المرغوب فيه|غير المرغوب|البريد العشوائي|محتوى غير مرغوب فيه|स्पैम|thư rác",
  trash:
    "trash|bin|deleted|deleted items|deleted messages|deleted mail|papelera|papelera de reciclaje|elementos eliminados|eliminados|" +
    "lixeira|lixo|itens excluídos|itens eliminados|reciclagem|corbeille|éléments supprimés|messages supprimés|papierkorb|" +
    "gelöscht|gelöschte elemente|gelöschte objekte|cestino|posta eliminata|elementi eliminati|prullenbak|verwijderde items|" +
    "kosz|elementy usunięte|корзина|удаленные|удалённые|çöp kutusu|çöp|silinmiş öğeler|silinmiş|ゴミ箱|ごみ箱|削除済みアイテム|" +
    "휴지통|지운 편지함|已删除邮件|已删除|已刪除的郵件|刪除的郵件|垃圾桶|废纸篓|المهملات|سلة المهملات|العناصر المحذوفة|" +
    "ट्रैश|कचरा|sampah|tong sampah|thùng rác",
  chats:
    "chat|chats|conversations|chat-verläufe|чат|чаты|sohbet|sohbetler|czat|czaty|チャット|채팅|聊天|即時通訊|聊天记录|" +
    "الدردشة|الدردشات|محادثات|चैट|obrolan|trò chuyện|cuộc trò chuyện",
  unread:
    "unread|no leídos|no leído|não lidas|não lido|não lidos|não lida|non lus|non lu|ungelesen|da leggere|non letti|non letto|" +
    "non letta|ongelezen|nieprzeczytane|nieprzeczytana|непрочитанные|непрочитанное|okunmamış|okunmadı|未読|읽지않음|읽지 않음|" +
    "안읽은편지함|안 읽음|未读|未讀|未读邮件|未讀郵件|غير مقروءة|غير مقروء|رسائل غير مقروءة|अपठित|नहीं पढ़ा गया|belum dibaca|" +
    "chưa đọc|thư chưa đọc",
  opened:
    "opened|read|abierto|abiertos|leído|leídos|aberto|aberta|abertos|abertas|lida|lidas|ouvert|ouverts|lu|lus|geöffnet|gelesen|" +
    "aperto|aperti|aperta|letto|letti|geopend|gelezen|otwarte|otworzone|otwarta|przeczytane|открытые|открыто|прочитанные|açıldı|" +
    "açılmış|okundu|開封済み|開封|既読|열림|읽음|열어봄|읽은편지함|已打开|已開啟|已读|已讀|تم الفتح|مفتوحة|مفتوح|مقروءة|खोला गया|" +
    "खोले गए|पढ़ा गया|dibuka|sudah dibuka|đã mở|đã đọc",
  starred:
    "starred|destacados|destacado|com estrela|marcadas com estrela|suivis|messages suivis|suivi|markiert|speciali|con stella|" +
    "speciale|met ster|oznaczone gwiazdką|z gwiazdką|помеченные|yıldızlı|スター付き|별표편지함|별표 편지함|별표|已加星标|已加星號|" +
    "مميزة بنجمة|المميزة بنجمة|المميّزة بنجمة|तारांकित|berbintang|có gắn dấu sao|có gắn sao|đã gắn dấu sao",
  important:
    "important|importantes|importante|messages importants|importants|wichtig|importanti|belangrijk|ważne|важное|важные|önemli|" +
    "重要|중요|중요편지함|중요 편지함|重要邮件|重要郵件|مهم|مهمة|الرسائل المهمة|महत्वपूर्ण|penting|quan trọng",
  archived:
    "archived|archivado|archivados|arquivado|arquivada|arquivados|arquivadas|archivés|archivé|messages archivés|archiviert|" +
    "archiviato|archiviati|archiviata|gearchiveerd|zarchiwizowane|архивированные|заархивированные|в архиве|arşivlendi|" +
    "arşivlenmiş|arşivlenen|アーカイブ済み|アーカイブ|보관됨|보관처리|已归档|已封存|مؤرشفة|مؤرشف|تمت أرشفتها|संग्रहीत|" +
    "diarsipkan|đã lưu trữ",
};

/** The first word of Gmail's tabs; a colon follows, in English a blank. */
const category =
  /^(?:category (?:personal|social|promotions|updates|forums|purchases|reservations|travel|finance)$|(?:category|categoría|categoria|catégorie|kategorie|categorie|kategoria|категория|kategori|カテゴリ|카테고리|类别|類別|分类|الفئة|श्रेणी|danh mục) ?[:：])/;

const marks = new Map<string, Mark>(
  Object.entries(names).flatMap(([mark, all]) =>
    all.split("|").map((name) => [plain(name), mark as Mark] as const)
  ),
);

/** The mark that a name is, in any of the languages; null for a name that somebody chose. */
export function markOf(name: string): Mark | null {
  return marks.get(plain(name)) ?? null;
}

/** Whether a label of Gmail is one of its tabs ("Category Social", `Kategorie: "Werbung"`). */
export function isCategory(label: string): boolean {
  return category.test(plain(label));
}

function plain(name: string): string {
  // The dotted İ of Turkish has a lower case of two characters.
  return name.normalize("NFKC").replace(/İ/g, "i").toLowerCase().replace(/\s+/g, " ").trim();
}
