/** How the subject says that a mail answers or forwards another one. */
export type SubjectPrefix = "reply" | "forward" | "either";

/**
 * The prefixes of mail programs by language, the only list of them. English and general, German, Nordic, Dutch, French,
 * Italian, Spanish, Portuguese and Catalan, Polish, Czech and Slovak, Hungarian, Romanian, Croatian, Slovene and Serbian,
 * Lithuanian, Latvian and Estonian, Greek, Turkish, Russian, Ukrainian and Bulgarian, Hebrew, Arabic and Persian,
 * Vietnamese, Indonesian and Thai, Chinese, Japanese, Korean.
 */
const replies = [
  "re|aw|antw|antwort|sv|svar|vastaus|réf|ref|rép|réponse|rif|risposta|res|resp|respuesta|resposta",
  "odp|odpowiedź|odpověď|odpoveď|vá|válasz|răsp|răspuns|odg|odgovor|одг|одговор|απ|απάντηση|ynt|yan|yanıt|cevap",
  "отв|ответ|відп|відповідь|отг|отговор|תשובה|תגובה|השב|رد|الرد|ردّ|پاسخ|جواب|trả lời|balas|ตอบ|ตอบกลับ",
  "回复|回覆|答复|答覆|回信|返信|답장|회신|답변",
].join("|");
const forwards = [
  "fwd?|wg|weitergeleitet|vb|vid|videresend|vl|doorst|tr|i|inoltro|rv|reenv|enc|pd",
  "přepsl|přeposl|prepsl|preposl|továbbítás|továbbítva|redir|prosl|proslijeđeno|πρθ|προωθ|ilt|i̇lt|İlt|пер|пересл|trs",
  "препр|прослеђено|הועבר|إعادة توجيه|chuyển tiếp|ส่งต่อ|转发|轉寄|轉發|転送|전달",
].join("|");
/** A forward in Danish and Norwegian, a reply in Finnish and Estonian. */
const eithers = "vs";
/**
 * Outlook in Italian, Lithuanian, Latvian, Estonian and Indonesian answers with them. They may be words of the subject
 * too: they join threads, and no answer removes them.
 */
const doubtful = "r|ats|atb|vast|bls";

/** The mark that a gateway puts before the subject of mail from outside: `[EXTERNAL]`, `*EXT*`. */
const outside =
  "[[(*【]{1,2}\\s?(?:ext|extern|external|externe|externo|esterno|externí|externý|zewnętrzny|внешнее|外部|社外)(?:\\s[^\\])*】]{0,20})?\\s?[\\])*】]{1,2}";
/** With the counters of some programs: `Re[2]:`, `RE(3):`, `Re^2:`. */
const counted = "\\.?\\s{0,4}(?:[[(]\\d{1,3}[\\])]|\\^\\d{1,3})?\\s{0,4}[:：]";
const blanks = "[\\s\u200e\u200f\u202a-\u202c]{0,8}";

/** The first prefix, and what stands before it. */
const firstPrefix = new RegExp(
  `^(?:${blanks}${outside})?${blanks}(?:(${replies}|${doubtful})|(${forwards})|(${eithers}))${counted}`,
  "iu",
);

const atStart = (words: string) => new RegExp(`^(?:${blanks}(?:${words}))+`, "iu");

/** Every reply prefix at the beginning. */
export const replyPrefixes = atStart(`(?:${replies}|${eithers})${counted}`);
/** Every forward prefix at the beginning. */
export const forwardPrefixes = atStart(`(?:${forwards}|${eithers})${counted}`);
/** Reply prefixes and marks of gateways, in any order. */
const threadPrefixes = atStart(`${outside}|(?:${replies}|${eithers}|${doubtful})${counted}`);
const allPrefixes = atStart(
  `${outside}|(?:${replies}|${forwards}|${eithers}|${doubtful})${counted}`,
);

/** What the first prefix of the subject (decoded) says; null if it has none. */
export function subjectPrefix(subject: string): SubjectPrefix | null {
  const found = firstPrefix.exec(subject);
  if (!found) return null;
  return found[1] ? "reply" : found[2] ? "forward" : "either";
}

/** The subject in lower case without reply prefixes, marks of gateways and extra spaces: that of the conversation. */
export const conversationSubject = (subject: string): string =>
  withoutPrefixes(subject, threadPrefixes);

const withoutPrefixes = (subject: string, prefixes: RegExp) =>
  subject.replace(prefixes, "").replace(/\s+/g, " ").trim().toLowerCase();

/** The subject in lower case without any prefix, to compare with what a mail quotes. */
export const bareSubject = (subject: string): string => withoutPrefixes(subject, allPrefixes);
