import type { NodeRun } from '@weft/proto/runner';
import { unpack } from '@weft/service-kit/packing';
import { randomBytes } from 'node:crypto';
import type { StoredNodeRun } from '../domain/claims/claimed-execution';
import { createNodeRunSender } from './send-node-runs';

const run = (executionIndex: number, text: string): StoredNodeRun => ({
  node: `N${executionIndex}`,
  run: 0,
  executionIndex,
  failed: executionIndex % 2 === 1,
  recordJson: Buffer.from(JSON.stringify({ text })),
});

/** A string that does not compress by a fifth. */
const noise = (): string =>
  randomBytes(450_000)
    .filter((byte) => byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c)
    .toString();

/** Records of a run: some compress well, some not at all, some are small, one is large. */
const RUNS = [
  run(0, 'a'.repeat(100_000)),
  run(1, 'b'.repeat(900_000)),
  run(2, 'c'.repeat(1_200_000)),
  run(3, 'd'.repeat(200_000)),
  run(4, 'e'.repeat(100_000)),
  run(5, noise()),
  run(6, noise()),
  run(7, 'small'),
];

const sender = () => {
  const uploaded: string[] = [];
  return {
    uploaded,
    send: createNodeRunSender({
      putChunk: async (pieces) => {
        let chunkId = '';
        let bytes = 0;
        for await (const piece of pieces) {
          chunkId = piece.chunkId;
          bytes += piece.data.length;
        }
        uploaded.push(`${chunkId}: ${bytes}`);
        return { outcome: 1 };
      },
    }),
  };
};

/** The records as the service reads them: uncompressed, or consecutive in the last pack. */
const textsOf = async (nodeRuns: readonly NodeRun[]): Promise<(string | undefined)[]> => {
  const texts: (string | undefined)[] = [];
  let raw: Buffer = Buffer.alloc(0);
  for (const [index, { packedRecords, packedBytes, recordJson, chunkId }] of nodeRuns.entries()) {
    if (packedRecords !== undefined) {
      const rest = nodeRuns.slice(index);
      const next = rest.findIndex((one, at) => at > 0 && one.packedRecords !== undefined);
      const rawBytes = rest
        .slice(0, next === -1 ? rest.length : next)
        .reduce((sum, one) => sum + (one.packedBytes ?? 0), 0);
      raw = await unpack({ bytes: packedRecords, rawBytes });
    }
    const record = packedBytes === undefined ? recordJson : raw.subarray(0, packedBytes);
    raw = raw.subarray(packedBytes ?? 0);
    texts.push(chunkId === '' ? JSON.parse(record.toString()).text : undefined);
  }
  return texts;
};

const CLAIM = { executionId: 'e', fence: 1 };
const TEXTS = RUNS.map(({ executionIndex, recordJson }) =>
  executionIndex === 2 ? undefined : JSON.parse(Buffer.from(recordJson).toString()).text,
);

describe('node runs sent to the service', () => {
  it('are packed where that saves space, in order, with references to records too large for a message', async () => {
    const { send, uploaded } = sender();
    const sent: NodeRun[][] = [];
    const outcome = await send({ ...CLAIM, nodeRuns: RUNS }, (nodeRuns) => {
      sent.push(nodeRuns);
      return Promise.resolve('applied');
    });
    expect([outcome, sent.length, uploaded]).toEqual(['applied', 1, ['run-2: 1200011']]);
    const nodeRuns = sent[0] ?? [];
    expect(
      nodeRuns.map(({ node, run: number, executionIndex, failed }) => [node, number, executionIndex, failed]),
    ).toEqual(RUNS.map(({ node, run: number, executionIndex, failed }) => [node, number, executionIndex, failed]));
    expect(
      nodeRuns.map(({ packedBytes, packedRecords, chunkId, recordJson }) =>
        packedBytes === undefined ? `${chunkId}${recordJson.length > 0 ? 'plain' : ''}` : packedRecords !== undefined,
      ),
    ).toEqual([true, false, 'run-2', true, false, 'plain', 'plain', 'plain']);
    expect(await textsOf(nodeRuns)).toEqual(TEXTS);
    expect(nodeRuns.reduce((sum, { packedRecords }) => sum + (packedRecords?.length ?? 0), 0)).toBeLessThan(5_000);
  });
});
