import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import mongoose from 'mongoose';
import { borrowStack, findConnectionHolder, giveStackBack, runnerProcesses, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

describe('runs that share a runner with one that kills it', () => {
  let stack: Stack;
  let rest: Rest;
  let store: mongoose.Connection;
  let server: Server;
  let url = '';
  const calls = new Map<string, number>();
  const waiting = new Set<ServerResponse>();
  const failures: unknown[] = [];
  let isOpen = false;
  let poisonId = '';
  let restarts = 0;

  /** Kills the process that runs the poisonous run: first the runner, then the process in which it is isolated. */
  const strike = async (callerPort: number): Promise<void> => {
    const [runner] = stack.of('runner');
    if (runner === undefined) throw new Error('No runner.');
    // A new process writes its log line within 50 ms.
    const calling = await until('the process that called is known', () =>
      Promise.resolve(findConnectionHolder(callerPort, runnerProcesses(runner))),
    );
    process.kill(calling.pid, 'SIGKILL');
    if (calling.pid !== runner.pid) return;
    restarts += 1;
    await runner.restart();
  };

  beforeAll(async () => {
    server = createServer((request, response) => {
      const name = request.url ?? '';
      calls.set(name, (calls.get(name) ?? 0) + 1);
      if (name === '/poison')
        return void strike(request.socket.remotePort ?? 0).catch((error: unknown) => failures.push(error));
      if (isOpen) return void response.end('{}');
      waiting.add(response);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stack = await borrowStack({
      env: {
        executions: { LEASE_MS: '3000', SWEEP_MS: '300' },
      },
    });
    store = await mongoose.createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` }).asPromise();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await store.close();
    await giveStackBack(stack);
    server.closeAllConnections();
    server.close();
  });

  const calling = (name: string, path: string): WorkflowFile => ({
    name,
    nodes: [
      node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: name, responseMode: 'onReceived', options: {} }),
      node('Call', 'httpRequest', 4.2, 200, { method: 'POST', url: `${url}/${path}`, options: { timeout: 300_000 } }),
    ],
    connections: connect({ Hook: [['Call']] }),
    settings: { executionOrder: 'v1' },
  });
  const activate = async (workflow: WorkflowFile): Promise<string> => {
    const id = textOf(await rest('POST', '/workflows', workflow), 'id');
    expect((await rest('POST', `/workflows/${id}/activate`)).status).toBe(200);
    return id;
  };
  const ends = (workflowId: string, count: number): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    until(`the ends of ${workflowId}`, async () => {
      // If the kill missed, the run would wait and nothing would end.
      if (failures.length > 0) throw failures[0];
      const all = listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
      return all.length === count && all.every((one) => one['status'] !== 'running') && all;
    });

  it(
    'succeed, and are run once more and not more often, while that one is given up after three deaths, alone in ' +
      'its process',
    async () => {
      const COUNT = 8;
      const innocents = await Promise.all(
        Array.from({ length: COUNT }, (_, n) => activate(calling(`innocent-${n}`, `innocent-${n}`))),
      );
      const poison = await activate(calling('poison', 'poison'));
      const base = stack.baseUrls[0] ?? '';
      for (let n = 0; n < COUNT; n += 1) expect((await callWebhook(base, `innocent-${n}`, {})).status).toBe(200);
      await until('all are in the middle of their call', () => Promise.resolve(waiting.size === COUNT));
      // Those that wait for a response are not suspected.
      await until('the service knows that they wait', async () => {
        return (await store.collection('executions').countDocuments({ 'lease.waits': true })) === COUNT;
      });
      isOpen = true;
      expect((await callWebhook(base, 'poison', {})).status).toBe(200);
      const [given] = await ends(poison, 1);
      const execution = dataOf(await rest('GET', `/executions/${String(given?.['id'])}`));
      expect(failures).toEqual([]);
      expect(execution).toMatchObject({ status: 'error', data: { resultData: { error: { reason: 'CRASHED' } } } });
      expect(calls.get('/poison')).toBe(3);
      for (const [n, id] of innocents.entries()) {
        const [one] = await ends(id, 1);
        expect([n, one?.['status'], calls.get(`/innocent-${n}`)]).toEqual([n, 'success', 2]);
      }
      poisonId = poison;
    },
  );

  it('are not disturbed by later runs of that workflow, which are executed apart from them', async () => {
    const id = await activate(calling('later', 'later'));
    const base = stack.baseUrls[0] ?? '';
    waiting.clear();
    isOpen = false;
    expect((await callWebhook(base, 'later', {})).status).toBe(200);
    await until('it is in the middle of its call', () => Promise.resolve(waiting.size === 1));
    expect((await callWebhook(base, 'poison', {})).status).toBe(200);
    await ends(poisonId, 2);
    for (const response of waiting) response.end('{}');
    const [one] = await ends(id, 1);
    // the runner died in the previous test and not since
    expect([failures, restarts, one?.['status'], calls.get('/later')]).toEqual([[], 1, 'success', 1]);
  });
});
