import type { HttpResponse } from '@weft/proto/executions';
import { contentReference, type ChunkStore } from './chunks';
import type { StoredResponse } from './execution';
import { INLINE_BYTES } from './limits';

/** Stores a response: a large body becomes a chunk. */
export const storeResponse = async (
  executionId: string,
  fence: number,
  { statusCode, headers, body, fileId }: HttpResponse,
  chunks: ChunkStore,
): Promise<StoredResponse> => {
  if (fileId !== undefined) return { statusCode, headers, fileId };
  if (body.length === 0) return { statusCode, headers };
  if (body.length <= INLINE_BYTES) return { statusCode, headers, body };
  const bodyChunk = contentReference(fence, 'response', body);
  await chunks.put(executionId, bodyChunk, body);
  return { statusCode, headers, bodyChunk };
};
