import examples from '@octokit/webhooks-examples';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, pushWorkflow } from '../../support/workflows';

const pushPayload: unknown = examples.find((event) => event.name === 'push')?.examples[0];

interface RunRecord {
  readonly executionStatus: string;
  readonly source: readonly unknown[];
  readonly data?: { readonly main: readonly (readonly { readonly json: Readonly<Record<string, unknown>> }[])[] };
}

const recordsOf = (execution: Readonly<Record<string, unknown>>): Readonly<Record<string, readonly RunRecord[]>> => {
  const data = execution['data'] as {
    readonly resultData: { readonly runData: Readonly<Record<string, readonly RunRecord[]>> };
  };
  return data.resultData.runData;
};

describe('the main job', () => {
  let stack: Stack;
  let server: LocalServer;
  let rest: Rest;
  let workflowId: string;
  const path = 'github/push';

  const ended = (id: string) =>
    until(`the end of ${id}`, async () => {
      const execution = dataOf(await rest('GET', `/executions/${id}`));
      return execution['status'] !== 'running' && execution;
    });

  beforeAll(async () => {
    server = await startLocalServer({ ticket: 'T-17' });
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
  });

  it('is stored over REST, and cannot be reached before it is activated', async () => {
    const created = await rest('POST', '/workflows', pushWorkflow(path, server.url));
    expect(created.status).toBe(201);
    workflowId = textOf(created, 'id');
    expect(dataOf(created)).toMatchObject({ active: false, name: `push to ${path}` });
    const early = await callWebhook(stack.baseUrls[0] ?? '', path, pushPayload);
    expect(early.status).toBe(404);
    expect(listOf(await rest('GET', `/executions?workflowId=${workflowId}`))).toEqual([]);
  });

  it('accepts a GitHub push by HTTP once it is active, and answers as its Respond node says', async () => {
    expect((await rest('POST', `/workflows/${workflowId}/activate`)).status).toBe(200);
    const answer = await callWebhook(stack.baseUrls[0] ?? '', path, pushPayload, { 'x-github-event': 'push' });
    expect([answer.status, answer.headers.get('x-ticket'), JSON.parse(answer.text)]).toEqual([
      202,
      'T-17',
      { ticket: 'T-17', by: 'Codertocat' },
    ]);
    expect(server.requests.map((request) => request.body)).toEqual([
      { repo: 'Codertocat/Hello-World', commits: expect.any(Number) },
    ]);
  });

  it('is listed and read back, node by node', async () => {
    const [listed] = listOf(await rest('GET', `/executions?workflowId=${workflowId}`));
    expect(listed).toMatchObject({ workflowId, mode: 'webhook' });
    const execution = await ended(String(listed?.['id']));
    expect(execution).toMatchObject({ status: 'success', workflowId, mode: 'webhook' });
    const records = recordsOf(execution);
    expect(Object.keys(records).sort()).toEqual(['Answer', 'On main?', 'Push', 'Shape', 'Tell']);
    expect(records['Tell']?.[0]?.data?.main?.[0]?.[0]?.json).toEqual({ ticket: 'T-17' });
    expect(records['Shape']?.[0]?.source).toEqual([{ previousNode: 'Tell' }]);
    expect(records['Push']?.[0]?.data?.main?.[0]?.[0]?.json).toMatchObject({
      body: { ref: expect.stringContaining('refs/') },
      headers: { 'x-github-event': 'push' },
    });
  });

  it('is started by execute with the data given, at its trigger', async () => {
    const started = await rest('POST', `/workflows/${workflowId}/execute`, { data: { body: { ref: 'other' } } });
    expect(dataOf(started)).toEqual({ executionId: expect.any(String), status: 'running' });
    const execution = await ended(textOf(started, 'executionId'));
    expect(execution).toMatchObject({ status: 'success', mode: 'manual' });
    expect(Object.keys(recordsOf(execution)).sort()).toEqual(['Not main', 'On main?', 'Push']);
  });

  it('is started by a schedule', async () => {
    const created = await rest('POST', '/workflows', {
      name: 'every second',
      nodes: [
        node('Clock', 'scheduleTrigger', 1.2, 0, { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } }),
        node('Done', 'noOp', 1, 200),
      ],
      connections: connect({ Clock: [['Done']] }),
      settings: { executionOrder: 'v1', timezone: 'Europe/Rome' },
      active: true,
    });
    const id = textOf(created, 'id');
    const listed = await until('two runs by the schedule', async () => {
      const list = listOf(await rest('GET', `/executions?workflowId=${id}&status=success`));
      return list.length >= 2 && list;
    });
    expect(listed.every((execution) => execution['mode'] === 'trigger')).toBe(true);
    await rest('POST', `/workflows/${id}/deactivate`);
    const execution = dataOf(await rest('GET', `/executions/${String(listed[0]?.['id'])}`));
    expect(recordsOf(execution)['Clock']?.[0]?.data?.main?.[0]?.[0]?.json).toMatchObject({
      Timezone: expect.stringContaining('Europe/Rome'),
    });
  });

  it('stops when it is deactivated', async () => {
    await rest('POST', `/workflows/${workflowId}/deactivate`);
    expect((await callWebhook(stack.baseUrls[0] ?? '', path, pushPayload)).status).toBe(404);
  });
});
