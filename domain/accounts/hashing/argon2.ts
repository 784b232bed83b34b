/** Work for the password thread: make a PHC string, or compare a password with one. */
export type Argon2Task =
  | { kind: "hash"; password: string; salt: Uint8Array }
  | { kind: "verify"; password: string; encoded: string };

export type Argon2Answer = { id: number; value: string | boolean } | { id: number; error: string };

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB, two passes, one lane. */
const cost = { memorySize: 19_456, iterations: 2, parallelism: 1, hashLength: 32 };

/** Runs on the calling thread and blocks it for about 70 ms. Only a thread that hashes loads the WebAssembly, 0.3 MB. */
export async function runArgon2(task: Argon2Task): Promise<string | boolean> {
  const { argon2id, argon2Verify } = await import("hash-wasm");
  return task.kind === "hash"
    ? await argon2id({ ...cost, password: task.password, salt: task.salt, outputType: "encoded" })
    : await argon2Verify({ password: task.password, hash: task.encoded });
}

/** A string of the standard cost that no password matches; the comparison takes the same time. */
export const argon2Dummy = "$argon2id$v=19$m=19456,t=2,p=1$bGV0dGVyYm94LWR1bW15IQ$" +
  "cKj3iBvDg2uQJf6nQ0gY1w8Xk5bWm4sZ7tHrVpLxNeE";
