import type { NodeRun as NodeRunMessage } from '@weft/proto/runner';
import { InvalidRequest } from '@weft/service-kit/errors';
import { checkLimit, LIMITS } from '@weft/service-kit/limits';
import { toFactsTuple } from '../../domain/data/run-facts';
import { MAX_PACKED_BYTES } from '../../domain/state/limits';
import type { SentNodeRun } from '../../domain/step/store-step';

type SentRecord = Pick<SentNodeRun, 'record' | 'uploadId' | 'packed'>;

const refuse = (what: string, message: string): never => {
  throw new InvalidRequest(what, [{ field: 'nodeRuns', message }]);
};

/** Records that are packed together, with their size in bytes, which the following runs add up to. */
interface OpenPack {
  readonly bytes: Buffer;
  rawBytes: number;
}

/**
 * Reads the records of node runs, in order. The content of a pack is not checked: when read, it is decompressed to at
 * most the size that its runs declare.
 */
const createRecordReader = () => {
  let pack: OpenPack | undefined;
  const readPacked = (bytes: number, packed: Buffer | undefined): SentRecord => {
    if (packed !== undefined) pack = { bytes: packed, rawBytes: 0 };
    if (bytes === 0 || pack === undefined)
      return refuse('A node run has no record.', 'must have packedRecords, or follow a node run that has them');
    pack.rawBytes += bytes;
    if (pack.rawBytes > MAX_PACKED_BYTES)
      return refuse('Too many records are packed together.', `must name at most ${MAX_PACKED_BYTES} bytes of a pack`);
    return { packed: { records: pack, bytes } };
  };
  return ({ recordJson, chunkId, packedBytes, packedRecords }: NodeRunMessage): SentRecord => {
    if (chunkId !== '') return { uploadId: chunkId };
    if (packedBytes !== undefined) return readPacked(packedBytes, packedRecords);
    pack = undefined;
    if (recordJson.length === 0)
      return refuse('A node run has no record.', 'must have recordJson, chunkId or packedBytes');
    return { record: recordJson };
  };
};

/**
 * Converts node runs.
 * @throws InvalidRequest for a run without a record, LimitExceeded for too long a name.
 */
export const fromNodeRunMessages = (executionId: string, messages: readonly NodeRunMessage[]): SentNodeRun[] => {
  const recordOf = createRecordReader();
  return messages.map((message) => {
    const { node, run, executionIndex, failed, facts } = message;
    checkLimit(LIMITS.nodeName, node.length);
    const sent = { node, run, executionIndex, failed, ...recordOf(message) };
    return facts === undefined ? sent : { ...sent, facts: toFactsTuple(executionId, facts) };
  });
};
