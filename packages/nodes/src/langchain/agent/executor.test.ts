import { type ChatMemory, type NodeExecutor, NodeFailure, type OutputParser } from '@weft/engine';
import { jsonOf, runInPieces, runTest, type TestRun } from '@weft/engine/testing';
import type { ChatMessage } from '@weft/models';
import type { Json, JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../descriptors/kinds';
import { type ModelScript, type ScriptedAnswer, scriptedModel } from '../testing/scripted-model';
import { toolExecutor } from '../tools/variant/tool-executor';
import { agent } from './executor';

const AGENT = '@n8n/n8n-nodes-langchain.agent';

/** A tool with one function of the node's name and one argument. */
const tool: Omit<NodeExecutor, 'kind'> = {
  actsOutside: true,
  supplies: {
    ai_tool: ({ node }) => ({
      functions: [
        {
          name: node.name,
          description: `Does ${node.name}.`,
          parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      ],
    }),
  },
  run: ({ items: [item], node }) => {
    if (node.name === 'Broken') throw new NodeFailure('The service is closed');
    return { kind: 'items', outputs: [[{ json: { weather: `${String(item?.json['city'])}: sunny` } }]] };
  },
};

/** A memory that keeps what is appended. */
const memoryOf = (stored: ChatMessage[]): Omit<NodeExecutor, 'kind'> => ({
  actsOutside: true,
  run: () => ({ kind: 'items', outputs: [] }),
  supplies: {
    ai_memory: (): ChatMemory => ({
      load: async () => [...stored],
      all: async () => [...stored],
      append: async (messages) => void stored.push(...messages),
      remove: async () => undefined,
    }),
  },
});

/** A parser of objects with a number `n`. */
const parser: Omit<NodeExecutor, 'kind'> = {
  actsOutside: false,
  run: () => ({ kind: 'items', outputs: [] }),
  supplies: {
    ai_outputParser: (): OutputParser => ({
      schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
      instructions: 'Write JSON.',
      parse: async (text) => {
        const value: JsonObject = JSON.parse(text);
        if (typeof value['n'] !== 'number') throw new NodeFailure('n is missing');
        return value;
      },
    }),
  },
};

/** A parser that reads the same value in every answer. */
const parserOf = (value: Json): Omit<NodeExecutor, 'kind'> => ({
  ...parser,
  supplies: {
    ai_outputParser: (): OutputParser => ({ schema: { type: 'object' }, instructions: '', parse: async () => value }),
  },
});

const testOf = (
  answers: ModelScript['answers'],
  {
    parameters = {},
    version = 3.1,
    items = [{ q: 'Weather?' }],
    over = {},
    stored = [],
    hasMemory = true,
    parsed,
  }: {
    readonly parameters?: JsonObject;
    readonly version?: number;
    readonly items?: readonly JsonObject[];
    readonly over?: JsonObject;
    readonly stored?: ChatMessage[];
    readonly hasMemory?: boolean;
    /** The value that the parser reads in every answer. */
    readonly parsed?: Json;
  } = {},
) => {
  const model = scriptedModel({ answers });
  const second = scriptedModel({ answers: ['from the second'] });
  const test: TestRun = {
    nodes: [
      [
        'Agent',
        'agent',
        {
          type: AGENT,
          typeVersion: version,
          parameters: { promptType: 'define', text: '={{ $json.q }}', ...parameters },
          ...over,
        },
      ],
      ['Model', 'model'],
      ['Second', 'second'],
      ['Weather', 'tool'],
      ['Broken', 'tool'],
      ['Memory', 'memory'],
      ['Parser', 'parser'],
    ],
    links: [
      'Model>Agent@ai_languageModel',
      ...(parameters['needsFallback'] === true ? ['Second>Agent:1@ai_languageModel'] : []),
      'Weather>Agent@ai_tool',
      'Broken>Agent@ai_tool',
      ...(hasMemory ? ['Memory>Agent@ai_memory'] : []),
      'Parser>Agent@ai_outputParser',
    ],
    executors: {
      'langchain.agent': agent,
      model: model.executor,
      second: second.executor,
      tool,
      memory: memoryOf(stored),
      parser: parsed === undefined ? parser : parserOf(parsed),
    },
    kinds: KIND_TABLE,
    input: items,
  };
  return { test, model, second, stored };
};

const call = (city: string, tool = 'Weather'): ScriptedAnswer => ({ calls: [[tool, { city }]] });

describe('an agent', () => {
  it('answers with the text of the model, to system message and prompt', async () => {
    const { test, model } = testOf(['Sunny.'], { parameters: { options: { systemMessage: 'Be brief.' } } });
    const result = await runTest(test);
    expect(result.outcome).toMatchObject({ kind: 'success' });
    expect(jsonOf(result, 'Agent')).toEqual([{ output: 'Sunny.' }]);
    expect(model.calls[0]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Weather?' },
    ]);
    expect(model.calls[0]?.tools?.map(({ name }) => name)).toEqual(['Weather', 'Broken']);
  });

  it.each([
    [1.8, {}, [{ role: 'system', content: 'You are a helpful assistant' }]],
    [1.9, {}, []],
    [3.1, {}, []],
    [3.1, { options: { systemMessage: '' } }, []],
  ])('of version %s with %j has the system message that n8n sends', async (version, parameters, system) => {
    const { test, model } = testOf(['Sunny.'], { version, parameters });
    await runTest(test);
    expect(model.calls[0]?.messages).toEqual([...system, { role: 'user', content: 'Weather?' }]);
  });

  it.each<[Json, boolean, JsonObject]>([
    [{ output: { n: 1 } }, true, { output: { n: 1 } }],
    [{ output: { n: 1 } }, false, { output: { n: 1 } }],
    [{ n: 1 }, true, { output: { n: 1 } }],
    [{ n: 1 }, false, { n: 1 }],
    [['a'], false, { output: ['a'] }],
  ])('makes of %j from its parser (with a memory: %s) the item that n8n makes', async (parsed, hasMemory, item) => {
    const { test } = testOf(['{}'], { parameters: { hasOutputParser: true }, hasMemory, parsed });
    expect(jsonOf(await runTest(test), 'Agent')).toEqual([item]);
  });

  it('lets the engine call tools, and gives the model their results', async () => {
    const { test, model } = testOf([call('Paris'), call('Rome'), 'Both sunny.']);
    const result = await runTest(test);
    expect(jsonOf(result, 'Agent')).toEqual([{ output: 'Both sunny.' }]);
    expect(result.order).toEqual(['Model', 'Weather', 'Model', 'Weather', 'Model', 'Agent']);
    expect(model.calls[2]?.messages.slice(1)).toEqual([
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1_0', name: 'Weather', input: { city: 'Paris' } }] },
      { role: 'tool', toolCallId: 'c1_0', toolName: 'Weather', content: '[{"weather":"Paris: sunny"}]' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c2_0', name: 'Weather', input: { city: 'Rome' } }] },
      { role: 'tool', toolCallId: 'c2_0', toolName: 'Weather', content: '[{"weather":"Rome: sunny"}]' },
    ]);
    expect(result.records.get('Agent')?.[0]?.metadata).toMatchObject({
      tokenUsage: { inputTokens: 30, outputTokens: 6 },
      subRun: expect.arrayContaining([{ node: 'Weather', runIndex: 1 }]),
    });
  });

  it('repeats no answer that was stored when the run continues in another process after each step', async () => {
    const { test, model } = testOf([
      {
        calls: [
          ['Weather', { city: 'A' }],
          ['Weather', { city: 'B' }],
        ],
      },
      'Done.',
    ]);
    const result = await runInPieces(test);
    expect(jsonOf(result, 'Agent')).toEqual([{ output: 'Done.' }]);
    expect(model.calls).toHaveLength(2);
    expect(result.records.get('Weather')).toHaveLength(2);
  });

  it('tells the model about tools that fail, are not known, or lack an argument', async () => {
    const { test, model } = testOf([
      {
        calls: [
          ['Broken', { city: 'X' }],
          ['Nothing', {}],
          ['Weather', {}],
        ],
      },
      'Sorry.',
    ]);
    const result = await runTest(test);
    expect(jsonOf(result, 'Agent')).toEqual([{ output: 'Sorry.' }]);
    const told = model.calls[1]?.messages.slice(2) ?? [];
    expect(told.map(({ content }) => content)).toEqual([
      expect.stringContaining('There is no tool "Nothing". The tools are: Weather, Broken.'),
      expect.stringContaining('city'),
      'The tool failed: The service is closed',
    ]);
    expect(result.records.get('Weather')).toBeUndefined();
  });

  it('fails with a tool whose node says so', async () => {
    const { test } = testOf([call('X', 'Broken'), 'Never.']);
    const nodes = test.nodes.map(
      ([name, kind, over = {}]) => [name, kind, name === 'Broken' ? { onError: 'stopWorkflow' } : over] as const,
    );
    const { outcome } = await runTest({ ...test, nodes });
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: 'The tool "Broken" failed: The service is closed' },
    });
  });

  it('fails when it has no answer after its iterations, with the steps so far', async () => {
    const { test, model } = testOf(() => call('Paris'), { parameters: { options: { maxIterations: 2 } } });
    const { outcome } = await runTest(test);
    expect(outcome).toMatchObject({
      kind: 'error',
      error: {
        message: 'The agent has no answer after 2 iterations (maxIterations)',
        context: {
          intermediateSteps: [{ action: { tool: 'Weather' } }, { observation: '[{"weather":"Paris: sunny"}]' }],
        },
      },
    });
    expect(model.calls).toHaveLength(2);
  });

  it('gives the other items when one fails and the node continues', async () => {
    const { test } = testOf(({ messages }) => (messages.at(-1)?.content === 'bad' ? new NodeFailure('No') : 'ok'), {
      items: [{ q: 'a' }, { q: 'bad' }, { q: 'c' }],
      over: { onError: 'continueRegularOutput' },
    });
    expect(jsonOf(await runTest(test), 'Agent')).toEqual([{ output: 'ok' }, { error: 'No' }, { output: 'ok' }]);
  });

  it.each([
    [2.2, ['Model', 'Weather', 'Model', 'Model', 'Weather', 'Model', 'Agent']],
    [3.1, ['Model', 'Model', 'Weather', 'Weather', 'Model', 'Model', 'Agent']],
  ])('of version %d handles its items in the order of n8n', async (version, order) => {
    const { test } = testOf(({ messages }) => (messages.at(-1)?.role === 'tool' ? 'ok' : call('Paris')), {
      items: [{ q: 'a' }, { q: 'b' }],
      version,
    });
    const result = await runTest(test);
    expect(result.order).toEqual(order);
    expect(jsonOf(result, 'Agent')).toEqual([{ output: 'ok' }, { output: 'ok' }]);
  });

  it('reads the prompt from chatInput if a chat trigger is its source', async () => {
    const { test, model } = testOf(['Hi.'], {
      parameters: { promptType: 'auto', text: '={{ $json.chatInput }}' },
      items: [{ chatInput: 'Hello' }],
    });
    await runTest(test);
    expect(model.calls[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'Hello' });
  });

  it('refuses an empty prompt', async () => {
    const { outcome } = await runTest(testOf(['x'], { items: [{}] }).test);
    expect(outcome).toMatchObject({
      kind: 'error',
      error: { message: expect.stringContaining('The prompt is empty') },
    });
  });

  it('remembers the conversation, and stores it once', async () => {
    const stored: ChatMessage[] = [
      { role: 'user', content: 'I am Ann.' },
      { role: 'assistant', content: 'Hello Ann.' },
    ];
    const { test, model } = testOf([call('Paris'), 'Sunny, Ann.'], { stored });
    await runInPieces(test);
    expect(model.calls[1]?.messages.slice(0, 3)).toEqual([
      { role: 'user', content: 'I am Ann.' },
      { role: 'assistant', content: 'Hello Ann.' },
      { role: 'user', content: 'Weather?' },
    ]);
    expect(stored.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'tool', 'assistant']);
  });

  it('gives the answer in the form of its parser, and tells the model once if it has another one', async () => {
    const parameters = { hasOutputParser: true };
    const final = (input: JsonObject): ScriptedAnswer => ({ calls: [['format_final_json_response', input]] });
    const right = testOf([final({ n: 1 })], { parameters });
    expect(jsonOf(await runTest(right.test), 'Agent')).toEqual([{ output: { n: 1 } }]);
    // Services refuse a call without a result: the memory has the answer as text.
    expect(right.stored.slice(1)).toEqual([{ role: 'assistant', content: '{"n":1}' }]);
    const corrected = testOf([final({ m: 1 }), final({ n: 2 })], { parameters });
    expect(jsonOf(await runTest(corrected.test), 'Agent')).toEqual([{ output: { n: 2 } }]);
    expect(corrected.model.calls[1]?.messages.at(-1)).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('n is missing'),
    });
    const wrong = testOf([final({ m: 1 })], { parameters });
    expect((await runTest(wrong.test)).outcome).toMatchObject({ kind: 'error', error: { message: 'n is missing' } });
  });

  it('uses the second model when the first fails, but not for a request that is wrong', async () => {
    const parameters = { needsFallback: true };
    const down = testOf([new NodeFailure('The service is down')], { parameters });
    expect(jsonOf(await runTest(down.test), 'Agent')).toEqual([{ output: 'from the second' }]);
    const bad = testOf([new NodeFailure('Bad request', { context: { status: 400 } })], { parameters });
    expect((await runTest(bad.test)).outcome).toMatchObject({ kind: 'error', error: { message: 'Bad request' } });
    expect(bad.second.calls).toHaveLength(0);
  });

  it('returns its steps if it is asked to', async () => {
    const { test } = testOf([call('Paris'), 'Sunny.'], { parameters: { options: { returnIntermediateSteps: true } } });
    expect(jsonOf(await runTest(test), 'Agent')).toMatchObject([
      {
        output: 'Sunny.',
        intermediateSteps: [
          { action: { tool: 'Weather', toolInput: { city: 'Paris' } }, observation: '[{"weather":"Paris: sunny"}]' },
        ],
      },
    ]);
  });

  it('ends a model that calls tools without end, at the limit of the execution', async () => {
    const { test, model } = testOf(
      () => ({ calls: Array.from({ length: 60 }, () => ['Weather', { city: 'P' }] as const) }),
      {
        parameters: { options: { maxIterations: 50 } },
      },
    );
    const { outcome } = await runTest(test);
    expect(outcome).toMatchObject({ kind: 'error', error: { message: expect.stringContaining('TOOL_CALLS') } });
    expect(model.calls).toHaveLength(9);
  });

  it('is a tool of another agent, whose tools run as steps as well', async () => {
    const inner = scriptedModel({ answers: [call('Oslo'), 'Oslo is sunny.'] });
    const descriptor = KIND_TABLE.get('langchain.agentTool');
    if (descriptor === undefined) throw new Error('There is no such tool.');
    const { test, model } = testOf([{ calls: [['Expert', { question: 'Oslo?' }]] }, 'Sunny in Oslo.']);
    const result = await runInPieces({
      ...test,
      nodes: [
        ...test.nodes,
        [
          'Expert',
          'expert',
          {
            type: `${AGENT}Tool`,
            typeVersion: 3,
            parameters: { text: "={{ $fromAI('question') }}", toolDescription: 'Knows the weather.' },
          },
        ],
        ['Inner', 'inner'],
      ],
      links: [...test.links, 'Expert>Agent@ai_tool', 'Inner>Expert@ai_languageModel', 'Weather>Expert@ai_tool'],
      executors: {
        ...test.executors,
        'langchain.agentTool': toolExecutor('langchain.agentTool', agent, () => descriptor),
        inner: inner.executor,
      },
    });
    expect(jsonOf(result, 'Agent')).toEqual([{ output: 'Sunny in Oslo.' }]);
    expect(result.order).toEqual(['Model', 'Inner', 'Weather', 'Inner', 'Expert', 'Model', 'Agent']);
    expect(inner.calls[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'Oslo?' });
    expect(model.calls[1]?.messages.at(-1)).toMatchObject({ content: '[{"output":"Oslo is sunny."}]' });
    expect(result.records.get('Expert')?.[0]?.metadata?.['subRun']).toHaveLength(3);
  });

  it('takes text of a model and of tools as data', async () => {
    const { test, model } = testOf([{ calls: [['Weather', { city: '={{ $env.SECRET }}{{ 1+1 }}' }]] }, '={{ 1 + 1 }}']);
    const result = await runTest(test);
    expect(jsonOf(result, 'Agent')).toEqual([{ output: '={{ 1 + 1 }}' }]);
    expect(JSON.stringify(model.calls[1]?.messages.at(-1))).toContain('{{ 1+1 }}: sunny');
  });
});
