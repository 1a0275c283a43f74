import {
  ANY_OBJECT,
  BOOLEAN,
  component,
  COUNT,
  described,
  type Fields,
  ID,
  listOf,
  mapOf,
  oneOf,
  orNull,
  record,
  type Schema,
  TEXT,
} from './schema';

const ERROR_FIELDS: Fields = {
  name: TEXT,
  description: orNull(TEXT),
  context: ANY_OBJECT,
  node: described('The node that failed.', { ...record({}, { name: TEXT, type: TEXT }), additionalProperties: true }),
};

/** The error of a node run. */
const NODE_ERROR = component('NodeError', { ...record({ message: TEXT }, ERROR_FIELDS), additionalProperties: true });

/** The error of an execution. */
const EXECUTION_ERROR = component('ExecutionError', {
  ...record({ reason: described('Such as `NODE_ERROR` or `TIMED_OUT`.', TEXT), message: TEXT }, ERROR_FIELDS),
  additionalProperties: true,
});

const BINARY_FILE = component('BinaryFile', {
  ...record(
    { id: described('`GET /executions/{id}/binary/{fileId}` returns the file.', ID), mimeType: TEXT },
    { fileType: TEXT, fileName: TEXT, fileExtension: TEXT, bytes: COUNT },
  ),
  additionalProperties: true,
});

/** An item that flows between nodes. */
export const ITEM = component('Item', {
  ...record(
    {},
    {
      json: described('An object, or a list where a node returned one.', {}),
      binary: described('Files by name.', mapOf(BINARY_FILE)),
      pairedItem: described('The items that it was made from: a number, an object or a list of objects.', {}),
      error: described('The failure of this one item.', ANY_OBJECT),
    },
  ),
  additionalProperties: true,
});

const RUN_SOURCE = component(
  'RunSource',
  record(
    { previousNode: TEXT },
    { previousNodeOutput: described('Default: 0.', COUNT), previousNodeRun: described('Default: 0.', COUNT) },
  ),
);

/** Members of the record of a node run, except for its items. */
export const RUN_RECORD_FIELDS: Fields = {
  startTime: described('Unix milliseconds.', COUNT),
  executionTime: described('Milliseconds, including retries and the waits between them.', {
    type: 'number',
    minimum: 0,
  }),
  executionStatus: oneOf('success', 'error'),
  source: described(
    'One entry per input; null for an input that got nothing. Empty for the first node.',
    listOf(orNull(RUN_SOURCE)),
  ),
  error: NODE_ERROR,
  hints: listOf(ANY_OBJECT),
  console: described('Console output of the node, one string for each call.', listOf(TEXT)),
  metadata: ANY_OBJECT,
  pinned: described('True: the items are pinned, and the node did not run.', BOOLEAN),
};

/** A component, because some generators cannot read a map of lists of lists. */
const NODE_OUTPUTS = component('NodeOutputs', {
  ...record(
    {},
    {
      main: described(
        'Items by output index. Runs of sub-nodes have the type of their connection instead, such as `ai_tool`; ' +
          'their input is in `inputOverride`.',
        listOf(listOf(ITEM)),
      ),
    },
  ),
  additionalProperties: true,
});

const RUN_RECORD = component('NodeRunRecord', {
  ...record(
    { executionIndex: described('Position in the order of all node runs.', COUNT) },
    {
      ...RUN_RECORD_FIELDS,
      data: NODE_OUTPUTS,
      inputOverride: NODE_OUTPUTS,
    },
  ),
  additionalProperties: true,
});

const RESULT_DATA = component('ResultData', {
  ...record(
    {},
    {
      lastNodeExecuted: orNull(TEXT),
      error: described('Why the execution failed. Absent unless it did.', EXECUTION_ERROR),
      runData: described('Node runs by the name of the node. Absent in lists.', mapOf(listOf(RUN_RECORD))),
    },
  ),
  additionalProperties: true,
});

/** `data` of an execution. */
export const EXECUTION_DATA: Schema = component('ExecutionData', {
  example: {
    resultData: {
      runData: {
        Set: [
          {
            startTime: 1_772_366_400_000,
            executionTime: 2,
            executionIndex: 1,
            executionStatus: 'success',
            source: [{ previousNode: 'Order received' }],
            hints: [],
            data: { main: [[{ json: { total: 42 }, pairedItem: { item: 0 } }]] },
          },
        ],
      },
      lastNodeExecuted: 'Set',
    },
  },
  ...record({}, { startData: ANY_OBJECT, resultData: RESULT_DATA }),
  additionalProperties: true,
});
