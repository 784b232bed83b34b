import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { inTransaction } from "../../../fulltext/index/database.ts";

Deno.test("on a full disk a transaction throws SQLite's error, and nothing of it is written", () => {
  using db = new DatabaseSync(":memory:");
  db.exec("create table texts (text text)");
  db.exec("pragma max_page_count = 16");
  const insert = db.prepare("insert into texts values (?)");
  assert.throws(
    () =>
      inTransaction(db, () => {
        for (let n = 0; n < 100; n++) insert.run("x".repeat(4_000));
      }),
    /database or disk is full/,
  );
  assert.equal(db.prepare("select count(*) as rows from texts").get()?.rows, 0);
  assert.equal(inTransaction(db, () => insert.run("short").changes), 1);
});

Deno.test("a transaction whose work throws is rolled back", () => {
  using db = new DatabaseSync(":memory:");
  db.exec("create table texts (text text)");
  const failed = new Error("of the work");
  assert.throws(
    () =>
      inTransaction(db, () => {
        db.exec("insert into texts values ('one')");
        throw failed;
      }),
    failed,
  );
  assert.equal(db.prepare("select count(*) as rows from texts").get()?.rows, 0);
});
