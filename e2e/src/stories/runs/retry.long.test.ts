import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

/** Counts, makes a file, and sends it to a server that may be out of order; then continues with its answer. */
const delivery = (url: string): WorkflowFile => ({
  name: 'delivery',
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node('Count', 'httpRequest', 4.2, 200, { url: `${url}count`, options: {} }),
    node('File', 'convertToFile', 1.1, 400, { operation: 'toJson', options: { fileName: 'order.json' } }),
    node('Deliver', 'httpRequest', 4.2, 600, {
      method: 'POST',
      url: `${url}deliver`,
      sendBody: true,
      contentType: 'binaryData',
      inputDataFieldName: 'data',
      options: {},
    }),
    node('After', 'noOp', 1, 800),
  ],
  connections: connect({ Start: [['Count']], Count: [['File']], File: [['Deliver']], Deliver: [['After']] }),
  settings: { executionOrder: 'v1' },
});

describe('retrying a run', () => {
  let stack: Stack;
  let rest: Rest;
  let server: Server;
  let url = '';
  let isBroken = true;
  let counted = 0;
  let delivered: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        response.setHeader('content-type', 'application/json');
        if (request.url === '/count') {
          counted += 1;
          return response.end(JSON.stringify({ n: counted }));
        }
        if (isBroken) response.statusCode = 500;
        else delivered.push(Buffer.concat(parts).toString());
        return response.end('{"ok":true}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  beforeEach(() => {
    [isBroken, counted, delivered] = [true, 0, []];
  });
  afterAll(async () => {
    await giveStackBack(stack);
    server.closeAllConnections();
    server.close();
  });

  const read = async (id: string) => dataOf(await rest('GET', `/executions/${id}`));
  const ended = (id: string) =>
    until(`execution ${id} ends`, async () => {
      const execution = await read(id);
      return execution['status'] !== 'running' && execution;
    });
  const failOnce = async (workflowId: string): Promise<string> => {
    const id = textOf(await rest('POST', `/workflows/${workflowId}/execute`, {}), 'executionId');
    expect((await ended(id))['status']).toBe('error');
    return id;
  };
  const runData = (
    execution: Readonly<Record<string, unknown>>,
  ): Record<string, readonly { data: { main: { json: unknown; binary?: { data: { id: string } } }[][] } }[]> => {
    const { data }: { data?: { resultData: { runData: ReturnType<typeof runData> } } } = JSON.parse(
      JSON.stringify(execution),
    );
    return data?.resultData.runData ?? {};
  };

  it(
    'from the failed node repeats nothing before it, and passes it the file of the original, even if that ' +
      'is deleted meanwhile',
    async () => {
      const original = await failOnce(textOf(await rest('POST', '/workflows', delivery(url)), 'id'));
      isBroken = false;
      const answer = await rest('POST', `/executions/${original}/retry`);
      const id = textOf(answer, 'executionId');
      expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api/v1/executions/${id}`]);
      expect((await rest('DELETE', `/executions/${original}`)).status).toBe(200);
      const retry = await ended(id);
      expect(retry).toMatchObject({ status: 'success', mode: 'retry', retryOf: original });
      expect([counted, delivered.map((text) => JSON.parse(text))]).toEqual([1, [[{ n: 1 }]]]);
      const runs = runData(retry);
      expect(Object.entries(runs).map(([name, { length }]) => [name, length])).toEqual([
        ['Start', 1],
        ['Count', 1],
        ['File', 1],
        ['Deliver', 1],
        ['After', 1],
      ]);
      const file = await rest(
        'GET',
        `/executions/${id}/binary/${runs['File']?.[0]?.data.main[0]?.[0]?.binary?.data.id ?? ''}`,
      );
      expect([file.status, file.text]).toEqual([200, delivered[0]]);
    },
  );

  it('from the start runs all of it again, with the current workflow if requested', async () => {
    const workflowId = textOf(await rest('POST', '/workflows', delivery('http://127.0.0.1:1/')), 'id');
    const original = await failOnce(workflowId);
    isBroken = false;
    await rest('PUT', `/workflows/${workflowId}`, delivery(url));
    const same = await ended(
      textOf(await rest('POST', `/executions/${original}/retry`, { from: 'start' }), 'executionId'),
    );
    expect([same['status'], counted]).toEqual(['error', 0]);
    const mended = textOf(
      await rest('POST', `/executions/${original}/retry`, { from: 'failedNode', version: 'current' }),
      'executionId',
    );
    expect([(await ended(mended))['status'], counted, delivered.length]).toEqual(['success', 1, 1]);
    await until('the original knows', async () => (await read(original))['retrySuccessId'] === mended);
  });

  it(
    'of many by a filter reports the number first, then retries each once, also when the service is killed in ' +
      'the middle',
    async () => {
      const workflowId = textOf(await rest('POST', '/workflows', delivery(url)), 'id');
      const originals = await Promise.all(Array.from({ length: 30 }, () => failOnce(workflowId)));
      isBroken = false;
      const counts = counted;
      const dry = await rest('POST', '/executions/retry', { filter: { workflowId }, dryRun: true });
      expect([dry.status, dry.json.data]).toEqual([200, { dryRun: true, matched: 30 }]);
      const started = await rest('POST', '/executions/retry', { filter: { workflowId, reason: 'NODE_ERROR' } });
      expect([started.status, dataOf(started)]).toMatchObject([201, { state: 'running', matched: 30 }]);
      const job = `/retry-jobs/${textOf(started, 'id')}`;
      await until('some are retried', async () => delivered.length > 3);
      const executions = stack.of('executions');
      for (const one of executions) one.kill('SIGKILL');
      await Promise.all(executions.map((one) => one.restart()));
      const done = await until('the job ends', async () => {
        const answer = await rest('GET', job);
        return answer.status === 200 && dataOf(answer)['state'] === 'done' && dataOf(answer);
      });
      expect(done).toMatchObject({ matched: 30, retried: 30, refused: 0, skipped: 0 });
      const retries = await until('all retries have ended', async () => {
        const runs = listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`)).filter(
          ({ mode }) => mode === 'retry',
        );
        return runs.every(({ status }) => status === 'success') && runs;
      });
      expect(retries.map(({ retryOf }) => retryOf).sort()).toEqual([...originals].sort());
      expect(counted).toBe(counts);
      expect(
        (await rest('POST', '/executions/retry', { filter: { workflowId }, dryRun: true })).json.data,
      ).toMatchObject({ matched: 0 });
    },
  );

  it('that is still running is 409, and so is one from the failed node of a run that succeeded', async () => {
    isBroken = false;
    const id = textOf(
      await rest('POST', `/workflows/${textOf(await rest('POST', '/workflows', delivery(url)), 'id')}/execute`, {}),
      'executionId',
    );
    await ended(id);
    const { status, json } = await rest('POST', `/executions/${id}/retry`);
    expect([status, json.error?.details]).toMatchObject([409, { reason: 'RETRY_NOT_POSSIBLE', executionId: id }]);
  });
});
