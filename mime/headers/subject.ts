/**
 * Reply prefixes of mail programs by language (English, German, Nordic, Dutch, French, Italian,
 * Polish, Portuguese and Spanish, Turkish, Hungarian, Finnish, Greek, Russian, Chinese), with the
 * counters that some programs add: `Re[2]:`, `RE(3):`.
 */
export const replyPrefixes =
  /^(?:\s*(?:re|aw|antw|antwort|sv|vs|réf|ref|rif|odp|res|ynt|vá|απ|отв|ответ|回复|回覆|答复|答覆|回信)\s*(?:[[(]\d{1,3}[\])]\s*)?[:：])+/iu;
