import type { ChunkStore } from './chunks';
import type { ApplyWrite } from './ports';
import { respondWrite } from './run-writes';
import type { HttpResponse } from '@weft/proto/executions';
import { storeResponse } from './store-response';
import type { WriteOutcome } from './write-outcome';

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
