import type { RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import { binaryPlace, findBinary } from '../domain/binary';
import { readReference, type ChunkStore } from '../domain/chunks';
import { readClaimed } from '../domain/claimed-run';
import { ChunkNotFound } from '../domain/errors';
import type { ReadExecution } from '../domain/ports';

/** GetChunk. */
export const getChunkHandler = (read: ReadExecution, chunks: ChunkStore): Handlers<typeof RunnerServiceService>['getChunk'] =>
  async function* ({ executionId, fence, chunkId }) {
    const record = await readClaimed(executionId, fence, read);
    if (binaryPlace(chunkId) !== undefined) {
      for await (const data of (await findBinary(record, chunkId, read, chunks)).data) yield { data };
      return;
    }
    const reference = readReference(fence, chunkId);
    if (reference === undefined) throw new ChunkNotFound(chunkId);
    for await (const data of chunks.read(executionId, reference)) yield { data };
  };
