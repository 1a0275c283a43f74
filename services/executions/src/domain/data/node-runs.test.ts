import fc from 'fast-check';
import { uuidv7 } from '@weft/service-kit/ids';
import { timeOfId } from '../state/id-at';
import { fromFactsTuple, toFactsTuple } from './run-facts';
import { packSegment, readRuns, unpackSegment, type NodeRun } from './node-runs';

const cut = (raw: Buffer, runs: readonly { readonly bytes: number; readonly chunk: string }[]): string[] => {
  let from = 0;
  return runs.flatMap(({ bytes, chunk }) => {
    if (chunk !== '') return [];
    from += bytes;
    return [raw.subarray(from - bytes, from).toString()];
  });
};

describe('a segment', () => {
  it('returns every record and the metadata of its run, whatever the content', async () => {
    const record = fc.oneof(
      fc.string().map((text) => JSON.stringify({ text })),
      fc.nat(20_000).map((length) => JSON.stringify({ text: 'x'.repeat(length) })),
    );
    const run = fc.record({ node: fc.string(), run: fc.nat(), executionIndex: fc.nat(), failed: fc.boolean(), record });
    await fc.assert(
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 8 }), async (runs) => {
        const segment = await packSegment(
          runs.map((one) => ({ ...one, record: Buffer.from(one.record) })),
          3,
        );
        const manifest = readRuns(segment);
        expect(
          manifest.map(({ node, run: number, executionIndex, failed }) => [node, number, executionIndex, failed]),
        ).toEqual(runs.map(({ node, run: number, executionIndex, failed }) => [node, number, executionIndex, failed]));
        expect(cut(await unpackSegment(segment, segment.bytes ?? Buffer.alloc(0)), manifest)).toEqual(
          runs.map((one) => one.record),
        );
        expect([segment.count, segment.fence]).toEqual([runs.length, 3]);
      }),
      { numRuns: 100 },
    );
  });

  it('keeps the facts of its runs, and is readable without them', async () => {
    const executionId = uuidv7();
    const run = { node: 'N', run: 0, executionIndex: 0, failed: true, record: Buffer.from('{}') };
    const facts = { startedAtMs: timeOfId(executionId) + 12, durationMs: 3, outputItems: [1, 0], errorMessage: 'No.' };
    const [first, second] = readRuns(
      await packSegment(
        [
          { ...run, facts: toFactsTuple(executionId, facts) },
          { ...run, executionIndex: 1 },
        ],
        1,
      ),
    );
    expect(first?.facts && fromFactsTuple(executionId, first.facts)).toEqual(facts);
    expect(second?.facts).toBeUndefined();
    expect(readRuns({ runs: '[["N",0,0,0,2,""]]' })).toEqual([
      { node: 'N', run: 0, executionIndex: 0, failed: false, bytes: 2, chunk: '' },
    ]);
  });

  it('takes at most 25 bytes for the facts of a run that did not fail', () => {
    const executionId = uuidv7();
    const startedAtMs = timeOfId(executionId) + 3_599_999;
    const tuple = toFactsTuple(executionId, { startedAtMs, durationMs: 99_999, outputItems: [1000], errorMessage: '' });
    expect(`,${JSON.stringify(tuple)}`.length).toBeLessThanOrEqual(25);
    const long = { startedAtMs, durationMs: 1, outputItems: Array<number>(200).fill(1), errorMessage: 'x'.repeat(400) };
    const [, , items, message] = toFactsTuple(executionId, long);
    expect([items.length, message?.length]).toEqual([100, 300]);
  });

  it('is compressed only where that saves space', async () => {
    const pack = (text: string) =>
      packSegment([{ node: 'N', run: 0, executionIndex: 0, failed: false, record: Buffer.from(text) }], 1);
    expect((await pack('{}')).encoding).toBe('plain');
    expect(await pack(`"${'ab'.repeat(50_000)}"`)).toMatchObject({ encoding: 'zstd', rawBytes: 100_002 });
  });

  it('counts records in separate chunks without storing their bytes', async () => {
    const run: NodeRun = {
      node: 'N',
      run: 0,
      executionIndex: 4,
      failed: false,
      chunk: { reference: '1.upload-a', bytes: 500 },
    };
    const segment = await packSegment([run], 1);
    expect(segment).toMatchObject({ rawBytes: 0, totalBytes: 500, count: 1 });
    expect(segment.bytes).toBeUndefined();
    expect(readRuns(segment)).toEqual([
      { node: 'N', run: 0, executionIndex: 4, failed: false, bytes: 500, chunk: '1.upload-a' },
    ]);
  });

  it('is refused when its bytes do not match', async () => {
    const segment = await packSegment(
      [{ node: 'N', run: 0, executionIndex: 0, failed: false, record: Buffer.from('{"a":1}') }],
      1,
    );
    await expect(unpackSegment(segment, Buffer.from('{}'))).rejects.toThrow('2 bytes instead of 7');
  });
});
