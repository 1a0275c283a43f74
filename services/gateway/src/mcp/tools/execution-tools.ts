import { InvalidRequest } from '@weft/service-kit/errors';
import { objectField } from '@weft/service-kit/json';
import { anyObject, choice, flag, idText, integer, object, text } from '../../http/shape';
import { decideApproval } from '../../handlers/executions/approvals';
import { listExecutionEvents } from '../../handlers/executions/events';
import { cancelExecution, getExecution } from '../../handlers/executions/executions';
import { listExecutions } from '../../handlers/executions/list-executions';
import { readWindow, shownPart } from '../bounded-text';
import { EXECUTION_ID, OFFSET, PAGE_CURSOR, PAGE_SIZE, WORKFLOW_ID } from './arguments';
import { MAX_PARSED } from './read-outcome';
import { startAndWait } from './start-and-wait';
import { defineTool, HINTS, type McpTool, type ToolCall, windowResult } from './tool';

const STATUS_WORDS: ReadonlyMap<string, string> = new Map(
  ['running', 'waiting', 'success', 'error'].map((word) => [word, word]),
);

const DECISION_WORDS: ReadonlyMap<string, string> = new Map(['approve', 'reject'].map((word) => [word, word]));

const WAIT = flag({ description: 'Waits until the run has ended, at most 25 s.' });

/** The run data of one node. @throws InvalidRequest */
const dataOfNode = async (id: string, node: string, { call }: ToolCall): Promise<string> => {
  const { text: json, hasMore } = await readWindow(await call(getExecution, { id }), 0, MAX_PARSED);
  if (hasMore)
    throw new InvalidRequest('The run data is too large to select a node. Leave node out, and page with offset.');
  const data = objectField(objectField(JSON.parse(json), 'data'), 'data');
  const runData = objectField(objectField(data, 'resultData'), 'runData') ?? {};
  if (Object.hasOwn(runData, node)) return JSON.stringify(runData[node]);
  throw new InvalidRequest(
    `The run has no data of this node. Nodes: ${Object.keys(runData).slice(0, 100).join(', ')}.`,
  );
};

export const EXECUTION_TOOLS: readonly McpTool[] = [
  defineTool({
    name: 'run_workflow',
    title: 'Run a workflow',
    description:
      'Starts a workflow, active or not, and waits up to 25 s for its result: the items of its last node, or the ' +
      'error. If it is still running, returns the execution id for get_execution.',
    hints: HINTS.runs,
    args: object(
      {
        id: WORKFLOW_ID,
        data: anyObject({ description: 'The input: the JSON of the item at the first node.' }),
        startNode: text({ description: 'The node to begin at. Default: the manual trigger, or the first trigger.' }),
        usePinData: flag({ description: 'False: nodes with pinned data run for real. Default: true.' }),
        wait: flag({ description: 'False: returns the execution id at once. Default: true.' }),
      },
      { required: ['id'] },
    ),
    run: ({ id = '', data, startNode, usePinData = true, wait = true }, call) =>
      startAndWait({ id, data, startNode, usePinData, wait }, call),
  }),
  defineTool({
    name: 'list_executions',
    title: 'List executions',
    description:
      'Lists executions, newest first, with status, times, last node and error. Read one with get_execution.',
    hints: HINTS.reads,
    args: object({
      workflowId: WORKFLOW_ID,
      status: choice(STATUS_WORDS, { description: 'Only executions with this status.' }),
      limit: PAGE_SIZE,
      cursor: PAGE_CURSOR,
    }),
    run: async ({ limit = 20, ...query }, { call }) =>
      windowResult(await call(listExecutions, { query: { ...query, limit } })),
  }),
  defineTool({
    name: 'get_execution',
    title: 'Read an execution',
    description:
      'Returns status, times, last node and error of an execution. For each node see follow_execution, for items ' +
      'get_execution_data.',
    hints: HINTS.reads,
    args: object({ id: EXECUTION_ID, wait: WAIT }, { required: ['id'] }),
    run: async ({ id = '', wait = false }, { call }) =>
      windowResult(await call(getExecution, { id, query: { includeData: false, wait } })),
  }),
  defineTool({
    name: 'follow_execution',
    title: 'Follow an execution',
    description:
      'Returns the events of an execution: each node that has finished, with duration, number of items and error, ' +
      'and the end. While `complete` is false call again with `after` set to the last sequence number.',
    hints: HINTS.reads,
    args: object(
      {
        id: EXECUTION_ID,
        after: integer(0, 4_294_967_295, { description: 'The last sequence number that you have. Default: 0.' }),
        wait: flag({ description: 'Waits until there is an event, at most 25 s. Default: true.' }),
      },
      { required: ['id'] },
    ),
    run: async ({ id = '', after = 0, wait = true }, { call }) =>
      windowResult(await call(listExecutionEvents, { id, query: { after, wait, limit: 50 } })),
  }),
  defineTool({
    name: 'get_execution_data',
    title: 'Read the data of an execution',
    description:
      'Returns the run data of an execution, with the items of each node, or of one node. Long data is returned in ' +
      'parts: continue with `offset`.',
    hints: HINTS.reads,
    args: object(
      { id: EXECUTION_ID, node: idText({ description: 'Only this node.' }), offset: OFFSET },
      { required: ['id'] },
    ),
    run: async ({ id = '', node, offset = 0 }, call) => {
      if (node === undefined) return windowResult(await call.call(getExecution, { id }), offset);
      return { text: shownPart(await dataOfNode(id, node, call), offset) };
    },
  }),
  defineTool({
    name: 'cancel_execution',
    title: 'Cancel an execution',
    description: 'Ends an unfinished execution. One that has ended is returned unchanged.',
    hints: HINTS.changes,
    args: object({ id: EXECUTION_ID }, { required: ['id'] }),
    run: async ({ id = '' }, { call }) => windowResult(await call(cancelExecution, { id })),
  }),
  defineTool({
    name: 'decide_approval',
    title: 'Approve or reject a call of a tool',
    description:
      'Decides about a call that an execution waits to make. get_execution lists them under `approvals`. ' +
      'Ask the user first: an approved call acts for them.',
    hints: HINTS.changes,
    args: object(
      {
        id: EXECUTION_ID,
        run: idText({ description: 'The `run` of the approval.' }),
        decision: choice(DECISION_WORDS, { description: 'Whether the call is made.' }),
        message: text({ description: 'For the record, and for the model if the call is rejected.' }),
      },
      { required: ['id', 'run', 'decision'] },
    ),
    run: async ({ id = '', run = '', decision = '', message = '' }, { call }) =>
      windowResult(await call(decideApproval, { id, ref: run, body: { decision, message } })),
  }),
];
