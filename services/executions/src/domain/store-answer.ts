import { contentReference, type ChunkStore } from './chunks';
import type { StoredResponse } from './execution';
import { INLINE_BYTES } from './limits';

/** An HTTP answer as a runner sends it. */
export interface SentAnswer {
  readonly statusCode: number;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
  readonly body: Buffer;
  /** Id of a binary reference: the file is the body. */
  readonly bodyFileId?: string;
}

/** Puts an answer where it belongs: a large body becomes a chunk. */
export const storeResponse = async (
  executionId: string,
  fence: number,
  { statusCode, headers, body, bodyFileId }: SentAnswer,
  chunks: ChunkStore,
): Promise<StoredResponse> => {
  if (bodyFileId !== undefined) return { statusCode, headers, bodyFileId };
  if (body.length === 0) return { statusCode, headers };
  if (body.length <= INLINE_BYTES) return { statusCode, headers, body };
  const bodyChunk = contentReference(fence, 'answer', body);
  await chunks.put(executionId, bodyChunk, body);
  return { statusCode, headers, bodyChunk };
};
