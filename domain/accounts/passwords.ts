import { Worker } from "node:worker_threads";
import type { Clock } from "../core/clock.ts";
import { unavailable } from "../core/errors.ts";
import type { Ids } from "../core/ids.ts";
import { hasSpareDescriptors } from "../core/work/spare_descriptors.ts";
import { type Argon2Answer, argon2Dummy, type Argon2Task, runArgon2 } from "./hashing/argon2.ts";
import { scryptDummy, scryptHash, scryptVerify } from "./hashing/scrypt.ts";

/** The thread and its WebAssembly take 60 MB of memory: they are released after this long without work. */
const idleMs = 1_000;
const saltBytes = 16;

type Waiting = { resolve: (value: string | boolean) => void; reject: (error: Error) => void };

/**
 * Hashes and verifies passwords in a thread of its own, so that the main thread stays free. The thread starts with the
 * first password.
 */
export class Passwords {
  private thread: Worker | null = null;
  private threadFails = false;
  private everAnswered = false;
  private lastId = 0;
  private readonly waiting = new Map<number, Waiting>();
  private cancelIdle = () => {};

  constructor(
    private readonly service: { clock: Pick<Clock, "now" | "wakeAt">; ids: Pick<Ids, "bytes"> },
  ) {}

  /**
   * A PHC string that names its own scheme and cost: argon2id, or scrypt on a host without Workers or WebAssembly. It is
   * made of the password in NFC (RFC 8265, 4.2.2): systems differ in how they type `é`.
   */
  async hash(given: string): Promise<string> {
    const password = given.normalize("NFC");
    const salt = this.service.ids.bytes(saltBytes);
    const encoded = await this.viaArgon2({ kind: "hash", password, salt });
    return typeof encoded === "string" ? encoded : scryptHash(password, salt);
  }

  /**
   * True if `password` made `encodedHash`, of either scheme. For `null`, an unknown account, it does the same work and
   * returns false, so that a login takes the same time (OWASP ASVS 5.0 6.3.8).
   */
  async verify(given: string, encodedHash: string | null): Promise<boolean> {
    // hash-wasm throws on the empty password. No account has it, so it takes the time of a wrong one.
    if (given === "") return await this.verify(" ", null);
    const password = given.normalize("NFC");
    if (encodedHash?.startsWith("$scrypt$")) return await scryptVerify(password, encodedHash);
    const task = { kind: "verify" as const, password, encoded: encodedHash ?? argon2Dummy };
    const matches = await this.viaArgon2(task);
    if (typeof matches === "boolean") return matches && encodedHash !== null;
    if (encodedHash === null) return await scryptVerify(password, scryptDummy) && false;
    // A host with Workers made the hash, and this one has none: a slow login is better than none.
    return await runArgon2(task) === true;
  }

  /** Ends the thread; the next call starts another. Calls that wait are rejected. */
  async close(): Promise<void> {
    this.cancelIdle();
    const ending = this.thread;
    this.thread = null;
    this.failAll(new Error("the password thread was closed"));
    await ending?.terminate();
  }

  /** The answer of the thread; null on a host that cannot run it. */
  private async viaArgon2(task: Argon2Task): Promise<string | boolean | null> {
    if (this.threadFails) return null;
    try {
      return await new Promise<string | boolean>((resolve, reject) => {
        const id = ++this.lastId;
        this.cancelIdle();
        const worker = this.thread ??= this.startThread();
        worker.ref();
        this.waiting.set(id, { resolve, reject });
        worker.postMessage({ id, task });
      });
    } catch (error) {
      if (this.threadFails) return null;
      throw error;
    }
  }

  private startThread(): Worker {
    if (!hasSpareDescriptors()) throw unavailable("Too many connections are open at present.");
    try {
      const worker = new Worker(new URL("./hashing/password_worker.ts", import.meta.url));
      worker.on("message", (answer: Argon2Answer) => this.settle(answer));
      const fail = (error: Error) => {
        if (this.thread !== worker) return;
        this.thread = null;
        // A thread that fails before its first answer will always fail: the host has no Workers or no WebAssembly.
        this.threadFails = !this.everAnswered;
        this.failAll(error);
      };
      worker.on("error", fail);
      worker.on("exit", () => fail(new Error("the password thread ended")));
      return worker;
    } catch (error) {
      this.threadFails = true;
      throw error;
    }
  }

  private settle(answer: Argon2Answer): void {
    this.everAnswered = true;
    const task = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if (this.waiting.size === 0) this.rest();
    if ("error" in answer) task?.reject(new Error(answer.error));
    else task?.resolve(answer.value);
  }

  /** An idle thread does not keep the process running. */
  private rest(): void {
    this.thread?.unref();
    const { clock } = this.service;
    this.cancelIdle();
    this.cancelIdle = clock.wakeAt(clock.now() + idleMs, () => void this.close());
  }

  private failAll(error: Error): void {
    const failed = [...this.waiting.values()];
    this.waiting.clear();
    for (const task of failed) task.reject(error);
  }
}
