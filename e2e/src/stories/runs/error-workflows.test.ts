import { borrowStack, giveStackBack, type Stack } from '@weft/local-stack';
import { callWebhook, dataOf, listOf, restClient, textOf, type Rest } from '../../support/rest';
import { until } from '../../support/until';
import { chain, node, type NodeFile, type WorkflowFile } from '../../support/workflows';

const stop = (message: string, x = 200): NodeFile => node('Stop', 'stopAndError', 1, x, { errorMessage: message });

describe('the consequences of a failure, and the traces of a run', () => {
  let stack: Stack;
  let rest: Rest;
  beforeAll(async () => {
    stack = await borrowStack();
    rest = restClient(stack.baseUrls[0] ?? '', stack.apiKey);
  });
  afterAll(() => giveStackBack(stack));

  const store = async (workflow: WorkflowFile): Promise<string> =>
    textOf(await rest('POST', '/workflows', workflow), 'id');
  const runsOf = async (workflowId: string) => listOf(await rest('GET', `/executions?workflowId=${workflowId}`));
  const ended = (id: string) =>
    until(`execution ${id} ends`, async () => {
      const execution = dataOf(await rest('GET', `/executions/${id}`));
      return execution['status'] !== 'running' && execution['status'] !== 'waiting' && execution;
    });
  const begin = async (workflowId: string, data: object = {}): Promise<string> =>
    textOf(await rest('POST', `/workflows/${workflowId}/execute`, { data }), 'executionId');
  const onlyRunOf = async (workflowId: string) =>
    ended(String((await until(`a run of ${workflowId}`, async () => (await runsOf(workflowId))[0]))['id']));
  /** JSON of the output items of a node of an execution. */
  const given = (execution: Readonly<Record<string, unknown>>, name: string): unknown => {
    const {
      data,
    }: { data?: { resultData?: { runData?: Record<string, { data?: { main?: { json: unknown }[][] } }[]> } } } =
      JSON.parse(JSON.stringify(execution));
    return data?.resultData?.runData?.[name]?.at(-1)?.data?.main?.[0]?.map(({ json }) => json);
  };

  it('starts the error workflow with the failure, once, and not for the error workflow itself', async () => {
    const handler = await store(
      chain('handler', [
        node('On error', 'errorTrigger', 1, 0),
        node('Seen', 'noOp', 1, 100),
        stop('the handler fails too'),
      ]),
    );
    const settings = { errorWorkflow: handler };
    await rest(
      'PUT',
      `/workflows/${handler}`,
      chain(
        'handler',
        [node('On error', 'errorTrigger', 1, 0), node('Seen', 'noOp', 1, 100), stop('the handler fails too')],
        settings,
      ),
    );
    const failing = await store(
      chain(
        'failing',
        [node('Hook', 'webhook', 2, 0, { httpMethod: 'POST', path: 'fails' }), stop('out of paper')],
        settings,
      ),
    );
    await rest('POST', `/workflows/${failing}/activate`);
    expect((await callWebhook(stack.baseUrls[0] ?? '', 'fails', {})).status).toBe(200);
    const failed = await onlyRunOf(failing);
    const handled = await onlyRunOf(handler);
    expect(handled).toMatchObject({ mode: 'error', status: 'error' });
    const id = String(failed['id']);
    expect(given(handled, 'Seen')).toEqual([
      {
        execution: expect.objectContaining({
          id,
          url: `${stack.baseUrls[0]}/api/v1/executions/${id}`,
          mode: 'webhook',
          lastNodeExecuted: 'Stop',
          error: expect.objectContaining({ message: 'out of paper', node: expect.objectContaining({ name: 'Stop' }) }),
        }),
        workflow: { id: failing, name: 'failing' },
      },
    ]);
    // A later run shows that nothing else was started.
    await ended(await begin(await store(chain('other', [node('Start', 'manualTrigger', 1, 0)]))));
    expect(await runsOf(handler)).toHaveLength(1);
  });

  it('runs an error workflow by hand with the data as its item', async () => {
    const handler = await store(chain('by hand', [node('On error', 'errorTrigger', 1, 0)]));
    expect(given(await ended(await begin(handler, { execution: { id: 'x' } })), 'On error')).toEqual([
      { execution: { id: 'x' } },
    ]);
  });

  it('stores what nodes and code record, and shows it', async () => {
    const id = await store(
      chain('marked', [
        node('Start', 'manualTrigger', 1, 0),
        node('Save', 'executionData', 1, 100, {
          dataToSave: { values: [{ key: 'customer', value: '={{ $json.customer }}' }] },
        }),
        node('Code', 'code', 2, 200, {
          jsCode:
            "$execution.customData.set('seen', $execution.customData.get('customer') + '!'); return $input.all();",
        }),
        node('Pause', 'wait', 1.1, 300, { resume: 'timeInterval', amount: 1, unit: 'seconds' }),
        node('Again', 'executionData', 1, 400, { dataToSave: { values: [{ key: 'last', value: 'yes' }] } }),
      ]),
    );
    expect((await ended(await begin(id, { customer: 'c-7' })))['customData']).toEqual({
      customer: 'c-7',
      seen: 'c-7!',
      last: 'yes',
    });
    expect((await runsOf(id))[0]?.['customData']).toEqual({ customer: 'c-7', seen: 'c-7!', last: 'yes' });
  });

  it('ends a run whose time is over', async () => {
    const id = await store(
      chain(
        'slow',
        [
          node('Start', 'manualTrigger', 1, 0),
          node('Pause', 'wait', 1.1, 200, { resume: 'timeInterval', amount: 5, unit: 'minutes' }),
        ],
        { executionTimeout: 1 },
      ),
    );
    expect(JSON.stringify(await ended(await begin(id)))).toContain('TIMED_OUT');
  });

  it('skips nodes that it does not reach, and names those it does', async () => {
    const parts = chain('half known', [
      node('Start', 'manualTrigger', 1, 0),
      node('Off', 'htpRequest', 1, 100, {}, { disabled: true }),
      node('End', 'noOp', 1, 200),
    ]);
    const id = await store({ ...parts, nodes: [...parts.nodes, node('Loose', 'salesforce', 1, 0)] });
    expect((await ended(await begin(id)))['status']).toBe('success');
    const broken = await store(
      chain('unknown', [node('Start', 'manualTrigger', 1, 0), node('Post', 'htpRequest', 1, 100)]),
    );
    const { status, json } = await rest('POST', `/workflows/${broken}/execute`, {});
    expect(status).toBe(400);
    expect(JSON.stringify(json.error)).toMatch(/"?Post.*Did you mean .*httpRequest/);
  });
});
