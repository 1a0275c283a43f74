import type { PutChunkRequest, RunnerServiceService } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import type { Handlers } from '@weft/service-kit/grpc';
import type { ExecutionServiceService } from '@weft/proto/executions';
import { uploadReference, type FileFacts, readReference } from '../../domain/data/chunks';
import type { StoreUpload } from '../../domain/step/store-upload';
import type { StoreInputFile } from '../../domain/data/store-input-file';
import { parseBinaryId, findBinary } from '../../domain/data/binary';
import { readChildResult, type ResultPorts, resultOf } from '../../domain/start/child-result';
import { readClaimed } from '../../domain/claim/check-claim';
import { ChunkNotFound } from '../../domain/state/errors';
import type { ReadExecution, ReadHeld } from '../../domain/state/ports';
import { piecesOf } from './pieces';
import { toOutcomeMessage } from '../runs/process-entries';

const MAX_FACT_LENGTH = 1_000;

interface DataMessage {
  readonly data: Buffer;
}

async function* dataOf(first: DataMessage, rest: AsyncIterator<DataMessage>): AsyncGenerator<Buffer> {
  yield first.data;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value.data;
}

const checkFact = (value: string | undefined, field: string): void => {
  if (value !== undefined && value.length > MAX_FACT_LENGTH)
    throw new InvalidRequest('The file is not valid.', [
      { field, message: `Use at most ${MAX_FACT_LENGTH} characters.` },
    ]);
};

/** The metadata of a file. @throws InvalidRequest */
export const factsOf = ({ mimeType, fileName }: Pick<PutChunkRequest, 'mimeType' | 'fileName'>): FileFacts => {
  checkFact(mimeType, 'mimeType');
  checkFact(fileName, 'fileName');
  return { ...(mimeType === undefined ? {} : { mimeType }), ...(fileName === undefined ? {} : { fileName }) };
};

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

export const putInputFileHandler =
  (storeFile: StoreInputFile): Handlers<typeof ExecutionServiceService>['putInputFile'] =>
  async (requests) => {
    const messages = requests[Symbol.asyncIterator]();
    const first = await messages.next();
    if (first.done === true) throw new InvalidRequest('The upload is empty.');
    const { executionId, fileKey } = first.value;
    return storeFile({ executionId, fileKey, facts: factsOf(first.value), data: dataOf(first.value, messages) });
  };

export const getChunkHandler = (
  read: ReadExecution,
  readHeld: ReadHeld,
  ports: ResultPorts,
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
      for (const data of piecesOf(await readChildResult(record, childId, read, ports))) yield { data };
      return;
    }
    const reference = readReference(fence, chunkId);
    if (reference === undefined) throw new ChunkNotFound(chunkId);
    for await (const data of chunks.read(executionId, reference)) yield { data };
  };
