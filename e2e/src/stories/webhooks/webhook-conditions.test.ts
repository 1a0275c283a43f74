import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { connect, node, type WorkflowFile } from '../../support/workflows';

const hook = (path: string, responseMode: string): WorkflowFile & { readonly active: true } => ({
  name: path,
  nodes: [
    node('Hook', 'webhook', 2.1, 0, {
      httpMethod: 'POST',
      path,
      responseMode,
      options: { onlyRunIf: '={{ $json.body.n > 1 }}' },
    }),
    node('Rows', 'code', 2, 200, {
      jsCode: 'return Array.from({ length: $json.body.n }, (_, n) => ({ json: { n } }));',
    }),
    node('Add', 'dataTable', 1.1, 400, {
      dataTableId: { __rl: true, mode: 'name', value: 'cleared' },
      columns: { mappingMode: 'autoMapInputData' },
      options: { optimizeBulk: true },
    }),
    node('Clear', 'dataTable', 1.1, 600, {
      resource: 'table',
      operation: 'clear',
      dataTableId: { __rl: true, mode: 'name', value: 'cleared' },
    }),
  ],
  connections: connect({ Hook: [['Rows']], Rows: [['Add']], Add: [['Clear']] }),
  settings: {},
  active: true,
});

/** Gives out its resume URL, and waits for a call whose `n` is above the limit that the first caller set. */
const waiting = (path: string, responseMode: string): WorkflowFile & { readonly active: true } => ({
  name: path,
  nodes: [
    node('Hook', 'webhook', 2.1, 0, { httpMethod: 'POST', path, responseMode: 'lastNode' }),
    node('Ask', 'set', 3.4, 200, {
      mode: 'raw',
      jsonOutput: '={{ { resume: $execution.resumeUrl, limit: $json.body.limit } }}',
      options: {},
    }),
    node('Wait', 'wait', 1.1, 400, {
      resume: 'webhook',
      httpMethod: 'POST',
      responseMode,
      options: { onlyRunIf: "={{ $json.body.n > $('Ask').item.json.limit }}" },
    }),
    node('End', 'set', 3.4, 600, { mode: 'raw', jsonOutput: '={{ { n: $json.body.n } }}', options: {} }),
  ],
  connections: connect({ Hook: [['Ask']], Ask: [['Wait']], Wait: [['End']] }),
  settings: {},
  active: true,
});

/** Answers with the path that a request of each method takes. */
const several: WorkflowFile & { readonly active: true } = {
  name: 'several',
  nodes: [
    node('Hook', 'webhook', 2.1, 0, {
      multipleMethods: true,
      httpMethod: ['PUT', 'GET', 'POST'],
      path: 'several',
      responseMode: 'lastNode',
    }),
    ...['PUT', 'GET', 'POST'].map((name, row) =>
      node(name, 'set', 3.4, 200 + row, { mode: 'raw', jsonOutput: JSON.stringify({ way: name }), options: {} }),
    ),
  ],
  connections: connect({ Hook: [['PUT'], ['GET'], ['POST']] }),
  settings: {},
  active: true,
};

describe('a webhook of several methods', () => {
  let stack: Stack;
  beforeAll(async () => {
    stack = await borrowStack({});
    await restClient(stack.baseUrls[0] ?? '', stack.apiKey)('POST', '/workflows', several);
  });
  afterAll(() => giveStackBack(stack));

  it.each(['PUT', 'GET', 'POST'])('sends a request of %s by the output of its method', async (method) => {
    const answer = await fetch(`${stack.baseUrls[0] ?? ''}/webhook/several`, { method });
    expect([answer.status, await answer.json()]).toEqual([200, { way: method }]);
  });
});

describe('a webhook with a condition', () => {
  let stack: Stack;
  let rest: Rest;
  beforeAll(async () => {
    stack = await borrowStack({});
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
    await rest('POST', '/data-tables', { name: 'cleared', columns: [{ name: 'n', type: 'number' }] });
  });
  afterAll(() => giveStackBack(stack));

  it.each(['lastNode', 'onReceived', 'responseNode'])(
    'answers a request that does not meet it, and leaves no execution (%s)',
    async (responseMode) => {
      const path = `condition-${responseMode}`;
      const workflowId = textOf(await rest('POST', '/workflows', hook(path, responseMode)), 'id');
      const refused = await callWebhook(stack.baseUrls[0] ?? '', path, { n: 1 });
      expect(refused.status).toBe(200);
      if (responseMode !== 'onReceived') expect(refused.json).toEqual({ message: 'Webhook call received' });
      await until('no execution is left', async () => {
        const left = listOf(await rest('GET', `/executions?workflowId=${workflowId}`));
        return left.length === 0;
      });
    },
  );

  it('runs for a request that meets it, and clears a table of more rows than one operation deletes', async () => {
    await rest('POST', '/workflows', hook('clears', 'lastNode'));
    const { status, json } = await callWebhook(stack.baseUrls[0] ?? '', 'clears', { n: 2_345 });
    expect({ status, json }).toEqual({ status: 200, json: { success: true, deletedCount: 2_345 } });
  });

  it.each(['lastNode', 'onReceived'])(
    'keeps a run waiting for a call that meets the condition of its Wait node (%s)',
    async (responseMode) => {
      const path = `waits-${responseMode}`;
      const workflowId = textOf(await rest('POST', '/workflows', waiting(path, responseMode)), 'id');
      const { text } = await callWebhook(stack.baseUrls[0] ?? '', path, { limit: 1 });
      const { resume } = JSON.parse(text);
      const call = async (n: number): Promise<readonly [number, string]> => {
        const body = JSON.stringify({ n });
        const answer = await fetch(resume, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
        return [answer.status, await answer.text()];
      };
      const [execution] = listOf(await rest('GET', `/executions?workflowId=${workflowId}`));
      const id = String(execution?.['id']);
      const statusOf = async (): Promise<unknown> => dataOf(await rest('GET', `/executions/${id}`))['status'];

      for (const n of [1, 0]) {
        const [status, answer] = await call(n);
        expect(status).toBe(200);
        if (responseMode === 'lastNode') expect(answer).toBe('{"message":"Webhook call received"}');
        await until('the run waits again', async () => (await statusOf()) === 'waiting');
      }
      const [status, answer] = await call(2);
      expect(status).toBe(200);
      if (responseMode === 'lastNode') expect(answer).toBe('{"n":2}');
      await until('the run ends', async () => (await statusOf()) === 'success');
    },
  );
});
