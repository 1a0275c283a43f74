import type { JsonObject } from '@weft/node-catalogue';
import type { ChildRequest, ChildResult, NodePorts } from '@weft/engine';
import { runTest } from '@weft/engine/testing';
import { callTools, testRunOf, type ToolNode, type ToolTest } from '../testing/call-tools';

const TYPE = '@n8n/n8n-nodes-langchain.toolWorkflow';

/** A port that answers each call with these results, and the calls. */
const children = (...results: ChildResult[]) => {
  const requests: ChildRequest[] = [];
  const startChild: NodePorts['startChild'] = (request) => {
    requests.push(request);
    const result = results[requests.length - 1];
    return result === undefined ? Promise.reject(new Error('Too many calls.')) : Promise.resolve(result);
  };
  return { requests, startChild };
};
const finished = (...json: JsonObject[]): ChildResult => ({
  kind: 'finished',
  executionId: 'e2',
  items: json.map((one) => ({ json: one })),
});
const tool = (version: number, parameters: JsonObject): ToolNode => ({
  type: TYPE,
  version,
  name: 'Find orders',
  parameters: { description: 'Finds orders', workflowId: { __rl: true, mode: 'id', value: 'w2' }, ...parameters },
});
const call = (test: ToolTest, child: ReturnType<typeof children>) =>
  callTools({ ...test, ports: { startChild: child.startChild } });

const MAPPED = {
  workflowInputs: {
    mappingMode: 'defineBelow',
    value: {
      customer: "={{ $fromAI('customer', 'name', 'string') }}",
      limit: "={{ $fromAI('limit', '', 'number', 5) }}",
      source: 'agent',
    },
    schema: [
      { id: 'customer', displayName: 'customer', type: 'string' },
      { id: 'limit', displayName: 'limit', type: 'number' },
      { id: 'source', displayName: 'source', type: 'string' },
    ],
  },
};

describe('a workflow as a tool', () => {
  it.each([
    [1, 'orders', 'orders'],
    [2.1, 'find orders', 'find_orders'],
    [2.2, 'ignored', 'Find_orders'],
  ])('of version %d takes the name of the function from its place', async (version, name, expected) => {
    const { functions } = await callTools({ tool: tool(version, { name }) });
    expect(functions[0]).toMatchObject({ name: expected, description: 'Finds orders' });
  });

  it('with declared inputs takes the arguments of its $fromAI calls, and passes typed values on', async () => {
    const child = children(finished({ id: 1 }, { id: 2 }));
    const { functions, texts, result } = await call(
      { tool: tool(2.2, MAPPED), calls: [{ customer: 'Ada' }], item: { secret: 1 } },
      child,
    );
    expect(functions[0]?.['parameters']).toMatchObject({
      properties: { customer: { type: 'string', description: 'name' }, limit: { type: 'number', default: 5 } },
      required: ['customer'],
    });
    expect(child.requests).toMatchObject([{ node: 'Find orders', item: 0, workflow: { id: 'w2' }, waitForEnd: true }]);
    expect(child.requests[0]?.input).toEqual([{ json: { customer: 'Ada', limit: 5, source: 'agent' } }]);
    expect(texts).toEqual(['[{"id":1},{"id":2}]']);
    expect(result.records.get('Find orders')?.[0]?.metadata).toMatchObject({ subExecution: { executionId: 'e2' } });
  });

  it.each([1.3, 2])('of version %d gives only the first item', async (version) => {
    const { texts } = await call(
      { tool: tool(version, {}), calls: [{ input: 'x' }] },
      children(finished({ a: 1 }, { a: 2 })),
    );
    expect(texts).toEqual(['[{"a":1}]']);
  });

  it('without declared inputs takes one text, and passes it on as query', async () => {
    const child = children(finished({ a: 1 }));
    await call({ tool: tool(2.2, {}), calls: [{ input: '={{ $json.secret }}' }], item: { secret: 's' } }, child);
    expect(child.requests[0]?.input).toEqual([{ json: { query: '={{ $json.secret }}' } }]);
  });

  it('of version 1 may specify a schema and extra fields', async () => {
    const child = children(finished({ a: 1 }));
    const parameters = {
      specifyInputSchema: true,
      jsonSchemaExample: '{"city":"Bern","days":3}',
      fields: {
        values: [
          { name: 'user', type: 'stringValue', stringValue: '={{ $json.user }}' },
          { name: 'max', type: 'numberValue', numberValue: '7' },
        ],
      },
    };
    const { functions } = await call(
      { tool: tool(1.3, parameters), calls: [{ city: 'Chur', days: '2' }], item: { user: 'u1' } },
      child,
    );
    expect(functions[0]?.['parameters']).toMatchObject({
      properties: { city: { type: 'string' }, days: { type: 'number' } },
    });
    expect(child.requests[0]?.input).toEqual([{ json: { query: { city: 'Chur', days: 2 }, user: 'u1', max: 7 } }]);
  });

  it('runs a workflow that is part of the node', async () => {
    const child = children(finished({ a: 1 }));
    const workflow = { nodes: [], connections: {} };
    await call(
      { tool: tool(2, { source: 'parameter', workflowJson: JSON.stringify(workflow) }), calls: [{ input: 'x' }] },
      child,
    );
    expect(child.requests[0]?.workflow).toEqual({ definition: workflow });
  });

  it.each([
    [
      { kind: 'failed', executionId: 'e2', message: 'Calls from this workflow are not allowed' } as const,
      'The tool failed: Calls from this workflow are not allowed',
    ],
    [finished(), 'The tool failed: The workflow did not return a response'],
  ])('reports a failure to the model', async (result, text) => {
    const { texts, result: run } = await call({ tool: tool(2.2, {}), calls: [{ input: 'x' }] }, children(result));
    expect(texts[0]).toContain(text);
    expect(run.outcome.kind).toBe('success');
  });

  it('waits for a workflow that waits, and continues the conversation with its result', async () => {
    const child = children({ kind: 'waiting', executionId: 'e2' }, finished({ a: 1 }));
    const test = testRunOf({ tool: tool(2.2, {}), calls: [{ input: 'x' }], ports: { startChild: child.startChild } });
    const first = await runTest(test);
    if (first.outcome.kind !== 'waiting') throw new Error('The run does not wait.');
    expect(first.outcome.wait).toEqual({ kind: 'child', executionId: 'e2' });
    const second = await runTest({
      ...test,
      state: first.outcome.state,
      records: first.records,
      resume: { kind: 'child' },
    });
    expect(second.records.get('Root')?.[0]?.data?.main?.[0]?.[0]?.json).toMatchObject({ texts: ['[{"a":1}]'] });
    expect(child.requests.map(({ executionId }) => executionId)).toEqual([undefined, 'e2']);
  });

  it('makes separate calls for separate calls of the model', async () => {
    const child = children(finished({ a: 1 }), finished({ a: 2 }));
    const { texts } = await call({ tool: tool(2.2, {}), calls: [{ input: 'x' }, { input: 'y' }] }, child);
    expect(child.requests.map(({ run, input }) => [run, input[0]?.json['query']])).toEqual([
      [0, 'x'],
      [1, 'y'],
    ]);
    expect(texts).toEqual(['[{"a":1}]', '[{"a":2}]']);
  });
});
