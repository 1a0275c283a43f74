import { dataOf, listOf, textOf, type Rest } from './rest';
import { until } from './until';
import { chain, node, type NodeFile, type WorkflowFile } from './workflows';

/** A node that sets one number. */
export const set = (name: string, x: number, field: string, value: string): NodeFile =>
  node(name, 'set', 3.4, x, {
    mode: 'manual',
    includeOtherFields: true,
    options: {},
    assignments: { assignments: [{ id: field, name: field, type: 'number', value }] },
  });

/** A workflow that others call, with these nodes after its trigger. */
export const called = (...nodes: readonly NodeFile[]): WorkflowFile =>
  chain('called', [node('Called', 'executeWorkflowTrigger', 1.1, 0, { inputSource: 'passthrough' }), ...nodes]);
const items = node('Items', 'splitOut', 1, 100, { fieldToSplitOut: 'list', options: {} });
/** A workflow whose node Call, with these parameters, calls another one once or for each of its items. */
export const caller = (
  parameters: Readonly<Record<string, unknown>>,
  extra: Readonly<Record<string, unknown>> = {},
): WorkflowFile =>
  chain('caller', [
    node('Start', 'manualTrigger', 1, 0),
    items,
    node('Call', 'executeWorkflow', 1.2, 200, parameters, extra),
    node('After', 'noOp', 1, 400),
  ]);

/** Input of a caller. */
const LIST = { list: [{ n: 1 }, { n: 2 }, { n: 3 }] };

/** Requests of stories about calls between workflows. */
export const callScene = (rest: Rest) => {
  const store = async (workflow: WorkflowFile): Promise<string> =>
    textOf(await rest('POST', '/workflows', workflow), 'id');
  const begin = async (workflowId: string, data: object = LIST): Promise<string> =>
    textOf(await rest('POST', `/workflows/${workflowId}/execute`, { data }), 'executionId');
  const read = async (id: string) => dataOf(await rest('GET', `/executions/${id}`));
  const ended = (id: string, limitMs = 20_000) =>
    until(
      `execution ${id} ends`,
      async () => {
        const execution = await read(id);
        return execution['status'] !== 'running' && execution['status'] !== 'waiting' && execution;
      },
      limitMs,
    );
  const runsOf = async (workflowId: string) =>
    listOf(await rest('GET', `/executions?workflowId=${workflowId}&limit=100`));
  /** JSON of the output of a node of an execution. */
  const given = (execution: Readonly<Record<string, unknown>>, name: string): unknown => {
    const found: {
      data?: {
        resultData?: { runData?: Record<string, { data?: { main?: { json: unknown }[][] } }[]> };
        runData?: Record<string, { data?: { main?: { json: unknown }[][] } }[]>;
      };
    } = JSON.parse(JSON.stringify(execution));
    const runData = found.data?.resultData?.runData ?? found.data?.runData ?? {};
    return runData[name]?.at(-1)?.data?.main?.[0]?.map(({ json }) => json);
  };
  const run = async (workflow: WorkflowFile, data: object = LIST) => ended(await begin(await store(workflow), data));
  return { rest, store, begin, read, ended, runsOf, given, run };
};
