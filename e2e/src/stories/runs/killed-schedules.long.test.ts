import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

const HOUR = 3_600_000;

const scheduled = (name: string, interval: object, schedule: object): WorkflowFile => ({
  name,
  nodes: [node('Clock', 'scheduleTrigger', 1.2, 0, { rule: { interval: [interval] } }), node('Then', 'noOp', 1, 200)],
  connections: connect({ Clock: [['Then']] }),
  settings: { executionOrder: 'v1', timezone: 'UTC', schedule },
});

describe('schedules of a stack with two replicas', () => {
  let stack: Stack;
  let rest: Rest;
  beforeAll(async () => {
    stack = await borrowStack({ replicas: 2 });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  const create = async (workflow: WorkflowFile, active: boolean): Promise<string> =>
    textOf(await rest('POST', '/workflows', { ...workflow, active }), 'id');
  const runs = async (workflowId: string, fields = '') =>
    listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100${fields}`));
  /** The due times with which the runs began, ascending. */
  const duesOf = async (workflowId: string): Promise<number[]> => {
    const found = await runs(workflowId, '&includeData=true');
    const texts = found.map((run) => /"timestamp":"([^"]+)"/.exec(JSON.stringify(run))?.[1] ?? '');
    return texts.map((text) => Date.parse(text)).sort((a, b) => a - b);
  };

  it('run every second once, while one replica after the other is killed', async () => {
    const workflowId = await create(
      scheduled('every second', { field: 'seconds', secondsInterval: 1 }, { missed: 'all' }),
      true,
    );
    await until('it runs', async () => (await runs(workflowId)).length >= 2);
    for (const replica of stack.of('workflows')) {
      replica.kill('SIGKILL');
      const count = (await runs(workflowId)).length;
      await until('the other one continues', async () => (await runs(workflowId)).length >= count + 3, 40_000);
      await replica.restart();
    }
    const { data } = (await rest('POST', `/workflows/${workflowId}/deactivate`)).json;
    expect(data).toMatchObject({ active: false });
    await until('all have ended', async () => (await runs(workflowId)).every(({ status }) => status === 'success'));
    const dues = await duesOf(workflowId);
    expect(
      dues
        .slice(1)
        .map((due, index) => due - (dues[index] ?? 0))
        .filter((step) => step !== 1_000),
    ).toEqual([]);
  });

  it('are made up for by a backfill, once each, though every replica is killed meanwhile', async () => {
    const workflowId = await create(scheduled('backfilled', { field: 'hours', triggerAtMinute: 0 }, {}), false);
    const to = Math.floor(Date.now() / HOUR) * HOUR;
    const body = { from: new Date(to - 23 * HOUR).toISOString(), to: new Date(to).toISOString(), concurrency: 3 };
    expect(dataOf(await rest('POST', `/workflows/${workflowId}/backfill`, { ...body, dryRun: true }))).toEqual({
      dryRun: true,
      total: 24,
    });
    expect(dataOf(await rest('POST', `/workflows/${workflowId}/backfill`, body))).toMatchObject({
      state: 'running',
      total: 24,
    });
    await until('it is on its way', async () => (await runs(workflowId)).length >= 4);
    const replicas = stack.of('workflows');
    for (const replica of replicas) replica.kill('SIGKILL');
    await Promise.all(replicas.map((replica) => replica.restart()));
    /** The last backfill; undefined while the gateway has not found the service again. */
    const last = async () => {
      const answer = await rest('GET', `/workflows/${workflowId}/backfills`);
      return answer.status === 503 ? undefined : listOf(answer)[0];
    };
    const done = await until('it is done', async () => {
      const found = await last();
      return found?.['state'] === 'done' && found;
    });
    expect(done).toMatchObject({ refused: 0, total: 24 });
    await until('all have run', async () => (await runs(workflowId)).every(({ status }) => status === 'success'));
    const expected = Array.from({ length: 24 }, (_, n) => to - (23 - n) * HOUR);
    expect(await duesOf(workflowId)).toEqual(expected);

    await rest('POST', `/workflows/${workflowId}/backfill`, body);
    const again = await until('the second is done', async () => {
      const found = await last();
      return found?.['state'] === 'done' && found['id'] !== done['id'] && found;
    });
    expect(again).toMatchObject({ started: 0, existing: 24 });
    expect(await duesOf(workflowId)).toEqual(expected);
  });
});
