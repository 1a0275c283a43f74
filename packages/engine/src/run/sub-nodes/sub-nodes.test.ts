import { type JsonObject, listField } from '@weft/node-catalogue';
import type { ChatResult } from '@weft/models';
import type { NodeExecutor, RunNode } from '../../node/node';
import { NodeFailure } from '../../node/node-failure';
import { emit, itemsOf, jsonOf, pass, runInPieces, runTest, type TestRun } from '../../testing/run-test-workflow';

const USAGE = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };

const answer = (content: string): ChatResult => ({
  message: { role: 'assistant', content },
  toolCalls: [],
  usage: USAGE,
  finish: 'stop',
  raw: {},
});

/** A model that repeats the last message, with the prefix that its parameter has. */
const model: Omit<NodeExecutor, 'kind'> = {
  actsOutside: true,
  run: () => ({ kind: 'items', outputs: [] }),
  supplies: {
    ai_languageModel: (context) => {
      const prefix = String(context.parameter('prefix', context.itemIndex) ?? '');
      return {
        name: 'echo',
        enforcesSchema: false,
        call: ({ messages }) =>
          context.callModel({ operation: 'chat', provider: 'openai', model: 'echo', estimatedTokens: 5 }, async () => {
            const text = `${prefix}${String(messages.at(-1)?.content ?? '')}`;
            if (text.includes('broken')) throw new NodeFailure('The service refused');
            const result = await context.record({ messages: [text] }, async () => ({
              result: answer(text),
              output: { text },
            }));
            return { result, response: { usage: USAGE } };
          }),
      };
    },
  },
};

/** Asks each of its models about each of its items. */
const chain: RunNode = async (context) => {
  const items = [];
  for (const [index, item] of context.items.entries()) {
    const answers: string[] = [];
    for (const { node, handle } of await context.attached('ai_languageModel', index)) {
      const { message } = await handle.call({ messages: [{ role: 'user', content: String(item.json['value']) }] });
      answers.push(`${node}: ${message.content}`);
    }
    items.push({ json: { answers }, pairedItem: { item: index } });
  }
  return { kind: 'items', outputs: [items] };
};

const chainTest = (over: Partial<TestRun> = {}): TestRun => ({
  nodes: [
    ['S', 'emit', { parameters: { items: ['a', 'b'] } }],
    ['C', 'chain'],
    ['M1', 'model', { parameters: { prefix: '=<{{ $json.value }}>' } }],
    ['M2', 'model', { parameters: { prefix: '2' } }],
    ['E', 'pass'],
  ],
  links: ['S>C', 'C>E', 'M1>C@ai_languageModel', 'M2>C:1@ai_languageModel'],
  executors: { emit, chain, model, pass },
  ...over,
});

