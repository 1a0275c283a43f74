import { startStack, type Stack } from '@weft/local-stack';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { QUICK_RECOVERY } from '../../support/processes/kill';
import { callWebhook, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { bodyOf, serve, type StandIn } from '../../support/stand-ins/serve';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

const TOOLS = [1, 2, 3, 4, 5] as const;
/** Requests of a run: the model, a tool, the model, and so on. */
const REQUESTS = TOOLS.length * 2 + 1;
const KEY = 'sk-canary-0123456789abcdef';

/** A model that calls the five tools one after the other, whatever was asked before; and the tools. */
class Services {
  readonly seen: string[] = [];
  #server: StandIn | undefined;
  /** Called with each request before its response; the response is left out if it returns true. */
  onRequest: (number: number) => boolean = () => false;

  async start(): Promise<string> {
    this.#server = await serve((request, response) => void this.#answer(request, response));
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const isModel = request.url === '/v1/chat/completions';
    const messages: readonly { readonly role: string }[] = isModel ? JSON.parse(body).messages : [];
    const made = messages.filter(({ role }) => role === 'tool').length;
    this.seen.push(isModel ? `model ${made}` : (request.url ?? ''));
    if (this.onRequest(this.seen.length)) return;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isModel ? completion(made) : { done: request.url }));
  }
}

function completion(made: number): object {
  const isLast = made === TOOLS.length;
  const name = `Tool${made + 1}`;
  const call = { id: `call_${made + 1}`, type: 'function', function: { name, arguments: `{"n":${made + 1}}` } };
  return {
    choices: [
      {
        index: 0,
        finish_reason: isLast ? 'stop' : 'tool_calls',
        message: isLast
          ? { role: 'assistant', content: 'All five are done.' }
          : { role: 'assistant', content: null, tool_calls: [call] },
      },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  };
}

describe('an agent with five tools whose runner is killed', () => {
  let stack: Stack;
  let rest: Rest;
  let services: Services;

  beforeAll(async () => {
    services = new Services();
    const url = await services.start();
    stack = await startStack({ env: QUICK_RECOVERY });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${url}/v1`, KEY);
    const tools = TOOLS.map((n) => ({
      ...node(`Tool${n}`, 'httpRequestTool', 4.2, 0, {
        url: `=${url}/tool/${n}?n={{ $fromAI('n', 'The number', 'number') }}`,
        options: {},
      }),
    }));
    await activate(rest, {
      name: 'Killed',
      nodes: [
        node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'agent-kills', responseMode: 'onReceived' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Use all tools.' }),
        chatModel(credential),
        ...tools,
      ],
      connections: {
        Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ...TOOLS.map((n) => [`Tool${n}`, 'ai_tool', 'Agent'] as const),
        ]),
      },
    });
  });
  afterAll(async () => {
    await stack?.stop();
    await services?.stop();
  });

  const expected = TOOLS.flatMap((n) => [`model ${n - 1}`, `/tool/${n}?n=${n}`]).concat('model 5');

  /** Runs the workflow and returns the run data of the execution. */
  const run = async (): Promise<string> => {
    const { status, headers } = await callWebhook(stack.baseUrls[0] ?? '', 'agent-kills', {});
    expect(status).toBe(200);
    const path = `/executions/${headers.get('x-weft-execution-id') ?? ''}`;
    const read = (): Promise<RestAnswer> => rest('GET', path);
    await until('the run has ended', async () => ['success', 'error'].includes(textOf(await read(), 'status')));
    return (await read()).text;
  };

  it('makes each call once if nothing happens', async () => {
    services.seen.length = 0;
    const text = await run();
    expect(services.seen).toEqual(expected);
    expect(text).toContain('All five are done.');
    expect(text).not.toContain(KEY);
  });

  it.each(Array.from({ length: REQUESTS }, (_, at) => at + 1))(
    'within request %i repeats that one alone, and ends with the same result',
    async (at) => {
      services.seen.length = 0;
      let restarted: Promise<void> | undefined;
      services.onRequest = (number) => {
        if (number !== at) return false;
        services.onRequest = () => false;
        const [runner] = stack.of('runner');
        runner?.kill('SIGKILL');
        restarted = runner?.ended.then(() => runner.restart());
        return true;
      };
      const text = await run();
      await restarted;
      expect(services.seen).toEqual([...expected.slice(0, at), ...expected.slice(at - 1)]);
      expect(text).toContain('All five are done.');
    },
  );
});
