import { clients, type Sample } from "./clients.ts";
import { heldOut, type Language, tuned } from "./languages.ts";

export interface NamedSample extends Sample {
  name: string;
}

const names = Object.keys(clients);

function samplesOf(
  languages: Record<string, Language>,
  clientsOf: (n: number) => string[],
): NamedSample[] {
  return Object.entries(languages).flatMap(([code, own], n) =>
    clientsOf(n).map((client) => ({ name: `${client} (${code})`, ...clients[client](own) }))
  );
}

/** 110 mails: ten languages by eleven kinds of reply and forward. */
export const tunedSamples = samplesOf(tuned, () => names);

/** 40 mails in eight other languages: each has five kinds, and each kind three or four languages. */
export const heldOutSamples = samplesOf(
  heldOut,
  (n) => [0, 1, 2, 3, 4].map((k) => names[(n * 5 + k) % names.length]),
);
