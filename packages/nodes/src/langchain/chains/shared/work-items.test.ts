import { NodeFailure } from '@weft/engine';
import { jsonOf } from '@weft/engine/testing';
import { promptOf } from '../../testing/scripted-model';
import { type RootRun, runRoot, runRootInPieces } from '../../testing/run-root';

const items = (count: number) => Array.from({ length: count }, (_, n) => ({ chatInput: `q${n}` }));
const echo = { answers: (call: Parameters<typeof promptOf>[0]) => `to ${promptOf(call)}` };
const chain = (count: number, over: Partial<RootRun> = {}): RootRun => ({
  kind: 'chainLlm',
  version: 1.9,
  items: items(count),
  models: [echo],
  ...over,
});
const batching = (batchSize: number, delayBetweenBatches = 0) => ({ batching: { batchSize, delayBetweenBatches } });

describe('items', () => {
  it.each([
    [1.6, {}, 3],
    [1.9, {}, 12],
    [1.9, batching(1), 3],
    [1.9, batching(1_000), 30],
  ])('of version %s with %j keep their order', async (version, parameters, count) => {
    const result = await runRoot(chain(count, { version, parameters }));
    expect(jsonOf(result, 'Root')).toEqual(items(count).map(({ chatInput }) => ({ text: `to ${chatInput}` })));
  });

  it('wait between batches', async () => {
    const result = await runRoot(chain(7, { parameters: batching(3, 500) }));
    expect(result.slept).toEqual([500, 500]);
    expect((await runRoot(chain(3, { parameters: batching(3, 500) }))).slept).toEqual([]);
  });

  it('are asked for once if the run moves to another process after every batch', async () => {
    const whole = await runRoot(chain(12));
    const pieces = await runRootInPieces(chain(12));
    expect(jsonOf(pieces, 'Root')).toEqual(jsonOf(whole, 'Root'));
    expect(pieces.models[0]?.calls).toHaveLength(12);
    expect(pieces.records.get('Root')).toHaveLength(1);
    expect(pieces.records.get('Root')?.[0]?.metadata?.['subRun']).toHaveLength(12);
    expect(pieces.records.get('Root')?.[0]?.metadata?.['tokenUsage']).toEqual({ inputTokens: 120, outputTokens: 24 });
  });

  it('are stored after each batch', async () => {
    const stored: number[] = [];
    await runRoot(
      chain(12, {
        more: {
          onNodeRun: ({ node, joinsNext }, records) => {
            if (node === 'Model 0' && !joinsNext) stored.push(records.get('Model 0')?.length ?? 0);
          },
        },
      }),
    );
    expect(stored).toEqual([5, 10]);
  });

  it('with results too large to be stored are done in one step', async () => {
    const large = 'x'.repeat(300_000);
    const result = await runRoot(chain(6, { models: [{ answers: [large] }], parameters: batching(2) }));
    expect(jsonOf(result, 'Root')).toHaveLength(6);
    expect(result.outcome.kind).toBe('success');
  });
});

describe('a failure', () => {
  const failing = (failAt: number) => ({
    answers: (call: Parameters<typeof promptOf>[0]) =>
      promptOf(call) === `q${failAt}` ? new NodeFailure('The service refused') : 'ok',
  });

  it('fails the node with the number of the item, and no further batch is asked for', async () => {
    const result = await runRoot(chain(12, { models: [failing(6)] }));
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The service refused', context: { itemIndex: 6 } },
    });
    expect(result.models[0]?.calls.length).toBeLessThanOrEqual(10);
  });

  it.each(['continueRegularOutput', 'continueErrorOutput'])('becomes an item with %s', async (onError) => {
    const result = await runRoot(chain(7, { models: [failing(6)], node: { onError } }));
    const output = onError === 'continueErrorOutput' ? 1 : 0;
    expect(jsonOf(result, 'Root', 0, output)?.at(-1)).toMatchObject({ error: 'The service refused' });
    expect(jsonOf(result, 'Root')?.[0]).toEqual({ text: 'ok' });
  });

  it('does not repeat earlier batches if the node tries again', async () => {
    let failures = 0;
    const answers = (call: Parameters<typeof promptOf>[0]) => {
      if (promptOf(call) !== 'q6' || failures > 0) return 'ok';
      failures += 1;
      return new NodeFailure('Later');
    };
    const node = { retryOnFail: true, maxTries: 2 };
    const result = await runRoot(chain(7, { models: [{ answers }], node }));
    expect(jsonOf(result, 'Root')).toHaveLength(7);
    expect(result.models[0]?.calls.filter((call) => promptOf(call) === 'q0')).toHaveLength(1);
  });
});
