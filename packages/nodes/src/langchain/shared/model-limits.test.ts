import type { ModelPorts, NodeExecutor } from '@weft/engine';
import { runInPieces, runTest, type TestNode, type TestRun } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { NODE_REGISTRY } from '../../executors';
import { type RootRun, testOf } from '../testing/run-root';

/** One limit of models, with settings under which a node reaches it after its first call. */
interface Reached {
  readonly limit: string;
  readonly models?: JsonObject;
  readonly ports?: () => ModelPorts;
  readonly items?: number;
  /** Part of the error that says what can be done. */
  readonly advice: RegExp;
}

/** Tokens of a day that suffice for one call of 10 estimated tokens, and not for two. */
const oneCallADay = (): ModelPorts => {
  let used = 0;
  return {
    dayTokens: {
      reserve: async (tokens) => {
        if (used + tokens > 19) return { used, limit: 19, resetAt: new Date(0) };
        used += tokens;
        return undefined;
      },
      settle: async () => undefined,
    },
  };
};

// A call is estimated with 10 tokens and uses 12.
const LIMITS: readonly Reached[] = [
  { limit: 'MAX_TOKENS', models: { maxTokens: 19 }, advice: /raise settings\.models\.maxTokens/ },
  {
    limit: 'MAX_COST',
    models: { maxCost: 19 },
    ports: () => ({ priceOf: () => ({ input: 1e6, output: 1e6 }) }),
    advice: /raise settings\.models\.maxCost/,
  },
  { limit: 'MODEL_TOKENS_PER_DAY', ports: oneCallADay, advice: /can raise MODEL_TOKENS_PER_DAY/ },
  { limit: 'MODEL_CALLS', items: 201, advice: /let sub-workflows do parts of the work/ },
];

const categories = { categories: { categories: [{ category: 'a' }, { category: 'b' }] } };

/** Nodes that call an attached model once for each item. */
const ROOTS: readonly (RootRun & { readonly answer: string })[] = [
  { kind: 'agent', parameters: { promptType: 'define', text: 'Go.' }, answer: 'Done.' },
  { kind: 'chainLlm', parameters: { promptType: 'define', text: 'Go.' }, answer: 'Done.' },
  {
    kind: 'informationExtractor',
    parameters: { text: 'x', schemaType: 'fromJson', jsonSchemaExample: '{"a":1}' },
    answer: '{"a":1}',
  },
  { kind: 'textClassifier', parameters: { inputText: 'x', ...categories }, answer: '{"a":true,"b":false}' },
  {
    kind: 'sentimentAnalysis',
    parameters: { inputText: 'x' },
    answer: '{"sentiment":"Positive","strength":1,"confidence":1}',
  },
  { kind: 'chainSummarization', answer: 'Short.' },
];

/** A run that is done at once, or that another process continues after every step. */
const WAYS = [
  ['at once', runTest],
  ['in pieces', runInPieces],
] as const;

const failsBy = ({ limit, advice }: Reached) => ({
  kind: 'error',
  error: {
    message: expect.stringContaining(limit.toLowerCase().startsWith('max') ? 'settings.models' : limit),
    description: expect.stringMatching(advice),
    context: { limit },
  },
});

const more = ({ models = {}, ports }: Reached): Partial<TestRun> => ({
  definition: { settings: { models } },
  ...(ports === undefined ? {} : { models: ports() }),
});

describe.each(ROOTS)('a limit that $kind reaches', ({ answer, ...root }) => {
  it.each(LIMITS.flatMap((one) => WAYS.map(([way, run]) => [one.limit, way, one, run] as const)))(
    '%s, %s: ends it with the limit and what to do, and keeps what was done',
    async (_limit, _way, one, run) => {
      const count = one.items ?? 3;
      const items = Array.from({ length: count }, (_, n) => ({ t: `Item ${n}` }));
      const { test, models } = testOf({ ...root, items, models: [{ answers: [answer] }], more: more(one) });
      const { outcome, records } = await run(test);
      expect(outcome).toMatchObject(failsBy(one));
      expect(records.get('Start')?.[0]?.data?.main?.[0]).toHaveLength(count);
      expect(models[0]?.calls).toHaveLength(one.items === undefined ? 1 : 200);
      const made = records.get('Model 0')?.filter(({ error }) => error === undefined);
      expect(made).toHaveLength(models[0]?.calls.length ?? 0);
    },
  );
});

