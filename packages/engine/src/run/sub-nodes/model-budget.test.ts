import type { JsonObject } from '@weft/node-catalogue';
import type { ModelCall, ModelLimit, ModelPorts } from '../../node/model-calls';
import type { RunNode } from '../../node/node';
import { NodeFailure } from '../../node/node-failure';
import { modelUsageOf } from '../../records/model-usage';
import { emit, jsonOf, runTest, type TestResult, type TestRun } from '../../testing/run-test-workflow';
import { RUN_MEMORY } from '../run-memory';

const CALL: ModelCall = { operation: 'chat', provider: 'openai', model: 'small', estimatedTokens: 100 };
const USAGE = { inputTokens: 90, outputTokens: 30, totalTokens: 120 };

/** Calls the model of the parameter `model` once for each item, and fails where the item says so. */
const asks: RunNode = async (context) => {
  const model = String(context.rawParameter('model') ?? 'small');
  const items = [];
  for (const { json } of context.items) {
    const { value } = json;
    const text = await context.callModel({ ...CALL, model }, async () => {
      if (value === 'refused') throw new NodeFailure('The service refused', { context: { status: 429 } });
      if (value === 'lost') throw new NodeFailure('The connection was lost');
      return { result: `about ${String(value)}`, response: { usage: USAGE } };
    });
    items.push({ json: { text } });
  }
  return { kind: 'items', outputs: [items] };
};

const test = (items: readonly string[], models: JsonObject, over: Partial<TestRun> = {}): TestRun => ({
  nodes: [
    ['S', 'emit', { parameters: { items: [...items] } }],
    ['A', 'asks', { parameters: { model: 'small' } }],
    ['B', 'asks', { parameters: { model: 'other' } }],
  ],
  links: ['S>A', 'A>B'],
  executors: { emit, asks },
  definition: { settings: { models } },
  ...over,
});

const PRICES: ModelPorts = { priceOf: (model) => (model === 'small' ? { input: 10, output: 100 } : undefined) };
/** Of one call: 90 tokens at 10, and 30 at 100, for a million each. */
const COST = 0.0039;

const usageOf = ({ events }: TestResult): unknown => events.at(-1)?.modelUsage;

/** Counts of the day, in memory. */
const dayOf = (limit: number): { readonly ports: ModelPorts; readonly log: string[] } => {
  const log: string[] = [];
  let used = 0;
  return {
    log,
    ports: {
      dayTokens: {
        reserve: async (tokens) => {
          log.push(`reserve ${tokens}`);
          if (used + tokens > limit) return { used, limit, resetAt: new Date(86_400_000) };
          used += tokens;
          return undefined;
        },
        settle: async (tokens) => {
          log.push(`settle ${tokens}`);
          used += tokens;
        },
      },
    },
  };
};

