import { LIMITS } from '@weft/service-kit/limits';
import { boundedError, writeRecord } from './record-json';
import { noteSize, sizeOf } from './record-size';
import type { RunNode } from '../node/node';
import type { NodeRunRecord } from './run-record';
import { jsonOf, pass, runTest } from '../testing/run-test-workflow';

const recordOf = (text: string): NodeRunRecord => ({
  startTime: 0,
  executionTime: 0,
  executionIndex: 0,
  source: [],
  hints: [],
  executionStatus: 'success',
  data: { main: [[{ json: { text } }]] },
});

describe('the record of a node run', () => {
  const turns = { taken: 0 };
  const pause = (): Promise<void> => {
    turns.taken += 1;
    return Promise.resolve();
  };
  beforeEach(() => {
    turns.taken = 0;
  });

  it('is written once, and its size is stored', async () => {
    const record = recordOf('a');
    expect(Buffer.from(await writeRecord(record, 0, pause)).toString()).toBe(JSON.stringify(record));
    expect(sizeOf([record])).toBe(JSON.stringify(record).length);
    expect(turns.taken).toBe(0);
  });

  it('leaves the thread to other runs in the middle of a large one', async () => {
    const record = recordOf('a'.repeat(2_000_000));
    expect(Buffer.from(await writeRecord(record, 0, pause)).toString()).toBe(JSON.stringify(record));
    expect(turns.taken).toBe(1);
  });

  it('is refused with the name of the limit: of the node, of the run, and for what has no JSON text', async () => {
    const large = recordOf('a'.repeat(LIMITS.nodeOutput.max));
    await expect(writeRecord(large, 0, pause)).rejects.toThrow('NODE_OUTPUT_BYTES');
    await expect(writeRecord(recordOf('a'), LIMITS.runData.max, pause)).rejects.toThrow('RUN_DATA_BYTES');
    const half = 'a'.repeat(300 * 1024 * 1024);
    const unwritable = { ...recordOf(''), data: { main: [[{ json: { half } }, { json: { half } }]] } };
    await expect(writeRecord(unwritable, 0, pause)).rejects.toThrow('NODE_OUTPUT_BYTES');
  });

  it('counts what earlier runs have stored', () => {
    const record = recordOf('a');
    noteSize(record, 1_000);
    expect(sizeOf([record, recordOf('unknown')])).toBe(1_000);
  });

  it('holds errors of any size', () => {
    const error = boundedError({
      name: 'E',
      message: 'm'.repeat(10_000_000),
      description: 'short',
      context: { body: 'b'.repeat(1_000_000) },
    });
    expect([error.message.length < 70_000, error.description, error.context]).toEqual([true, 'short', undefined]);
  });
});

describe('a node whose output is too large to be stored', () => {
  const text = 'x'.repeat(LIMITS.nodeOutput.max);
  const large: RunNode = () => ({ kind: 'items', outputs: [[{ json: { text } }]] });
  const chain = (onError: string) =>
    runTest({
      nodes: [
        ['A', 'pass'],
        ['Large', 'large', { onError }],
        ['B', 'pass'],
      ],
      links: ['A>Large', 'Large>B'],
      executors: { pass, large },
      input: [{ n: 1 }],
    });

  it('fails, and the run with it', async () => {
    const { outcome, order, events } = await chain('stopWorkflow');
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('NODE_OUTPUT_BYTES'), node: { name: 'Large' } },
    });
    expect(order).toEqual(['A', 'Large']);
    expect(events.at(-1)?.json.length).toBeLessThan(2_000);
  });

  it('passes its input on if its options say so', async () => {
    const result = await chain('continueRegularOutput');
    expect(result.outcome.kind).toBe('success');
    expect(jsonOf(result, 'B')).toEqual([{ n: 1 }]);
  });
});
