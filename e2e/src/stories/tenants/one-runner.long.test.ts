import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import mongoose from 'mongoose';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

const SLOTS = 4;

describe('one runner with few slots', () => {
  let stack: Stack;
  let rest: Rest;
  let server: Server;
  let url = '';
  let open = 0;
  let most = 0;

  beforeAll(async () => {
    server = createServer((_, response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.end('{}');
      }, 50);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    stack = await borrowStack({
      env: {
        runner: { RUNNER_SLOTS: String(SLOTS) },
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    server.closeAllConnections();
    server.close();
  });

  const activate = async (path: string): Promise<string> => {
    const workflow: WorkflowFile = {
      name: path,
      nodes: [
        node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} }),
        node('Call', 'httpRequest', 4.2, 200, { url, options: {} }),
      ],
      connections: connect({ Hook: [['Call']] }),
      settings: { executionOrder: 'v1' },
    };
    const id = textOf(await rest('POST', '/workflows', workflow), 'id');
    expect((await rest('POST', `/workflows/${id}/activate`)).status).toBe(200);
    return id;
  };
  const ended = (workflowId: string, count: number): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    until('the ends', async () => {
      const all = listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
      return all.length === count && all.every((one) => one['status'] !== 'running') && all;
    });
  const callAll = async (path: string, bodies: readonly object[]): Promise<void> => {
    const answers = await Promise.all(bodies.map((body) => callWebhook(stack.baseUrls[0] ?? '', path, body)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  };

  it('runs no more at once than it has slots, however many are requested at once', async () => {
    const id = await activate('burst');
    await callAll(
      'burst',
      Array.from({ length: 60 }, (_, n) => ({ n })),
    );
    expect(new Set((await ended(id, 60)).map((one) => one['status']))).toEqual(new Set(['success']));
    expect(most).toBe(SLOTS);
  });

  it('ends the one run whose input is gone, and none of the others that wait with it', async () => {
    const id = await activate('unreadable');
    const [runner] = stack.of('runner');
    runner?.kill('SIGKILL');
    await callAll(
      'unreadable',
      Array.from({ length: 16 }, (_, n) => (n === 5 ? { text: 'x'.repeat(200_000) } : { n })),
    );
    const connection = await mongoose
      .createConnection(stack.mongodbUri, { dbName: `${stack.namespace}_executions` })
      .asPromise();
    const { deletedCount } = await connection
      .collection('executionChunks')
      .deleteMany({})
      .finally(() => connection.close());
    expect(deletedCount).toBeGreaterThan(0);
    await runner?.restart();
    const all = await ended(id, 16);
    const failed = all.filter((one) => one['status'] !== 'success');
    expect(failed).toHaveLength(1);
    const execution = dataOf(await rest('GET', `/executions/${String(failed[0]?.['id'])}`));
    expect(execution).toMatchObject({
      status: 'error',
      data: { resultData: { error: { reason: 'RUN_DATA_UNREADABLE' } } },
    });
  });
});
