import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

const chain = (name: string, nodes: readonly NodeFile[]): WorkflowFile => ({
  name,
  nodes,
  settings: { executionOrder: 'v1' },
  connections: connect(
    Object.fromEntries(nodes.slice(1).map((one, index) => [nodes[index]?.name ?? '', [[one.name]]])),
  ),
});

// The lease is the default one: without the hint a runner would learn of a cancellation at its next heartbeat, after
// ten seconds.
const SOON_MS = 4_000;

describe('cancelling a run', () => {
  let stack: Stack;
  let rest: Rest;
  let target: Server;
  let targetUrl = '';
  let open = 0;

  beforeAll(async () => {
    // Never answers; a caller is in the middle of a node until it gives up.
    target = createServer((_, response) => {
      open += 1;
      response.once('close', () => {
        open -= 1;
      });
    });
    await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
    targetUrl = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`;
    stack = await borrowStack({
      env: {
        runner: { RUNNER_SLOTS: '1', RUNNER_CODE_TIMEOUT_MS: '60000' },
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    target.closeAllConnections();
    target.close();
  });

  const store = async (workflow: WorkflowFile): Promise<string> =>
    textOf(await rest('POST', '/workflows', workflow), 'id');
  const begin = async (workflowId: string): Promise<string> =>
    textOf(await rest('POST', `/workflows/${workflowId}/execute`, {}), 'executionId');
  const cancel = (id: string) => rest('POST', `/executions/${id}/cancel`);
  const slowCall = (x: number): NodeFile =>
    node('Call', 'httpRequest', 4.2, x, { url: targetUrl, options: { timeout: 60_000 } });
  const expectSlotFree = async (): Promise<void> => {
    const quick = await begin(await store(chain('quick', [node('Start', 'manualTrigger', 1, 0)])));
    await until(
      'the only slot is free',
      async () => dataOf(await rest('GET', `/executions/${quick}`))['status'] === 'success',
      SOON_MS,
    );
  };

  it(
    'closes the connection of the request that it is waiting for, and frees its slot; repeating it changes ' +
      'nothing',
    async () => {
      const id = await begin(await store(chain('slow call', [node('Start', 'manualTrigger', 1, 0), slowCall(200)])));
      await until('the request', async () => open === 1);
      const cancelled = await cancel(id);
      expect([cancelled.status, cancelled.json.data]).toMatchObject([
        200,
        { id, status: 'error', data: { resultData: { error: { reason: 'CANCELLED' } } } },
      ]);
      await until('the connection is closed', async () => open === 0, SOON_MS);
      await expectSlotFree();
      expect((await cancel(id)).json).toEqual(cancelled.json);
    },
  );

  it('ends code that never ends', async () => {
    const id = await begin(
      await store(
        chain('endless code', [
          node('Start', 'manualTrigger', 1, 0),
          node('Code', 'code', 2, 200, { jsCode: 'for (;;);' }),
        ]),
      ),
    );
    await until('the code runs', async () => dataOf(await rest('GET', `/executions/${id}`))['startedAt'] !== null);
    await cancel(id);
    await expectSlotFree();
  });

  it('ends the node that a sub-workflow is running', async () => {
    const child = await store(
      chain('called', [
        node('Called', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' }),
        slowCall(200),
      ]),
    );
    const id = await begin(
      await store(
        chain('caller', [
          node('Start', 'manualTrigger', 1, 0),
          node('Call it', 'executeWorkflow', 1.2, 200, { workflowId: child }),
        ]),
      ),
    );
    await until('the request of the called one', async () => open === 1);
    await cancel(id);
    await until('the connection is closed', async () => open === 0, SOON_MS);
    await until('the called one ends', async () => {
      const statuses = listOf(await rest('GET', `/executions?workflowId=${child}`)).map(({ status }) => status);
      return statuses.length === 1 && statuses[0] === 'error';
    });
    await expectSlotFree();
  });

  it('is 404 for an unknown id, with the id in details', async () => {
    const { status, json } = await cancel('00000000-0000-7000-8000-000000000000');
    expect([status, json.error?.details]).toEqual([404, { executionId: '00000000-0000-7000-8000-000000000000' }]);
  });
});
