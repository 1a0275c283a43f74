import {
  type Execution,
  ExecutionMode,
  type ExecutionStart,
  type StartPartialExecutionRequest,
  StartWait,
} from '@weft/proto/executions';
import { remainingMs } from '@weft/service-kit/context';
import type { Json } from '@weft/service-kit/json';
import { checkMessageSize } from '../../http/message-size';
import { readIdempotencyKey } from '../../http/idempotency-key';
import { quote } from '../../http/json-text';
import { anyObject, flag, object, readOptionalBody, text } from '../../http/shape';
import { dataAnswer } from '../../middleware/responses/write-answer';
import { component, described, ID, listOf, oneOf, record, TEXT } from '../../openapi/schema';
import type { ApiHandler } from '../api-handler';
import { STATUSES } from '@weft/proto/execution-words';
import { statusText } from '../executions/execution-json';

/** Time left for the request when waiting for the end of the run stops. */
const WAIT_MARGIN_MS = 1_500;

/** Body of a start. */
export const EXECUTE_BODY = object({
  data: anyObject({ description: 'Passed to the run.' }),
  startNode: text({ description: 'The name of the node to begin at.' }),
  usePinData: flag({ description: 'False: pinned nodes run for real.', default: true }),
  wait: flag({ description: 'Responds when the run has ended, or when the time for the request is nearly over.' }),
  definition: anyObject({
    description:
      'An addition: the definition to run instead of the stored one, such as a draft. It must be one that the caller ' +
      'could store, and it is not stored as the workflow.',
  }),
  destinationNode: text({
    description:
      'An addition: runs only this node and the nodes that it needs. With the same `startNode`, and with ' +
      '`reuseFrom`, only this node.',
  }),
  reuseFrom: text({
    description:
      'An addition: an ended execution of the workflow. Nodes that succeeded in it do not run again if neither they ' +
      'nor the nodes that they depend on have changed since: their output is used. Requires `destinationNode` or ' +
      '`startNode`.',
  }),
});

/** `data` of the response to a start. */
export const STARTED = component(
  'StartedExecution',
  record(
    { executionId: ID, status: oneOf(...STATUSES.keys()) },
    {
      reused: described(
        'With `definition`, `destinationNode` or `reuseFrom`: the nodes whose output of `reuseFrom` is used.',
        listOf(TEXT),
      ),
    },
  ),
);

interface ExecuteParams {
  readonly input: Buffer;
  readonly startNode: string;
  readonly usePinData: boolean;
  readonly wait: boolean;
  /** Absent: the stored definition runs from the start node. */
  readonly part?: Omit<StartPartialExecutionRequest, 'start'>;
}

const readExecute = (body: Json | undefined): ExecuteParams => {
  const read = readOptionalBody(EXECUTE_BODY, body);
  const { data, startNode = '', usePinData = true, wait = false } = read;
  const { definition, destinationNode = '', reuseFrom = '' } = read;
  const input = data === undefined ? '' : JSON.stringify(data);
  const draft = definition === undefined ? undefined : JSON.stringify(definition);
  checkMessageSize(input.length + (draft?.length ?? 0));
  const params = { input: Buffer.from(input), startNode, usePinData, wait };
  if (draft === undefined && destinationNode === '' && reuseFrom === '') return params;
  const part = { destinationNode, reuseFrom, ...(draft === undefined ? {} : { definition: Buffer.from(draft) }) };
  return { ...params, part };
};

const statusOf = (ended: Execution | undefined): string =>
  ended === undefined ? '"running"' : statusText(ended.status);

/**
 * POST /workflows/:id/execute: starts a run and responds with 201 and its id as soon as it is stored. With `wait: true`
 * the response comes when the run has ended, or with status `running` when the time for the request is nearly over.
 * `definition`, `destinationNode` and `reuseFrom` are additions: they run a draft, or some nodes with the output that
 * others gave before.
 */
export const executeWorkflow: ApiHandler = async ({ id, body, headers, principal }, { executions }) => {
  const { wait, part, ...params } = readExecute(body);
  const start: ExecutionStart = {
    ...params,
    workflowId: id,
    idempotencyKey: readIdempotencyKey(headers),
    wait: wait ? StartWait.START_WAIT_END : StartWait.START_WAIT_UNSPECIFIED,
    waitMs: wait ? Math.max(1, remainingMs(30_000) - WAIT_MARGIN_MS) : 0,
    mode: ExecutionMode.EXECUTION_MODE_UNSPECIFIED,
    versionId: '',
    ownerId: '',
  };
  const options = { principal, waits: wait, deadlineMs: 30_000 };
  const { started, reused } =
    part === undefined
      ? { started: await executions.startByItself(start, options), reused: undefined }
      : await executions.startPartial({ start, ...part }, options);
  const nodes = reused === undefined ? '' : `,"reused":${JSON.stringify(reused)}`;
  return dataAnswer(`{"executionId":${quote(started.executionId)},"status":${statusOf(started.ended)}${nodes}}`, {
    status: 201,
    headers: { location: `/api/v1/executions/${started.executionId}` },
  });
};
