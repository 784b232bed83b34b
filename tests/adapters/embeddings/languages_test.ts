import assert from "node:assert/strict";
import { builtinEncoders } from "../../../adapters/embeddings/encoders/builtin.ts";
import { createLocalEmbedder } from "../../../adapters/embeddings/local_embedder.ts";
import { cosine } from "../../../domain/search/closeness.ts";
import { patientClock } from "./patient_clock.ts";

/** A mail in each language that the built-in encoders read, and a question about it in another one. */
const mails: Record<string, [mail: string, question: string]> = {
  Arabic: ["تم تأجيل رحلتك إلى باريس بسبب الطقس.", "Is my flight delayed because of the weather?"],
  Chinese: ["您的包裹将于星期五送达。", "When will my parcel be delivered?"],
  "Chinese, traditional": ["我們的兒子下個月要結婚了。", "Whose son is getting married?"],
  Dutch: ["De huur van de woning gaat volgend jaar omhoog.", "Does the rent of the flat go up?"],
  English: ["The library is looking for volunteers.", "Die Bücherei sucht Freiwillige"],
  French: ["Votre rendez-vous chez le dentiste est confirmé.", "dentist appointment"],
  German: ["Die Stromrechnung ist noch nicht bezahlt.", "unpaid electricity bill"],
  Italian: ["La ricetta della torta di mele della nonna.", "grandmother's apple pie recipe"],
  Japanese: [
    "会議は明日の午後三時に変更されました。",
    "The meeting is moved to tomorrow afternoon",
  ],
  Korean: ["비밀번호를 재설정하려면 아래 링크를 누르세요.", "How do I choose a new password?"],
  Polish: ["Zgubiłem klucze do mieszkania.", "I lost the keys to the apartment"],
  Portuguese: ["O time ganhou o campeonato de futebol.", "Who won the football championship?"],
  Russian: ["Собака заболела, нужно отвезти её к ветеринару.", "The dog is ill and needs a vet"],
  Spanish: ["Buscamos un profesor de piano para nuestra hija.", "piano teacher for our daughter"],
  Thai: ["ร้านอาหารปิดทุกวันจันทร์", "Is the restaurant closed on Mondays?"],
  Turkish: ["Sınav sonuçları yarın açıklanacak.", "When are the exam results announced?"],
};

// SPEC: search.languages
Deno.test("the built-in encoders find mail in each of their languages by a question in another one", async () => {
  const embedder = createLocalEmbedder(builtinEncoders(), { clock: patientClock });
  const first = async (texts: string[]) =>
    (await embedder.embed(texts, { timeoutMs: 300_000 })).map((vector) => vector.slice(0, 512));
  const all = Object.values(mails);
  const made = await first(all.map(([mail]) => mail));
  const asked = await first(all.map(([, question]) => question));
  for (const [n, language] of Object.keys(mails).entries()) {
    const near = made.map((each) => cosine(each, asked[n]));
    const nearest = Object.keys(mails)[near.indexOf(Math.max(...near))];
    assert.equal(nearest, language, all[n][1]);
  }
  embedder.close();
});

// SPEC: search.encoders_failure
Deno.test("a text of 2,000 characters in a script that the built-in encoders do not know is refused, and one with a word that they know is not", async () => {
  const failures: string[] = [];
  const failed = (why: string) => failures.push(why);
  const embedder = createLocalEmbedder(builtinEncoders(), { clock: patientClock, failed });
  const embed = (text: string) => embedder.embed([text], { userId: "a", timeoutMs: 300_000 });
  for (const word of ["𒀀𒁀𒂀", "ᚠᚢᚦᚨᚱᚲ", "ጥቅል", "ਪੰਜਾਬੀ"]) {
    const text = `${word}, `.repeat(2_000).slice(0, 2_000);
    await assert.rejects(() => embed(text), /knows no word of this text/, word);
  }
  assert.equal((await embed("ጥቅል parcel")).length, 1);
  assert.equal((await embed("?!")).length, 1);
  assert.deepEqual(failures, []);
  embedder.close();
});
