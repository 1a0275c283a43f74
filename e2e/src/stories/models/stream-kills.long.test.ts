import { startStack, type Stack } from '@weft/local-stack';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { killRunner, QUICK_RECOVERY } from '../../support/processes/kill';
import { restClient, textOf, type Rest } from '../../support/rest';
import { bodyOf, serve, type StandIn } from '../../support/stand-ins/serve';
import { chunkOf, endStream, readLines, textOfLines } from '../../support/streams/timed-model';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

const PARTS = 12;
const PAUSE_MS = 100;

/** The text of the answer to a request: each request has another one. */
const partOf = (request: number, part: number): string => `answer ${request} part ${part}. `;
const answerOf = (request: number): string =>
  Array.from({ length: PARTS }, (_, part) => partOf(request, part)).join('');

/** Time after which an answer is killed: its caller has some parts. */
const KILL_AT_PART = 4;

/** A model that writes slowly, as a stream if it is asked for one. */
class SlowModel {
  requests = 0;
  /** Called with the number of the request while its answer is written. */
  onMiddle: (request: number) => void = () => undefined;
  #server: StandIn | undefined;

  async start(): Promise<string> {
    this.#server = await serve((request, response) => void this.#answer(request, response));
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isStreamed = JSON.parse(await bodyOf(request)).stream === true;
    this.requests += 1;
    const number = this.requests;
    response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
    for (let part = 0; part < PARTS && !response.destroyed; part += 1) {
      if (isStreamed) response.write(chunkOf({ content: partOf(number, part) }));
      await sleep(PAUSE_MS);
      if (part === KILL_AT_PART) this.onMiddle(number);
    }
    if (isStreamed) return endStream(response);
    const message = { role: 'assistant', content: answerOf(number) };
    response.end(JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message }] }));
  }
}

describe('a streamed answer whose runner is killed', () => {
  let stack: Stack;
  let rest: Rest;
  let model: SlowModel;

  beforeAll(async () => {
    model = new SlowModel();
    const url = await model.start();
    stack = await startStack({ env: QUICK_RECOVERY });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${url}/v1`);
    await activate(rest, {
      name: 'Killed stream',
      nodes: [
        node('Hook', 'webhook', 2.1, 0, { path: 'killed-stream', httpMethod: 'POST', responseMode: 'streaming' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Tell a story.' }),
        chatModel(credential),
      ],
      connections: {
        Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([['Model', 'ai_languageModel', 'Agent']]),
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await model?.stop();
  });

  /** Calls the webhook, and kills the runner within the first answers. @returns the lines, and the ended execution */
  const callAndKill = async (kills: number) => {
    model.requests = 0;
    let restarts = Promise.resolve();
    model.onMiddle = (request) => {
      if (request <= kills) restarts = restarts.then(() => killRunner(stack));
    };
    const response = await fetch(`${stack.baseUrls[0] ?? ''}/webhook/killed-stream`, { method: 'POST', body: '{}' });
    const path = `/executions/${response.headers.get('x-weft-execution-id') ?? ''}`;
    const lines = await readLines(response);
    const ended = await until('the run has ended', async () => {
      const read = await rest('GET', path);
      return ['success', 'error', 'crashed'].includes(textOf(read, 'status')) && read;
    });
    await restarts;
    return { lines, ended };
  };

  it.each([0, 1])('ends with the whole text of the last attempt, which is stored, after %i kills', async (kills) => {
    const { lines, ended } = await callAndKill(kills);
    expect([textOf(ended, 'status'), model.requests]).toEqual(['success', kills + 1]);
    const whole = answerOf(kills + 1);
    expect(textOfLines(lines)).toBe(whole);
    expect(lines.at(-1)?.chunk['type']).toBe('end');
    expect(ended.text).toContain(whole);
    // The caller had parts of the first attempt, and none of them is in what is stored.
    expect(lines.map(({ chunk }) => chunk['content'])).toContain(partOf(1, 1));
    if (kills > 0) expect(ended.text).not.toContain('answer 1 part');
  });
});
