import type { RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import { parseBinaryId, findBinary } from '../domain/binary';
import { readChildResult, resultOf } from '../domain/child-result';
import { readReference } from '../domain/chunks';
import { readClaimed } from '../domain/claimed-run';
import { ChunkNotFound } from '../domain/errors';
import type { ReadExecution, ReadHeld } from '../domain/ports';
import type { RunDataPorts } from '../domain/run-records';

const PIECE_BYTES = 1024 * 1024;

function* piecesOf(bytes: Buffer): Generator<{ data: Buffer }> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield { data: bytes.subarray(at, at + PIECE_BYTES) };
}

/** GetChunk. */
export const getChunkHandler = (
  read: ReadExecution,
  readHeld: ReadHeld,
  ports: RunDataPorts,
): Handlers<typeof RunnerServiceService>['getChunk'] =>
  async function* ({ executionId, fence, chunkId }) {
    const record = await readClaimed(executionId, fence, readHeld);
    const { chunks } = ports;
    if (parseBinaryId(chunkId) !== undefined) {
      for await (const data of (await findBinary(record, chunkId, readHeld, chunks)).data) yield { data };
      return;
    }
    const childId = resultOf(chunkId);
    if (childId !== undefined) {
      yield* piecesOf(await readChildResult(record, childId, read, ports));
      return;
    }
    const reference = readReference(fence, chunkId);
    if (reference === undefined) throw new ChunkNotFound(chunkId);
    for await (const data of chunks.read(executionId, reference)) yield { data };
  };
