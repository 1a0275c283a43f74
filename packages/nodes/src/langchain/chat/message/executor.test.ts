import type { ChatMemory, Item, MemoryMessage, Resume } from '@weft/engine';
import { jsonOf, runTest, type TestResult, type TestRun } from '@weft/engine/testing';
import type { JsonObject } from '@weft/node-catalogue';
import { KIND_TABLE } from '../../../descriptors/kinds';
import { NODE_REGISTRY } from '../../../executors';
import { chatWaitOf } from '../../../testing/caller-wait';
import { chatTrigger } from '../executor';
import { chatOf } from '../transcript';
import { chat } from './executor';

const said = { sessionId: 's', action: 'sendMessage', chatInput: 'Hi' };

const testOf = (parameters: JsonObject, typeVersion = 1.3, stored: MemoryMessage[] = []): TestRun => ({
  nodes: [
    [
      'Trigger',
      'trigger',
      {
        type: '@n8n/n8n-nodes-langchain.chatTrigger',
        typeVersion: 1.3,
        parameters: { public: true, options: { responseMode: 'responseNodes' } },
      },
    ],
    ['Ask', 'chat', { type: '@n8n/n8n-nodes-langchain.chat', typeVersion, parameters }],
    ['Memory', 'memory'],
  ],
  links: ['Trigger>Ask', 'Memory>Ask@ai_memory'],
  executors: {
    'langchain.chatTrigger': chatTrigger,
    'langchain.chat': chat,
    memory: {
      actsOutside: false,
      run: () => ({ kind: 'items', outputs: [] }),
      supplies: { ai_memory: () => memory(stored) },
    },
  },
  kinds: KIND_TABLE,
  mode: 'webhook',
  input: [{ headers: {}, body: said }],
  now: 1_000_000,
});

const memory = (stored: MemoryMessage[]): ChatMemory => ({
  load: async () => stored,
  all: async () => stored,
  append: async (messages) => void stored.push(...messages),
  remove: async () => undefined,
});

const waitOf = ({ outcome }: TestResult) => {
  if (outcome.kind !== 'waiting' || outcome.wait.kind !== 'webhook')
    throw new Error('Expected the run to wait for a caller.');
  return { state: outcome.state, request: outcome.wait };
};
const resumed = async (test: TestRun, resume: Resume): Promise<TestResult> => {
  const paused = await runTest(test);
  return runTest({ ...test, state: waitOf(paused).state, records: paused.records, resume });
};
const reply = (body: JsonObject, binary?: Item['binary']): Resume => ({
  kind: 'webhook',
  item: { json: { body }, ...(binary === undefined ? {} : { binary }) },
});
const asks = { operation: 'sendAndWait', message: 'Your name?' };
const approves = { ...asks, responseType: 'approval' };