describe('sub-nodes', () => {
  it('are given to the node that uses them in the order of their links, with parameters for its item', async () => {
    const result = await runTest(chainTest());
    expect(result.outcome).toMatchObject({ kind: 'success', lastNode: 'E' });
    expect(jsonOf(result, 'E')).toEqual([{ answers: ['M1: <a>a', 'M2: 2a'] }, { answers: ['M1: <b>b', 'M2: 2b'] }]);
  });

  it('are left out while they are disabled', async () => {
    const { nodes } = chainTest();
    const disabled = nodes.map(
      ([name, kind, over]) => [name, kind, name === 'M1' ? { disabled: true } : (over ?? {})] as const,
    );
    const result = await runTest(chainTest({ nodes: disabled }));
    expect(jsonOf(result, 'E')?.[0]).toEqual({ answers: ['M2: 2a'] });
  });

  it('never run on their own, and have a record for each call', async () => {
    const result = await runTest(chainTest());
    expect(result.order).toEqual(['S', 'M1', 'M2', 'M1', 'M2', 'C', 'E']);
    expect(result.records.get('M2')?.[1]).toMatchObject({
      executionStatus: 'success',
      source: [{ previousNode: 'C' }],
      inputOverride: { ai_languageModel: [[{ json: { messages: ['2b'] } }]] },
      data: { ai_languageModel: [[{ json: { text: '2b' } }]] },
    });
    expect(result.records.get('C')?.[0]?.metadata).toEqual({
      subRun: [
        { node: 'M1', runIndex: 0 },
        { node: 'M2', runIndex: 0 },
        { node: 'M1', runIndex: 1 },
        { node: 'M2', runIndex: 1 },
      ],
      tokenUsage: { inputTokens: 40, outputTokens: 8 },
    });
  });

  it('are stored together with the node that uses them', async () => {
    const indexes: number[] = [];
    const { events } = await runTest(
      chainTest({ onNodeRun: (event) => void indexes.push(event.state().executionIndex) }),
    );
    expect(events.map(({ node, joinsNext }) => [node, joinsNext])).toEqual([
      ['S', false],
      ['M1', true],
      ['M2', true],
      ['M1', true],
      ['M2', true],
      ['C', false],
      ['E', false],
    ]);
    expect(indexes).toEqual([1, 6, 6, 6, 6, 6, 7]);
  });

  it('fail the node that uses them, with the call that failed in the records', async () => {
    const failing = chainTest();
    const result = await runTest({
      ...failing,
      nodes: [['S', 'emit', { parameters: { items: ['a', 'broken'] } }], ...failing.nodes.slice(1)],
    });
    expect(result.outcome).toMatchObject({ kind: 'error', lastNode: 'C', error: { message: 'The service refused' } });
    expect(result.order).toEqual(['S', 'M1', 'M2', 'C']);
  });

  it('hide secrets of credentials in their records', async () => {
    const secret = 'sk-0123456789abcdef';
    const leaky: Omit<NodeExecutor, 'kind'> = {
      ...model,
      supplies: {
        ai_languageModel: async (context) => {
          await context.credential('openAiApi');
          return {
            name: 'leaky',
            enforcesSchema: false,
            call: () =>
              context.record({ messages: [secret] }, async () => ({
                result: answer(secret),
                output: { text: secret },
              })),
          };
        },
      },
    };
    const { nodes } = chainTest();
    const result = await runTest(
      chainTest({
        nodes: nodes.map(([name, kind]) => [
          name,
          kind,
          name === 'S' ? { parameters: { items: ['a'] } } : { credentials: { openAiApi: { id: 'c', name: 'c' } } },
        ]),
        executors: { emit, chain, model: leaky, pass },
        credential: { apiKey: secret },
      }),
    );
    expect(result.outcome.kind).toBe('success');
    expect(JSON.stringify([...result.records])).not.toContain(secret);
  });

  it('stop at the limit of tokens that the workflow sets', async () => {
    const result = await runTest(chainTest({ definition: { settings: { models: { maxTokens: 20 } } } }));
    expect(result.outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringMatching(/24 tokens, more than the 20 .*settings\.models\.maxTokens/) },
    });
    expect(result.records.get('M2')).toHaveLength(1);
  });
});

describe('a node that calls a model itself', () => {
  const usage = { inputTokens: 10, outputTokens: 2, totalTokens: 12 };
  const own = (maxTokens: number, calls: number): TestRun => ({
    nodes: [['Own', 'own']],
    links: [],
    executors: {
      own: async (context) => {
        for (let call = 0; call < calls; call += 1)
          await context.callModel(
            { operation: 'chat', provider: 'openai', model: 'm', estimatedTokens: 5 },
            async () => ({ result: undefined, response: { usage } }),
          );
        return { kind: 'items', outputs: [[{ json: { done: true } }]] };
      },
    },
    definition: { settings: { models: { maxTokens } } },
  });

  it('has the tokens of its calls in its record', async () => {
    const { records } = await runTest(own(1_000, 2));
    expect(records.get('Own')?.[0]?.metadata).toEqual({ tokenUsage: { inputTokens: 20, outputTokens: 4 } });
  });

  it.each([
    ['before a call that would exceed', 28, 'use 29 tokens'],
    ['after a call that exceeded', 11, 'use 12 tokens'],
  ])('stops %s the limit of tokens', async (_when, maxTokens, part) => {
    const { outcome } = await runTest(own(maxTokens, 3));
    expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining(part) } });
  });

  it('stops at the limit of calls', async () => {
    const { outcome } = await runTest(own(0, 10_000));
    expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('MODEL_CALLS') } });
  });
});

/** The tools that an item asks for. The node that is a tool itself has one. */
const toolsFor = (node: string, json: JsonObject): string[] =>
  node === 'Inner' ? ['T'] : listField(json, 'tools').map(String);

