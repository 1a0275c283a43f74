import type { RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import { fileOf, readReference, type ChunkStore } from '../domain/chunks';
import { readClaimed } from '../domain/claimed-run';
import { ChunkNotFound } from '../domain/errors';
import { findFile } from '../domain/files';
import type { ReadExecution } from '../domain/ports';

/** GetChunk. */
export const getChunkHandler = (read: ReadExecution, chunks: ChunkStore): Handlers<typeof RunnerServiceService>['getChunk'] =>
  async function* ({ executionId, fence, chunkId }) {
    const record = await readClaimed(executionId, fence, read);
    if (fileOf(chunkId) !== undefined) {
      for await (const data of (await findFile(record, chunkId, read, chunks)).data) yield { data };
      return;
    }
    const reference = readReference(fence, chunkId);
    if (reference === undefined) throw new ChunkNotFound(chunkId);
    for await (const data of chunks.read(executionId, reference)) yield { data };
  };
