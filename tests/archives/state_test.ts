import assert from "node:assert/strict";
import { fileOf, fromLine, itemsOf, sourceOf } from "./sources.ts";
import { labelOf, labelsOf } from "../../archives/state/labels.ts";
import { importHeaders } from "../../archives/state/mail_state.ts";
import { isCategory, markOf } from "../../archives/state/marks.ts";
import { timeOfLine } from "../../archives/state/mbox_state.ts";

type Source = Parameters<typeof itemsOf>[0];

async function statesOf(source: Source, include: Parameters<typeof itemsOf>[1] = []) {
  return (await itemsOf(source, include)).map((item) =>
    item.kind === "message" ? importHeaders(item.state) : item.kind === "left out" && item.reason
  );
}

/** An mbox of one message with these fields. */
const mboxOf = (fields: string) => fileOf("a.mbox", `${fromLine}${fields}\nFrom: a@x.net\n\nHi\n`);

const time = { "x-import-received-at": "2026-11-20T10:00:00.000Z" };

// SPEC: files.maildir
Deno.test("a Maildir's flags and the time in its names come along; T and D are left out", async () => {
  const name = "1583143200.M1P1.host,S=4";
  const files = [":2,", ":2,S", ":2,FRS", ":2,ST", ":2,DS", "!2,S"].map((flags) => [
    `cur/${name}${flags}`,
    "A: b\n\n",
  ]);
  const source = sourceOf({
    ...Object.fromEntries(files),
    [`new/${name}`]: "A: b\n\n",
    "cur/x:2,": "A: b\n\n",
  });
  const at = { "x-import-received-at": "2020-03-02T10:00:00.000Z" };
  const read = { ...at, "x-import-read": "true" }, unread = { ...at, "x-import-read": "false" };
  const both = { ...read, "x-import-labels": "flagged,answered" };
  // The file's own time, if its name has none.
  const other = { ...unread, "x-import-received-at": "1970-01-01T00:00:01.000Z" };
  assert.deepEqual(await statesOf(source), [
    unread,
    read,
    both,
    "trash",
    "drafts",
    read,
    unread,
    other,
  ]);
  const included = await statesOf(source, ["trash", "drafts"]);
  assert.deepEqual(included.slice(3, 5), [
    { ...read, "x-import-labels": "trash" },
    { ...read, "x-import-labels": "drafts" },
  ]);
});

// SPEC: files.status
Deno.test("Status and X-Status of an mbox, and X-Mozilla-Status of Thunderbird's own, come along", async () => {
  const read = { ...time, "x-import-read": "true" }, unread = { ...time, "x-import-read": "false" };
  const cases: [string, unknown][] = [
    ["Status: RO\nX-Status: AF", { ...read, "x-import-labels": "flagged,answered" }],
    ["Status: O", unread],
    ["X-Status: A", { ...unread, "x-import-labels": "answered" }],
    ["Status: RO\nX-Status: D", "trash"],
    ["X-Status: T", "drafts"],
    ["Status: O\nA: b\nStatus: RO", read],
    // Thunderbird did not write this file.
    ["X-Mozilla-Status: 0009", time],
    ["A: b", time],
  ];
  for (const [fields, expected] of cases) {
    assert.deepEqual(await statesOf(mboxOf(fields)), [expected], fields);
  }
  const thunderbird = (status: string) =>
    statesOf(
      fileOf("Inbox", `From - Fri Nov 20 10:00:00 2026\nX-Mozilla-Status: ${status}\n\nHi\n`),
    );
  assert.deepEqual(await thunderbird("0007"), [{ ...read, "x-import-labels": "flagged,answered" }]);
  assert.deepEqual(await thunderbird("0000"), [unread]);
  assert.deepEqual(await thunderbird("0009"), ["trash"]);
});