/** Calls tools as its items say, one round after the other, and then gives all that came back. */
const agent: RunNode = ({ node: { name }, items, continuation }) => {
  const rounds = name === 'Inner' ? 1 : Number(items[0]?.json['rounds'] ?? 1);
  const before = listField(continuation?.state, 'seen').map(String);
  const seen = [
    ...before,
    ...(continuation?.outcomes ?? []).map(
      ({ id, items: [item], error }) => `${id}=${error?.message ?? JSON.stringify(item?.json)}`,
    ),
  ];
  const round = Number(continuation?.state['round'] ?? 0);
  if (round === rounds) return { kind: 'items', outputs: [[{ json: { seen } }]] };
  const calls = items.flatMap((item, itemIndex) =>
    toolsFor(name, item.json).map((node, at) => ({
      id: `${round}.${itemIndex}.${at}`,
      node,
      tool: node,
      input: { city: `c${round}` },
      itemIndex,
    })),
  );
  return { kind: 'request', calls, state: { seen, round: round + 1 } };
};

const tool: RunNode = ({ items: [item], toolCall, node }) => {
  if (node.name === 'Bad') throw new NodeFailure('The tool broke');
  return { kind: 'items', outputs: [[{ json: { ...item?.json, called: toolCall?.tool ?? '' } }]] };
};

const agentTest = (items: readonly JsonObject[], over: Partial<TestRun> = {}): TestRun => ({
  nodes: [
    ['S', 'pass'],
    ['A', 'agent'],
    ['T', 'tool'],
    ['U', 'set', { parameters: { text: "={{ $json.city }} {{ $('S').item.json.name }} {{ $json.name }}" } }],
    ['Bad', 'tool'],
    ['Slow', 'slow'],
    ['Inner', 'agent'],
    ['E', 'pass'],
  ],
  links: ['S>A', 'A>E', ...['T', 'U', 'Bad', 'Slow', 'Inner'].map((name) => `${name}>A@ai_tool`), 'T>Inner@ai_tool'],
  input: items,
  executors: {
    pass,
    agent,
    tool,
    set: (context) => ({ kind: 'items', outputs: [[{ json: { text: String(context.parameter('text', 0)) } }]] }),
    slow: (context) =>
      context.resume === undefined
        ? { kind: 'wait', wait: { kind: 'timer', at: 5 } }
        : { kind: 'items', outputs: [[{ json: { done: true } }]] },
  },
  ...over,
});

