import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { restClient, type Rest } from '../../support/rest';
import { delaysOf, readLines, startTimedModel, type TimedModel } from '../../support/streams/timed-model';
import { node } from '../../support/workflows';

/** Milliseconds between two parts of an answer. */
const PAUSE_MS = 60;
const PARTS = 8;

describe('a webhook that streams', () => {
  let stack: Stack;
  let rest: Rest;
  let model: TimedModel;
  beforeAll(async () => {
    model = await startTimedModel({ parts: PARTS, pauseMs: PAUSE_MS });
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${model.url}/v1`);
    const agent = modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'What time is it?' }, { id: 'agent-1' });
    await activate(rest, {
      name: 'Streams',
      nodes: [
        node('Hook', 'webhook', 2.1, 0, { path: 'streams', httpMethod: 'POST', responseMode: 'streaming' }),
        agent,
        chatModel(credential),
      ],
      connections: {
        Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([['Model', 'ai_languageModel', 'Agent']]),
      },
    });
    await activate(rest, {
      name: 'Streams failures',
      nodes: [
        node('Hook', 'webhook', 2.1, 0, { path: 'streams-fails', httpMethod: 'POST', responseMode: 'streaming' }),
        node('Stop', 'stopAndError', 1, 0, { errorMessage: 'a secret reason' }),
      ],
      connections: { Hook: { main: [[{ node: 'Stop', type: 'main', index: 0 }]] } },
    });
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await model?.stop();
  });
  const call = (path: string) => fetch(`${stack.baseUrls[0] ?? ''}/webhook/${path}`, { method: 'POST', body: '{}' });

  it('sends what the model writes while it writes, as chunks of n8n', async () => {
    const response = await call('streams');
    const lines = await readLines(response);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const types = lines.map(({ chunk }) => chunk['type']);
    expect([types[0], types.at(-1)]).toEqual(['begin', 'end']);
    const items = lines.filter(({ chunk }) => chunk['type'] === 'item');
    expect(Object.keys(items[0]?.chunk ?? {})).toEqual(['type', 'content', 'metadata']);
    expect(items[0]?.chunk['metadata']).toEqual({
      nodeId: 'agent-1',
      nodeName: 'Agent',
      itemIndex: 0,
      runIndex: 0,
      timestamp: expect.any(Number),
    });
    const delays = delaysOf(lines).map(Math.round);
    process.stdout.write(`milliseconds from the model to the client: ${delays.join(', ')}\n`);
    // Each part arrived before the next one was sent, on a machine that may be busy.
    expect(items.length).toBeGreaterThan(PARTS / 2);
    expect(items.map(({ chunk }) => chunk['content']).join('')).toMatch(/^([\d.]+ ){8}$/);
  });

  it('ends with an error without details if the run fails', async () => {
    const lines = await readLines(await call('streams-fails'));
    expect(lines.map(({ chunk }) => [chunk['type'], chunk['content']])).toEqual([['error', 'Error in workflow']]);
  });
});
