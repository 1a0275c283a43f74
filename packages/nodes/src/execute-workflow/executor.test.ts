import type { JsonObject } from '@weft/node-catalogue';
import { type ChildRequest, type ChildResult, NodeFailure } from '@weft/engine';
import { runKind, type KindRun } from '../testing/cases/run-kind';

const BY_ID: JsonObject = { workflowId: 'w2' };
const items = [{ n: 1 }, { n: 2 }];

/** Runs the node and records the calls it makes; `answer` responds to each. */
const call = async (
  run: KindRun,
  answer: (request: ChildRequest, turn: number) => ChildResult | Promise<ChildResult> = doubled,
) => {
  const requests: ChildRequest[] = [];
  const result = await runKind('executeWorkflow', {
    items,
    version: 1.1,
    ...run,
    parameters: { ...BY_ID, ...run.parameters },
    startChild: (request) => {
      requests.push(request);
      return Promise.resolve(answer(request, requests.length));
    },
  });
  return { ...result, requests };
};

const doubled = ({ input, item }: ChildRequest): ChildResult => ({
  kind: 'finished',
  executionId: `e-${item}`,
  items: input.map(({ json }) => ({ json: { n: Number(json['n']) * 2 }, pairedItem: { item: 7 } })),
});
const failed = (): ChildResult => ({ kind: 'failed', executionId: 'e-9', message: 'it broke' });

describe('executeWorkflow', () => {
  it.each([1, 1.1, 1.2, 1.3, 1.4])(
    'version %s calls the workflow once with all items, and outputs its result',
    async (version) => {
      const { items: given, requests } = await call({ version });
      expect(requests).toEqual([
        {
          node: 'Node',
          run: 0,
          item: 0,
          attempt: 0,
          workflow: { id: 'w2' },
          input: expect.anything(),
          waitForEnd: true,
        },
      ]);
      expect(requests[0]?.input.map(({ json }) => json)).toEqual(items);
      expect(given).toEqual([
        [
          { json: { n: 2 }, pairedItem: { item: 0 } },
          { json: { n: 4 }, pairedItem: { item: 1 } },
        ],
      ]);
    },
  );

  it('references the executions in the record of its run, even if it fails', async () => {
    expect((await call({})).record?.metadata).toEqual({ subExecution: { executionId: 'e-0' }, subExecutionsCount: 1 });
    expect((await call({ parameters: { mode: 'each' } })).record?.metadata).toEqual({
      subExecution: { executionId: 'e-0' },
      subExecutionsCount: 2,
      subExecutionIds: ['e-0', 'e-1'],
    });
    expect((await call({}, failed)).record?.metadata).toEqual({
      subExecution: { executionId: 'e-9' },
      subExecutionsCount: 1,
    });
  });

  it('links a different number of items to all input items', async () => {
    const { items: given } = await call({}, () => ({
      kind: 'finished',
      executionId: 'e',
      items: [{ json: { sum: 3 } }],
    }));
    expect(given).toEqual([[{ json: { sum: 3 }, pairedItem: [{ item: 0 }, { item: 1 }] }]]);
  });

  it('links an item to its origin if that is known and is one of its input items', async () => {
    const result = async (origins: readonly (number | undefined)[], mode = 'once') => {
      const { items: given } = await call({ parameters: { mode } }, () => ({
        kind: 'finished',
        executionId: 'e',
        items: origins.map((origin) => ({ json: {}, ...(origin === undefined ? {} : { origin }) })),
      }));
      return given;
    };
    const pairs = [{ item: 0 }, { item: 1 }];
    expect(await result([1])).toEqual([[{ json: {}, pairedItem: { item: 1 } }]]);
    expect(await result([1, 0])).toEqual([pairs.toReversed().map((pairedItem) => ({ json: {}, pairedItem }))]);
    expect(await result([0, undefined, 2])).toEqual([
      [
        { json: {}, pairedItem: { item: 0 } },
        { json: {}, pairedItem: pairs },
        { json: {}, pairedItem: pairs },
      ],
    ]);
    expect(await result([1], 'each')).toEqual([pairs.map((pairedItem) => ({ json: {}, pairedItem }))]);
  });

  it('calls it for each item separately, in sequence', async () => {
    const { items: given, requests } = await call({
      parameters: { mode: 'each', workflowId: { __rl: true, mode: 'id', value: '={{ "w" + $json.n }}' } },
    });
    expect(requests.map(({ item, workflow, input }) => [item, workflow, input.map(({ json }) => json)])).toEqual([
      [0, { id: 'w1' }, [{ n: 1 }]],
      [1, { id: 'w2' }, [{ n: 2 }]],
    ]);
    expect(given).toEqual([
      [
        { json: { n: 2 }, pairedItem: { item: 0 } },
        { json: { n: 4 }, pairedItem: { item: 1 } },
      ],
    ]);
  });

  it.each(['once', 'each'])('continues at once with its input items if it does not wait (%s)', async (mode) => {
    const { items: given, requests } = await call(
      { parameters: { mode, options: { waitForSubWorkflow: false } } },
      () => ({ kind: 'started', executionId: 'e' }),
    );
    expect(requests.map(({ waitForEnd }) => waitForEnd)).toEqual(mode === 'once' ? [false] : [false, false]);
    expect(given).toEqual([
      [
        { json: { n: 1 }, pairedItem: { item: 0 } },
        { json: { n: 2 }, pairedItem: { item: 1 } },
      ],
    ]);
  });

  it('passes on a workflow that is given as a parameter, as a string or an object', async () => {
    const definition: JsonObject = { nodes: [], connections: {} };
    const text = await call({ parameters: { source: 'parameter', workflowJson: JSON.stringify(definition) } });
    const object = await call({
      parameters: { source: 'parameter', workflowJson: '={{ { "nodes": [], "connections": {} } }}' },
    });
    expect([text.requests[0]?.workflow, object.requests[0]?.workflow]).toEqual([{ definition }, { definition }]);
    const inner = { nodes: [{ name: 'Set', parameters: { value: '={{ $json.uid }}' } }] };
    expect(
      (await call({ parameters: { source: 'parameter', workflowJson: JSON.stringify(inner, null, 2) } })).requests[0]
        ?.workflow,
    ).toEqual({ definition: inner });
    expect((await call({ parameters: { source: 'parameter', workflowJson: '{"a":' } })).error?.message).toContain(
      'not valid workflow JSON',
    );
  });

  it('rejects files, URLs and an empty id with a message that says what to do', async () => {
    expect((await call({ parameters: { source: 'localFile' } })).error).toMatchObject({
      message: 'A workflow cannot be loaded from a file',
      description: expect.stringContaining('set its id'),
    });
    expect((await call({ parameters: { source: 'url' } })).error?.message).toContain('from a URL');
    expect((await call({ parameters: { workflowId: { value: '' } } })).error?.message).toBe('No workflow is selected');
  });

  it('overrides the fields of each item with the declared inputs', async () => {
    const workflowInputs: JsonObject = {
      mappingMode: 'defineBelow',
      value: { n: '={{ $json.n + 10 }}', text: '={{ $json.n }}' },
      attemptToConvertTypes: true,
      convertFieldsToString: true,
      schema: [
        { id: 'n', displayName: 'n', type: 'number' },
        { id: 'text', displayName: 'text', type: 'string' },
        { id: 'old', displayName: 'old', type: 'string', removed: true },
      ],
    };
    const { requests } = await call({
      version: 1.2,
      items: [{ n: 1, old: 'x', kept: true }],
      parameters: { workflowInputs },
    });
    expect(requests[0]?.input.map(({ json }) => json)).toEqual([{ n: 11, text: '1', kept: true }]);
    const older = await call({ version: 1.1, items: [{ n: 1 }], parameters: { workflowInputs } });
    expect(older.requests[0]?.input.map(({ json }) => json)).toEqual([{ n: 1 }]);
  });

  it('reports an input that has the wrong type', async () => {
    const workflowInputs: JsonObject = {
      mappingMode: 'defineBelow',
      value: { n: 'many' },
      attemptToConvertTypes: true,
      schema: [{ id: 'n', displayName: 'n', type: 'number' }],
    };
    expect((await call({ version: 1.2, parameters: { workflowInputs } })).error).toMatchObject({
      message: "Invalid input for 'n' [item 0]",
      description: expect.stringContaining('expects number'),
    });
  });
});

