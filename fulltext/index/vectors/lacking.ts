import type { DatabaseSync } from "node:sqlite";
import { prepared } from "../database.ts";

const hasVectors = "exists (select 1 from vectors v " +
  "where v.account = d.account and v.model = ? and v.document = d.document)";

/** How many documents of an account have no vectors of a model. */
export function countLacking(db: DatabaseSync, account: number, model: string): number {
  const { count } = prepared(
    db,
    "select (select count(*) from documents where account = ?) - " +
      "(select count(*) from vectors where account = ? and model = ?) as count",
  ).get(account, account, model) as { count: number };
  return count;
}

/** The emails of these documents, those that were added last first, at most `limit`. */
export function newestLacking(
  db: DatabaseSync,
  account: number,
  model: string,
  limit: number,
): string[] {
  const rows = prepared(
    db,
    `select email_id as emailId from documents d where account = ? and not ${hasVectors} ` +
      "order by document desc limit ?",
  ).all(account, model, limit) as { emailId: string }[];
  return rows.map(({ emailId }) => emailId);
}

/** The accounts that have such documents, with how many. */
export function lackingAccounts(
  db: DatabaseSync,
  model: string,
): { userId: string; count: number }[] {
  const rows = prepared(db, "select account, user_id as userId from accounts").all() as {
    account: number;
    userId: string;
  }[];
  return rows.map(({ account, userId }) => ({ userId, count: countLacking(db, account, model) }))
    .filter(({ count }) => count > 0);
}
