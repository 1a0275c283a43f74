import type { NodeRun } from '@weft/proto/runner';
import { KeyedMutex } from '@weft/service-kit/batching';
import { pack } from '@weft/service-kit/packing';
import type { StoredNodeRun, WriteOutcome } from '../domain/claims/claimed-execution';
import type { Fenced } from '../domain/claims/held/execution-store';
import { toNodeRun } from './execution-messages';
import { DEADLINE_MS, piecesOf, type RunnerCalls } from './transfers';

/** Larger records are sent by PutChunk, as are those that would make an entry too large. */
const CHUNK_ABOVE_BYTES = 1024 * 1024;
const ENTRY_BYTES = 2 * 1024 * 1024;

/** Smaller records are sent uncompressed, and the service joins them with others. */
const PACK_FROM_BYTES = 64 * 1024;

/** Maximum bytes of records in a pack: reading one of them decompresses all. */
const PACK_BYTES = 256 * 1024;

/** Records are uploaded sequentially across all runs, to leave capacity for other runners. */
const RECORDS = 'records';

/** The node runs of a write. */
interface Sent extends Fenced {
  readonly nodeRuns: readonly StoredNodeRun[];
}

/** Sends a write with its node runs in their wire form. */
export type SendNodeRuns = (write: Sent, send: (nodeRuns: NodeRun[]) => Promise<WriteOutcome>) => Promise<WriteOutcome>;

/** The runs whose records fit into the message. */
const smallOf = (runs: readonly StoredNodeRun[]): readonly StoredNodeRun[] => {
  let room = ENTRY_BYTES;
  return runs.filter(({ recordJson: { length } }) => {
    if (length > Math.min(room, CHUNK_ABOVE_BYTES)) return false;
    room -= length;
    return true;
  });
};

const bytesOf = (runs: readonly StoredNodeRun[]): number =>
  runs.reduce((sum, { recordJson }) => sum + recordJson.length, 0);

/** Groups consecutive runs, filling each group but the last to the size of a pack. */
const groupsOf = (runs: readonly StoredNodeRun[]): StoredNodeRun[][] => {
  const groups: StoredNodeRun[][] = [];
  let room = 0;
  for (const run of runs) {
    if (room <= 0) {
      groups.push([]);
      room = PACK_BYTES;
    }
    groups.at(-1)?.push(run);
    room -= run.recordJson.length;
  }
  return groups;
};

const toPlainRun = (run: StoredNodeRun): NodeRun => toNodeRun(run, { recordJson: Buffer.from(run.recordJson) });

/** Converts the node runs of a group: packs their records if there are many and that saves a fifth. */
const packGroup = async (group: readonly StoredNodeRun[]): Promise<NodeRun[]> => {
  if (bytesOf(group) < PACK_FROM_BYTES) return group.map(toPlainRun);
  const { bytes, rawBytes } = await pack(Buffer.concat(group.map(({ recordJson }) => recordJson)));
  if (rawBytes === undefined) return group.map(toPlainRun);
  return group.map((run, index) =>
    toNodeRun(run, { packedBytes: run.recordJson.length, ...(index === 0 ? { packedRecords: bytes } : {}) }),
  );
};

/** Sends the node runs of writes: stores large records before the write that refers to them; packs many small ones. */
export const createNodeRunSender = (calls: Pick<RunnerCalls, 'putChunk'>): SendNodeRuns => {
  const uploads = new KeyedMutex();
  const upload = async (claim: Fenced, run: StoredNodeRun): Promise<NodeRun> => {
    const chunkId = `run-${run.executionIndex}`;
    await uploads.take(RECORDS, () =>
      calls.putChunk(piecesOf(claim, chunkId, run.recordJson), { deadlineMs: 3 * DEADLINE_MS }),
    );
    return toNodeRun(run, { chunkId });
  };
  const onWire = async ({ executionId, fence, nodeRuns }: Sent): Promise<NodeRun[]> => {
    const small = smallOf(nodeRuns);
    const packed = (await Promise.all(groupsOf(small).map(packGroup))).flat();
    const known = new Map(small.map((run, index) => [run, packed[index]]));
    return Promise.all(nodeRuns.map(async (run) => known.get(run) ?? upload({ executionId, fence }, run)));
  };
  return async (write, send) => send(await onWire(write));
};
