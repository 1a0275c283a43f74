import type { ExecutionServiceService } from '@weft/proto/executions';
import type { Handlers } from '@weft/service-kit/grpc';
import { isUuid } from '@weft/service-kit/ids';
import type { ChunkStore } from '../domain/chunks';
import { ExecutionNotFound } from '../domain/errors';
import { findBinary } from '../domain/binary';
import type { ReadHeld } from '../domain/ports';

/** ReadBinary. */
export const readBinaryHandler = (
  read: ReadHeld,
  chunks: ChunkStore,
): Handlers<typeof ExecutionServiceService>['readBinary'] =>
  async function* ({ executionId, fileId }) {
    const record = isUuid(executionId) ? await read(executionId) : undefined;
    if (record === undefined) throw new ExecutionNotFound(executionId);
    const { head, data } = await findBinary(record, fileId, read, chunks);
    let facts = { mimeType: head.mimeType, fileName: head.fileName };
    for await (const piece of data) {
      yield { data: piece, ...facts };
      facts = { mimeType: undefined, fileName: undefined };
    }
  };
