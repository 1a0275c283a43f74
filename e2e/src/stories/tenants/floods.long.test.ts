import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { startLocalServer, type LocalServer } from '../../support/stand-ins/local-server';
import { callWebhook, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, smallWorkflow } from '../../support/workflows';

const ITEMS = 150;
const CALLS = 15;

/** Holds one of the few slots until the server answers. */
const child = (url: string) => ({
  name: 'called',
  nodes: [
    node('Called', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' }),
    node('Ask', 'httpRequest', 4.2, 200, { url, options: {} }),
  ],
  connections: connect({ Called: [['Ask']] }),
  settings: {},
});

/** Calls another workflow for each of its items, and waits for none of them. */
const flood = (workflowId: string) => ({
  name: 'flood',
  nodes: [
    node('Start', 'manualTrigger', 1, 0),
    node('Items', 'code', 2, 200, { jsCode: `return Array.from({ length: ${ITEMS} }, (_, n) => ({ json: { n } }));` }),
    node('Call', 'executeWorkflow', 1.2, 400, {
      mode: 'each',
      workflowId: { mode: 'id', value: workflowId },
      options: { waitForSubWorkflow: false },
    }),
  ],
  connections: connect({ Start: [['Items']], Items: [['Call']] }),
  settings: { executionOrder: 'v1' },
});

describe('a run that calls a sub-workflow for 150 items', () => {
  let stack: Stack;
  let rest: Rest;
  let server: LocalServer;
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });

  beforeAll(async () => {
    server = await startLocalServer({}, () => released);
    stack = await borrowStack({
      env: {
        executions: { QUEUE_LIMIT: '60', SWEEP_MS: '1000' },
        runner: { RUNNER_SLOTS: '2' },
      },
    });
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(async () => {
    await giveStackBack(stack);
    await server?.stop();
  });

  const countOf = async (workflowId: string, status?: string): Promise<number> => {
    let cursor: string | null | undefined = '';
    let count = 0;
    while (typeof cursor === 'string') {
      const query = new URLSearchParams({ workflowId, limit: '100', ...(status === undefined ? {} : { status }) });
      if (cursor !== '') query.set('cursor', cursor);
      const { json } = await rest('GET', `/executions?${query.toString()}`);
      count += Array.isArray(json.data) ? json.data.length : 0;
      cursor = json.nextCursor;
    }
    return count;
  };

  it(
    'shuts no webhook of another workflow out of a small queue, waits for room itself, and starts every one of ' +
      'them once',
    async () => {
      const called = textOf(await rest('POST', '/workflows', child(server.url)), 'id');
      const caller = textOf(await rest('POST', '/workflows', flood(called)), 'id');
      const healthy = textOf(await rest('POST', '/workflows', { ...smallWorkflow('healthy'), active: true }), 'id');
      const executionId = textOf(await rest('POST', `/workflows/${caller}/execute`), 'executionId');
      let seen = 0;
      await until('the flood fills all that it may', async () => {
        const before = seen;
        seen = await countOf(called);
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        return seen > 1 && seen === before;
      });
      const statuses: number[] = [];
      for (let n = 0; n < CALLS; n += 1) {
        statuses.push((await callWebhook(stack.baseUrls[0] ?? '', 'healthy', { n })).status);
      }
      release();
      expect(statuses.filter((status) => status !== 200)).toEqual([]);
      await until('the calling run ends', async () => {
        const { status } = { status: '', ...Object((await rest('GET', `/executions/${executionId}`)).json.data) };
        if (status === 'error') throw new Error('It failed.');
        return status === 'success';
      });
      await until(
        'all have ended well',
        async () => (await countOf(called, 'success')) === ITEMS && (await countOf(healthy, 'success')) === CALLS,
        30_000,
      );
      expect([await countOf(called), await countOf(healthy)]).toEqual([ITEMS, CALLS]);
    },
  );
});
