import type { JsonObject } from '@weft/node-catalogue';
import { webhookResponseOf } from '@weft/nodes/descriptors';
import type { RunData, RunOutcome, WaitRequest } from '@weft/engine';
import { answerAtEnd, answerAtPause } from './webhook-answer';

const answer = (
  parameters: Record<string, unknown>,
  outcome: RunOutcome,
  items: readonly JsonObject[] = [{ a: '1' }, { a: '2' }],
) => {
  const records: RunData = new Map([
    [
      'Last',
      [
        {
          startTime: 0,
          executionTime: 0,
          executionIndex: 0,
          source: [],
          hints: [],
          executionStatus: 'success' as const,
          data: { main: [items.map((json) => ({ json, binary: { photo } }))] },
        },
      ],
    ],
  ]);
  return (
    answerAtEnd({ outcome, records }, settings(parameters), idOf, 1_000) ??
    answerAtPause({ outcome, records }, settings(parameters), idOf, 1_000)
  );
};
const idOf = (name: string): string => `id of ${name}`;
const photo = { id: 'f1', mimeType: 'image/png', fileSize: 3 };
const settings = (parameters: Record<string, unknown>) =>
  webhookResponseOf({
    id: 'w',
    name: 'W',
    type: 'x-nodes-base.webhook',
    typeVersion: 2.1,
    position: [0, 0],
    parameters: JSON.parse(JSON.stringify({ path: 'p', ...parameters })),
  });
const pause = (request: WaitRequest): RunOutcome => ({
  kind: 'waiting',
  wait: request,
  node: 'Wait',
  run: 0,
  state: {
    version: 1,
    executionIndex: 1,
    ready: [{ node: 'Wait', sources: [{ previousNode: 'Last' }], waited: true }],
    waiting: [],
    memories: {},
  },
});
const forCaller: WaitRequest = { kind: 'webhook', token: 't', settings: { suffix: '' } };
const success: RunOutcome = { kind: 'success', lastNode: 'Last' };
const failure: RunOutcome = {
  kind: 'error',
  lastNode: 'Last',
  error: { name: 'NodeOperationError', message: 'a secret reason' },
};

