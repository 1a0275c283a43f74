import { MODE_WORDS, STATE_WORDS, STATUSES } from '@weft/proto/execution-words';
import { EXECUTION_DATA } from '../../openapi/run-data-schemas';
import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  COUNT,
  described,
  type Fields,
  ID,
  listOf,
  oneOf,
  orNull,
  record,
  TEXT,
  TIME,
} from '../../openapi/schema';

export { approvalsText, entryText, headText, partText, statusText, summaryText } from '@weft/proto/execution-json';

const HEAD_FIELDS: Fields = {
  id: ID,
  workflowId: ID,
  mode: oneOf(...MODE_WORDS.values()),
  startedAt: orNull(TIME),
  finishedAt: orNull(TIME),
  status: oneOf(...STATUSES.keys()),
  state: described('More exact than the status.', oneOf(...STATE_WORDS.values())),
};

const SOMETIMES: Fields = {
  versionId: described('The version of the workflow that it runs. Absent: a stored webhook call, not started yet.', ID),
  parentExecutionId: described('The execution that called it.', ID),
  retryOf: described('The execution that it retries.', ID),
  retrySuccessId: described('Its retry that succeeded.', ID),
  customData: described('Custom metadata set by the run.', ANY_OBJECT),
  modelUsage: described(
    'Calls and tokens of models in all attempts, without those of its sub-workflows. Absent: it called none.',
    record(
      {
        calls: COUNT,
        inputTokens: COUNT,
        outputTokens: COUNT,
        totalTokens: described('As services count them: with tokens that are neither.', COUNT),
      },
      {
        cost: described('In the currency of the price file. Absent: no prices are known.', { type: 'number' }),
        unpricedModels: described('Models that were called and have no price, at most 10.', listOf(TEXT)),
      },
    ),
  ),
  usePinData: described('Whether pinned nodes returned their pin data. Not in lists.', BOOLEAN),
  partial: described(
    'Set if it ran only some nodes: up to `destinationNode`, with the output that the nodes in `reused` gave in the ' +
      'execution `reuseFrom`. Not in lists.',
    record({ reused: listOf(TEXT) }, { destinationNode: TEXT, reuseFrom: ID }),
  ),
};

/** Schema of the calls that wait for a person. */
export const APPROVALS = described(
  'Calls of tools that it waits for a person to approve. Absent: none. Not in lists.',
  listOf(
    record(
      {
        run: described('Id of the approval within the execution.', TEXT),
        node: described('The tool node.', TEXT),
        tool: described('Its function that the model called.', TEXT),
        requestedAt: orNull(TIME),
        expiresAt: described('When it counts as rejected.', orNull(TIME)),
      },
      { input: described('Arguments of the call. Absent: larger than 16 KiB.', ANY_OBJECT) },
    ),
  ),
);

/** Schema of the reply that it waits for. */
const REPLY = described(
  'The reply that it waits for in its chat. Absent: none. Not in lists.',
  record(
    {
      run: described('Id of the wait within the execution.', TEXT),
      messages: described(
        'The conversation of the run, the oldest message first.',
        listOf(record({ author: oneOf('user', 'assistant'), text: TEXT })),
      ),
      since: described('Index of the first message after the last one of the user.', COUNT),
      buttons: listOf(record({ label: TEXT, approves: BOOLEAN, style: oneOf('primary', 'secondary') })),
      blocksText: described('Only buttons are accepted.', BOOLEAN),
    },
    { expiresAt: described('When it continues without a reply.', TIME) },
  ),
);

/** Schemas of an execution in lists, and in full. */
export const EXECUTION = component(
  'Execution',
  record(
    {
      ...HEAD_FIELDS,
      data: described(
        'In lists only `resultData.lastNodeExecuted` and `resultData.error`, otherwise with `resultData.runData`.',
        EXECUTION_DATA,
      ),
    },
    { ...SOMETIMES, approvals: APPROVALS, reply: REPLY },
  ),
);
