import type { Service } from "../core/service.ts";
import * as keys from "../store/keys.ts";

/** The model whose vectors the index has, or is being filled with. */
export interface EmbeddingModel {
  model: string;
  /** The length of a vector; null before the first. */
  dimensions: number | null;
}

export const embeddingModelKey = () => keys.mark("embedding_model");

export async function embeddingModel(service: Service): Promise<EmbeddingModel | null> {
  return await service.database.get<EmbeddingModel>(embeddingModelKey());
}

export async function rememberDimensions(
  service: Service,
  model: string,
  dimensions: number,
): Promise<void> {
  await service.database.transact((tx) =>
    tx.set(embeddingModelKey(), { model, dimensions } satisfies EmbeddingModel)
  );
}