// SPEC: files.gmail
Deno.test("X-Gmail-Labels of Takeout become read state, direction and labels, also as encoded words and with commas", async () => {
  const read = { ...time, "x-import-read": "true" }, unread = { ...time, "x-import-read": "false" };
  const cases: [string, unknown][] = [
    ["Inbox,Opened,Category Updates", read],
    ["Inbox,Unread,Work/Clients", { ...unread, "x-import-labels": "work:clients" }],
    ["Sent,Opened", { ...read, "x-import-direction": "outbound" }],
    ["Archived,Starred,Important", { ...read, "x-import-labels": "flagged,important" }],
    ['Inbox,"Project, A",B.C', { ...read, "x-import-labels": "project-a,b:c" }],
    ["=?UTF-8?Q?Posteingang,Wichtig,Ungelesen,Kategorie:_=22Neuigkeiten=22?=", {
      ...unread,
      "x-import-labels": "important",
    }],
    [
      '=?UTF-8?Q?Messages_archiv=C3=A9s,Ouvert,Cat=C3=A9gorie=C2=A0:_E-mails_?=\n =?UTF-8?Q?personnels,"Culture,_associations"?=',
      { ...read, "x-import-labels": "culture-associations" },
    ],
    ["Inbox,=?UTF-8?B?w5xiZXIgdW5z?=", { ...read, "x-import-labels": "uber-uns" }],
    // A character that is split between two words.
    ["=?UTF-8?Q?Bo=C3?=\n =?UTF-8?Q?=AEte_de_r=C3=A9ception,Non_lus?=", unread],
    ["=?UTF-8?B?67Cb7J2A7Y647KeA7ZWoLOykkeyalO2OuOyngO2VqA==?=", {
      ...read,
      "x-import-labels": "important",
    }],
    ["Spam,Unread", "spam"],
    ["Trash,Opened", "trash"],
    ["Drafts", "drafts"],
    ["Chat", "chats"],
    ["=?UTF-8?Q?Papierkorb,Ge=C3=B6ffnet?=", "trash"],
    ["=?UTF-8?B?5Lit5paH?=", read],
  ];
  for (const [labels, expected] of cases) {
    const found = await statesOf(mboxOf(`X-GM-THRID: 1\nX-Gmail-Labels: ${labels}`));
    assert.deepEqual(found, [expected], labels);
  }
  const windows = `${fromLine}X-Gmail-Labels: Inbox,\n Unread\nStatus: O\n\nHi\n`.replaceAll(
    "\n",
    "\r\n",
  );
  assert.deepEqual(await statesOf(fileOf("a.mbox", windows)), [unread]);
  const all = await statesOf(mboxOf("X-Gmail-Labels: Spam,Trash,Unread"), ["spam", "trash"]);
  assert.deepEqual(all, [{ ...unread, "x-import-labels": "spam,trash" }]);
  assert.deepEqual(await statesOf(mboxOf("X-Gmail-Labels: Spam,Trash"), ["spam"]), ["trash"]);
});

// SPEC: files.gmail
Deno.test("Gmail's own marks are known in the twelve most used languages and more", () => {
  const sets = {
    inbox:
      "Inbox|Recibidos|Caixa de entrada|Boîte de réception|Posteingang|Posta in arrivo|Входящие|受信トレイ|받은편지함|收件箱|صندوق الوارد|इनबॉक्स|Kotak Masuk|Gelen Kutusu",
    unread:
      "Unread|No leídos|Não lidas|Non lus|Ungelesen|Da leggere|Непрочитанные|未読|읽지않음|未读|غير مقروءة|अपठित|Belum dibaca",
    sent:
      "Sent|Enviados|Enviadas|Messages envoyés|Gesendet|Posta inviata|Отправленные|送信済み|보낸편지함|已发送|الرسائل المرسلة|भेजा गया|Terkirim",
    trash:
      "Trash|Papelera|Lixeira|Corbeille|Papierkorb|Cestino|Корзина|ゴミ箱|휴지통|已删除邮件|المهملات|ट्रैश|Sampah|Çöp Kutusu",
    drafts:
      "Drafts|Borradores|Rascunhos|Brouillons|Entwürfe|Bozze|Черновики|下書き|임시보관함|草稿|المسودات|ड्राफ़्ट|Draf",
    spam: "Spam|Спам|迷惑メール|스팸함|垃圾邮件|स्पैम",
  };
  for (const [mark, names] of Object.entries(sets)) {
    for (const name of names.split("|")) assert.equal(markOf(name), mark, name);
  }
  for (
    const name of [
      "Category Promotions",
      "Kategorie: Werbung",
      "Catégorie\u00a0: Forums",
      "Категория: Форумы",
    ]
  ) {
    assert.ok(isCategory(name), name);
  }
  for (const name of ["Category Theory", "Kategorie", "Work"]) assert.ok(!isCategory(name), name);
  for (const name of ["Work", "Spam reports", "constructor", ""]) {
    assert.equal(markOf(name), null, name);
  }
});

// SPEC: files.labels
Deno.test("a name becomes a label: `/` and `.` to `:`, blanks to `-`; of what nothing is left there is none; at most 32", () => {
  assert.equal(labelOf("Work/Clients.2020 Q1"), "work:clients:2020-q1");
  assert.equal(labelOf("Ärger & Café"), "arger--cafe");
  assert.equal(labelOf("x".repeat(90)).length, 64);
  assert.deepEqual(labelsOf(["A", "a", "中文", "", "b"]), ["a", "b"]);
  assert.equal(labelsOf(Array.from({ length: 50 }, (_, n) => `l${n}`)).length, 32);
});

// SPEC: files.time
Deno.test("the time of an mbox line is read with and without seconds and zone; a time that no header can have is not sent", () => {
  const at = Date.UTC(2020, 2, 2, 10, 0, 0);
  for (
    const text of [
      "Mon Mar  2 10:00:00 2020",
      "Mon Mar 02 10:00 2020",
      "Mon Mar 02 10:00:00 +0000 2020",
      "Mon Mar 02 12:00:00 2020 +0200",
      "Mon Mar 02 05:30:00 -0430 2020",
      "Mon Mar 02 10:00:00 UTC 2020",
    ]
  ) assert.equal(timeOfLine(`From a@x.net ${text}\n`), at, text);
  for (const text of ["From \n", "From a@x.net\n", "From a@x.net Mon Foo 02 10:00:00 2020"]) {
    assert.equal(timeOfLine(text), null);
  }
  const state = { isRead: null, direction: null, labels: [], unwanted: [] };
  for (const receivedAt of [null, NaN, -1, 1e18]) {
    assert.deepEqual(importHeaders({ ...state, receivedAt }), {});
  }
});
