import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

const COUNT = 500;
const PARALLEL = 25;

const workflow = {
  name: 'counted',
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node('Set', 'set', 3.4, 200, {
      mode: 'manual',
      assignments: { assignments: [{ id: 'a', name: 'n', type: 'number', value: '={{ $json.n * 2 }}' }] },
      options: {},
    }),
    node('End', 'noOp', 1, 400),
  ],
  connections: connect({ Start: [['Set']], Set: [['End']] }),
  settings: { executionOrder: 'v1' },
};

describe('two gateways, two executions services and two runners', () => {
  let stack: Stack;
  let clients: Rest[];

  beforeAll(async () => {
    stack = await borrowStack({
      replicas: 2,
      env: { executions: { LEASE_MS: '3000', SWEEP_MS: '300' } },
    });
    clients = stack.baseUrls.map((baseUrl) => restClient(baseUrl, stack.apiKey));
  });
  afterAll(() => giveStackBack(stack));

  const anyClient = (turn: number): Rest => {
    const client = clients[turn % clients.length];
    if (client === undefined) throw new Error('No gateway.');
    return client;
  };

  /** Starts one run, as a careful client does: the same key at the next gateway until one accepts it. */
  const startOne = async (workflowId: string, index: number): Promise<string> => {
    for (let attempt = 0; attempt < 60; attempt += 1) {
      try {
        const answer = await anyClient(index + attempt)(
          'POST',
          `/workflows/${workflowId}/execute`,
          { data: { n: index } },
          { 'idempotency-key': `run-${index}` },
        );
        if (answer.status < 300) return textOf(answer, 'executionId');
        if (answer.status < 500) throw new Error(`refused for good: ${answer.status} ${answer.text}`);
      } catch (error) {
        if (error instanceof Error && error.message.startsWith('refused for good')) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`Run ${index} was never accepted.`);
  };

  const kill = (service: string): void => {
    const victim = stack.processes.find((candidate) => candidate.service === service && candidate.index === 0);
    if (victim === undefined) throw new Error(`No process of ${service}.`);
    victim.kill('SIGKILL');
  };

  const listAll = async (workflowId: string): Promise<readonly Readonly<Record<string, unknown>>[]> => {
    const all: Readonly<Record<string, unknown>>[] = [];
    let cursor: string | null | undefined = '';
    for (let page = 0; page < 20 && typeof cursor === 'string'; page += 1) {
      const answer = await anyClient(1)(
        'GET',
        `/executions?workflowId=${workflowId}&limit=100${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      all.push(...listOf(answer));
      cursor = answer.json.nextCursor;
    }
    return all;
  };

  it('lose nothing and duplicate nothing when one of each is killed in the middle of 500 runs', async () => {
    const workflowId = textOf(await anyClient(0)('POST', '/workflows', workflow), 'id');
    const ids = new Map<number, string>();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < COUNT) {
        const index = next;
        next += 1;
        ids.set(index, await startOne(workflowId, index));
        if (ids.size === 120) kill('runner');
        if (ids.size === 220) kill('executions');
        if (ids.size === 320) kill('gateway');
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    expect(new Set(ids.values()).size).toBe(COUNT);

    const listed = await until('the end of all runs', async () => {
      const all = await listAll(workflowId);
      return all.every((execution) => execution['status'] !== 'running') && all;
    });
    expect(listed.map((execution) => execution['id']).sort()).toEqual([...ids.values()].sort());
    expect(listed.filter((execution) => execution['status'] !== 'success')).toEqual([]);
  });
});
