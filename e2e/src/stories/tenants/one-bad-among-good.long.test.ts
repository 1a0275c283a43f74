import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

const HEALTHY_CLIENTS = 10;
const POISONS = 64;
/** Five of these exceed the output limit of a node run. */
const LARGE = { text: 'x'.repeat(8_000_000) };

const webhookOf = (path: string, parameters: object = {}): NodeFile =>
  node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path, ...parameters });
const workflowOf = (name: string, nodes: readonly NodeFile[]): WorkflowFile => ({
  name,
  nodes,
  settings: { executionOrder: 'v1' },
  connections: connect(
    Object.fromEntries(nodes.slice(1).map((next, index) => [nodes[index]?.name ?? '', [[next.name]]])),
  ),
});
const askOf = (url: string, parameters: object = {}, extra: object = {}): NodeFile =>
  node('Ask', 'httpRequest', 4.2, 400, { url, options: {}, ...parameters }, { ...extra });

describe('one bad among good', () => {
  let stack: Stack;
  let small: LocalServer;
  let large: LocalServer;
  let rest: Rest;

  const activate = async (workflow: WorkflowFile): Promise<string> => {
    const id = textOf(await rest('POST', '/workflows', workflow), 'id');
    const { status, text } = await rest('POST', `/workflows/${id}/activate`);
    if (status !== 200) throw new Error(text);
    return id;
  };
  const call = (path: string, body: unknown = {}) => callWebhook(stack.baseUrls[0] ?? '', path, body);
  const ended = (workflowId: string, count: number, limitMs = 60_000) =>
    until(
      `${count} ended runs of ${workflowId}`,
      async () => {
        const all = [];
        for (let cursor: string | null | undefined = ''; typeof cursor === 'string';) {
          const query = new URLSearchParams({ workflowId, limit: '100', ...(cursor === '' ? {} : { cursor }) });
          const page: Awaited<ReturnType<Rest>> = await rest('GET', `/executions?${query.toString()}`);
          // The gateway may have to find its peers again.
          if (page.status === 503) return false;
          all.push(...listOf(page));
          cursor = page.json.nextCursor;
        }
        return all.length === count && all.every(({ status }) => status !== 'running') && all;
      },
      limitMs,
    );
  const errorOf = async (id: unknown): Promise<unknown> => {
    const { data } = dataOf(await rest('GET', `/executions/${String(id)}`));
    return (data as { readonly resultData: { readonly error?: unknown } }).resultData.error;
  };

  beforeAll(async () => {
    small = await startLocalServer({ ok: true });
    large = await startLocalServer(LARGE);
    stack = await borrowStack({
      env: {
        executions: { LEASE_MS: '4000', SWEEP_MS: '300' },
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await Promise.all([small?.stop(), large?.stop()]);
  });

  it('answers that cannot be stored end their own runs, and no healthy run is repeated or lost', async () => {
    const entries = Array.from({ length: 101 }, (_, index) => ({ name: `x-h${index}`, value: 'v' }));
    const poison = await activate(
      workflowOf('poison', [
        webhookOf('poison', { responseMode: 'lastNode', options: { responseHeaders: { entries } } }),
        node('End', 'noOp', 1, 200),
      ]),
    );
    const healthy = await activate(
      workflowOf('healthy', [webhookOf('healthy', { responseMode: 'lastNode' }), askOf(small.url)]),
    );
    const before = small.requests.length;
    let isPoisoning = true;
    let answered = 0;
    const client = async (): Promise<void> => {
      while (isPoisoning) {
        expect((await call('healthy')).status).toBe(200);
        answered += 1;
      }
    };
    const clients = Promise.all(Array.from({ length: HEALTHY_CLIENTS }, client));
    const poisoned = await Promise.all(Array.from({ length: POISONS }, () => call('poison')));
    isPoisoning = false;
    await clients;
    expect(new Set(poisoned.map(({ status }) => status))).toEqual(new Set([500]));
    expect((await ended(healthy, answered)).filter(({ status }) => status !== 'success')).toEqual([]);
    expect(small.requests.length - before).toBe(answered);
    const [first] = await ended(poison, POISONS);
    expect(await errorOf(first?.['id'])).toMatchObject({
      reason: 'RUN_DATA_TOO_LARGE',
      message: expect.stringContaining('RESPONSE_HEADERS'),
    });
  });

  it('a node that gets more than can be stored fails by the name of the limit, and asks once per item', async () => {
    const id = await activate(
      workflowOf('hungry', [
        webhookOf('hungry'),
        node('Five', 'code', 2, 200, { jsCode: 'return [1, 2, 3, 4, 5].map((n) => ({ json: { n } }))' }),
        askOf(large.url),
      ]),
    );
    const before = large.requests.length;
    await call('hungry');
    const [run] = await ended(id, 1);
    expect(run?.['status']).toBe('error');
    expect(await errorOf(run?.['id'])).toMatchObject({ message: expect.stringContaining('NODE_OUTPUT_BYTES') });
    expect(large.requests.length - before).toBe(5);
  });

  it('a credentials service that is away for a while fails no run', async () => {
    const credential = textOf(
      await rest('POST', '/credentials', {
        name: 'Key',
        type: 'httpHeaderAuth',
        data: { name: 'x-key', value: 'secret-value' },
      }),
      'id',
    );
    const secured = askOf(
      small.url,
      { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
      { credentials: { httpHeaderAuth: { id: credential, name: 'Key' } } },
    );
    const id = await activate(workflowOf('secured', [webhookOf('secured'), secured]));
    const before = small.requests.length;
    const [credentials] = stack.of('credentials');
    credentials?.kill('SIGKILL');
    await credentials?.ended;
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('secured')));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    // As long as a process takes in a rolling restart.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    await credentials?.restart();
    const runs = await ended(id, 10);
    expect(runs.filter(({ status }) => status !== 'success')).toEqual([]);
    expect(small.requests.length - before).toBe(10);
  });
});
