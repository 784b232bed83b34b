import { randomBytes } from "node:crypto";
import { Worker } from "node:worker_threads";
import { type Argon2Answer, argon2Dummy, type Argon2Task, runArgon2 } from "./argon2.ts";
import { scryptDummy, scryptHash, scryptVerify } from "./scrypt.ts";

/**
 * Hashes a password off the main thread into a PHC string that says its own scheme and cost: argon2id, or scrypt on a
 * host that has no Workers or no WebAssembly.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const encoded = await viaArgon2({ kind: "hash", password, salt });
  return typeof encoded === "string" ? encoded : scryptHash(password);
}

/**
 * True when `password` made `encodedHash`, of either scheme. For `null`, an account that is not there, it does the
 * same work and answers false, so that a login takes the same time (OWASP ASVS 5.0 6.3.8).
 */
export async function verifyPassword(
  password: string,
  encodedHash: string | null,
): Promise<boolean> {
  // hash-wasm refuses the empty password, which nobody has: it is wrong, in the time that a wrong one takes.
  if (password === "") return await verifyPassword(" ", null);
  if (encodedHash?.startsWith("$scrypt$")) return await scryptVerify(password, encodedHash);
  const task = { kind: "verify" as const, password, encoded: encodedHash ?? argon2Dummy };
  const matches = await viaArgon2(task);
  if (typeof matches === "boolean") return matches && encodedHash !== null;
  if (encodedHash === null) return await scryptVerify(password, scryptDummy) && false;
  // A hash made where there was a Worker, read where there is none: slow here beats an account that cannot log in.
  return await runArgon2(task) === true;
}

/** Ends the thread; the next call starts another. What was waiting fails. */
export async function closePasswords(): Promise<void> {
  clearTimeout(idle);
  const ending = thread;
  thread = null;
  failAll(new Error("the password thread was closed"));
  await ending?.terminate();
}

/** The thread and its WebAssembly are 60 MB resident: they go when nobody has logged in for this long. */
const idleMs = 5_000;

type Waiting = { resolve: (value: string | boolean) => void; reject: (error: Error) => void };

let thread: Worker | null = null;
let idle: ReturnType<typeof setTimeout> | undefined;
let threadFails = false;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** The answer of the thread, or null on a host where there can be none. */
async function viaArgon2(task: Argon2Task): Promise<string | boolean | null> {
  if (threadFails) return null;
  try {
    return await new Promise<string | boolean>((resolve, reject) => {
      const id = ++lastId;
      clearTimeout(idle);
      const worker = thread ??= startThread();
      worker.ref();
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, task });
    });
  } catch (error) {
    if (threadFails) return null;
    throw error;
  }
}

function startThread(): Worker {
  try {
    const worker = new Worker(new URL("./password_worker.ts", import.meta.url));
    worker.on("message", settle);
    const fail = (error: Error) => {
      if (thread !== worker) return;
      thread = null;
      // A thread that has never answered never will: the host has none, or no WebAssembly.
      threadFails = !everAnswered;
      failAll(error);
    };
    worker.on("error", fail);
    worker.on("exit", () => fail(new Error("the password thread ended")));
    return worker;
  } catch (error) {
    threadFails = true;
    throw error;
  }
}

let everAnswered = false;

function settle(answer: Argon2Answer): void {
  everAnswered = true;
  const task = waiting.get(answer.id);
  waiting.delete(answer.id);
  // Idle, the thread keeps no process alive.
  if (waiting.size === 0) rest();
  if ("error" in answer) task?.reject(new Error(answer.error));
  else task?.resolve(answer.value);
}

function rest(): void {
  thread?.unref();
  clearTimeout(idle);
  idle = setTimeout(() => void closePasswords(), idleMs);
  Deno.unrefTimer(idle);
}

function failAll(error: Error): void {
  const failed = [...waiting.values()];
  waiting.clear();
  for (const task of failed) task.reject(error);
}