describe('executeWorkflow, when the called workflow fails', () => {
  it('fails, and references the execution', async () => {
    expect((await call({}, failed)).error).toMatchObject({
      message: 'it broke',
      description: 'The sub-workflow failed in execution e-9.',
      context: { executionId: 'e-9' },
    });
    expect((await call({ parameters: { mode: 'each' } }, failed)).error).toMatchObject({
      message: 'Error executing workflow with item at index 0',
      description: expect.stringContaining('it broke'),
    });
  });

  it('passes on the failure of a node of the called workflow, with any number of calls', async () => {
    for (const mode of ['once', 'each'])
      expect(
        (await call({ parameters: { mode } }, () => ({ ...failed(), message: 'halt', name: 'NodeOperationError' })))
          .error,
      ).toMatchObject({ name: 'NodeOperationError', message: 'halt' });
    const other = await call({ parameters: { mode: 'each' } }, () => ({ ...failed(), name: 'Error' }));
    expect(other.error?.message).toBe('Error executing workflow with item at index 0');
  });

  it('outputs the failure as an item if it continues', async () => {
    const node = { onError: 'continueRegularOutput' };
    expect((await call({ node }, failed)).outputs).toEqual([[{ error: 'it broke' }]]);
    const each = await call({ node, parameters: { mode: 'each' } }, (request) =>
      request.item === 0 ? failed() : doubled(request),
    );
    expect(each.outputs).toEqual([[{ error: 'it broke' }, { n: 4 }]]);
  });

  it('sends failed items to the error output', async () => {
    const each = await call({ node: { onError: 'continueErrorOutput' }, parameters: { mode: 'each' } }, (request) =>
      request.item === 0 ? failed() : doubled(request),
    );
    expect(each.outputs).toEqual([[{ n: 4 }], [expect.objectContaining({ error: 'it broke' })]]);
    const once = await call({ node: { onError: 'continueErrorOutput' } }, failed);
    expect(once.outputs).toEqual([[], [{ n: 1, error: 'it broke' }]]);
  });

  it('starts another execution on a retry, and distinguishes the attempts', async () => {
    const { outputs, requests } = await call(
      { node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 } },
      (request, turn) => (turn < 3 ? failed() : doubled(request)),
    );
    expect(requests.map(({ attempt }) => attempt)).toEqual([0, 1, 2]);
    expect(outputs).toEqual([[{ n: 2 }, { n: 4 }]]);
  });

  it('reports why a call was rejected', async () => {
    const refuse = () => Promise.reject(new NodeFailure('No workflow has id w2.'));
    expect((await call({}, refuse)).error?.message).toBe('No workflow has id w2.');
  });
});
