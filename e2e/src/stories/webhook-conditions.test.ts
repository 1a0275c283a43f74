import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, listOf, restClient, textOf, type Rest } from '../support/rest';
import { until } from '../support/until';
import { connect, node, type WorkflowFile } from '../support/workflows';

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
});
