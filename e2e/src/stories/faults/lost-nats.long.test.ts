import { startStack, type Stack } from '@weft/local-stack';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

const COUNT = 60;

const workflow = {
  name: 'survivor',
  nodes: [node('Start', 'manualTrigger', 1, 0), node('End', 'noOp', 1, 200)],
  connections: connect({ Start: [['End']] }),
  settings: { executionOrder: 'v1' },
};

describe('a broker that loses everything', () => {
  let stack: Stack;
  let rest: Rest;

  beforeAll(async () => {
    stack = await startStack({
      ownServers: true,
      env: { executions: { LEASE_MS: '3000', SWEEP_MS: '300' }, credentials: { RATE_LIMIT_PER_MINUTE: '0' } },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(() => stack?.stop());

  it('loses no accepted work: runs are accepted while it is down, and end once an empty one is back', async () => {
    const workflowId = textOf(await rest('POST', '/workflows', workflow), 'id');
    await stack.killNatsAndItsStore();
    const started = await Promise.all(
      Array.from({ length: COUNT }, () => rest('POST', `/workflows/${workflowId}/execute`)),
    );
    const ids = started.map((answer) => textOf(answer, 'executionId')).sort();
    expect(new Set(ids).size).toBe(COUNT);
    await stack.startNatsAgain();
    const listed = await until('the end of all runs', async () => {
      const all = listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
      return all.every((execution) => execution['status'] !== 'running') && all;
    });
    expect(listed.map((execution) => execution['id']).sort()).toEqual(ids);
    expect(listed.filter((execution) => execution['status'] !== 'success')).toEqual([]);
  });
});
