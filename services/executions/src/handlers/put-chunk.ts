import type { PutChunkRequest, RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import { uploadReference, type ChunkStore } from '../domain/chunks';
import { MAX_UPLOAD_BYTES } from '../domain/limits';
import type { ReadExecution } from '../domain/ports';
import { verdictMessage } from './verdict-message';

async function* dataOf(first: PutChunkRequest, rest: AsyncIterator<PutChunkRequest>): AsyncGenerator<Buffer> {
  yield first.data;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value.data;
}

/** PutChunk. */
export const putChunkHandler =
  (read: ReadExecution, chunks: ChunkStore): Handlers<typeof RunnerServiceService>['putChunk'] =>
  async (requests) => {
    const messages = requests[Symbol.asyncIterator]();
    const first = await messages.next();
    if (first.done === true) throw new InvalidRequest('The upload is empty.');
    const { executionId, fence, chunkId } = first.value;
    const reference = uploadReference(fence, chunkId);
    if (reference === undefined) throw new InvalidRequest('The chunk id is not valid.', [{ field: 'chunkId', description: 'Use 1 to 64 of A-Z, a-z, 0-9, _ and -.' }]);
    const record = await read(executionId);
    if (record === undefined || record.state !== 'running' || record.fence !== fence) return { verdict: verdictMessage('stale') };
    const stored = await chunks.putStream(executionId, reference, dataOf(first.value, messages), MAX_UPLOAD_BYTES);
    return { verdict: verdictMessage(stored === 'known' ? 'already' : 'accepted') };
  };