describe('the response at the end of a webhook run', () => {
  it('is the first item of the last node, or all, or nothing, as the node is configured', () => {
    expect(answer({ responseMode: 'lastNode' }, success)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '{"a":"1"}',
    });
    expect(answer({ responseMode: 'lastNode', responseData: 'allEntries' }, success)?.body).toBe(
      '[{"a":"1"},{"a":"2"}]',
    );
    expect(answer({ responseMode: 'lastNode', responseData: 'noData' }, success)?.body).toBe('');
  });

  it('is one field with the configured content type, status and headers', () => {
    const options = {
      responsePropertyName: 'a',
      responseContentType: 'text/plain',
      responseCode: { values: { responseCode: 201 } },
      responseHeaders: { entries: [{ name: 'X-A', value: 'b' }] },
    };
    expect(answer({ responseMode: 'lastNode', options }, success)).toEqual({
      status: 201,
      headers: { 'x-a': 'b', 'content-type': 'text/plain; charset=utf-8' },
      body: '1',
    });
  });

  it('is an HTML string if the field is a string, and empty if there is no such field', () => {
    const field = (responsePropertyName: string) =>
      answer({ responseMode: 'lastNode', options: { responsePropertyName } }, success);
    expect(field('a')).toEqual({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: '1' });
    expect(field('nope')).toMatchObject({ status: 200, body: '' });
  });

  it('adds the UTF-8 charset to strings and JSON, whatever the content type', () => {
    const typeOf = (options: JsonObject) => answer({ responseMode: 'lastNode', options }, success)?.headers;
    const stated = 'application/vnd.x+json';
    const said = { 'content-type': 'application/vnd.x+json; charset=utf-8' };
    expect(typeOf({ responseContentType: stated })).toEqual(said);
    expect(typeOf({ responseHeaders: { entries: [{ name: 'Content-Type', value: `${stated}; charset=x` }] } })).toEqual(
      said,
    );
  });

  it('is a field within arrays, or the one with that exact name', () => {
    const items = [{ l: [{ k: 'a' }, { k: 'b' }], 'l.k': 'c' }];
    const field = (responsePropertyName: string) =>
      answer({ responseMode: 'lastNode', options: { responsePropertyName } }, success, items)?.body;
    expect(field('l[1].k')).toBe('b');
    expect(field('l.0.k')).toBe('a');
    expect(field('l["1"].k')).toBe('b');
    expect(field('l.k')).toBe('c');
    expect(field('l.x')).toBe('');
  });

  it.each([
    ['firstEntryJson', 'No item to return was found'],
    ['firstEntryBinary', 'No item was found to return'],
  ])('is an error with %s if the last node returned no items', (responseData, message) => {
    expect(answer({ responseMode: 'lastNode', responseData }, { kind: 'success', lastNode: 'Gone' })).toMatchObject({
      status: 500,
      body: JSON.stringify({ code: 0, message }),
    });
  });

  it('reports a failure without its cause', () => {
    for (const responseMode of ['lastNode', 'responseNode'])
      expect(answer({ responseMode }, failure)).toMatchObject({ status: 500, body: '{"message":"Error in workflow"}' });
  });

  it('has no content when no Respond node ran', () => {
    expect(answer({ responseMode: 'responseNode' }, success)).toEqual({
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: '',
    });
  });

  it('is a file of the first item, by its name', () => {
    const asFile = { responseMode: 'lastNode', responseData: 'firstEntryBinary' };
    expect(answer({ ...asFile, responseBinaryPropertyName: 'photo' }, success)).toEqual({
      status: 200,
      headers: { 'content-type': 'image/png' },
      body: '',
      fileId: 'f1',
    });
    expect(answer(asFile, success)).toMatchObject({ status: 500, body: expect.stringContaining('does not exist') });
  });

  it('is the input of the waiting node, if the run waits longer than its caller would', () => {
    expect(answer({ responseMode: 'lastNode' }, pause(forCaller))?.body).toBe('{"a":"1"}');
    expect(answer({ responseMode: 'lastNode' }, pause({ kind: 'timer', at: 61_000 }))?.body).toBe('{"a":"1"}');
    expect(answer({ responseMode: 'lastNode' }, pause({ kind: 'timer', at: 20_000 }))).toBeUndefined();
    expect(answer({ responseMode: 'lastNode' }, pause({ kind: 'child', executionId: 'c' }))).toBeUndefined();
    expect(answer({ responseMode: 'responseNode' }, pause(forCaller))).toMatchObject({
      status: 200,
      body: expect.stringContaining('is waiting'),
    });
    const telling = { ...settings({ responseMode: 'lastNode' }), tellsPause: true as const };
    const paused = { outcome: pause(forCaller), records: new Map() };
    expect(answerAtPause(paused, telling, idOf, 1_000)?.body).toContain('is waiting');
    expect(answer({ responseMode: 'onReceived' }, pause(forCaller))).toBeUndefined();
  });

  it('is absent when the webhook responded at once, or the run only pauses', () => {
    expect(answer({ responseMode: 'onReceived' }, success)).toBeUndefined();
    expect(
      answer(
        { responseMode: 'lastNode' },
        {
          kind: 'stopped',
          reason: 'drain',
          state: { version: 1, executionIndex: 0, ready: [], waiting: [], memories: {} },
        },
      ),
    ).toBeUndefined();
  });

  describe('with streaming', () => {
    const linesOf = (outcome: RunOutcome, items?: readonly JsonObject[]) => {
      const { status, headers, body = '' } = answer({ responseMode: 'streaming' }, outcome, items) ?? {};
      const lines = String(body)
        .split('\n')
        .slice(0, -1)
        .map((line): unknown => JSON.parse(line));
      return { status, type: headers?.['content-type'], lines };
    };
    const metadata = { nodeId: 'id of Last', nodeName: 'Last', itemIndex: 0, runIndex: 0, timestamp: 1_000 };

    it('gives the text of the last items as lines, with which a reader completes what it has missed', () => {
      expect(linesOf(success, [{ output: 'Good day' }])).toEqual({
        status: 200,
        type: 'application/x-ndjson; charset=utf-8',
        lines: [
          { type: 'begin', metadata },
          { type: 'item', content: 'Good day', metadata },
          { type: 'end', metadata },
        ],
      });
      expect(JSON.stringify(linesOf(success, [{ text: 'a' }, { b: 1 }]).lines)).toContain(String.raw`{\"b\":1}`);
    });

    it('bounds what it gives', () => {
      const large = Array.from({ length: 1_000 }, () => ({ output: 'x'.repeat(100_000) }));
      const body = answer({ responseMode: 'streaming' }, success, large)?.body ?? '';
      expect(body.length).toBeLessThan(1_200_000);
    });

    it('says that the run failed, without details', () => {
      const { nodeId, nodeName, runIndex, itemIndex } = metadata;
      expect(linesOf(failure).lines).toEqual([
        { type: 'error', content: 'Error in workflow', metadata: { nodeId, nodeName, runIndex, itemIndex } },
      ]);
    });
  });

  describe('in a chat that shows messages of nodes', () => {
    const messages = [
      { author: 'user', text: 'Hi' },
      { author: 'assistant', text: 'Hello' },
    ];
    const runMemory = { chat: { messages, since: 1 } };
    const told = (outcome: RunOutcome) => {
      const run = { outcome, records: new Map(), runMemory };
      const chat = settings({ responseMode: 'chat' });
      const given = answerAtEnd(run, chat, idOf, 1_000) ?? answerAtPause(run, chat, idOf, 1_000);
      return given && [given.headers['content-type'], JSON.parse(String(given.body))];
    };
    const type = 'application/vnd.weft.chat+json';

    it('is what was said, at the end of the run', () => {
      expect(told(success)).toEqual([type, { messages, since: 1 }]);
      expect(told(failure)).toEqual([type, { messages, since: 1, isFailed: true }]);
    });

    it('tells of the reply that the run waits for, or that it waits for something else', () => {
      const announce = { status: 200, headers: { 'content-type': type }, body: '{"since":7}' };
      const chat = { messages, since: 1, buttons: [], blocksText: false };
      const asked = {
        ...forCaller,
        settings: { suffix: '', channel: { $case: 'chat', value: chat } },
        announce,
      } as const;
      expect(told(pause(asked))).toEqual([type, { since: 7 }]);
      expect(told(pause({ ...forCaller, announce }))).toEqual([type, { messages, since: 1, isPaused: true }]);
      expect(told(pause({ kind: 'timer', at: 10_000_000 }))).toBeUndefined();
    });
  });
});
