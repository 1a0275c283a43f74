import { getPriority } from 'node:os';
import { borrowStack, giveStackBack, type Stack, type StackProcess } from '@weft/local-stack';
import { childrenOf } from '../../support/processes/child-processes';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, listOf, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { until } from '../../support/until';
import { makeUser } from '../../support/users';
import { connect, node, smallWorkflow, type WorkflowFile } from '../../support/workflows';

const LARGE = 9_000_000;
const CALLS = 20;

describe('runs with large data', () => {
  let stack: Stack;
  let base = '';
  let server: LocalServer;
  let released: Promise<unknown> = Promise.resolve();
  let theirs: Rest;
  let workflowId = '';
  let runner: StackProcess;

  /** Calls the sink, makes an item of 9 MB from the response, and returns its length. */
  const large = (path: string): WorkflowFile => ({
    name: path,
    nodes: [
      node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} }),
      node('Call', 'httpRequest', 4.2, 200, {
        method: 'POST',
        url: server.url,
        sendBody: true,
        specifyBody: 'json',
        jsonBody: '={{ { "n": $json.body.n } }}',
        options: { timeout: 60_000 },
      }),
      node('Large', 'code', 2, 400, { jsCode: `return [{ json: { text: 'x'.repeat(${LARGE}) } }]` }),
      node('Length', 'set', 3.4, 600, {
        mode: 'manual',
        includeOtherFields: false,
        options: {},
        assignments: { assignments: [{ id: 'a', name: 'length', type: 'number', value: '={{ $json.text.length }}' }] },
      }),
    ],
    connections: connect({ Hook: [['Call']], Call: [['Large']], Large: [['Length']] }),
    settings: { executionOrder: 'v1' },
  });
  const overShareProcess = (): number | undefined => childrenOf(runner.pid, 'over-share/main.js')[0];
  const mustHaveOverShareProcess = (): number => {
    const pid = overShareProcess();
    if (pid === undefined) throw new Error('There is no process for large data.');
    return pid;
  };
  const outcome = ({ status, text }: RestAnswer): unknown => [status, text];
  const length = [200, `{"length":${LARGE}}`];
  /** Number of calls of the sink by a run. */
  const effectsOf = (n: number): number =>
    server.requests.filter(({ body }) => (body as { n?: number }).n === n).length;
  const callHealthy = async (): Promise<void> => {
    const answers = await Promise.all(Array.from({ length: CALLS }, (_, n) => callWebhook(base, 'small', { n })));
    expect(answers.map(outcome)).toEqual(Array.from({ length: CALLS }, (_, n) => [200, `{"total":${n + 1}}`]));
  };

  beforeAll(async () => {
    stack = await borrowStack({ env: { executions: { LEASE_MS: '3000', SWEEP_MS: '300' } } });
    [base = ''] = stack.baseUrls;
    const [found] = stack.of('runner');
    if (found === undefined) throw new Error('No runner.');
    runner = found;
    server = await startLocalServer({ ok: true }, () => released);
    const ours = restClient(base, stack.apiKey);
    theirs = restClient(base, await makeUser(stack, 'large', 'editor'));
    await ours('POST', '/workflows', { ...smallWorkflow('small', { responseMode: 'lastNode' }), active: true });
    workflowId = textOf(await theirs('POST', '/workflows', { ...large('large'), active: true }), 'id');
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server.stop();
  });

  it('continue in a separate process once their owner has had some, with each node run once', async () => {
    expect(overShareProcess()).toBeUndefined();
    expect(outcome(await callWebhook(base, 'large', { n: 100 }))).toEqual(length);
    const pid = mustHaveOverShareProcess();
    expect(outcome(await callWebhook(base, 'large', { n: 101 }))).toEqual(length);
    expect([effectsOf(100), effectsOf(101), overShareProcess()]).toEqual([1, 1, pid]);
    expect(getPriority(pid) - getPriority(runner.pid)).toBe(10);
  });

  it('hold up no other owner: others are answered while that process stands still', async () => {
    const pid = mustHaveOverShareProcess();
    process.kill(pid, 'SIGSTOP');
    const answers = [102, 103].map((n) => callWebhook(base, 'large', { n }));
    try {
      await callHealthy();
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    expect((await Promise.all(answers)).map(outcome)).toEqual([length, length]);
    expect([102, 103].map(effectsOf)).toEqual([1, 1]);
  });

  it('are continued if that process dies, and no other owner notices', async () => {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    released = promise;
    const answer = callWebhook(base, 'large', { n: 104 });
    await until('its call is under way', () => Promise.resolve(effectsOf(104) === 1));
    process.kill(mustHaveOverShareProcess(), 'SIGKILL');
    resolve(undefined);
    await callHealthy();
    expect(outcome(await answer)).toEqual(length);
    expect(effectsOf(104)).toBe(2);
    const runs = listOf(await theirs('GET', `/executions?workflowId=${workflowId}`));
    expect(runs.map(({ status }) => status)).toEqual(Array(5).fill('success'));
  });
});
