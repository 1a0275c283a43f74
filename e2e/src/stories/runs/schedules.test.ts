import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

describe('schedules', () => {
  let stack: Stack;
  let rest: Rest;
  beforeAll(async () => {
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  const runs = async (workflowId: string) =>
    listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));

  it('skip a run that would overlap one that has not ended', async () => {
    const everySecond = { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } };
    const created = await rest('POST', '/workflows', {
      name: 'no overlap',
      nodes: [
        node('Clock', 'scheduleTrigger', 1.2, 0, everySecond),
        node('Then', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 2, unit: 'seconds' }),
      ],
      connections: connect({ Clock: [['Then']] }),
      settings: { executionOrder: 'v1', timezone: 'UTC', schedule: { overlap: 'skip' } },
      active: true,
    });
    const workflowId = textOf(created, 'id');
    await until(
      'three have run',
      async () => (await runs(workflowId)).filter(({ status }) => status === 'success').length >= 3,
      60_000,
    );
    await rest('POST', `/workflows/${workflowId}/deactivate`);
    const spans = (await runs(workflowId))
      .map(({ startedAt, finishedAt }) => ({
        from: Date.parse(String(startedAt)),
        to: finishedAt === null ? Number.POSITIVE_INFINITY : Date.parse(String(finishedAt)),
      }))
      .sort((a, b) => a.from - b.from);
    expect(spans.slice(1).filter(({ from }, index) => from < (spans[index]?.to ?? 0))).toEqual([]);
  });
});