describe('calls that a node requests', () => {
  it('run the tool with the fields of the item and the arguments, from the place of the node', async () => {
    const result = await runTest(
      agentTest([
        { name: 'x', tools: ['T'] },
        { name: 'y', tools: ['U'] },
      ]),
    );
    expect(jsonOf(result, 'E')).toEqual([
      {
        seen: ['0.0.0={"name":"x","tools":["T"],"city":"c0","called":"T"}', '0.1.0={"text":"c0 y y"}'],
      },
    ]);
    expect(result.order).toEqual(['S', 'T', 'U', 'A', 'E']);
    expect(result.records.get('U')?.[0]).toMatchObject({
      source: [{ previousNode: 'A' }],
      inputOverride: { ai_tool: [[{ json: { city: 'c0' } }]] },
      data: { ai_tool: [[{ json: { text: 'c0 y y' } }]] },
    });
    expect(result.records.get('A')).toHaveLength(1);
    expect(result.records.get('A')?.[0]?.metadata).toEqual({
      subRun: [
        { node: 'T', runIndex: 0 },
        { node: 'U', runIndex: 0 },
      ],
    });
    expect(itemsOf(result, 'A')).toHaveLength(1);
  });

  it('may be repeated, and list all runs', async () => {
    const result = await runTest(agentTest([{ rounds: 3, tools: ['T', 'T'] }]));
    expect(result.records.get('T')).toHaveLength(6);
    expect(result.records.get('A')?.[0]?.metadata?.['subRun']).toHaveLength(6);
  });

  it('report failures to the node, and do not end the run', async () => {
    const result = await runTest(agentTest([{ tools: ['Bad', 'T'] }]));
    expect(result.outcome.kind).toBe('success');
    expect(jsonOf(result, 'E')).toMatchObject([{ seen: ['0.0.0=The tool broke', expect.stringContaining('called')] }]);
    expect(result.records.get('Bad')?.[0]).toMatchObject({
      executionStatus: 'error',
      error: { message: 'The tool broke' },
    });
  });

  it.each([[['T', 'U']], [['Bad', 'T']], [['Inner', 'T']]])(
    'give the same records for %j if the run moves to another process after each of them',
    async (tools) => {
      const test = agentTest([{ name: 'x', rounds: 2, tools }]);
      const whole = await runTest(test);
      const pieces = await runInPieces(test);
      expect([...pieces.records].sort()).toEqual([...whole.records].sort());
      expect(whole.outcome.kind).toBe('success');
    },
  );

  it('wait where a tool waits, and continue there', async () => {
    const test = agentTest([{ tools: ['T', 'Slow', 'U'], name: 'z' }]);
    const first = await runTest(test);
    expect(first.outcome).toMatchObject({ kind: 'waiting', node: 'Slow', state: { version: 3 } });
    if (first.outcome.kind !== 'waiting') throw new Error('It does not wait.');
    const { state } = first.outcome;
    const second = await runTest({ ...test, state, records: first.records, resume: { kind: 'timer' } });
    expect(jsonOf(second, 'E')).toMatchObject([
      { seen: [expect.stringContaining('"called":"T"'), '0.0.1={"done":true}', '0.0.2={"text":"c0 z z"}'] },
    ]);
    expect(second.records.get('T')).toHaveLength(1);
  });

  it('may be made by a tool that is called itself', async () => {
    const result = await runTest(agentTest([{ name: 'n', tools: ['Inner'] }]));
    expect(result.order).toEqual(['S', 'T', 'Inner', 'A', 'E']);
    expect(result.records.get('T')?.[0]?.data?.ai_tool?.[0]?.[0]?.json).toMatchObject({ name: 'n', city: 'c0' });
  });

  it('are refused for nodes that are not attached, and beyond the limit', async () => {
    const stranger = await runTest(agentTest([{ tools: ['E'] }]));
    expect(stranger.outcome).toMatchObject({ kind: 'error', error: { message: '"E" is not a tool of "A"' } });
    const many = await runTest(agentTest([{ tools: Array.from({ length: 501 }, () => 'T') }]));
    expect(many.outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('TOOL_CALLS') } });
    expect(many.records.get('T')).toBeUndefined();
  });

  it('end after 15 minutes of work for each item, without the time of waits', async () => {
    const minutes = (count: number): number => count * 60_000;
    let now = 0;
    const clock = { now: () => now, sleep: () => Promise.resolve() };
    const waits: RunNode = ({ resume }) => {
      if (resume === undefined) return { kind: 'wait', wait: { kind: 'timer', at: minutes(500) } };
      return { kind: 'items', outputs: [[{ json: {} }]] };
    };
    const works: RunNode = (context) => {
      now += minutes(8);
      return tool(context);
    };
    const given = (items: readonly JsonObject[]): TestRun => {
      const test = agentTest(items, { ports: { clock } });
      return { ...test, executors: { ...test.executors, tool: works, slow: waits } };
    };
    const waiting = await runTest(given([{ tools: ['Slow', 'T'], rounds: 2 }]));
    if (waiting.outcome.kind !== 'waiting') throw new Error('It does not wait.');
    now = minutes(500);
    const { state } = waiting.outcome;
    const resumed = await runTest({ ...given([]), state, records: waiting.records, resume: { kind: 'timer' } });
    expect(resumed.outcome.kind).toBe('waiting');
    const tooLong = await runTest(given([{ tools: ['T'], rounds: 3 }]));
    expect(tooLong.outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('worked for 960 s, longer than the 900 s') },
    });
    expect(tooLong.records.get('T')).toHaveLength(2);
    expect((await runTest(given([{ tools: ['T'], rounds: 3 }, {}]))).outcome.kind).toBe('success');
  });

  it('replace the response of a pinned tool in a manual run', async () => {
    const result = await runTest(
      agentTest([{ tools: ['Bad'] }], { definition: { pinData: { Bad: [{ json: { pinned: 1 } }] } } }),
    );
    expect(jsonOf(result, 'E')).toEqual([{ seen: ['0.0.0={"pinned":1}'] }]);
  });
});
