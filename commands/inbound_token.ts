import { dirname, join } from "node:path";
import type { Service } from "../domain/core/service.ts";
import type { Settings } from "../domain/core/settings.ts";
import { storeFile } from "./store_file.ts";

/** For `dev`: the first of INBOUND_TOKENS. If none is set, a token in a file, which the first start makes. */
export async function keepInboundToken({ settings, ids }: Service): Promise<string> {
  const known = await inboundTokenOf(settings);
  if (known !== null) return useToken(settings, known);
  const path = tokenPath(settings);
  const token = `lbxi_${ids.bytes(24).toBase64({ alphabet: "base64url" })}`;
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `${token}\n`, { mode: 0o600 });
  return useToken(settings, token);
}

/** The first of INBOUND_TOKENS, or the one that `dev` keeps; null if there is neither. */
export async function inboundTokenOf(settings: Settings): Promise<string | null> {
  if (settings.INBOUND_TOKENS) return settings.INBOUND_TOKENS[0];
  try {
    return (await Deno.readTextFile(tokenPath(settings))).trim() || null;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    return null;
  }
}

function useToken(settings: Settings, token: string): string {
  settings.INBOUND_TOKENS ??= [token];
  return token;
}

/** In the database's folder, or in `.data` if the database is not a file. */
function tokenPath(settings: Settings): string {
  const file = storeFile(settings);
  return join(file === null ? ".data" : dirname(file), "inbound_token");
}
