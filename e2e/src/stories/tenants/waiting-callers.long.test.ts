import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest, type RestAnswer } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

const CALLS = 12;

/** A webhook that answers with the output of its last node, after a while. */
const slowWebhook = (path: string) => ({
  name: path,
  nodes: [
    node('Webhook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'lastNode' }),
    node('Wait', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 3, unit: 'seconds' }),
    node('Set', 'set', 3.4, 400, {
      mode: 'manual',
      assignments: {
        assignments: [{ id: 'a', name: 'n', type: 'number', value: "={{ $('Webhook').item.json.body.n }}" }],
      },
      options: {},
    }),
  ],
  connections: connect({ Webhook: [['Wait']], Wait: [['Set']] }),
  settings: { executionOrder: 'v1' },
});

describe('callers that wait for their runs', () => {
  let stack: Stack;
  let rest: Rest;
  const baseUrl = (): string => stack.baseUrls[0] ?? '';

  beforeAll(async () => {
    stack = await borrowStack({
      replicas: 2,
      env: { gateway: { REQUEST_TIME_LIMIT_MS: '12000' } },
    });
    rest = restClient(baseUrl(), stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  const replica = (index: number) => {
    const found = stack.processes.find((candidate) => candidate.service === 'executions' && candidate.index === index);
    if (found === undefined) throw new Error('No such process.');
    return found;
  };
  const create = async (path: string): Promise<string> => {
    const workflowId = textOf(await rest('POST', '/workflows', { ...slowWebhook(path), active: true }), 'id');
    await until(
      'the webhook listens',
      async () => (await callWebhook(baseUrl(), path, { n: -1 }, {}, 'PUT')).status === 404,
    );
    return workflowId;
  };
  const runsOf = async (workflowId: string) =>
    listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
  const sendAll = (path: string): Promise<RestAnswer[]> =>
    Promise.all(Array.from({ length: CALLS }, (_, n) => callWebhook(baseUrl(), path, { n })));

  it('get their answers, and one run each, when the replica that held their calls is killed', async () => {
    const workflowId = await create('killed');
    const answering = sendAll('killed');
    const executing = rest('POST', `/workflows/${workflowId}/execute`, {
      startNode: 'Webhook',
      data: { body: { n: 99 } },
      wait: true,
    });
    await until('all are started', async () => (await runsOf(workflowId)).length === CALLS + 1);
    replica(0).kill('SIGKILL');
    const answers = await answering;
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map(({ text }) => JSON.parse(text).n)).toEqual(answers.map((_, n) => n));
    expect(dataOf(await executing)).toMatchObject({ status: 'success' });
    expect(await runsOf(workflowId)).toHaveLength(CALLS + 1);
  });

  it('get 503 with Retry-After and the id of their run when no replica is left', async () => {
    const workflowId = await create('alone');
    const answering = callWebhook(baseUrl(), 'alone', { n: 1 });
    const [run] = await until('it is started', async () => {
      const runs = await runsOf(workflowId);
      return runs.length === 1 && runs;
    });
    replica(1).kill('SIGKILL');
    const { status, headers, json } = await answering;
    expect([status, headers.has('retry-after'), json.error?.details?.['executionId']]).toEqual([
      503,
      true,
      run?.['id'],
    ]);
  });
});
