import type { ChunkStore } from './chunks';
import type { ApplyWrite } from './ports';
import { respondWrite } from './run-writes';
import { storeResponse, type SentAnswer } from './store-answer';
import type { WriteOutcome } from './write-outcome';

/** Stores the answer of a running execution; the first one wins. @throws Unavailable */
export type RespondToCaller = (
  executionId: string,
  fence: number,
  answer: SentAnswer,
  tokenHash?: string,
) => Promise<WriteOutcome>;

/** Stores answers before the end. */
export const createRespondToCaller =
  (apply: ApplyWrite, chunks: ChunkStore): RespondToCaller =>
  async (executionId, fence, answer, tokenHash) => {
    const stored = await storeResponse(executionId, fence, answer, chunks);
    return (await apply(executionId, respondWrite(fence, stored, tokenHash))).outcome;
  };