describe('a limit that is reached after calls of tools', () => {
  const tool: Omit<NodeExecutor, 'kind'> = {
    actsOutside: true,
    supplies: {
      ai_tool: ({ node }) => ({
        functions: [{ name: node.name, description: 'Looks.', parameters: { type: 'object', properties: {} } }],
      }),
    },
    run: (context) => {
      const length = Number(context.rawParameter('length') ?? 60_000);
      return { kind: 'items', outputs: [[{ json: { seen: 'x'.repeat(length) } }]] };
    },
  };
  const call = { calls: [['Look', {}]] } as const;
  const agent = (
    answers: RootRun['models'],
    parameters: JsonObject,
    over: Partial<TestRun> = {},
    length = 60_000,
  ): TestRun => {
    const { test } = testOf({
      kind: 'agent',
      version: 3,
      parameters: { promptType: 'define', text: 'Go.', ...parameters },
      ...(answers === undefined ? {} : { models: answers }),
      more: over,
    });
    return {
      ...test,
      nodes: [...test.nodes, ['Look', 'tool', { parameters: { length } }]],
      links: [...test.links, 'Look>Root@ai_tool'],
      executors: { ...test.executors, tool },
    };
  };
  const settings = (models: JsonObject): Partial<TestRun> => ({ definition: { settings: { models } } });

  const CASES: readonly (readonly [limit: string, test: TestRun, runs: number, advice: RegExp])[] = [
    ['AGENT_STEPS', agent([{ answers: [call] }], { options: { maxIterations: 2 } }), 2, /Raise maxIterations/],
    ['MAX_TOKENS', agent([{ answers: [call] }], {}, settings({ maxTokens: 33 })), 2, /raise settings\.models/],
    ['AGENT_STATE_BYTES', agent([{ answers: [call] }], { options: { maxIterations: 50 } }), 18, /return less/],
    [
      'TOOL_CALLS',
      agent([{ answers: [{ calls: Array.from({ length: 300 }, () => ['Look', {}] as const) }] }], {}, {}, 10),
      300,
      /sub-workflows/,
    ],
  ];

  it.each(
    CASES.flatMap(([limit, test, runs, advice]) =>
      WAYS.map(([way, run]) => [limit, way, test, runs, advice, run] as const),
    ),
  )('%s, %s: keeps their runs, and says what to do', async (limit, _way, test, runs, advice, run) => {
    const { outcome, records } = await run(test);
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { description: expect.stringMatching(advice), context: { limit } },
    });
    const kept = records.get('Look') ?? [];
    expect(kept).toHaveLength(runs);
    for (const { data } of kept) expect(data?.ai_tool?.[0]?.[0]?.json['seen']).toMatch(/^x{10}/);
  });

  it.each(WAYS)('by an agent that is a tool of another one, %s: ends both, and keeps their runs', async (_way, run) => {
    const expert = { calls: [['Expert', {}]] } as const;
    const outer = agent([{ answers: [expert] }], {}, settings({ maxTokens: 45 }));
    const inner = testOf({ kind: 'agent', models: [{ answers: [call, call, call] }] });
    const expertExecutor = NODE_REGISTRY.get('langchain.agentTool');
    const nodes: readonly TestNode[] = [
      [
        'Expert',
        'langchain.agentTool',
        { type: '@n8n/n8n-nodes-langchain.agentTool', typeVersion: 3, parameters: { text: 'Look.' } },
      ],
      ['Inner', 'inner'],
    ];
    const { outcome, records } = await run({
      ...outer,
      nodes: [...outer.nodes, ...nodes],
      links: [...outer.links, 'Expert>Root@ai_tool', 'Inner>Expert@ai_languageModel', 'Look>Expert@ai_tool'],
      executors: {
        ...outer.executors,
        ...(expertExecutor === undefined ? {} : { 'langchain.agentTool': expertExecutor }),
        ...(inner.test.executors['model0'] === undefined ? {} : { inner: inner.test.executors['model0'] }),
      },
    });
    expect(outcome).toMatchObject({ kind: 'error', error: { context: { limit: 'MAX_TOKENS' } } });
    expect(records.get('Look')).toHaveLength(2);
    expect(records.get('Expert')?.[0]?.error?.message).toContain('settings.models.maxTokens');
  });
});
