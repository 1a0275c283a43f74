import type { PutChunkRequest, RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { uploadReference, type FileFacts } from '../domain/chunks';
import type { StoreUpload } from '../domain/store-upload';
import { toOutcomeMessage } from './outcome-message';

const MAX_FACT_LENGTH = 1_000;

async function* dataOf(first: PutChunkRequest, rest: AsyncIterator<PutChunkRequest>): AsyncGenerator<Buffer> {
  yield first.data;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value.data;
}

const checkFact = (value: string | undefined, field: string): void => {
  if (value !== undefined && value.length > MAX_FACT_LENGTH)
    throw new InvalidRequest('The file is not valid.', [
      { field, message: `Use at most ${MAX_FACT_LENGTH} characters.` },
    ]);
};

/** The facts that come with a file. @throws InvalidRequest */
export const factsOf = ({ mimeType, fileName }: Pick<PutChunkRequest, 'mimeType' | 'fileName'>): FileFacts => {
  checkFact(mimeType, 'mimeType');
  checkFact(fileName, 'fileName');
  return { ...(mimeType === undefined ? {} : { mimeType }), ...(fileName === undefined ? {} : { fileName }) };
};

/** PutChunk. */
export const putChunkHandler =
  (storeUpload: StoreUpload): Handlers<typeof RunnerServiceService>['putChunk'] =>
  async (requests) => {
    const messages = requests[Symbol.asyncIterator]();
    const first = await messages.next();
    if (first.done === true) throw new InvalidRequest('The upload is empty.');
    const { executionId, fence, chunkId } = first.value;
    const reference = uploadReference(fence, chunkId);
    if (reference === undefined)
      throw new InvalidRequest('The chunk id is not valid.', [
        { field: 'chunkId', message: 'Use 1 to 64 of A-Z, a-z, 0-9, _ and -.' },
      ]);
    const outcome = await storeUpload({
      executionId,
      fence,
      reference,
      facts: factsOf(first.value),
      data: dataOf(first.value, messages),
    });
    return { outcome: toOutcomeMessage(outcome) };
  };
