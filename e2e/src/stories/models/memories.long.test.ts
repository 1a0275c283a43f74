import { startProxy, startStack, type Proxy, type Stack } from '@weft/local-stack';
import { type ModelServer, serveModels } from '@weft/models/testing';
import { activate, attach, chatModel, modelNode, openAiCredential } from '../../support/agents';
import { QUICK_RECOVERY } from '../../support/processes/kill';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { serve, type StandIn } from '../../support/stand-ins/serve';
import { until } from '../../support/until';
import { node } from '../../support/workflows';

const RUNNERS = 3;
const MESSAGES = 200;

interface Message {
  readonly role: string;
  readonly content: string;
}

describe('a conversation that three runners write', () => {
  let stack: Stack;
  let rest: Rest;
  let models: ModelServer;
  let after: StandIn;
  let workflowId: string;
  /** The links of the runners to workflows, which store conversations. */
  const links = new Map<number, Proxy>();
  /** Called with each piece that a runner sends there. True holds it. */
  let onWrite: (runner: number, text: string) => boolean = () => false;
  /** Called with the body of each request of the node after the agent. False leaves it without a response. */
  let onNext: (body: string) => boolean = () => true;

  beforeAll(async () => {
    models = await serveModels();
    models.playFor(({ body }) => {
      const said = [...JSON.stringify(body['messages']).matchAll(/Remember (\S+?)\./g)].at(-1)?.[1] ?? '';
      return { answer: { text: `Noted ${said}.` } };
    });
    after = await serve((request, response) => {
      let body = '';
      request.on('data', (part) => (body += String(part)));
      request.on('end', () => {
        if (onNext(body)) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      });
    });
    stack = await startStack({
      replicas: { runner: RUNNERS },
      env: QUICK_RECOVERY,
      reach: async ({ from, to }) => {
        if (from.service !== 'runner' || to.name !== 'workflows') return to.port;
        const proxy = await startProxy(to.port);
        links.set(from.index, proxy);
        proxy.setTap((piece, isAnswer) => !isAnswer && onWrite(from.index, piece.toString('latin1')));
        return proxy.port;
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    const credential = await openAiCredential(rest, `${models.url}/v1`);
    workflowId = await activate(rest, {
      name: 'Remembers',
      nodes: [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'remembers', responseMode: 'onReceived' }),
        modelNode('Agent', 'agent', 3, { promptType: 'define', text: '=Remember {{ $json.body.n }}.' }),
        chatModel(credential),
        modelNode('Memory', 'memoryBufferWindow', 1.3, {
          sessionIdType: 'customKey',
          sessionKey: "={{ $('Hook').item.json.body.session }}",
          contextWindowLength: 5,
        }),
        node('Tell', 'httpRequest', 4.2, 400, {
          method: 'POST',
          url: after.url,
          sendBody: true,
          specifyBody: 'json',
          jsonBody: '={{ { "said": $json.output } }}',
          options: {},
        }),
      ],
      connections: {
        Hook: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
        Agent: { main: [[{ node: 'Tell', type: 'main', index: 0 }]] },
        ...attach([
          ['Model', 'ai_languageModel', 'Agent'],
          ['Memory', 'ai_memory', 'Agent'],
        ]),
      },
    });
  });
  afterEach(() => {
    onWrite = () => false;
    onNext = () => true;
    for (const link of links.values()) {
      link.setMode({ kind: 'pass' });
      link.release();
    }
  });
  afterAll(async () => {
    await stack?.stop();
    for (const link of links.values()) link.close();
    await Promise.all([models?.close(), after?.stop()]);
  });

  /** The messages of a session, as `role content`. */
  const stored = async (session: string): Promise<string[]> => {
    const found = listOf(await rest('GET', `/workflows/${workflowId}/conversations?limit=100`)).find(
      (one) => one['session'] === session,
    );
    if (found === undefined) return [];
    const whole = dataOf(await rest('GET', `/workflows/${workflowId}/conversations/${String(found['id'])}`));
    const messages: readonly Message[] = JSON.parse(JSON.stringify(whole['messages']));
    return messages.map(({ role, content }) => `${role} ${content}`);
  };
  /** Starts a run. @returns its address */
  const remember = async (session: string, n: string): Promise<string> => {
    const started = await until('a start', async () => {
      const answer = await callWebhook(stack.baseUrls[0] ?? '', 'remembers', { session, n });
      return answer.status === 200 && answer;
    });
    return `/executions/${started.headers.get('x-weft-execution-id') ?? ''}`;
  };
  const end = (path: string): Promise<string> =>
    until('the end of a run', async () => {
      const status = textOf(await rest('GET', path), 'status');
      return ['success', 'error', 'crashed'].includes(status) && status;
    });
  const turnOf = (n: string): string[] => [`user Remember ${n}.`, `assistant Noted ${n}.`];

  it(`loses none of ${MESSAGES} messages that come at the same time, and keeps each with its answer`, async () => {
    const writers = new Set<number>();
    onWrite = (runner, text) => {
      if (text.includes('Noted')) writers.add(runner);
      return false;
    };
    const names = Array.from({ length: MESSAGES }, (_, n) => `n${n}`);
    const paths = await Promise.all(names.map((name) => remember('crowd', name)));
    const failed: unknown[] = [];
    for (const path of paths) if ((await end(path)) !== 'success') failed.push((await rest('GET', path)).json);
    expect(failed).toEqual([]);
    expect(writers.size).toBeGreaterThan(1);
    const messages = await stored('crowd');
    const turns = messages.flatMap((message, at) => (at % 2 === 0 ? [`${message} ${messages[at + 1] ?? ''}`] : []));
    expect(turns.sort()).toEqual(names.map((name) => turnOf(name).join(' ')).sort());
  });

  it('continues after all runners were restarted', async () => {
    await end(await remember('restart', 'before'));
    for (const runner of stack.of('runner')) await runner.restart();
    expect(await end(await remember('restart', 'later'))).toBe('success');
    expect(JSON.stringify(models.last().body['messages'])).toContain('Noted before.');
    expect(await stored('restart')).toEqual([...turnOf('before'), ...turnOf('later')]);
  });

  const kill = async (index: number): Promise<void> => {
    const runner = stack.of('runner')[index];
    runner?.kill('SIGKILL');
    await runner?.ended;
    links.get(index)?.setMode({ kind: 'pass' });
    links.get(index)?.release();
    await runner?.restart();
  };

  it.each(['before its write arrives', 'after its write, before the answer'] as const)(
    'has a message once if its runner is killed %s',
    async (moment) => {
      const session = `killed ${moment}`;
      const isBefore = moment === 'before its write arrives';
      const { promise: killed, resolve } = Promise.withResolvers<void>();
      onWrite = (runner, text) => {
        if (!text.includes('Noted k.')) return false;
        onWrite = () => false;
        if (!isBefore) links.get(runner)?.setMode({ kind: 'lose-answers' });
        const arrives = isBefore
          ? Promise.resolve()
          : until('the message is stored', async () => (await stored(session)).length > 0).then(() => undefined);
        // A held write must not arrive: its connection is cut with its runner.
        void arrives
          .then(() => (isBefore ? links.get(runner)?.cut() : undefined))
          .then(() => kill(runner))
          .then(resolve);
        return isBefore;
      };
      const path = await remember(session, 'k');
      await killed;
      expect(await end(path)).toBe('success');
      expect(await stored(session)).toEqual(turnOf('k'));
    },
  );

  it('has a message once if its runner is killed in the next node', async () => {
    let writer = 0;
    const { promise: killed, resolve } = Promise.withResolvers<void>();
    onWrite = (runner, text) => {
      if (text.includes('Noted next.')) writer = runner;
      return false;
    };
    onNext = () => {
      onNext = () => true;
      void kill(writer).then(resolve);
      return false;
    };
    const before = models.seen.length;
    const path = await remember('killed later', 'next');
    await killed;
    expect(await end(path)).toBe('success');
    expect(await stored('killed later')).toEqual(turnOf('next'));
    // The answer of the model was stored.
    expect(models.seen.length - before).toBe(1);
  });
});
