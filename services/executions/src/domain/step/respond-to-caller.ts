import type { HttpResponse } from '@weft/proto/executions';
import { contentReference, type ChunkStore } from '../data/chunks';
import type { StoredResponse } from '../state/execution';
import { INLINE_BYTES } from '../state/limits';
import type { ApplyWrite } from '../state/ports';
import { respondWrite } from '../state/run-writes';
import type { WriteOutcome } from '../state/write-outcome';

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

/** Stores the response of a running execution; the first one wins. @throws Unavailable */
export type RespondToCaller = (
  executionId: string,
  fence: number,
  response: HttpResponse,
  tokenHash?: string,
) => Promise<WriteOutcome>;

/** Stores responses before the end. */
export const createRespondToCaller =
  (apply: ApplyWrite, chunks: ChunkStore): RespondToCaller =>
  async (executionId, fence, response, tokenHash) => {
    const stored = await storeResponse(executionId, fence, response, chunks);
    return (await apply(executionId, respondWrite(fence, stored, tokenHash))).outcome;
  };
