import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { isObject } from '@weft/service-kit/json';
import type { ServerResponse } from 'node:http';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { restClient, type Rest } from '../../support/rest';
import { serve, type StandIn } from '../../support/stand-ins/serve';
import { node } from '../../support/workflows';

/** Milliseconds between two parts of an answer. */
const PAUSE_MS = 60;
const PARTS = 8;

/** A model of OpenAI's format. Each part of its answer is the time at which it was sent. */
class Clock {
  #server: StandIn | undefined;

  async start(): Promise<string> {
    this.#server = await serve((request, response) => {
      request.resume();
      void this.#write(response);
    });
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async #write(response: ServerResponse): Promise<void> {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (delta: object, finish: string | null = null) =>
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
    for (let part = 0; part < PARTS; part += 1) {
      send({ content: `${Date.now()} ` });
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    send({}, 'stop');
    response.end('data: [DONE]\n\n');
  }
}

interface Line {
  readonly at: number;
  readonly chunk: Record<string, unknown>;
}

/** Reads lines of JSON as they arrive. */
async function read(response: Response): Promise<Line[]> {
  const lines: Line[] = [];
  let rest = '';
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const at = Date.now();
    const texts = (rest + part).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) {
      const chunk: unknown = JSON.parse(text);
      if (isObject(chunk)) lines.push({ at, chunk });
    }
  }
  return lines;
}

describe('a webhook that streams', () => {
  let stack: Stack;
  let rest: Rest;
  let model: Clock;
  beforeAll(async () => {
    model = new Clock();
    const url = await model.start();
    stack = await borrowStack({ env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' } } });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${url}/v1`);
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
    const lines = await read(response);
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
    const delays = items.map(({ at, chunk }) => at - Number(String(chunk['content']).trim()));
    process.stdout.write(`milliseconds from the model to the client: ${delays.join(', ')}\n`);
    // Each part arrived before the next one was sent, on a machine that may be busy.
    expect(items.length).toBeGreaterThan(PARTS / 2);
    expect(items.map(({ chunk }) => chunk['content']).join('')).toMatch(/^(\d+ ){8}$/);
  });

  it('ends with an error without details if the run fails', async () => {
    const lines = await read(await call('streams-fails'));
    expect(lines.map(({ chunk }) => [chunk['type'], chunk['content']])).toEqual([['error', 'Error in workflow']]);
  });
});
