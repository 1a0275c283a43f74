import type { NodeRun, RunnerServiceService } from '@weft/proto/runner';
import type { Handlers } from '@weft/service-kit/grpc';
import { readClaimed } from '../../domain/claim/check-claim';
import { eachStoredRun, readRecord, type RunDataPorts, type StoredRun } from '../../domain/data/run-records';
import type { ReadTail } from '../../domain/data/segment-log';

/** Maximum bytes of records in one message. */
const MESSAGE_BYTES = 1024 * 1024;

/** Maximum bytes of a record within a message; a larger one is referenced by its chunk. */
const RECORD_BYTES = 12 * 1024 * 1024;

const EMPTY = Buffer.alloc(0);

const messageOf = async (stored: StoredRun): Promise<NodeRun> => {
  const { node, run, executionIndex, failed, bytes, chunk } = stored;
  const isNamed = chunk !== '' && bytes > RECORD_BYTES;
  return {
    node,
    run,
    executionIndex: executionIndex,
    failed,
    recordJson: isNamed ? EMPTY : await readRecord(stored),
    chunkId: isNamed ? chunk : '',
  };
};

export const readNodeRunsHandler = (
  readTail: ReadTail,
  ports: RunDataPorts,
): Handlers<typeof RunnerServiceService>['readNodeRuns'] =>
  async function* ({ executionId, fence, skip }) {
    const record = await readClaimed(executionId, fence, readTail);
    let nodeRuns: NodeRun[] = [];
    let bytes = 0;
    for await (const stored of eachStoredRun(record, ports, skip ?? 0)) {
      const message = await messageOf(stored);
      if (bytes > 0 && bytes + message.recordJson.length > MESSAGE_BYTES) {
        yield { nodeRuns };
        nodeRuns = [];
        bytes = 0;
      }
      nodeRuns.push(message);
      bytes += message.recordJson.length;
    }
    if (nodeRuns.length > 0) yield { nodeRuns };
  };