describe('a message that waits for a reply', () => {
  it('shows the conversation at its own address, and tells the page of it', async () => {
    const { request } = waitOf(await runTest(testOf(asks)));
    const messages = [
      { author: 'user', text: 'Hi' },
      { author: 'assistant', text: 'Your name?' },
    ];
    expect(chatWaitOf(request)).toEqual({ messages, since: 1, buttons: [], blocksText: false });
    expect(JSON.parse(String(request.announce?.body))).toEqual({
      messages,
      since: 1,
      reply: { path: `/webhook-waiting/${request.token}/${request.settings.suffix}`, buttons: [], blocksText: false },
    });
  });

  it.each([
    [1, {}, { ...said, chatInput: 'Ann' }],
    [1.1, asks, { data: { ...said, chatInput: 'Ann' } }],
    [1.1, approves, { data: { ...said, chatInput: 'Ann', approved: false } }],
    [1.2, asks, { ...said, chatInput: 'Ann' }],
    [1.2, approves, { ...said, chatInput: 'Ann', data: { approved: false } }],
    [1.3, approves, { ...said, chatInput: 'Ann', data: { approved: false } }],
  ])('outputs the reply, in version %s with %j', async (version, parameters, output) => {
    const test = testOf({ message: 'Your name?', ...parameters }, version);
    expect(jsonOf(await resumed(test, reply({ chatInput: 'Ann' })), 'Ask')).toEqual([output]);
  });

  it('outputs the decision of a button', async () => {
    const result = await resumed(testOf(approves), reply({ approved: true }));
    expect(jsonOf(result, 'Ask')).toEqual([{ data: { approved: true, respondedAt: '1970-01-01T00:16:40.000Z' } }]);
    expect(chatOf(result.runMemory)?.messages.at(-1)).toEqual({ author: 'user', text: 'Approve' });
  });

  it('outputs the files of the reply', async () => {
    const file = { id: 'f', mimeType: 'text/plain', fileSize: 1 };
    const result = await resumed(testOf(asks), reply({ chatInput: '' }, { files0: file, files1: file }));
    expect(result.records.get('Ask')?.[0]?.data?.main?.[0]?.[0]?.binary).toEqual({ data_0: file, data_1: file });
  });

  it('takes a reply with an expression, HTML or other keys as text', async () => {
    const chatInput = '={{ $env.SECRET }} {{ 1 + 1 }} <script>alert(1)</script>';
    const result = await resumed(testOf(asks), reply({ chatInput, sessionId: 'other', action: 'x', more: 1 }));
    expect(jsonOf(result, 'Ask')).toEqual([{ ...said, chatInput }]);
  });

  it('passes its input on after the time limit', async () => {
    const result = await resumed(testOf(asks), { kind: 'timer' });
    expect(jsonOf(result, 'Ask')).toEqual([said]);
  });

  it('stores the message and the reply in its memory if it has the option', async () => {
    const stored: MemoryMessage[] = [];
    await resumed(testOf({ ...asks, options: { memoryConnection: true } }, 1.3, stored), reply({ chatInput: 'Ann' }));
    expect(stored).toEqual([
      { role: 'assistant', content: 'Your name?' },
      { role: 'user', content: 'Ann' },
    ]);
    stored.length = 0;
    await resumed(testOf(asks, 1.3, stored), reply({ chatInput: 'Ann' }));
    expect(stored).toEqual([]);
  });
});

describe('the messages of a run', () => {
  it('are bounded, and keep the newest one', async () => {
    const loop = testOf({ message: '={{ "x".repeat(60000) }}' });
    const result = await runTest({
      ...loop,
      nodes: [...loop.nodes, ['Again', 'chat', { ...loop.nodes[1]?.[2], position: [0, 900] }]],
      links: [...loop.links, 'Ask>Again'],
    });
    const { since, messages = [] } = chatOf(result.runMemory) ?? {};
    expect([since, messages.map(({ author, text }) => [author, text.length])]).toEqual([0, [['assistant', 60_000]]]);
  });
});

describe('a tool that asks in the chat', () => {
  it('waits for the reply while the agent waits for the tool, and confirms a message', async () => {
    const test = (parameters: JsonObject): TestRun => ({
      nodes: [
        testOf({}).nodes[0] ?? ['', ''],
        ['Root', 'root'],
        ['Ask', 'chat', { type: '@n8n/n8n-nodes-langchain.chatTool', typeVersion: 1.3, parameters }],
      ],
      links: ['Trigger>Root', 'Ask>Root@ai_tool'],
      executors: {
        root: ({ continuation }) =>
          continuation === undefined
            ? {
                kind: 'request',
                calls: [{ id: 'c', node: 'Ask', tool: 'Ask', input: { q: 'Your name?' }, itemIndex: 0 }],
                state: {},
              }
            : { kind: 'items', outputs: [continuation.outcomes.flatMap(({ items }) => items)] },
      },
      registry: NODE_REGISTRY,
      kinds: KIND_TABLE,
      mode: 'webhook',
      input: [{ headers: {}, body: said }],
    });
    const message = "={{ $fromAI('q') }}";
    const asked = test({ operation: 'sendAndWait', message });
    const { request } = waitOf(await runTest(asked));
    expect(chatWaitOf(request).messages.at(-1)).toEqual({ author: 'assistant', text: 'Your name?' });
    expect(jsonOf(await resumed(asked, reply({ chatInput: 'Ann' })), 'Root')).toEqual([{ ...said, chatInput: 'Ann' }]);
    expect(jsonOf(await runTest(test({ message })), 'Root')).toEqual([
      { sessionId: 's', action: 'sendMessage', sent: true },
    ]);
  });
});
