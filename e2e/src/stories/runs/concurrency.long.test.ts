import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, smallWorkflow } from '../../support/workflows';

/** A webhook whose runs take a while, one at a time for each customer. */
const keyed = (path: string, limit: number) => ({
  name: path,
  nodes: [
    node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path }),
    node('Wait', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 1, unit: 'seconds' }),
    node('Set', 'set', 3.4, 400, {
      mode: 'manual',
      assignments: { assignments: [{ id: 'a', name: 'done', type: 'boolean', value: true }] },
      options: {},
    }),
  ],
  connections: connect({ Webhook: [['Wait']], Wait: [['Set']] }),
  settings: { executionOrder: 'v1', concurrency: { key: '={{ $json.body.customer }}', limit } },
});

interface Span {
  readonly customer: string;
  readonly from: number;
  readonly to: number;
}

/** The largest number of spans that overlap. */
const overlap = (spans: readonly Span[]): number =>
  Math.max(...spans.map(({ from }) => spans.filter((other) => other.from <= from && from < other.to).length));

describe('a workflow that bounds how many of its runs run at once', () => {
  let stack: Stack;
  let rest: Rest;
  const baseUrl = (): string => stack.baseUrls[0] ?? '';

  beforeAll(async () => {
    stack = await borrowStack({
      replicas: 2,
      env: { executions: { LEASE_MS: '3000', SWEEP_MS: '300' } },
    });
    rest = restClient(baseUrl(), stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  const runsOf = async (workflowId: string) =>
    listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
  const spanOf = async (id: unknown): Promise<Span> => {
    const run = dataOf(await rest('GET', `/executions/${String(id)}`));
    const customer = /"customer":"(\w+)"/.exec(JSON.stringify(run))?.[1] ?? '';
    // The first node begins when the run has its slot; waits begin with their node.
    const wait = /"Wait":\[\{"startTime":(\d+)/.exec(JSON.stringify(run))?.[1];
    return { customer, from: Number(wait), to: Date.parse(String(run['finishedAt'])) };
  };

  it(
    'runs no more of a key at once, on two runners and when one is killed, ends all of them, and leaves no ' +
      'healthy workflow waiting',
    async () => {
      const workflowId = textOf(await rest('POST', '/workflows', { ...keyed('keyed', 1), active: true }), 'id');
      await rest('POST', '/workflows', { ...smallWorkflow('beside', { responseMode: 'lastNode' }), active: true });
      const customers = ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'b'];
      for (const customer of customers) expect((await callWebhook(baseUrl(), 'keyed', { customer })).status).toBe(200);
      expect((await callWebhook(baseUrl(), 'beside', { n: 1 })).text).toContain('"total":2');
      stack.processes.find(({ service, index }) => service === 'runner' && index === 0)?.kill('SIGKILL');
      const runs = await until('all have ended', async () => {
        const all = await runsOf(workflowId);
        return all.length === customers.length && all.every(({ status }) => status === 'success') && all;
      });
      const spans = await Promise.all(runs.map(({ id }) => spanOf(id)));
      for (const customer of ['a', 'b']) {
        const own = spans.filter((span) => span.customer === customer);
        expect([own.length, overlap(own)]).toEqual([4, 1]);
      }
    },
  );

  it('is refused with the field that is wrong', async () => {
    const created = await rest('POST', '/workflows', { ...keyed('wrong', 0), active: true });
    expect([created.status, created.json.data]).toEqual([201, expect.objectContaining({ active: false })]);
    expect(JSON.stringify(created.json)).toContain('settings.concurrency.limit');
    const activated = await rest('POST', `/workflows/${textOf(created, 'id')}/activate`);
    expect([activated.status, JSON.stringify(activated.json.error?.details)]).toEqual([
      400,
      expect.stringContaining('settings.concurrency.limit'),
    ]);
  });
});
