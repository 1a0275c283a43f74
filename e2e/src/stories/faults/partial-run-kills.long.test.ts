import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node } from '../../support/workflows';

const COUNT = 120;
const PARALLEL = 12;

describe('two gateways, two executions services and two runners', () => {
  let stack: Stack;
  let clients: Rest[];
  let server: Server;
  let workflowId = '';
  const calls: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      calls.push(request.url ?? '');
      // Slow enough that runs are under way when their runner dies.
      setTimeout(() => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ at: request.url }));
      }, 200);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stack = await borrowStack({ replicas: 2, env: { executions: { LEASE_MS: '3000', SWEEP_MS: '300' } } });
    clients = stack.baseUrls.map((baseUrl) => restClient(baseUrl, stack.apiKey));
    const ask = (name: string, x: number, path: string) =>
      node(name, 'httpRequest', 4.2, x, {
        method: 'POST',
        url: `=${url}/${path}/{{ $json.at ?? 'first' }}`,
        options: {},
      });
    const created = await anyClient(0)('POST', '/workflows', {
      name: 'resumed in parts',
      nodes: [
        node('Start', 'manualTrigger', 1, 0),
        ask('Fetch', 200, 'fetch'),
        node('Shape', 'set', 3.4, 400, { mode: 'raw', jsonOutput: "={{ { at: 'shaped' } }}", options: {} }),
        ask('Send', 600, 'send'),
        ask('Last', 800, 'last'),
      ],
      connections: connect({ Start: [['Fetch']], Fetch: [['Shape']], Shape: [['Send']], Send: [['Last']] }),
      settings: { executionOrder: 'v1' },
    });
    workflowId = textOf(created, 'id');
  });
  afterAll(async () => {
    await giveStackBack(stack);
    server.closeAllConnections();
    server.close();
  });

  const anyClient = (turn: number): Rest => {
    const client = clients[turn % clients.length];
    if (client === undefined) throw new Error('No gateway.');
    return client;
  };
  const kill = (service: string): void => {
    const victim = stack.processes.find((candidate) => candidate.service === service && candidate.index === 0);
    if (victim === undefined) throw new Error(`No process of ${service}.`);
    victim.kill('SIGKILL');
  };
  const timesCalled = (path: string): number => calls.filter((url) => url.startsWith(`/${path}/`)).length;

  /** Starts one run, as a careful client does: the same key at the next gateway until one accepts it. */
  const startOne = async (reuseFrom: string, index: number): Promise<string> => {
    for (let attempt = 0; attempt < 60; attempt += 1) {
      const answer = await anyClient(index + attempt)(
        'POST',
        `/workflows/${workflowId}/execute`,
        { destinationNode: 'Last', startNode: 'Send', reuseFrom },
        { 'idempotency-key': `part-${index}` },
      ).catch(() => undefined);
      if (answer !== undefined && answer.status < 300) return textOf(answer, 'executionId');
      if (answer !== undefined && answer.status < 500) throw new Error(`refused: ${answer.status} ${answer.text}`);
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`Run ${index} was never accepted.`);
  };

  it('end every run of some nodes, and repeat no node that it reuses, when one of each is killed', async () => {
    const whole = await anyClient(0)('POST', `/workflows/${workflowId}/execute`, { wait: true });
    expect(dataOf(whole)['status']).toBe('success');
    const reuseFrom = textOf(whole, 'executionId');
    expect([timesCalled('fetch'), timesCalled('send'), timesCalled('last')]).toEqual([1, 1, 1]);

    const ids = new Map<number, string>();
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < COUNT) {
        const index = next;
        next += 1;
        ids.set(index, await startOne(reuseFrom, index));
        if (ids.size === 30) kill('runner');
        if (ids.size === 60) kill('executions');
        if (ids.size === 90) kill('gateway');
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, work));
    expect(new Set(ids.values()).size).toBe(COUNT);

    for (const id of ids.values()) {
      const { status, partial, data } = await until(`the end of ${id}`, async () => {
        const answer = await anyClient(1)('GET', `/executions/${id}`).catch(() => undefined);
        const execution = answer?.status === 200 ? dataOf(answer) : undefined;
        return execution !== undefined && execution['status'] !== 'running' && execution;
      });
      expect(status).toBe('success');
      expect(partial).toMatchObject({ reused: ['Start', 'Fetch', 'Shape'] });
      const { resultData }: { resultData: { runData: object } } = JSON.parse(JSON.stringify(data));
      expect(Object.keys(resultData.runData).sort()).toEqual(['Fetch', 'Last', 'Send', 'Shape', 'Start']);
    }
    // Output is reused, whatever died; what a run does itself is done at least once.
    expect(timesCalled('fetch')).toBe(1);
    expect(timesCalled('send')).toBeGreaterThanOrEqual(COUNT + 1);
    expect(timesCalled('last')).toBeGreaterThanOrEqual(COUNT + 1);
    // Only runs that were under way on the killed processes may repeat a call.
    expect(timesCalled('send')).toBeLessThanOrEqual(COUNT + 1 + 4 * PARALLEL);
  });
});
