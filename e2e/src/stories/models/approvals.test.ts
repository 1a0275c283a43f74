import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { bodyOf, serve, type StandIn } from '../../support/stand-ins/serve';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

/** A model that requests a payment and two slow look-ups at once, and then says what it was told; and the tools. */
class Services {
  readonly seen: string[] = [];
  /** Maximum number of look-ups at the same time. */
  most = 0;
  #running = 0;
  #server: StandIn | undefined;

  async start(): Promise<string> {
    this.#server = await serve((request, response) => void this.#answer(request, response));
    return this.#server.url;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url === '/v1/chat/completions') {
      const messages: readonly { readonly role: string; readonly content: unknown }[] = JSON.parse(body).messages;
      const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.stringify(content));
      response.end(JSON.stringify(completion(told)));
      return;
    }
    this.seen.push(request.url ?? '');
    this.#running += 1;
    this.most = Math.max(this.most, this.#running);
    await new Promise((resolve) => setTimeout(resolve, 300));
    this.#running -= 1;
    response.end(JSON.stringify({ done: request.url }));
  }
}

function completion(told: readonly string[]): object {
  const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{"n":1}' } });
  const message =
    told.length > 0
      ? { role: 'assistant', content: `Told: ${told.join(' ')}` }
      : { role: 'assistant', content: null, tool_calls: [call('a', 'Pay'), call('b', 'Look'), call('c', 'Look')] };
  return {
    choices: [{ index: 0, finish_reason: told.length > 0 ? 'stop' : 'tool_calls', message }],
    usage: { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 },
  };
}

describe('a tool that needs approval', () => {
  let stack: Stack;
  let rest: Rest;
  let services: Services;
  beforeAll(async () => {
    services = new Services();
    const url = await services.start();
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${url}/v1`);
    const tool = (name: string, path: string) =>
      node(name, 'httpRequestTool', 4.2, 0, { url: `=${url}/${path}?n={{ $fromAI('n', 'A number', 'number') }}` });
    await activate(rest, {
      name: 'Approvals',
      nodes: [
        node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'approvals', responseMode: 'onReceived' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: 'Look twice and pay.' }),
        chatModel(credential),
        tool('Look', 'look'),
        { ...tool('Pay', 'pay'), approval: 'required' },
      ],
      connections: {
        Webhook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ['Look', 'ai_tool', 'Agent'],
          ['Pay', 'ai_tool', 'Agent'],
        ]),
      },
    });
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await services?.stop();
  });
  beforeEach(() => {
    services.seen.length = 0;
    services.most = 0;
  });

  /** Starts a run, and returns its id and that of its approval when it waits for that. */
  const asked = async (): Promise<{ readonly id: string; readonly run: string }> => {
    const { headers } = await callWebhook(stack.baseUrls[0] ?? '', 'approvals', {});
    const id = headers.get('x-weft-execution-id') ?? '';
    const run = await until('the run waits for approval', async () => {
      const { approvals } = dataOf(await rest('GET', `/executions/${id}?includeData=false`));
      const [first]: readonly { readonly run?: unknown }[] = Array.isArray(approvals) ? approvals : [];
      return typeof first?.run === 'string' && first.run;
    });
    return { id, run };
  };
  const ended = async (id: string): Promise<string> => {
    const read = () => rest('GET', `/executions/${id}`);
    await until('the run has ended', async () => ['success', 'error'].includes(textOf(await read(), 'status')));
    return (await read()).text;
  };

  it('waits until a person approves, after other calls that run at the same time', async () => {
    const { id, run } = await asked();
    expect(services.seen).toEqual(['/look?n=1', '/look?n=1']);
    expect(services.most).toBe(2);
    const listed = await rest('GET', `/executions/${id}?includeData=false`);
    expect(dataOf(listed)).toMatchObject({
      status: 'waiting',
      approvals: [{ run, node: 'Pay', tool: 'Pay', input: { n: 1 } }],
    });
    for (const runner of stack.of('runner')) {
      runner.kill('SIGKILL');
      await runner.ended;
      await runner.restart();
    }
    const decided = await rest('POST', `/executions/${id}/approvals/${run}`, { decision: 'approve' });
    expect([decided.status, dataOf(decided)['status']]).toEqual([200, 'running']);
    const text = await ended(id);
    expect(services.seen).toEqual(['/look?n=1', '/look?n=1', '/pay?n=1']);
    expect(text).toContain('"decision":"approve"');
    const again = await rest('POST', `/executions/${id}/approvals/${run}`, { decision: 'reject' });
    expect([again.status, again.json.error?.details]).toMatchObject([409, { reason: 'APPROVAL_NOT_PENDING' }]);
    const audit = listOf(await rest('GET', `/audit?action=approval.decide&target=${id}`));
    expect(audit.map(({ about }) => about)).toContainEqual(expect.objectContaining({ decision: 'approve' }));
  });

  it('is not called if a person rejects, and the model learns why', async () => {
    const { id, run } = await asked();
    await rest('POST', `/executions/${id}/approvals/${run}`, { decision: 'reject', message: 'Not this month.' });
    const text = await ended(id);
    expect(services.seen).not.toContain('/pay?n=1');
    expect(text).toMatch(/Told: .*rejected by a person: Not this month\./);
  });

  it('is not called if the execution is cancelled', async () => {
    const { id, run } = await asked();
    await rest('POST', `/executions/${id}/cancel`);
    expect((await rest('POST', `/executions/${id}/approvals/${run}`, { decision: 'approve' })).status).toBe(409);
    expect(dataOf(await rest('GET', `/executions/${id}`))['approvals']).toBeUndefined();
    expect(services.seen).not.toContain('/pay?n=1');
  });
});
