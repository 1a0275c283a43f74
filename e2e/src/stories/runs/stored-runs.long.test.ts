import mongoose, { type Connection } from 'mongoose';
import { startProxy, startStack, type Proxy, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

/** Milliseconds without the store: the driver closes its connections after ten seconds. */
const AWAY_MS = 12_500;
const CALLS = 60;
const CALL_EVERY_MS = 50;
const LOOPS = 400;

/** The crash count of a stored execution. */
interface StoredRun {
  readonly _id: string;
  readonly crashes: number;
}

describe('the stored runs', () => {
  const proxies: Proxy[] = [];
  let stack: Stack;
  let rest: Rest;
  let base = '';
  let server: LocalServer;
  let store: Connection;

  const activate = async (path: string, nodes: readonly NodeFile[], ways: Parameters<typeof connect>[0]) => {
    const workflow: WorkflowFile = {
      name: path,
      nodes: [node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'onReceived' }), ...nodes],
      connections: connect(ways),
      settings: { executionOrder: 'v1' },
    };
    const id = textOf(await rest('POST', '/workflows', workflow), 'id');
    expect((await rest('POST', `/workflows/${id}/activate`)).status).toBe(200);
    return id;
  };
  const call = node('Call', 'httpRequest', 4.2, 600, {
    method: 'POST',
    url: '',
    options: { sendIdempotencyKey: true },
  });
  /** All runs, once they have ended and no stored call can start another one. */
  const ended = (workflowId: string) =>
    until('the ends', async () => {
      if (listOf(await rest('GET', `/deliveries?workflowId=${workflowId}&state=pending`)).length > 0) return false;
      const all = listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
      return all.every(({ status }) => status !== 'running') && all;
    });

  beforeAll(async () => {
    server = await startLocalServer({ ok: true });
    stack = await startStack({
      env: { runner: { OUTBOUND_ALLOW: '127.0.0.1' }, credentials: { RATE_LIMIT_PER_MINUTE: '0' } },
      reach: async ({ from, to }) => {
        if (from.service !== 'executions' || to.name !== 'mongodb') return to.port;
        const proxy = await startProxy(to.port);
        proxies.push(proxy);
        return proxy.port;
      },
    });
    [base = ''] = stack.baseUrls;
    rest = restClient(base, stack.apiKey);
    store = await mongoose.createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` }).asPromise();
  });
  afterAll(async () => {
    await store.close();
    await stack.stop();
    for (const proxy of proxies) proxy.close();
    await server.stop();
  });

  it('are what was answered and end once, without a counted crash, when the store was away for 12 s', async () => {
    const id = await activate('calls', [{ ...call, parameters: { ...call.parameters, url: server.url } }], {
      Hook: [['Call']],
    });
    const answers = Array.from({ length: CALLS }, async (_, n) => {
      await new Promise((resolve) => setTimeout(resolve, n * CALL_EVERY_MS));
      return (await callWebhook(base, 'calls', { n })).status;
    });
    await until('some calls are under way', () => Promise.resolve(server.requests.length > 5));
    for (const proxy of proxies) proxy.setMode({ kind: 'half-open' });
    await new Promise((resolve) => setTimeout(resolve, AWAY_MS));
    for (const proxy of proxies) {
      proxy.setMode({ kind: 'pass' });
      proxy.cut();
    }
    const statuses = await Promise.all(answers);
    expect(statuses.filter((status) => ![200, 202, 503].includes(status))).toEqual([]);
    const runs = await ended(id);
    const stored = await store.collection<StoredRun>('executions').find({ workflowId: id }).toArray();
    expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'success'));
    expect(stored.map(({ crashes }) => crashes)).toEqual(runs.map(() => 0));
    expect(runs.length).toBeGreaterThanOrEqual(statuses.filter((status) => status < 300).length);
    expect(new Set(server.requests.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(runs.length);
  }, 120_000);

  it('take few documents, however many nodes they had', async () => {
    const id = await activate(
      'loops',
      [
        node('Many', 'code', 2, 200, {
          jsCode: `return Array.from({ length: ${LOOPS} }, (_, n) => ({ json: { n, text: 'x'.repeat(500) } }))`,
        }),
        node('Loop', 'splitInBatches', 3, 400, { batchSize: 1, options: {} }),
        { ...call, parameters: { ...call.parameters, url: server.url } },
      ],
      { Hook: [['Many']], Many: [['Loop']], Loop: [[], ['Call']], Call: [['Loop']] },
    );
    expect((await callWebhook(base, 'loops', {})).status).toBe(200);
    const [run] = await ended(id);
    const executionId = String(run?.['id']);
    const { data } = dataOf(await rest('GET', `/executions/${executionId}`)) as {
      readonly data: { readonly resultData: { readonly runData: Readonly<Record<string, readonly unknown[]>> } };
    };
    expect(data.resultData.runData['Call']).toHaveLength(LOOPS);
    const collections = await store.listCollections();
    const counts = await Promise.all(
      collections.map(({ name }) => store.collection(name).countDocuments({ executionId })),
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).toBeLessThan(40);
  }, 120_000);
});