describe('the limits on models of an execution', () => {
  it('are not reached by a run that stays within them, whose calls, tokens and cost are added up', async () => {
    const result = await runTest(test(['a', 'b'], { maxTokens: 480, maxCost: 1 }, { models: PRICES }));
    expect(result.outcome.kind).toBe('success');
    expect(usageOf(result)).toEqual({
      calls: 4,
      inputTokens: 360,
      outputTokens: 120,
      totalTokens: 480,
      cost: 2 * COST,
      unpricedModels: ['other'],
    });
    expect(result.records.get('A')?.[0]?.metadata).toEqual({
      tokenUsage: { inputTokens: 180, outputTokens: 60 },
      modelCost: { cost: 2 * COST },
    });
    expect(result.records.get('B')?.[0]?.metadata).toEqual({
      tokenUsage: { inputTokens: 180, outputTokens: 60 },
      modelCost: { cost: 0, unpricedModels: ['other'] },
    });
  });

  it.each<readonly [string, JsonObject, ModelLimit, string]>([
    ['an estimate of tokens', { maxTokens: 339 }, 'MAX_TOKENS', 'would use 340 tokens, more than the 339'],
    ['used tokens', { maxTokens: 350 }, 'MAX_TOKENS', 'would use 360 tokens, more than the 350'],
    ['an estimate of the cost', { maxCost: 0.0045 }, 'MAX_COST', 'would cost 0.0049, more than the 0.0045'],
    ['the cost', { maxCost: 0.007 }, 'MAX_COST', 'would cost 0.0078, more than the 0.007'],
  ])('end it by %s, keep what was done, and name the limit and the totals', async (_how, models, limit, message) => {
    const reached: ModelLimit[] = [];
    const observer = {
      call: <Result>(_call: ModelCall, perform: () => Promise<Result>) => perform(),
      limitReached: (one: ModelLimit) => void reached.push(one),
      stepsTaken: () => undefined,
    };
    const given = test(['a', 'b', 'c'], models, { models: { ...PRICES, observer } });
    const result = await runTest({
      ...given,
      nodes: [...given.nodes.slice(0, 2), ['B', 'asks', { parameters: { model: 'small' } }]],
    });
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: {
        message: expect.stringContaining(message),
        description: expect.stringMatching(
          /^So far the execution has made \d+ model calls .* \d+ tokens, at a cost of .* raise settings\.models\./,
        ),
        context: { limit },
      },
    });
    expect(reached).toEqual([limit]);
    expect(jsonOf(result, 'S')).toHaveLength(3);
    const state = result.outcome.kind === 'error' ? result.outcome.state : undefined;
    expect(modelUsageOf(state?.memories[RUN_MEMORY])).toMatchObject({ totalTokens: expect.any(Number) });
  });

  it('count calls at the same time by their estimates', async () => {
    const both: RunNode = async (context) => {
      const call = (): Promise<string> =>
        context.callModel(CALL, async () => {
          await new Promise((resolve) => setTimeout(resolve, 5));
          return { result: 'done', response: { usage: USAGE } };
        });
      const ended = await Promise.allSettled([call(), call(), call()]);
      return { kind: 'items', outputs: [ended.map(({ status }) => ({ json: { status } }))] };
    };
    const result = await runTest(test(['a'], { maxTokens: 250 }, { executors: { emit, asks: both }, links: ['S>A'] }));
    expect(jsonOf(result, 'A')).toEqual([{ status: 'fulfilled' }, { status: 'fulfilled' }, { status: 'rejected' }]);
  });

  it('report a model without a price where only the cost is limited, and let it run', async () => {
    const result = await runTest(test(['a'], { maxCost: 0.000001 }));
    expect(result.outcome.kind).toBe('success');
    expect(usageOf(result)).toMatchObject({ cost: 0, unpricedModels: ['small', 'other'] });
  });

  it('leave cost out where no prices are known', async () => {
    const result = await runTest(test(['a'], {}));
    expect(usageOf(result)).toEqual({ calls: 2, inputTokens: 180, outputTokens: 60, totalTokens: 240 });
    expect(result.records.get('A')?.[0]?.metadata).toEqual({ tokenUsage: { inputTokens: 90, outputTokens: 30 } });
  });
});

describe('the tokens of a day', () => {
  it('are reserved before each call, and corrected after it', async () => {
    const { ports, log } = dayOf(1_000);
    await runTest(test(['a'], {}, { models: ports }));
    expect(log).toEqual(['reserve 100', 'settle 20', 'reserve 100', 'settle 20']);
  });

  it('refuse a call before it is made, which then does not count', async () => {
    const { ports } = dayOf(219);
    const result = await runTest(test(['a'], {}, { models: ports }));
    expect(result.outcome).toMatchObject({
      kind: 'error',
      lastNode: 'B',
      error: {
        message:
          'The owner of the workflow has used 120 of 219 tokens of models for today, and this call needs about 100 ' +
          '(MODEL_TOKENS_PER_DAY). The next day begins at 1970-01-02T00:00:00.000Z.',
        context: { limit: 'MODEL_TOKENS_PER_DAY' },
      },
    });
    expect(usageOf(result)).toMatchObject({ calls: 1, totalTokens: 120 });
    expect(jsonOf(result, 'A')).toEqual([{ text: 'about a' }]);
  });

  it('do not hide a refusal of the service when they cannot be returned', async () => {
    const settle = (): Promise<void> => Promise.reject(new Error('The broker is away'));
    const dayTokens = { reserve: async () => undefined, settle };
    const result = await runTest(test(['refused'], {}, { models: { dayTokens } }));
    expect(result.outcome).toMatchObject({ kind: 'error', error: { message: 'The service refused' } });
  });

  it.each([
    ['returned after a refusal of the service', 'refused', ['reserve 100', 'settle -100']],
    ['kept after a lost connection: the service may have used them', 'lost', ['reserve 100']],
  ])('are %s', async (_what, item, expected) => {
    const { ports, log } = dayOf(1_000);
    await runTest(test([item], {}, { models: ports }));
    expect(log).toEqual(expected);
  });
});
